/* status.h: what `status` found, and how it is shown. */
#ifndef SPEC_CLI_STATUS_H
#define SPEC_CLI_STATUS_H

#include "cli/cli.h"
#include "core/backend.h"
#include "git/standing.h"

typedef struct spec_status {
  spec_cli *cli;
  const spec_backend *backend;
  const spec_revision *now; /* what the overrides were held against */
  spec_standing *items;     /* by trunk path; stale lines come last */
  size_t count;
  size_t counts[SPEC_STATES];
} spec_status;

/* status_text.c; SPEC_ENOMEM */
int spec_status_print_text(const spec_status *status, spec_err *err);
int spec_status_print_json(const spec_status *status, spec_err *err);

#endif
