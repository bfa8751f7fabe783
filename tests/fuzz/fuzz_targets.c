/* The target list, and CMake lists: what parses is found again under its name and can be walked;
 * what does not parse has a line and a reason. */
#include "fuzz.h"

#include "usage.h"

#include <string.h>

/* Joined again by ';', the items are the text without its empty items. */
static void check_split(spec_arena *arena, const char *text, size_t len) {
  spec_list list;
  CHECK(spec_list_split(arena, &list, text, len, NULL) == SPEC_OK);
  const char *p = text;
  for (size_t i = 0; i < list.count; i++) {
    size_t size = strlen(list.items[i]);
    while (*p == ';')
      p++;
    CHECK(size > 0 && strncmp(p, list.items[i], size) == 0);
    CHECK(strchr(list.items[i], ';') == NULL || strpbrk(list.items[i], "<[\\") != NULL);
    p += size;
    CHECK(*p == ';' || *p == '\0');
  }
  CHECK(p[strspn(p, ";")] == '\0');
}

static int count_part(void *user, const char *part, size_t len, spec_err *err) {
  (void)err;
  *(size_t *)user += len;
  return len > 0 && part != NULL ? 0 : -1;
}

static void check_target(spec_arena *arena, const spec_targets *targets, const spec_target *t) {
  spec_list list;
  spec_source *sources;
  size_t count, bytes = 0;
  CHECK(t->name != NULL && t->type != NULL && t->dir != NULL && t->bin != NULL);
  CHECK(spec_map_get(targets->by_name, t->name, NULL) != NULL);
  CHECK(spec_usage_includes(arena, &list, targets, t, NULL) == SPEC_OK);
  CHECK(spec_usage_forced(arena, &list, targets, t, NULL) == SPEC_OK);
  CHECK(spec_usage_sources(arena, &sources, &count, targets, t, NULL) == SPEC_OK);
  CHECK(count >= t->sources.count);
  for (size_t i = 0; i < count; i++) {
    CHECK(spec_usage_parts(sources[i].text, count_part, &bytes, NULL) == 0);
    CHECK(bytes <= strlen(sources[i].text));
    bytes = 0;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_targets targets;
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  check_split(arena, text, strlen(text));
  int rc = spec_targets_parse(arena, &targets, text, size, "f", &err);
  CHECK(rc == SPEC_OK || rc == SPEC_EPARSE);
  CHECK(rc == SPEC_OK || (err.what[0] != '\0' && strncmp(err.where, "f:", 2) == 0));
  for (size_t i = 0; rc == SPEC_OK && i < targets.count && i < 20; i++)
    check_target(arena, &targets, &targets.items[i]);
  if (rc == SPEC_OK)
    spec_targets_dispose(&targets);
  spec_arena_free(arena);
  return 0;
}
