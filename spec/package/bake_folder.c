/* bake_folder.c: a backend's package in the place of one that a build of the sources has put
 * together. */
#include "package/bake_folder.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/results.h"

/* Before it is planned: what a backend has changed already is no trunk for it. */
static int refuse_baked(const char *folder, spec_err *err) {
  spec_arena *arena;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  const char *manifest = spec_path_join(arena, folder, SPEC_BAKE_FOLDER_MANIFEST);
  spec_ftype type = SPEC_FT_NONE;
  rc = manifest == NULL ? spec_fail_memory(err) : spec_fs_type(&type, manifest, err);
  if (rc == 0 && type != SPEC_FT_NONE) {
    rc = spec_fail(err, SPEC_EINVAL, "the package in '%s' is baked already", folder);
    (void)spec_fail_where(err, "%s", manifest);
    (void)spec_fail_mend(err,
                         "build it anew in an empty folder; several backends at once are layers");
  }
  spec_arena_free(arena);
  return rc;
}

static int write(const spec_package *package, const char *path, const spec_member *m,
                 spec_err *err) {
  spec_arena *arena = package->plan->arena;
  const char *full = spec_path_join(arena, spec_plan_trunk(package->plan), path);
  const char *dir = spec_path_dirname(arena, path);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(err);
  int rc = spec_results_folder(arena, spec_plan_trunk(package->plan), dir, err);
  return rc != 0 ? rc : spec_results_write(full, m->text, m->len, m->executable, err);
}

static int leave_out(const spec_package *package, const char *path, spec_err *err) {
  const char *full = spec_path_join(package->plan->arena, spec_plan_trunk(package->plan), path);
  return full == NULL ? spec_fail_memory(err) : spec_fs_remove(full, err);
}

static int put(const spec_package *package, spec_err *err) {
  int rc = 0;
  spec_member manifest = {0};
  for (size_t i = 0; rc == 0 && i < package->count; i++)
    if (package->members[i].origin != SPEC_FROM_TRUNK)
      rc = write(package, package->members[i].path, &package->members[i], err);
  for (size_t i = 0; rc == 0 && i < package->removed_count; i++)
    rc = leave_out(package, package->removed[i], err);
  if (rc == 0)
    rc = spec_bake_manifest(package->plan->arena, &manifest.text, &manifest.len, package, "triton",
                            err);
  return rc != 0 ? rc : write(package, SPEC_BAKE_FOLDER_MANIFEST, &manifest, err);
}

int spec_bake_folder(const spec_options *options, spec_err *err) {
  spec_plan *plan = NULL;
  spec_package package;
  int rc = refuse_baked(options->trunk, err);
  if (rc == 0)
    rc = spec_plan_new(&plan, options, err);
  if (rc == 0)
    rc = spec_package_new(&package, plan, SPEC_PACKAGE_BAKED, err);
  if (rc == 0)
    rc = put(&package, err);
  spec_plan_free(plan);
  return rc;
}
