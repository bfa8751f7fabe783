/* spec.lock: what parses is sorted, names files below the trunk and is written as it would be read;
 * what does not has a line and a reason. */
#include "fuzz.h"

#include "core/lock.h"

#include <string.h>

static bool is_id(const char *text) {
  return strcmp(text, "-") == 0 || (strlen(text) == 40 && strspn(text, "0123456789abcdef") == 40);
}

static void check_line(const spec_lock *lock, size_t i) {
  const spec_lock_line *line = &lock->lines[i];
  CHECK(line->trunk[0] != '\0' && line->trunk[0] != '/' && strstr(line->trunk, "//") == NULL);
  CHECK(strncmp(line->trunk, "../", 3) != 0 && strstr(line->trunk, "/../") == NULL);
  CHECK(strpbrk(line->trunk, "\t\n") == NULL);
  CHECK(is_id(line->blob) && is_id(line->commit) && line->line > 1);
  CHECK(i == 0 || strcmp(lock->lines[i - 1].trunk, line->trunk) < 0);
  CHECK(spec_lock_find(lock, line->trunk) == line);
}

/* Reading what is written gives the same lines. */
static void check_text(const spec_lock *lock) {
  spec_buf text = {0};
  spec_lock again = {.arena = lock->arena};
  spec_err err = {0};
  spec_lock_text(&text, lock);
  CHECK(spec_lock_parse(&again, text.data, text.len, "f", &err) == SPEC_OK);
  CHECK(again.count == lock->count);
  for (size_t i = 0; i < lock->count; i++)
    CHECK(strcmp(again.lines[i].trunk, lock->lines[i].trunk) == 0 &&
          strcmp(again.lines[i].blob, lock->lines[i].blob) == 0 &&
          strcmp(again.lines[i].commit, lock->lines[i].commit) == 0 &&
          again.lines[i].review == lock->lines[i].review);
  spec_buf_dispose(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  spec_lock lock = {.arena = arena};
  int rc = spec_lock_parse(&lock, text, size, "f", &err);
  CHECK(rc == SPEC_OK || rc == SPEC_EPARSE);
  CHECK(rc == SPEC_OK ||
        (err.what[0] != '\0' && err.mend[0] != '\0' && strncmp(err.where, "f:", 2) == 0));
  for (size_t i = 0; rc == SPEC_OK && i < lock.count; i++)
    check_line(&lock, i);
  if (rc == SPEC_OK)
    check_text(&lock);
  spec_arena_free(arena);
  return 0;
}
