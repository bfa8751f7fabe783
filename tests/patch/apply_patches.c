/* Applies patches that standard input holds, for tests/patch/test_patches.py.
 *
 * A request is a line "<exact> <base bytes, -1: no file> <patch bytes>" and then those bytes.  Its
 * answer is a line "<code> <bytes> <hunks>", a line "<state> <line> <offset>" for each hunk, then
 * the spans as "<line> <count> <from patch> <source>", ended by an empty line, then the bytes: of
 * the result, or of the error.  Exit status 1: a request that is none. */
#include "base/arena.h"
#include "core/patch.h"

#include <stdio.h>
#include <stdlib.h>

static const char *read_bytes(spec_arena *arena, long len) {
  char *text = len < 0 ? NULL : spec_arena_alloc(arena, (size_t)len + 1);
  return text != NULL && fread(text, 1, (size_t)len, stdin) == (size_t)len ? text : NULL;
}

static void answer_error(int rc, const spec_err *err) {
  char text[sizeof *err];
  int len = snprintf(text, sizeof text, "%s: %s", err->where, err->what);
  (void)printf("%d %d 0\n\n%s", rc, len, text);
}

static void answer(const spec_patched *made, size_t hunks) {
  (void)printf("0 %zu %zu\n", made->len, hunks);
  for (size_t i = 0; i < hunks; i++)
    (void)printf("%d %zu %td\n", (int)made->places.hunks[i].state, made->places.hunks[i].line,
                 made->places.hunks[i].offset);
  for (size_t i = 0; i < made->span_count; i++)
    (void)printf("%zu %zu %d %zu\n", made->spans[i].line, made->spans[i].count,
                 made->spans[i].from_patch, made->spans[i].source);
  (void)printf("\n");
  (void)fwrite(made->text != NULL ? made->text : "", 1, made->len, stdout);
}

/* Answers one request; false when there is none. */
static bool serve(spec_arena *arena) {
  char line[100], *at;
  if (fgets(line, sizeof line, stdin) == NULL)
    return false;
  bool exact = strtol(line, &at, 10) != 0;
  long base_len = strtol(at, &at, 10), patch_len = strtol(at, &at, 10);
  if (*at != '\n')
    return false;
  const char *base_text = base_len < 0 ? NULL : read_bytes(arena, base_len);
  const char *text = read_bytes(arena, patch_len);
  if (text == NULL || (base_len >= 0 && base_text == NULL))
    return false;
  const spec_patch_base base = {base_text, base_len < 0 ? 0 : (size_t)base_len, "x.py", exact};
  spec_patch patch;
  spec_patched made;
  spec_err err = {0};
  int rc = spec_patch_parse(&patch, arena, text, (size_t)patch_len, "x.py.patch", "x.py", &err);
  if (rc == 0)
    rc = spec_patch_apply(&made, arena, &patch, &base, &err);
  if (rc == 0)
    answer(&made, patch.hunk_count);
  else
    answer_error(rc, &err);
  return fflush(stdout) == 0;
}

int main(void) {
  for (bool more = true; more;) {
    spec_arena *arena;
    if (spec_arena_new(&arena, NULL) != 0)
      return 1;
    more = serve(arena);
    spec_arena_free(arena);
  }
  return feof(stdin) ? 0 : 1;
}
