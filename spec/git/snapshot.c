/* snapshot.c */
#include "git/snapshot.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "core/tree.h"
#include <stdlib.h>
#include <string.h>

typedef struct taking {
  spec_snapshot *out;
  size_t cap;
  spec_tree *tree;  /* of a folder */
  spec_arena *text; /* of the file being read */
} taking;

static int append(taking *t, const spec_snapshot_file *file, spec_err *err) {
  spec_snapshot *s = t->out;
  int rc = spec_arena_reserve(s->arena, &s->files, s->count, &t->cap, sizeof *file, err);
  if (rc == 0)
    s->files[s->count++] = *file;
  return rc;
}

static int on_entry(void *user, const spec_entry *entry, spec_err *err) {
  spec_snapshot_file file = {entry->name, entry->type, entry->executable, ""};
  memcpy(file.id, entry->id, sizeof file.id);
  return append(user, &file, err);
}

/* Id and mode of a file, whose bytes are not kept. */
static int read_file(taking *t, spec_snapshot_file *file, const char *full, spec_err *err) {
  spec_fs_file loaded;
  int rc = spec_arena_new(&t->text, err);
  if (rc != 0)
    return rc;
  if (file->type == SPEC_ENTRY_LINK) {
    rc = spec_fs_readlink(t->text, &loaded.data, full, err);
    loaded.len = rc == 0 ? strlen(loaded.data) : 0;
    loaded.executable = false;
  } else {
    rc = spec_fs_load(t->text, &loaded, full, err);
  }
  if (rc == 0) {
    spec_blob_id(file->id, loaded.data, loaded.len);
    file->executable = loaded.executable;
  }
  spec_arena_free(t->text);
  return rc;
}

static int walk(taking *t, const char *dir, spec_err *err);

/* Depth is that of the user's own folders, and links are not followed. */
static int walk_entry(taking *t, const char *path, spec_ftype type, /* NOLINT(misc-no-recursion) */
                      spec_err *err) {
  spec_snapshot_file file = {.path = path, .type = SPEC_ENTRY_FILE};
  const char *full = spec_path_join(t->out->arena, t->out->folder, path);
  if (full == NULL)
    return spec_fail_memory(err);
  int rc = 0;
  bool skipped = false;
  spec_ftype git = SPEC_FT_NONE;
  if (type == SPEC_FT_DIR) {
    rc = spec_tree_skips(t->tree, &skipped, path, err);
    const char *inner = spec_path_join(t->out->arena, full, ".git");
    if (rc == 0 && !skipped)
      rc = inner == NULL ? spec_fail_memory(err) : spec_fs_link_type(&git, inner, err);
    if (rc != 0 || skipped)
      return rc;
    if (git == SPEC_FT_NONE)
      return walk(t, path, err);
    file.type = SPEC_ENTRY_SUBMODULE;
    return append(t, &file, err);
  }
  file.type = type == SPEC_FT_FILE   ? SPEC_ENTRY_FILE
              : type == SPEC_FT_LINK ? SPEC_ENTRY_LINK
                                     : SPEC_ENTRY_NONE;
  if (file.type != SPEC_ENTRY_NONE)
    rc = read_file(t, &file, full, err);
  return rc != 0 ? rc : append(t, &file, err);
}

static int walk(taking *t, const char *dir, spec_err *err) { /* NOLINT(misc-no-recursion) */
  spec_dirent *entries;
  size_t count;
  const char *full = spec_path_join(t->out->arena, t->out->folder, dir);
  int rc = full == NULL ? spec_fail_memory(err)
                        : spec_fs_list(t->out->arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    if (strcmp(entries[i].name, ".git") == 0)
      continue; /* a file, in a work tree of `git worktree` */
    const char *path = spec_path_join(t->out->arena, dir, entries[i].name);
    rc = path == NULL ? spec_fail_memory(err) : walk_entry(t, path, entries[i].type, err);
  }
  return rc;
}

static int take_folder(taking *t, spec_err *err) {
  int rc = spec_tree_new(&t->tree, t->out->arena, t->out->folder, err);
  if (rc == 0)
    rc = walk(t, "", err);
  spec_tree_free(t->tree);
  return rc;
}

static int take_revision(taking *t, spec_repository *repository, spec_err *err) {
  spec_snapshot *s = t->out;
  if (repository == NULL) {
    spec_fail(err, SPEC_ENOTFOUND,
              "'%s' is no folder, and there is no repository to look for a "
              "revision in",
              s->name);
    spec_fail_mend(err, "name the repository with --repository");
    return SPEC_ENOTFOUND;
  }
  s->repository = repository;
  int rc = spec_repository_resolve(repository, &s->revision, s->name, err);
  return rc != 0 ? rc : spec_repository_walk(repository, &s->revision, "", on_entry, t, err);
}

static int compare(const void *a, const void *b) {
  const spec_snapshot_file *x = a, *y = b;
  return strcmp(x->path, y->path);
}

int spec_snapshot_take(spec_snapshot *out, spec_arena *arena, const char *name, const char *cwd,
                       spec_repository *repository, spec_err *err) {
  spec_snapshot s = {.arena = arena, .name = name};
  taking t = {.out = &s};
  spec_ftype type;
  const char *folder = spec_path_resolve(arena, cwd, name);
  int rc = folder == NULL ? spec_fail_memory(err) : spec_fs_type(&type, folder, err);
  if (rc != 0)
    return rc;
  if (type == SPEC_FT_DIR) {
    s.folder = folder;
    rc = take_folder(&t, err);
  } else {
    rc = take_revision(&t, repository, err);
  }
  if (rc != 0)
    return rc;
  if (s.count > 0)
    qsort(s.files, s.count, sizeof *s.files, compare);
  *out = s;
  return SPEC_OK;
}

const spec_snapshot_file *spec_snapshot_find(const spec_snapshot *from, const char *path) {
  const spec_snapshot_file key = {.path = path};
  return from->count == 0 ? NULL
                          : bsearch(&key, from->files, from->count, sizeof *from->files, compare);
}

int spec_snapshot_read(const spec_snapshot *from, spec_arena *arena, const char **data, size_t *len,
                       const spec_snapshot_file *file, spec_err *err) {
  if (from->folder == NULL)
    return spec_repository_read(from->repository, arena, data, len, file->id, err);
  const char *full = spec_path_join(arena, from->folder, file->path);
  return full == NULL ? spec_fail_memory(err) : spec_fs_read(arena, data, len, full, err);
}
