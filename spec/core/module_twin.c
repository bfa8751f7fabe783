/* module_twin.c */
#include "core/module_twin.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

/* Whether spec.ini removes a file of the trunk, by its path there or in the package. */
static bool is_removed(const spec_backend *layer, const char *path) {
  for (size_t i = 0; i < layer->setting_count; i++) {
    const spec_setting *s = &layer->settings[i];
    const char *named = spec_path_below(s->value, "python");
    if (strcmp(s->section, "remove") == 0 &&
        (strcmp(s->value, path) == 0 || (named != NULL && strcmp(named, path) == 0)))
      return true;
  }
  return false;
}

/* An extension module <stem>.*.so of the folder, or NULL. */
static int find_extension(spec_arena *arena, const char **out, spec_tree *trunk, const char *dir,
                          const char *stem, spec_err *err) {
  const spec_dirent *entries;
  size_t count, len = strlen(stem);
  int rc = spec_tree_list(trunk, &entries, &count, dir, err);
  *out = NULL;
  for (size_t i = 0; rc == 0 && *out == NULL && i < count; i++)
    if (strncmp(entries[i].name, stem, len) == 0 && entries[i].name[len] == '.' &&
        strcmp(spec_path_ext(entries[i].name), ".so") == 0) {
      *out = spec_path_join(arena, dir, entries[i].name);
      rc = *out == NULL ? spec_fail_memory(err) : SPEC_OK;
    }
  return rc;
}

/* The same module as a package, or of a package as a file. */
static int find_other_form(spec_arena *arena, const char **out, spec_tree *trunk, const char *path,
                           spec_err *err) {
  const char *dir = spec_path_dirname(arena, path), *name = spec_path_basename(path);
  if (dir == NULL)
    return spec_fail_memory(err);
  bool is_package = strcmp(name, "__init__.py") == 0, there;
  const char *stem = is_package ? spec_path_basename(dir)
                                : spec_arena_strndup(arena, name, strlen(name) - strlen(".py"));
  const char *above = is_package ? spec_path_dirname(arena, dir) : dir;
  *out = stem == NULL || above == NULL ? NULL
                                       : spec_arena_printf(arena, "%s/%s%s", above, stem,
                                                           is_package ? ".py" : "/__init__.py");
  if (*out == NULL)
    return spec_fail_memory(err);
  int rc = spec_tree_has_file(trunk, &there, *out, err);
  return rc != 0 || there ? rc : find_extension(arena, out, trunk, above, stem, err);
}

int spec_module_twin(spec_arena *arena, const char **out, spec_tree *trunk,
                     const spec_backend *layer, const char *path, spec_err *err) {
  const char *twin = NULL;
  int rc = strcmp(spec_path_ext(path), ".py") != 0
               ? SPEC_OK
               : find_other_form(arena, &twin, trunk, path, err);
  if (rc == 0)
    *out = twin != NULL && is_removed(layer, twin) ? NULL : twin;
  return rc;
}
