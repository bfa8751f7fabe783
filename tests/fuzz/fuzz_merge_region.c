/* Regions of a merge: whatever three texts they have, the pieces hold all of what either side made
 * of it, and each is settled in a way that wants review. The input is the base, ours and theirs,
 * with a line "%%" between two. */
#include "fuzz.h"

#include "diff/merge_region.h"

#include <string.h>

static spec_line take(spec_line *rest) {
  spec_line text = {rest->text, 0};
  while (text.len < rest->len && strncmp(text.text + text.len, "%%\n", 3) != 0)
    text.len++;
  size_t skip = text.len + 3 < rest->len ? text.len + 3 : rest->len;
  rest->text += skip;
  rest->len -= skip;
  return text;
}

static bool is_inside(const spec_line *part, const spec_line *whole) {
  return part->len == 0 ||
         (part->text >= whole->text && part->text + part->len <= whole->text + whole->len);
}

static void check(const spec_merge_region *region, const spec_merge_pieces *pieces) {
  size_t conflicts = 0, base = 0;
  for (size_t i = 0; i < pieces->count; i++) {
    const spec_merge_piece *piece = &pieces->items[i];
    CHECK(piece->how != SPEC_MERGE_LINES && spec_merge_how_name(piece->how) != NULL);
    conflicts += piece->how == SPEC_MERGE_CONFLICT;
    CHECK(piece->how != SPEC_MERGE_CONFLICT || piece->text.len == 0);
    CHECK(is_inside(&piece->base, &region->base));
    base += piece->base.len;
  }
  CHECK(conflicts == pieces->conflicts && conflicts + pieces->reviews == pieces->count);
  CHECK(base == region->base.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const PATHS[] = {"a.py", "a.cpp", "CMakeLists.txt"};
  spec_arena *arena;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  spec_line rest = {spec_arena_strndup(arena, (const char *)data, size), size};
  spec_merge_region region = {.base = take(&rest), .before = {"", 0}, .after = {"", 0}};
  region.ours = take(&rest);
  region.theirs = take(&rest);
  for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
    spec_merge_pieces pieces = {0};
    region.path = PATHS[i];
    CHECK(spec_merge_region_resolve(&pieces, arena, &region, NULL) == SPEC_OK);
    check(&region, &pieces);
  }
  spec_arena_free(arena);
  return 0;
}
