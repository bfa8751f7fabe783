/* digest_overrides.h: the name of a set of overrides on a command line. */
#ifndef SPEC_CPP_DIGEST_OVERRIDES_H
#define SPEC_CPP_DIGEST_OVERRIDES_H

#include "base/digest.h"
#include "core/plan.h"

/* Digest over (trunk path, kind, layer, overlay path) of each override: which
 * files, from where, but neither their contents (depfiles track those) nor absolute
 * paths (another build folder must give the same command). */
int spec_digest_overrides(spec_arena *arena, char out[33], const spec_plan *plan,
                          const spec_override *const *overrides, size_t count, spec_err *err);

#endif
