/* folder.c: a folder's files as a revision, and files that stand in for objects. */
#include "git/repository_parts.h"

#include "base/err.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "core/tree.h"
#include <string.h>

void spec_repository_folder(spec_revision *out, const char *folder, bool installed) {
  *out = (spec_revision){.folder = folder, .installed = installed};
}

/* The path below the folder of a path of the source tree; NULL: it is of a part that is not
 * installed. */
static const char *path_here(const spec_revision *revision, const char *path) {
  const char *inner = revision->installed ? spec_path_below(path, "python") : path;
  return revision->installed && inner != NULL && spec_path_below(inner, "triton") == NULL ? NULL
                                                                                          : inner;
}

static int lend(spec_repository *r, const char *id, const char *file, spec_err *err) {
  return spec_map_set(r->lent, id, (void *)file, err);
}

int spec_folder_entry(spec_repository *r, spec_entry *out, const spec_revision *revision,
                      const char *path, spec_err *err) {
  spec_entry found = {.type = SPEC_ENTRY_NONE};
  const char *inner = path_here(revision, path);
  const char *full = inner == NULL ? NULL : spec_path_join(r->arena, revision->folder, inner);
  spec_ftype type = SPEC_FT_NONE;
  spec_arena *scratch;
  spec_fs_file file;
  int rc = SPEC_OK;
  if (inner != NULL)
    rc = full == NULL ? spec_fail_memory(err) : spec_fs_type(&type, full, err);
  if (rc != 0 || type != SPEC_FT_FILE) {
    found.type = type == SPEC_FT_DIR ? SPEC_ENTRY_FOLDER : SPEC_ENTRY_NONE;
    *out = found;
    return rc;
  }
  rc = spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = spec_fs_load(scratch, &file, full, err);
  if (rc == 0) {
    found.type = SPEC_ENTRY_FILE;
    found.executable = file.executable;
    spec_blob_id(found.id, file.data, file.len);
    rc = lend(r, found.id, full, err);
  }
  spec_arena_free(scratch);
  if (rc == 0)
    *out = found;
  return rc;
}

typedef struct walk {
  spec_repository *repository;
  const spec_revision *revision;
  spec_entry_fn *fn;
  void *user;
} walk;

static int on_file(void *user, const char *path, spec_err *err) {
  const walk *w = user;
  spec_arena *arena = w->repository->arena;
  if (w->revision->without != NULL && spec_path_below(path, w->revision->without) != NULL)
    return SPEC_OK;
  const char *name = w->revision->installed ? spec_path_join(arena, "python", path)
                                            : spec_arena_strdup(arena, path);
  const spec_entry entry = {.name = name, .type = SPEC_ENTRY_FILE};
  return name == NULL ? spec_fail_memory(err) : w->fn(w->user, &entry, err);
}

int spec_folder_walk(spec_repository *r, const spec_revision *revision, const char *folder,
                     spec_entry_fn *fn, void *user, spec_err *err) {
  spec_tree *tree = NULL;
  walk w = {r, revision, fn, user};
  const char *below =
      revision->installed && *folder == '\0' ? "triton" : path_here(revision, folder);
  if (below == NULL)
    return SPEC_OK;
  int rc = spec_tree_new(&tree, r->arena, revision->folder, err);
  if (rc == 0)
    rc = spec_tree_walk(tree, below, on_file, &w, err);
  spec_tree_free(tree);
  return rc;
}

int spec_repository_lend(spec_repository *r, const char *id, const char *file, spec_err *err) {
  char real[SPEC_BLOB_ID_SIZE];
  spec_arena *scratch;
  spec_ftype type;
  int rc = spec_fs_type(&type, file, err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = spec_blob_id_of_file(scratch, real, file, err);
  spec_arena_free(scratch);
  if (rc != 0 || strcmp(id, real) != 0)
    return rc;
  const char *kept = spec_arena_strdup(r->arena, file);
  return kept == NULL ? spec_fail_memory(err) : lend(r, id, kept, err);
}

int spec_repository_lend_older(spec_repository *r, const char *id, const char *older,
                               const char *path, spec_err *err) {
  if (older == NULL || strcmp(id, "-") == 0)
    return SPEC_OK;
  const char *inner = spec_path_below(path, "python");
  const char *file = spec_path_join(r->arena, older, path);
  const char *installed = inner == NULL ? file : spec_path_join(r->arena, older, inner);
  if (file == NULL || installed == NULL)
    return spec_fail_memory(err);
  int rc = spec_repository_lend(r, id, file, err);
  return rc != 0 || inner == NULL ? rc : spec_repository_lend(r, id, installed, err);
}

int spec_lent_read(spec_repository *r, spec_arena *arena, const char **data, size_t *len,
                   const char *id, spec_err *err) {
  const char *file = spec_map_get(r->lent, id, NULL), *text;
  char now[SPEC_BLOB_ID_SIZE];
  size_t size;
  *data = NULL;
  if (file == NULL)
    return SPEC_OK;
  int rc = spec_fs_read(arena, &text, &size, file, err);
  if (rc != 0)
    return rc;
  spec_blob_id(now, text, size);
  if (strcmp(now, id) != 0) /* somebody wrote it meanwhile */
    return SPEC_OK;
  *data = text;
  *len = size;
  return SPEC_OK;
}
