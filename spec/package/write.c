/* write.c: the package in a folder that is written again and again. */
#include "package/key.h"

#include "base/err.h"
#include "base/path.h"
#include "core/results.h"

typedef struct writer {
  const spec_package *package;
  spec_arena *arena;
  const char *out;
  spec_map *wanted; /* path below out */
} writer;

static int write_member(writer *w, const spec_member *m, spec_err *err) {
  const char *full = spec_path_join(w->arena, w->out, m->path);
  const char *dir = spec_path_dirname(w->arena, m->path);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(err);
  int rc = spec_map_set(w->wanted, m->path, w, err);
  if (rc == 0)
    rc = spec_results_folder(w->arena, w->out, dir, err);
  if (rc != 0)
    return rc;
  if (m->text == NULL)
    return spec_results_link(m->file, full, err);
  return spec_results_write(full, m->text, m->len, m->executable, err);
}

/* Removes what an earlier run made and nobody wants now. */
static int prune(const writer *w, const char *dir, spec_err *err) {
  const char *full = spec_path_join(w->arena, w->out, dir);
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc =
      full == NULL ? spec_fail_memory(err) : spec_fs_list(w->arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(w->arena, dir, entries[i].name);
    const char *gone = path == NULL ? NULL : spec_path_join(w->arena, w->out, path);
    if (gone == NULL)
      return spec_fail_memory(err);
    if (entries[i].type == SPEC_FT_DIR) {
      rc = prune(w, path, err);
      if (rc == 0)
        rc = spec_fs_remove_dir(gone, err);
    } else if (spec_map_get(w->wanted, path, NULL) == NULL) {
      rc = spec_fs_remove(gone, err);
    }
  }
  return rc;
}

int spec_package_write(const spec_package *package, const char *out, spec_err *err) {
  writer w = {package, package->plan->arena, out, NULL};
  int rc = spec_map_new(&w.wanted, w.arena, err);
  if (rc == 0)
    rc = spec_results_folder(w.arena, out, "", err);
  for (size_t i = 0; rc == 0 && i < package->count; i++)
    rc = write_member(&w, &package->members[i], err);
  if (rc == 0)
    rc = prune(&w, "", err);
  spec_map_free(w.wanted);
  return rc;
}

int spec_package_update(spec_plan *plan, const char *out, bool write, spec_err *err) {
  bool any = false;
  for (size_t i = 0; i < plan->override_count; i++)
    any |= plan->overrides[i].kind == SPEC_KIND_PYTHON;
  if (!any)
    return write ? spec_fs_remove_tree(out, err) : SPEC_OK;
  spec_package package;
  int rc = spec_package_new(&package, plan, SPEC_PACKAGE_BAKED, err);
  return rc != 0 || !write ? rc : spec_package_write(&package, out, err);
}

/* --- a folder of its own --- */

static int make_folder(writer *w, const char *path, spec_err *err) {
  bool found;
  spec_map_get(w->wanted, path, &found);
  const char *full = spec_path_join(w->arena, w->out, path);
  if (found)
    return SPEC_OK;
  int rc = full == NULL ? spec_fail_memory(err) : spec_fs_mkdirs(full, err);
  return rc != 0 ? rc : spec_map_set(w->wanted, path, w, err);
}

static int create_member(writer *w, const spec_member *m, spec_err *err) {
  const char *full = spec_path_join(w->arena, w->out, m->path);
  const char *dir = spec_path_dirname(w->arena, m->path);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(err);
  int rc = make_folder(w, dir, err);
  if (rc != 0)
    return rc;
  if (m->text == NULL)
    return spec_fs_symlink(m->file, full, NULL, err);
  const spec_fs_file file = {m->text, m->len, m->executable, m->modified};
  return spec_fs_create(full, &file, err);
}

int spec_package_fill(const spec_package *package, const char *folder, spec_err *err) {
  writer w = {package, package->plan->arena, folder, NULL};
  int rc = spec_map_new(&w.wanted, w.arena, err);
  for (size_t i = 0; rc == 0 && i < package->count; i++)
    rc = create_member(&w, &package->members[i], err);
  spec_map_free(w.wanted);
  return rc;
}
