/* results.c: rules for the output folder. Runs remove what they no longer need, so a wrong --out
 * would cost somebody's files. */
#include "core/results.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/overlay.h"
#include <string.h>

/* All that a configure run leaves in the folder: the list of spec_build.h. */
static const char *const names[] = {
    "stage",
    "python",
    "tblgen",
    "plan.cmake",
    "place.cmake",
    "log.txt",
    "manifest.json",
    "targets.txt",
    "compile_commands.json",
    "compile_commands.digest",
    ".lock",
    "looks",
    "looks.stage",
    "changed",
};

/* A name that fs_write.c gives to what it has not published yet. */
static bool is_temporary(const char *name) {
  return name[0] == '.' && strcmp(spec_path_ext(name), ".tmp") == 0;
}

static bool is_ours(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return is_temporary(name);
}

static int refuse(spec_err *err, const char *out, const char *relation, const char *other) {
  spec_fail(err, SPEC_EINVAL, "the output folder '%s' %s '%s'", out, relation, other);
  spec_fail_where(err, "%s", out);
  return spec_fail_mend(err, "choose a folder of its own, as <build>/spec is for a build");
}

static int check_entries(spec_arena *arena, const char *out, spec_err *err) {
  spec_ftype type;
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = spec_fs_type(&type, out, err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_fs_list(arena, &entries, &count, out, err);
  for (size_t i = 0; rc == 0 && i < count; i++)
    if (!is_ours(entries[i].name))
      rc = refuse(err, out, "holds what triton-spec did not write:", entries[i].name);
  return rc;
}

/* out without links, as far as it exists. */
static int real_of(spec_arena *arena, const char **real, const char *out, spec_err *err) {
  const char *rest = "", *at = out;
  int rc;
  while ((rc = spec_fs_real(arena, real, at, err)) == SPEC_ENOTFOUND) {
    rest = spec_path_join(arena, spec_path_basename(at), rest);
    at = spec_path_dirname(arena, at);
    if (rest == NULL || at == NULL)
      return spec_fail_memory(err);
  }
  if (rc == 0 && (*real = spec_path_join(arena, *real, rest)) == NULL)
    rc = spec_fail_memory(err);
  return rc;
}

/* A build below a vendor's folder is usual for plugins; among its overrides it would be one. */
static int check_layer(spec_arena *arena, const char *out, const char *real, const char *dir,
                       spec_err *err) {
  static const char *const walked[] = {"spec_cpp", "spec", "python"};
  const char *layer;
  int rc = spec_fs_real(arena, &layer, dir, err);
  if (rc == 0 && spec_path_below(layer, real) != NULL)
    rc = refuse(err, out, "holds the overlay", dir);
  for (size_t i = 0; rc == 0 && i < sizeof walked / sizeof *walked; i++) {
    const char *folder = spec_path_join(arena, layer, walked[i]);
    if (folder == NULL)
      rc = spec_fail_memory(err);
    else if (spec_path_below(real, folder) != NULL)
      rc = refuse(err, out, "lies among the overrides of", dir);
  }
  return rc;
}

static int check_name(const char *path, spec_err *err) {
  if (spec_overlay_is_carried(path))
    return SPEC_OK;
  spec_fail(err, SPEC_EINVAL, "the folder's name '%s' cannot be passed through CMake and Ninja",
            path);
  spec_fail_where(err, "%s", path);
  return spec_fail_mend(err, "rename or move it: UTF-8 without control characters and without "
                             "; \" \\ $ [ ] ' ` ^ < > * ? & or a pipe");
}

int spec_results_check(const spec_plan *plan, const char *out, spec_err *err) {
  const char *real;
  int rc = check_name(plan->trunk.root, err);
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++)
    rc = check_name(plan->layers[i].dir, err);
  if (rc == 0)
    rc = check_name(out, err);
  if (rc == 0)
    rc = real_of(plan->arena, &real, out, err);
  if (rc == 0 && spec_path_below(plan->trunk.real, real) != NULL)
    rc = refuse(err, out, "holds the trunk", plan->trunk.root);
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++)
    rc = check_layer(plan->arena, out, real, plan->layers[i].dir, err);
  return rc != 0 ? rc : check_entries(plan->arena, out, err);
}

static int check_apart(spec_arena *arena, const char *out, const char *real, const char *root,
                       spec_err *err) {
  const char *other;
  int rc = spec_fs_real(arena, &other, root, err);
  if (rc == 0 && spec_path_below(other, real) != NULL)
    rc = refuse(err, out, "holds", root);
  else if (rc == 0 && spec_path_below(real, other) != NULL)
    rc = refuse(err, out, "lies in", root);
  return rc;
}

int spec_results_apart(const spec_plan *plan, const char *out, spec_err *err) {
  const char *real;
  int rc = real_of(plan->arena, &real, out, err);
  if (rc == 0)
    rc = check_apart(plan->arena, out, real, plan->trunk.root, err);
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++)
    rc = check_apart(plan->arena, out, real, plan->layers[i].dir, err);
  return rc;
}

int spec_results_clean(spec_arena *arena, const char *out, spec_err *err) {
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = spec_fs_list(arena, &entries, &count, out, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    if (!is_temporary(entries[i].name))
      continue;
    const char *path = spec_path_join(arena, out, entries[i].name);
    rc = path == NULL ? spec_fail_memory(err) : spec_fs_remove(path, err);
  }
  return rc;
}

int spec_results_open(spec_run_lock *lock, const spec_reporter *to, const char *out,
                      spec_err *err) {
  int rc = spec_run_lock_take(lock, SPEC_RUN_WRITE, out, to->on_event, to->user, err);
  if (rc != 0)
    return rc;
  rc = spec_results_clean(to->arena, out, err);
  if (rc != 0)
    spec_run_lock_release(lock);
  return rc;
}

int spec_results_open_build(spec_results_locks *out, const spec_reporter *to, const char *build,
                            spec_err *err) {
  const char *results = spec_path_join(to->arena, build, "spec");
  const char *manifest =
      results == NULL ? NULL : spec_path_join(to->arena, results, "manifest.json");
  spec_ftype type;
  *out = (spec_results_locks){{-1}, {-1}};
  if (manifest == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, results, err);
  if (rc != 0 || type != SPEC_FT_DIR)
    return rc;
  rc = spec_run_lock_take(&out->records, SPEC_RUN_CONFIGURE, build, to->on_event, to->user, err);
  if (rc == 0)
    rc = spec_fs_type(&type, manifest, err);
  if (rc == 0 && type == SPEC_FT_FILE)
    rc = spec_results_open(&out->results, to, results, err);
  if (rc != 0)
    spec_results_close_build(out);
  return rc;
}

void spec_results_close_build(spec_results_locks *locks) {
  spec_run_lock_release(&locks->results);
  spec_run_lock_release(&locks->records);
}

int spec_results_folder(spec_arena *arena, const char *root, const char *path, spec_err *err) {
  const char *full = spec_path_join(arena, root, path);
  const char *parent = *path == '\0' ? NULL : spec_path_dirname(arena, path);
  if (full == NULL || (*path != '\0' && parent == NULL))
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = parent == NULL ? 0 : spec_results_folder(arena, root, parent, err);
  if (rc == 0)
    rc = spec_fs_link_type(&type, full, err);
  if (rc != 0 || type == SPEC_FT_DIR)
    return rc;
  if (type != SPEC_FT_NONE)
    rc = spec_fs_remove(full, err);
  return rc != 0 ? rc : spec_fs_mkdirs(full, err);
}

/* Whether a folder lay in the way of a file and has been removed. */
static bool cleared(const char *path) {
  spec_ftype type;
  return spec_fs_link_type(&type, path, NULL) == 0 && type == SPEC_FT_DIR &&
         spec_fs_remove_tree(path, NULL) == 0;
}

int spec_results_link(const char *target, const char *path, spec_err *err) {
  int rc = spec_fs_symlink(target, path, NULL, err);
  return rc == SPEC_EIO && cleared(path) ? spec_fs_symlink(target, path, NULL, err) : rc;
}

int spec_results_copy(const char *target, const char *path, spec_err *err) {
  int rc = spec_fs_copy(target, path, NULL, err);
  return rc == SPEC_EIO && cleared(path) ? spec_fs_copy(target, path, NULL, err) : rc;
}

int spec_results_clone(const char *target, const char *path, spec_err *err) {
  int rc = spec_fs_clone(target, path, NULL, err);
  return rc == SPEC_EIO && cleared(path) ? spec_fs_clone(target, path, NULL, err) : rc;
}

int spec_results_write(const char *path, const char *text, size_t len, bool executable,
                       spec_err *err) {
  int rc = spec_fs_write(path, text, len, executable, NULL, err);
  return rc == SPEC_EIO && cleared(path) ? spec_fs_write(path, text, len, executable, NULL, err)
                                         : rc;
}
