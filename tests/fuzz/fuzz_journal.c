/* Journals of upgrades: what parses stays within its folder; what does not says where and why. */
#include "fuzz.h"

#include "core/journal.h"

#include <string.h>

static void check_path(const char *path) {
  if (path == NULL)
    return;
  CHECK(path[0] != '/' && path[0] != '\0' && strstr(path, "/../") == NULL);
  CHECK(strcmp(path, "..") != 0 && strncmp(path, "../", 3) != 0);
  size_t len = strlen(path);
  CHECK(len < 3 || strcmp(path + len - 3, "/..") != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_journal journal;
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  int rc = spec_journal_parse(&journal, arena, (const char *)data, size, "journal", &err);
  CHECK(rc == SPEC_OK ||
        (rc == SPEC_EPARSE && strncmp(err.where, "journal:", 8) == 0 && err.mend[0] != '\0'));
  if (rc == SPEC_OK) {
    CHECK(journal.commit != NULL && journal.rev != NULL);
    for (size_t i = 0; i < journal.count; i++) {
      CHECK(journal.changes[i].trunk != NULL && journal.changes[i].form <= SPEC_CHANGE_LOCK);
      check_path(journal.changes[i].old_path);
      check_path(journal.changes[i].new_path);
    }
  }
  spec_arena_free(arena);
  return 0;
}
