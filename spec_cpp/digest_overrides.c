/* digest_overrides.c */
#include "digest_overrides.h"

#include "base/err.h"
#include "core/kind.h"
#include <string.h>

/* Where the override lies. A patch counts as the file that it makes: when one takes the place of a
 * copy, what read that need not be built again. */
static void add_place(spec_digest *digest, const spec_override *o) {
  size_t patched = o->action == SPEC_PATCH ? spec_kind_patched(o->overlay) : 0;
  spec_digest_add(digest, o->overlay, patched > 0 ? patched : strlen(o->overlay));
}

int spec_digest_overrides(spec_arena *arena, char out[33], const spec_plan *plan,
                          const spec_override *const *overrides, size_t count, spec_err *err) {
  spec_digest *digest = spec_digest_new(arena);
  if (digest == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < count; i++) {
    spec_digest_str(digest, overrides[i]->trunk);
    spec_digest_str(digest, spec_kind_name(overrides[i]->kind));
    spec_digest_str(digest, plan->layers[overrides[i]->layer].name);
    add_place(digest, overrides[i]);
  }
  spec_digest_hex(digest, out);
  return SPEC_OK;
}
