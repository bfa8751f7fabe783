/* moved_folder.c */
#include "git/moved_folder.h"

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"
#include <stdint.h>

/* Files of a folder that are asked for: so many agree. */
enum { ASKED = 16 };

static int is_gone(bool *out, const spec_renames *r, const char *folder, spec_err *err) {
  spec_entry then, now = {0};
  *out = false;
  if (r->from == NULL || *folder == '\0')
    return SPEC_OK;
  int rc = spec_repository_entry(r->repository, &then, r->from, folder, err);
  if (rc == 0 && then.type == SPEC_ENTRY_FOLDER)
    rc = spec_repository_entry(r->repository, &now, r->to, folder, err);
  *out = rc == 0 && then.type == SPEC_ENTRY_FOLDER && now.type == SPEC_ENTRY_NONE;
  return rc;
}

/* Where one file of the folder went; NULL: nowhere. */
static int folder_now(const char **out, spec_renames *r, const char *folder, const spec_entry *file,
                      spec_err *err) {
  spec_rename found;
  spec_arena *scratch;
  const char *text, *path = spec_path_join(r->arena, folder, file->name);
  size_t len;
  *out = NULL;
  int rc = path == NULL ? spec_fail_memory(err) : spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = spec_repository_read(r->repository, scratch, &text, &len, file->id, err);
  if (rc == 0)
    rc = spec_renames_find(r, &found, path, text, len, err);
  spec_arena_free(scratch);
  if (rc != 0 || found.path == NULL)
    return rc;
  *out = spec_path_dirname(r->arena, found.path);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

typedef struct most {
  const char *folder;
  uintptr_t votes;
} most;

static int on_votes(void *user, const char *folder, void *votes) {
  most *m = user;
  if ((uintptr_t)votes > m->votes)
    *m = (most){folder, (uintptr_t)votes};
  return 0;
}

int spec_moved_folder(const char **out, spec_renames *r, const char *path, spec_err *err) {
  const char *folder = spec_path_dirname(r->arena, path), *now = NULL;
  spec_entry *entries = NULL;
  spec_map *votes = NULL;
  size_t count = 0, asked = 0;
  bool gone = false;
  *out = NULL;
  int rc = folder == NULL ? spec_fail_memory(err) : is_gone(&gone, r, folder, err);
  if (rc != 0 || !gone)
    return rc;
  rc = spec_map_new(&votes, r->arena, err);
  if (rc == 0)
    rc = spec_repository_list(r->repository, r->arena, &entries, &count, r->from, folder, err);
  for (size_t i = 0; rc == 0 && i < count && asked < ASKED; i++) {
    if (entries[i].type != SPEC_ENTRY_FILE)
      continue;
    asked++;
    rc = folder_now(&now, r, folder, &entries[i], err);
    if (rc == 0 && now != NULL) {
      uintptr_t have = (uintptr_t)spec_map_get(votes, now, NULL);
      rc = spec_map_set(votes, now, (void *)(have + 1), err);
    }
  }
  most best = {0};
  if (rc == 0)
    (void)spec_map_each(votes, on_votes, &best);
  if (best.votes * 2 > asked) {
    *out = spec_arena_strdup(r->arena, best.folder);
    rc = *out == NULL ? spec_fail_memory(err) : rc;
  }
  spec_map_free(votes);
  return rc;
}
