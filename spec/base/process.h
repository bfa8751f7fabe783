/* process.h: running another program. */
#ifndef SPEC_BASE_PROCESS_H
#define SPEC_BASE_PROCESS_H

#include "spec.h"

/* Runs argv (NULL-terminated, looked up on PATH, no shell) and copies the first
 * line of its standard output into out. */
int spec_process_first_line(char *out, size_t size, const char *const *argv, spec_err *err);

/* Runs argv with this program's own standard streams, its standard output on standard error when
 * `quiet`; *status is its exit status (128 plus the
 * signal's number when one ended it). */
int spec_process_run(int *status, bool quiet, const char *const *argv, spec_err *err);

/* Makes this process run argv instead, with the same streams, environment and process id. Returns
 * only on failure. */
int spec_process_replace(const char *const *argv, spec_err *err);

#endif
