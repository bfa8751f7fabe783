/* changed_lines.h: how much two texts differ, as `git diff --numstat` has it. */
#ifndef SPEC_GIT_CHANGED_LINES_H
#define SPEC_GIT_CHANGED_LINES_H

#include "spec.h"

/* Lines that only the second text has, and that only the first one has. SPEC_EINVAL: one of them is
 * binary. */
int spec_changed_lines(long *added, long *removed, const char *old, size_t old_len, const char *new,
                       size_t new_len, spec_err *err);

#endif
