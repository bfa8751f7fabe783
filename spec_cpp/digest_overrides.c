/* digest_overrides.c */
#include "digest_overrides.h"

#include "base/err.h"

int spec_digest_overrides(spec_arena *arena, char out[33], const spec_plan *plan,
                          const spec_override *const *overrides, size_t count, spec_err *err) {
  spec_digest *digest = spec_digest_new(arena);
  if (digest == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < count; i++) {
    spec_digest_str(digest, overrides[i]->trunk);
    spec_digest_str(digest, spec_kind_name(overrides[i]->kind));
    spec_digest_str(digest, plan->layers[overrides[i]->layer].name);
    spec_digest_str(digest, overrides[i]->overlay);
  }
  spec_digest_hex(digest, out);
  return SPEC_OK;
}
