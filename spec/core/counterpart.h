/* counterpart.h: where the override of a trunk's file lies in a backend's folder. */
#ifndef SPEC_CORE_COUNTERPART_H
#define SPEC_CORE_COUNTERPART_H

#include "core/backend.h"

/* How a file may be overridden. */
typedef enum spec_counterpart_form {
  SPEC_COUNTERPART_ANY,   /* by a copy or by a patch of it */
  SPEC_COUNTERPART_PATCH, /* by a patch alone: a copy would mean something else there */
  SPEC_COUNTERPART_COPY   /* by a copy alone: data of the package */
} spec_counterpart_form;

typedef struct spec_counterpart {
  const char *overlay; /* of the copy, below the backend's folder; a patch has ".patch" behind it;
                          NULL: an overlay cannot hold such a file */
  const char *reason;  /* why not; NULL otherwise */
  spec_kind kind;      /* SPEC_KIND_PYTHON for all of the package */
  spec_counterpart_form form;
  const char *package; /* path below python/, for policies; NULL: no part of the package */
  spec_policy policy;  /* of that, under the backend's spec.ini; else SPEC_POLICY_NONE */
  bool removable;      /* [remove] of spec.ini can take it out */
} spec_counterpart;

/* `trunk` is a normal path below the trunk; the backend may be one without settings. */
int spec_counterpart_of(spec_counterpart *out, spec_arena *arena, const spec_backend *backend,
                        const char *trunk, spec_err *err);

#endif
