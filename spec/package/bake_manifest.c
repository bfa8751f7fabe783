/* bake_manifest.c: what a baked package says of itself. */
#include "package/bake_folder.h"

#include "base/err.h"
#include "base/path.h"
#include "package/key.h"

/* "acme/spec/triton/x.py" in the place of "/src/vendors/acme/spec/triton/x.py". */
static int name_vendors(json_t *root, spec_arena *arena) {
  json_t *override;
  size_t i;
  int rc = 0;
  json_array_foreach (json_object_get(root, "overrides"), i, override) {
    const char *path = spec_path_join(arena, json_string_value(json_object_get(override, "layer")),
                                      json_string_value(json_object_get(override, "overlay")));
    rc |= spec_json_put(override, "vendor", path == NULL ? NULL : spec_json_text(path, NULL));
  }
  return rc;
}

static int name_layers(json_t *root) {
  json_t *layer;
  size_t i;
  int rc = 0;
  json_array_foreach (json_object_get(root, "layers"), i, layer)
    rc |= spec_json_put(layer, "dir", json_incref(json_object_get(layer, "name")));
  return rc;
}

int spec_bake_manifest(spec_arena *arena, const char **text, size_t *len,
                       const spec_package *package, const char *trunk, spec_err *err) {
  json_t *root;
  spec_buf out = {0};
  int rc = spec_records_manifest(&root, package, NULL, err);
  if (rc != SPEC_OK)
    return rc;
  rc = spec_json_put(root, "trunk", spec_json_text(trunk, NULL));
  rc |= name_layers(root);
  rc |= name_vendors(root, arena);
  rc = rc != 0 ? spec_fail_memory(err) : spec_json_dump(&out, root, err);
  if (rc == SPEC_OK && (*text = spec_arena_strndup(arena, spec_buf_text(&out), out.len)) == NULL)
    rc = spec_fail_memory(err);
  *len = out.len;
  spec_buf_dispose(&out);
  json_decref(root);
  return rc;
}
