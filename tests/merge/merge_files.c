/* Merges texts that standard input holds, for tests/merge/test_merge_files.py.
 *
 * A request is a line "<base bytes> <our bytes> <their bytes> <path>" and then those bytes.  Its
 * answer is a line "<code> <bytes by lines> <conflicts by lines> <bytes> <pieces>", a line
 * "<how> <bytes>" for each piece (a conflict has 0), then the text that the stage of lines alone
 * makes, and the result, or the error.  Exit status 1: a request that is none. */
#include "base/arena.h"
#include "git/merge_file.h"
#include "git/repository.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spec_line read_bytes(spec_arena *arena, size_t len) {
  char *text = spec_arena_alloc(arena, len + 1);
  return (spec_line){text != NULL && fread(text, 1, len, stdin) == len ? text : NULL, len};
}

static void answer(const spec_line *by_lines, bool conflicts, const spec_merged_file *made) {
  (void)printf("0 %zu %d %zu %zu\n", by_lines->len, conflicts, made->text.len,
               made->pieces.count);
  for (size_t i = 0; i < made->pieces.count; i++)
    (void)printf("%s %zu\n", spec_merge_how_name(made->pieces.items[i].how),
                 made->pieces.items[i].text.len);
  (void)fwrite(by_lines->text, 1, by_lines->len, stdout);
  (void)fwrite(made->text.text != NULL ? made->text.text : "", 1, made->text.len, stdout);
}

/* Answers one request; false when there is none. */
static bool serve(spec_arena *arena) {
  char line[200], *at;
  if (fgets(line, sizeof line, stdin) == NULL)
    return false;
  size_t sizes[3];
  at = line;
  for (size_t i = 0; i < 3; i++)
    sizes[i] = strtoul(at, &at, 10);
  if (*at != ' ' || strchr(at, '\n') == NULL)
    return false;
  *strchr(at, '\n') = '\0';
  spec_merge_file_input input = {.path = at + 1,
                                 .base_label = "base",
                                 .our_label = "ours",
                                 .their_label = "theirs"};
  spec_line *const texts[] = {&input.base, &input.ours, &input.theirs};
  for (size_t i = 0; i < 3; i++) {
    *texts[i] = read_bytes(arena, sizes[i]);
    if (texts[i]->text == NULL)
      return false;
  }
  spec_line by_lines;
  spec_merged_file made;
  bool conflicts = false;
  spec_err err = {0};
  int rc = spec_merge_file_lines(&by_lines, &conflicts, arena, &input, &err);
  if (rc == 0)
    rc = spec_merge_file(&made, arena, &input, &err);
  if (rc == 0)
    answer(&by_lines, conflicts, &made);
  else
    (void)printf("%d 0 0 %zu 0\n%s", rc, strlen(err.what), err.what);
  return fflush(stdout) == 0;
}

int main(void) {
  spec_err err = {0};
  if (spec_repository_begin(&err) != 0)
    return 1;
  for (bool more = true; more;) {
    spec_arena *arena;
    if (spec_arena_new(&arena, NULL) != 0)
      return 1;
    more = serve(arena);
    spec_arena_free(arena);
  }
  spec_repository_end();
  return feof(stdin) ? 0 : 1;
}
