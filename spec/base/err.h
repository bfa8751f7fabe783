/* err.h: how an error is made.  Reporting never allocates. */
#ifndef SPEC_BASE_ERR_H
#define SPEC_BASE_ERR_H

#include "spec.h"

/* Fills err (NULL is allowed) with code and message, clears place and mend;
 * returns code, so that `return spec_fail(...)` reads well. */
int spec_fail(spec_err *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Out of memory; always returns SPEC_ENOMEM: here, where a static analyser sees it. */
static inline int spec_fail_memory(spec_err *err) {
  (void)spec_fail(err, SPEC_ENOMEM, "out of memory");
  return SPEC_ENOMEM;
}
/* Adds place or mend to the error just made; return err's code (SPEC_EINVAL when err is NULL). */
int spec_fail_where(spec_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
int spec_fail_mend(spec_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
