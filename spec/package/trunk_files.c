/* trunk_files.c: a walk through links, which a package's own folders may be. */
#include "package/trunk_files.h"

#include "base/err.h"
#include "base/path.h"

/* The folders on the way down, by their real paths. */
typedef struct frame {
  const struct frame *up;
  const char *real;
} frame;

typedef struct walk {
  const spec_plan *plan;
  spec_trunk_file_fn *fn;
  void *user;
} walk;

static int walk_dir(const walk *w, const char *path, const frame *here, spec_err *err);

static int fail_loop(const char *full, const char *real, spec_err *err) {
  spec_fail(err, SPEC_EINVAL, "the trunk's link '%s' leads to a folder above it, '%s'", full, real);
  spec_fail_where(err, "%s", full);
  return spec_fail_mend(err, "remove the link");
}

/* The real folder that a link leads to, unless the way down came through it. */
static int enter_link(const walk *w, const char **real, const char *path, const frame *up,
                      spec_err *err) {
  const char *full = spec_path_join(w->plan->arena, w->plan->trunk.root, path);
  if (full == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_real(w->plan->arena, real, full, err);
  for (; rc == 0 && up != NULL; up = up->up)
    if (spec_path_below(up->real, *real) != NULL)
      rc = fail_loop(full, *real, err);
  return rc;
}

static int walk_entry(const walk *w, const char *path, spec_ftype type, const frame *up,
                      spec_err *err) {
  bool is_link = type == SPEC_FT_LINK;
  int rc = is_link ? spec_tree_type(w->plan->trunk.tree, &type, path, err) : 0;
  if (rc != 0 || (type != SPEC_FT_FILE && type != SPEC_FT_DIR)) /* a dangling link, a socket */
    return rc;
  if (type == SPEC_FT_FILE)
    return w->fn(w->user, spec_plan_in_package(w->plan, path), err);
  bool skipped;
  rc = spec_tree_skips(w->plan->trunk.tree, &skipped, path, err);
  if (rc != 0 || skipped)
    return rc;
  frame here = {up, NULL};
  if (is_link) {
    rc = enter_link(w, &here.real, path, up, err);
  } else {
    here.real = spec_path_join(w->plan->arena, up->real, spec_path_basename(path));
    rc = here.real == NULL ? spec_fail_memory(err) : 0;
  }
  return rc != 0 ? rc : walk_dir(w, path, &here, err);
}

static int walk_dir(const walk *w, const char *path, const frame *here, spec_err *err) {
  const spec_dirent *entries;
  size_t count;
  int rc = spec_tree_list(w->plan->trunk.tree, &entries, &count, path, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *child = spec_path_join(w->plan->arena, path, entries[i].name);
    rc = child == NULL ? spec_fail_memory(err) : walk_entry(w, child, entries[i].type, here, err);
  }
  return rc;
}

int spec_trunk_files(const spec_plan *plan, spec_trunk_file_fn *fn, void *user, spec_err *err) {
  const walk w = {plan, fn, user};
  const char *package = spec_plan_package(plan);
  const char *full = spec_path_join(plan->arena, plan->trunk.root, package);
  frame top = {NULL, NULL};
  spec_ftype type;
  if (full == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, full, err);
  if (rc != 0 || type != SPEC_FT_DIR)
    return rc;
  rc = spec_fs_real(plan->arena, &top.real, full, err);
  return rc != 0 ? rc : walk_dir(&w, package, &top, err);
}
