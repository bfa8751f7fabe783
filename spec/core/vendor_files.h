/* vendor_files.h: the override files of one layer, without a look at any trunk.
 *
 * A plan says what an override does to the trunk that is here; this says what the vendor has, so
 * that it can be held against any revision of a trunk that is nowhere checked out. */
#ifndef SPEC_CORE_VENDOR_FILES_H
#define SPEC_CORE_VENDOR_FILES_H

#include "core/backend.h"

typedef struct spec_vendor_file {
  spec_action action;  /* SPEC_PATCH for X.patch; SPEC_REMOVE for a [remove] of spec.ini; else
                          SPEC_REPLACE, which may turn out to be an addition */
  spec_kind kind;      /* of the trunk's file; SPEC_KIND_PYTHON for all below spec/triton and for
                          removals below python/triton */
  spec_policy policy;  /* of a Python file under the layer's spec.ini: SPEC_POLICY_MERGE means that
                          it  holds definitions only; else SPEC_POLICY_NONE */
  const char *trunk;   /* path below the root of the source tree, without ".patch" */
  const char *overlay; /* path below the layer's folder; "spec.ini" for a removal */
  const char *path;    /* absolute */
} spec_vendor_file;

/* All of a layer, sorted bytewise by trunk path. What a plan would refuse for its name, kind or
 * place is left out, and so is what never stands for a trunk's file: documentation, and the hooks
 * of spec/triton/__init__.py. Two files of one trunk path stay two; a plan refuses them. */
int spec_vendor_files(spec_arena *arena, spec_vendor_file **out, size_t *count,
                      const spec_backend *layer, spec_err *err);

#endif
