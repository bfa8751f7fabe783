/* Ninja's records: any bytes are refused or read within bounds. */
#include "fuzz.h"

#include "ninja_build.h"
#include "ninja_deps.h"

#include <string.h>

static int ignore(void *user, const char *path, spec_err *err) {
  (void)user, (void)path, (void)err;
  return 0;
}

static void check_deps(spec_arena *arena, const char *data, size_t len) {
  spec_ninja_deps deps;
  spec_err err = {0};
  if (spec_ninja_deps_parse(arena, &deps, data, len, "log", &err) != SPEC_OK) {
    CHECK(err.code == SPEC_EPARSE && err.what[0] != '\0' && err.where[0] != '\0');
    return;
  }
  for (size_t i = 0; i < deps.path_count; i++)
    for (size_t k = 0; k < deps.input_counts[i]; k++)
      CHECK(deps.inputs[i][k] < deps.path_count && deps.paths[deps.inputs[i][k]] != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_map *outputs;
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  CHECK(spec_map_new(&outputs, arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  check_deps(arena, text, size);
  CHECK(spec_ninja_build_parse(arena, outputs, text, size, ignore, NULL, NULL) == SPEC_OK);
  spec_map_free(outputs);
  spec_arena_free(arena);
  return 0;
}
