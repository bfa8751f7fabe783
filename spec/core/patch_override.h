/* patch_override.h: the patch of an override applied, and every fault of it told as a finding. */
#ifndef SPEC_CORE_PATCH_OVERRIDE_H
#define SPEC_CORE_PATCH_OVERRIDE_H

#include "core/patch.h"
#include "core/plan.h"

/* What became of a patch. */
typedef struct spec_patch_outcome {
  bool applied; /* false: said why not, and only `patch` is set, if it could be read */
  spec_patch patch;
  spec_patched made; /* its text is never NULL when applied */
} spec_patch_outcome;

/* Applies the patch that is override o's file, whose text this is, to base. Whether that is the
 * very text that it was made from is found out here: spec.lock of its layer may tell
 * (base->is_exact is not looked at). All that is wrong is reported to the plan's reporter, each
 * hunk by itself; so is where hunks have moved to. Fails for lack of memory only. */
int spec_patch_override(spec_patch_outcome *out, spec_plan *plan, const spec_override *o,
                        const char *text, size_t len, const spec_patch_base *base, spec_err *err);

/* Whether a text is a patch that makes a file; false too when it cannot be read. `target` is the
 * trunk path. */
int spec_patch_is_creation(bool *out, spec_arena *arena, const char *text, size_t len,
                           const char *target, spec_err *err);

#endif
