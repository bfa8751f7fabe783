/* package.c */
#include "core/package.h"

#include "base/err.h"
#include "base/path.h"
#include "core/results.h"
#include <string.h>

typedef struct writer {
  const spec_plan *plan;
  const char *out;
  spec_map *wanted; /* path below out -> itself */
} writer;

static int want(writer *w, const char **full, const char *path, spec_err *err) {
  spec_arena *arena = w->plan->arena;
  *full = spec_path_join(arena, w->out, path);
  const char *dir = spec_path_dirname(arena, path);
  if (*full == NULL || dir == NULL)
    return spec_fail_memory(err);
  int rc = spec_map_set(w->wanted, path, w, err);
  return rc != 0 ? rc : spec_results_folder(arena, w->out, dir, err);
}

/* A file of the trunk's package: linked unless the vendor has it or removes it. */
static int on_trunk_file(void *user, const char *path, spec_err *err) {
  writer *w = user;
  const spec_override *o = spec_plan_find(w->plan, path);
  if (o != NULL)
    return SPEC_OK;
  const char *full, *target = spec_path_join(w->plan->arena, w->plan->trunk.root, path);
  int rc = want(w, &full, spec_path_below(path, "python"), err);
  if (rc != 0)
    return rc;
  return target == NULL ? spec_fail_memory(err) : spec_results_link(target, full, err);
}

static int copy_override(writer *w, const spec_override *o, spec_err *err) {
  const char *full, *inner = spec_path_below(o->trunk, "python");
  int rc = want(w, &full, inner, err);
  return rc != 0 ? rc : spec_results_copy(o->vendor, full, err);
}

/* Removes what an earlier run made and nobody wants now. */
static int prune(const writer *w, const char *dir, spec_err *err) {
  const char *full = spec_path_join(w->plan->arena, w->out, dir);
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = full == NULL ? spec_fail_memory(err)
                        : spec_fs_list(w->plan->arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(w->plan->arena, dir, entries[i].name);
    const char *gone = path == NULL ? NULL : spec_path_join(w->plan->arena, w->out, path);
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

static int write_all(writer *w, spec_err *err) {
  const spec_plan *plan = w->plan;
  int rc = spec_results_folder(plan->arena, w->out, "", err);
  spec_ftype type = SPEC_FT_NONE;
  if (rc == 0)
    rc = spec_tree_type(plan->trunk.tree, &type, "python/triton", err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_tree_walk(plan->trunk.tree, "python/triton", on_trunk_file, w, err);
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].kind == SPEC_KIND_PYTHON && plan->overrides[i].action != SPEC_REMOVE)
      rc = copy_override(w, &plan->overrides[i], err);
  return rc != 0 ? rc : prune(w, "", err);
}

int spec_package_write(const spec_plan *plan, const char *out, spec_err *err) {
  bool any = false;
  for (size_t i = 0; i < plan->override_count; i++)
    any |= plan->overrides[i].kind == SPEC_KIND_PYTHON;
  if (!any)
    return spec_fs_remove_tree(out, err);
  writer w = {plan, out, NULL};
  int rc = spec_map_new(&w.wanted, plan->arena, err);
  if (rc != 0)
    return rc;
  rc = write_all(&w, err);
  spec_map_free(w.wanted);
  return rc;
}
