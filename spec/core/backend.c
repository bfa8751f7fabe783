/* backend.c: from a name to the folders of its layers. */
#include "core/backend.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

enum { MAX_LAYERS = 16 };

static bool is_valid_name(const char *name) {
  if (*name == '\0')
    return false;
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static int has_entry(spec_arena *arena, bool *out, const char *dir, const char *name,
                     spec_err *err) {
  char *path = spec_path_join(arena, dir, name);
  if (path == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, path, err);
  if (rc == 0)
    *out = type != SPEC_FT_NONE;
  return rc;
}

/* A folder that looks like a backend's: for the list in messages only. */
static int looks_like_backend(spec_arena *arena, bool *out, const char *dir, spec_err *err) {
  static const char *const marks[] = {"spec_cpp", "spec", "spec.ini", "spec.cmake", "backend"};
  *out = false;
  int rc = 0;
  for (size_t i = 0; rc == 0 && !*out && i < sizeof marks / sizeof *marks; i++)
    rc = has_entry(arena, out, dir, marks[i], err);
  return rc;
}

/* "; backends found: acme, mini" or "; no backend was found in ...". */
static void list_backends(spec_arena *arena, spec_buf *out, const char *const *roots,
                          size_t root_count) {
  size_t found = 0;
  for (size_t r = 0; r < root_count; r++) {
    spec_dirent *entries;
    size_t count;
    if (spec_fs_list(arena, &entries, &count, roots[r], NULL) != 0)
      continue;
    for (size_t i = 0; i < count; i++) {
      char *dir = spec_path_join(arena, roots[r], entries[i].name);
      bool is_backend = false;
      if (dir != NULL && looks_like_backend(arena, &is_backend, dir, NULL) == 0 && is_backend)
        spec_buf_printf(out, "%s%s", found++ == 0 ? "backends found: " : ", ", entries[i].name);
    }
  }
  if (found == 0) {
    spec_buf_str(out, "no backend was found in");
    for (size_t r = 0; r < root_count; r++)
      spec_buf_printf(out, "%s '%s'", r == 0 ? "" : ",", roots[r]);
  }
}

static int fail_with_list(spec_arena *arena, int code, const char *message, const char *name,
                          const char *const *roots, size_t root_count, spec_err *err) {
  spec_buf list = {0};
  list_backends(arena, &list, roots, root_count);
  spec_fail(err, code, "backend '%s' %s", name, message);
  spec_fail_mend(err, "%s", spec_buf_text(&list));
  spec_buf_dispose(&list);
  return code;
}

/* A plugin folder, as TRITON_PLUGIN_DIRS lists them, names itself in
 * backend/name.conf. */
static int is_plugin_named(spec_arena *arena, bool *out, const char *dir, const char *name,
                           spec_err *err) {
  char *conf = spec_path_join(arena, dir, "backend/name.conf");
  if (conf == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, conf, err);
  *out = false;
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  const char *text;
  size_t len;
  rc = spec_fs_read(arena, &text, &len, conf, err);
  if (rc == 0) {
    size_t start = strspn(text, " \t\r\n");
    size_t size = strcspn(text + start, " \t\r\n");
    *out = size == strlen(name) && memcmp(text + start, name, size) == 0;
  }
  return rc;
}

/* The backend's folder through one root, or NULL. */
static int find_in_root(spec_arena *arena, const char **out, const char *root, const char *name,
                        spec_err *err) {
  char *dir = spec_path_join(arena, root, name);
  if (dir == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  bool named = false;
  int rc = spec_fs_type(&type, dir, err);
  if (rc == 0 && type != SPEC_FT_DIR)
    rc = is_plugin_named(arena, &named, root, name, err);
  if (rc == 0)
    *out = type == SPEC_FT_DIR ? dir : named ? root : NULL;
  return rc;
}

static int find_dir(spec_arena *arena, const char **out, const char *name, const char *const *roots,
                    size_t root_count, spec_err *err) {
  const char *found = NULL, *found_real = NULL;
  for (size_t i = 0; i < root_count; i++) {
    const char *dir = NULL, *real = NULL;
    int rc = find_in_root(arena, &dir, roots[i], name, err);
    if (rc == 0 && dir != NULL)
      rc = spec_fs_real(arena, &real, dir, err);
    if (rc != 0)
      return rc;
    if (dir == NULL || (found != NULL && strcmp(real, found_real) == 0))
      continue;
    if (found != NULL) {
      spec_fail(err, SPEC_EAMBIGUOUS, "two overlay roots hold backend '%s': '%s' and '%s'", name,
                found, dir);
      return spec_fail_mend(err, "remove one of the two from third_party, SPEC_PATH or "
                                 "TRITON_PLUGIN_DIRS");
    }
    found = dir;
    found_real = real;
  }
  *out = found;
  return SPEC_OK;
}

static int load(spec_arena *arena, spec_backend *out, const char *name, const char *const *roots,
                size_t root_count, spec_err *err) {
  if (!is_valid_name(name))
    return fail_with_list(arena, SPEC_EINVAL, "is not a valid name (a name is [a-z0-9_]+)", name,
                          roots, root_count, err);
  *out = (spec_backend){.name = spec_arena_strdup(arena, name)};
  int rc = find_dir(arena, &out->dir, name, roots, root_count, err);
  if (rc != 0)
    return rc;
  if (out->dir == NULL)
    return fail_with_list(arena, SPEC_ENOTFOUND, "does not exist", name, roots, root_count, err);
  char *ini = spec_path_join(arena, out->dir, "spec.ini");
  if (ini == NULL || out->name == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  rc = spec_fs_type(&type, ini, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  const char *text;
  size_t len;
  rc = spec_fs_read(arena, &text, &len, ini, err);
  return rc != 0 ? rc : spec_backend_parse(arena, out, text, len, ini, err);
}

int spec_backend_layers(spec_arena *arena, spec_backend **out, size_t *count, const char *name,
                        const char *const *roots, size_t root_count, spec_err *err) {
  spec_backend *layers = spec_arena_array(arena, MAX_LAYERS, sizeof *layers);
  if (layers == NULL)
    return spec_fail_memory(err);
  size_t n = 0; /* layers[MAX_LAYERS - n ..] are known, outermost base first */
  while (name != NULL) {
    for (size_t i = MAX_LAYERS - n; i < MAX_LAYERS; i++)
      if (strcmp(layers[i].name, name) == 0) {
        spec_fail(err, SPEC_EPARSE, "backend '%s' is its own base, through 'base =' of spec.ini",
                  name);
        return spec_fail_where(err, "%s/spec.ini", layers[i].dir);
      }
    if (n == MAX_LAYERS)
      return spec_fail(err, SPEC_EINVAL, "backend '%s' has more than %d layers",
                       layers[MAX_LAYERS - 1].name, MAX_LAYERS);
    spec_backend *layer = &layers[MAX_LAYERS - ++n];
    int rc = load(arena, layer, name, roots, root_count, err);
    if (rc != 0)
      return rc;
    name = layer->base;
  }
  *out = &layers[MAX_LAYERS - n];
  *count = n;
  return SPEC_OK;
}
