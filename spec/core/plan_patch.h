/* plan_patch.h: what patches, and conflicts that a merge left, mean for a plan. */
#ifndef SPEC_CORE_PLAN_PATCH_H
#define SPEC_CORE_PLAN_PATCH_H

#include "core/patch_override.h"

/* What a patch makes of a file that a build reads; Python modules are composed by package/. */
typedef struct spec_patched_file {
  const char *text; /* NUL-terminated; of the base when the patch is refused */
  size_t len;
  bool executable;
  spec_patch_outcome outcome;
} spec_patched_file;

/* Whether a patch has something to be applied to, that of a lower layer or the trunk's, or makes
 * the file; if not, it is said. */
int spec_plan_check_patch(spec_plan *plan, bool *ok, const spec_override *o,
                          const spec_override *below, spec_err *err);

/* Reports the first conflict in an override's file. */
int spec_plan_check_conflict(spec_plan *plan, const spec_override *o, spec_err *err);

/* Applies every patch but those of Python files: sets `patched` of the overrides that win. */
int spec_plan_apply_patches(spec_plan *plan, spec_err *err);

#endif
