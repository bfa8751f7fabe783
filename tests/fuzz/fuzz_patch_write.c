/* Patches that are written: the reader applies each to the old text and gets the new one. The input
 * is the old text, a line "%%", and the new text; without that line one of the two is absent. */
#include "fuzz.h"

#include "core/patch.h"
#include "diff/patch_write.h"

#include <string.h>

static void check(spec_arena *arena, const spec_patch_side *old, const spec_patch_side *new) {
  const spec_patch_make_options options = {.path = "lib/x.py", .context_most = 8};
  spec_patch_made made;
  spec_patch patch;
  spec_patched got;
  CHECK(spec_patch_make(&made, arena, &options, old, new, NULL) == SPEC_OK);
  if (made.len == 0) {
    CHECK((old->text == NULL) == (new->text == NULL));
    CHECK(old->len == new->len && (old->len == 0 || memcmp(old->text, new->text, old->len) == 0));
    return;
  }
  CHECK(spec_patch_parse(&patch, arena, made.text, made.len, "p", "x.py", NULL) == SPEC_OK);
  CHECK(patch.hunk_count == made.hunks && made.ambiguous <= made.hunks);
  for (int exact = made.ambiguous > 0; exact < 2; exact++) {
    spec_patch_base base = {old->text, old->len, "x.py", exact};
    CHECK(spec_patch_apply(&got, arena, &patch, &base, NULL) == SPEC_OK);
    CHECK((got.text == NULL) == (new->text == NULL) && got.len == new->len);
    CHECK(got.len == 0 || memcmp(got.text, new->text, got.len) == 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  size_t len = 0;
  while (len < size && strncmp(text + len, "%%\n", 3) != 0)
    len++;
  const spec_patch_side none = {NULL, 0, false};
  const spec_patch_side old = {text, len, false};
  if (len == size) {
    check(arena, &old, &none);
    check(arena, &none, &old);
  } else {
    const spec_patch_side new = {text + len + 3, size - len - 3, size % 2 == 0};
    check(arena, &old, &new);
    check(arena, &new, &old);
  }
  spec_arena_free(arena);
  return 0;
}
