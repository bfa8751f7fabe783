/* merged.c: ids and existence of files in the merged view. */
#include "merged.h"

#include "base/err.h"
#include "base/path.h"
#include "core/plan_patch.h"
#include <string.h>

const char *spec_merged_id(const spec_merged *view, const char *path) {
  const char *id = spec_path_below(path, view->stage);
  if (id != NULL)
    return id;
  /* What CMake and the build have made so far; what they will make is looked into then. */
  if (*view->build != '\0' && spec_path_below(path, view->build) != NULL)
    return path;
  id = spec_path_below(path, view->plan->trunk.root);
  if (id == NULL)
    id = spec_path_below(path, view->plan->trunk.real);
  for (size_t i = 0; id == NULL && i < view->outside_count; i++)
    if (spec_path_below(path, view->outside[i]) != NULL)
      return path;
  return id;
}

/* Without "." and "..", doubled and leading '/', as nearly every include is. */
static bool is_normal(const char *name) {
  return name[0] != '\0' && name[0] != '.' && name[0] != '/' && strstr(name, "/.") == NULL &&
         strstr(name, "//") == NULL && name[strlen(name) - 1] != '/';
}

int spec_merged_resolve(const spec_merged *view, const char **out, const char *dir,
                        const char *name, spec_err *err) {
  /* Thousands of names are looked up in each folder of the trunk: those need no detour over the
   * absolute path, unless the build folder, whose files have other ids, lies in the trunk. */
  if (!spec_path_is_absolute(dir) && is_normal(name) &&
      spec_path_below(view->build, view->plan->trunk.root) == NULL) {
    *out = spec_path_join(view->arena, dir, name);
    return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
  }
  const char *base =
      spec_path_is_absolute(dir) ? dir : spec_path_join(view->arena, view->plan->trunk.root, dir);
  const char *path = base == NULL ? NULL : spec_path_resolve(view->arena, base, name);
  if (path == NULL)
    return spec_fail_memory(err);
  *out = spec_merged_id(view, path);
  return SPEC_OK;
}

const spec_override *spec_merged_override(const spec_merged *view, const char *id) {
  return spec_plan_find(view->plan, id);
}

int spec_merged_has(const spec_merged *view, bool *out, const char *id, spec_err *err) {
  const spec_override *o = spec_merged_override(view, id);
  if (o != NULL && o->action != SPEC_REMOVE) {
    *out = true;
    return SPEC_OK;
  }
  if (spec_path_is_absolute(id))
    return spec_tree_has_file(view->tree, out, id + 1, err);
  return spec_tree_has_file(view->plan->trunk.tree, out, id, err);
}

const char *spec_merged_file(const spec_merged *view, const char *id) {
  const spec_override *o = spec_merged_override(view, id);
  if (o != NULL && o->action != SPEC_REMOVE)
    return o->patched == NULL ? o->vendor : spec_path_join(view->arena, view->stage, id);
  if (spec_path_is_absolute(id))
    return id;
  return spec_path_join(view->arena, view->plan->trunk.root, id);
}

int spec_merged_read(const spec_merged *view, spec_arena *arena, const char **text, size_t *len,
                     const char *id, spec_err *err) {
  const spec_override *o = spec_merged_override(view, id);
  if (o != NULL && o->patched != NULL) {
    *text = o->patched->text;
    *len = o->patched->len;
    return SPEC_OK;
  }
  const char *file = spec_merged_file(view, id);
  return file == NULL ? spec_fail_memory(err) : spec_fs_read(arena, text, len, file, err);
}
