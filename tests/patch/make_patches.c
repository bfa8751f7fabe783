/* Makes patches of texts that standard input holds, for tests/patch/test_make.py.
 *
 * A request is a line "<context> <old bytes, -1: no file> <new bytes, -1: no file> <old is
 * executable> <new is executable> <path>" and then those bytes.  Its answer is a line
 * "<code> <bytes> <hunks> <removed> <added> <ambiguous>" and then the patch's bytes.  Exit status 1:
 * a request that is none. */
#include "base/arena.h"
#include "diff/patch_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_side(spec_arena *arena, spec_patch_side *side, long len) {
  if (len < 0)
    return true;
  char *text = spec_arena_alloc(arena, (size_t)len + 1);
  side->text = text;
  side->len = (size_t)len;
  return text != NULL && fread(text, 1, side->len, stdin) == side->len;
}

/* Answers one request; false when there is none. */
static bool serve(spec_arena *arena) {
  char line[500], *at;
  if (fgets(line, sizeof line, stdin) == NULL)
    return false;
  spec_patch_make_options options = {.context = (size_t)strtol(line, &at, 10)};
  long old_len = strtol(at, &at, 10), new_len = strtol(at, &at, 10);
  spec_patch_side old = {.executable = strtol(at, &at, 10) != 0};
  spec_patch_side new = {.executable = strtol(at, &at, 10) != 0};
  if (*at != ' ')
    return false;
  at[strcspn(at, "\n")] = '\0';
  options.path = at + 1;
  if (!read_side(arena, &old, old_len) || !read_side(arena, &new, new_len))
    return false;
  spec_patch_made made = {.text = ""};
  int rc = spec_patch_make(&made, arena, &options, &old, &new, NULL);
  (void)printf("%d %zu %zu %zu %zu %zu\n", rc, made.len, made.hunks, made.removed, made.added,
               made.ambiguous);
  (void)fwrite(made.text, 1, made.len, stdout);
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
