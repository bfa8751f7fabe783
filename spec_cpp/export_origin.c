/* export_origin.c: the list of what an export made, by which the next one knows it again. */
#include "export_parts.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

/* --- reading --- */

static int refuse(const spec_export *e, const char *what, spec_err *err) {
  spec_fail(err, SPEC_EINVAL, "the folder '%s' %s", e->dir, what);
  spec_fail_where(err, "%s", e->dir);
  return spec_fail_mend(err, "choose an empty folder, or one that 'triton-spec export' has made");
}

/* A path that leads nowhere else: relative, and each part a name. */
static bool is_path(const char *path) {
  for (size_t len; path != NULL; path += len + 1) {
    len = strcspn(path, "/");
    if (len == 0 || strncmp(path, "./", len + 1) == 0 || strncmp(path, "../", len + 1) == 0 ||
        strcmp(path, ".") == 0 || strcmp(path, "..") == 0)
      return false;
    if (path[len] == '\0')
      return true;
  }
  return false;
}

/* {"files": [{"path": ...}, ...]} */
static int add_known(spec_export *e, const json_t *root, const char *file, spec_err *err) {
  const json_t *files = json_object_get(root, "files");
  bool ours = json_is_array(files);
  for (size_t i = 0; ours && i < json_array_size(files); i++) {
    const char *path = json_string_value(json_object_get(json_array_get(files, i), "path"));
    ours = is_path(path);
    int rc = ours ? spec_map_set(e->known, path, e, err) : 0;
    if (rc != 0)
      return rc;
  }
  return ours ? SPEC_OK : spec_fail(err, SPEC_EPARSE, "'%s' is no list of an export's files", file);
}

/* One of the two lists; *found false when it is not there. */
static int read_list(spec_export *e, bool *found, const char *name, spec_err *err) {
  const char *file = spec_path_join(e->arena, e->dir, name), *text;
  spec_ftype type = SPEC_FT_NONE;
  size_t len;
  json_t *root = NULL;
  int rc = file == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, file, err);
  *found = type == SPEC_FT_FILE;
  if (rc != 0 || !*found)
    return rc;
  rc = spec_fs_read(e->arena, &text, &len, file, err);
  if (rc == 0)
    rc = spec_json_parse(&root, text, len, file, err);
  if (rc == 0)
    rc = add_known(e, root, file, err);
  json_decref(root);
  if (rc == SPEC_EPARSE) {
    spec_fail_where(err, "%s", file);
    spec_fail_mend(err, "remove the folder '%s' and export again", e->dir);
  }
  return rc;
}

int spec_export_read(spec_export *e, spec_err *err) {
  spec_ftype type = SPEC_FT_NONE, own = SPEC_FT_NONE;
  spec_dirent *entries = NULL;
  size_t count = 0;
  bool whole = false;
  const char *folder = spec_path_join(e->arena, e->dir, SPEC_EXPORT_OWN);
  int rc = folder == NULL ? spec_fail_memory(err) : spec_fs_type(&type, e->dir, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  if (type != SPEC_FT_DIR)
    return refuse(e, "is none: a file has its name", err);
  rc = spec_fs_list(e->arena, &entries, &count, e->dir, err);
  if (rc == 0)
    rc = spec_fs_link_type(&own, folder, err);
  /* In this order: a run that ends meanwhile writes the one and removes the other. */
  if (rc == 0 && own == SPEC_FT_DIR)
    rc = read_list(e, &e->was_stopped, SPEC_EXPORT_WRITING, err);
  if (rc == 0 && own == SPEC_FT_DIR)
    rc = read_list(e, &whole, SPEC_EXPORT_ORIGIN, err);
  if (rc != 0 || count == 0 || whole || e->was_stopped)
    return rc;
  /* A run that was stopped before its first list was there leaves an empty folder of its own. */
  if (count == 1 && own == SPEC_FT_DIR) {
    rc = spec_fs_list(e->arena, &entries, &count, folder, err);
    e->was_stopped = true;
    for (size_t i = 0; rc == 0 && i < count; i++)
      if (strcmp(spec_path_ext(entries[i].name), ".tmp") != 0 &&
          strcmp(entries[i].name, ".lock") != 0)
        return refuse(e, "holds what no export made", err);
    return rc;
  }
  return refuse(e, "is not empty, and no export made it", err);
}

/* --- writing --- */

typedef struct lister {
  const spec_export *export;
  json_t *files;
  int rc;
} lister;

static int add_path(void *user, const char *path, void *value) {
  lister *l = user;
  (void)value;
  json_t *entry = json_object();
  l->rc |= spec_json_put(entry, "path", spec_json_text(path, NULL));
  l->rc |= spec_json_push(l->files, entry);
  return l->rc;
}

static int add_wanted(void *user, const char *path, void *value) {
  lister *l = user;
  bool listed;
  spec_map_get(l->export->known, path, &listed);
  return listed ? 0 : add_path(user, path, value);
}

/* One entry of origin.json: docs/reference/export.md. */
static int add_origin(void *user, const char *path, void *value) {
  lister *l = user;
  const spec_export_item *item = value;
  json_t *entry = json_object();
  l->rc |= spec_json_put(entry, "path", spec_json_text(path, NULL));
  l->rc |= spec_json_put(entry, "from", json_string(item->layer == NULL ? "trunk" : "overlay"));
  if (item->layer != NULL)
    l->rc |= spec_json_put(entry, "layer", spec_json_text(item->layer, NULL));
  if (item->override != NULL) {
    l->rc |= spec_json_put(entry, "action", json_string(spec_action_name(item->override->action)));
    l->rc |= spec_json_put(entry, "overlay", spec_json_text(item->override->overlay, NULL));
    l->rc |= spec_json_put(entry, "vendor", spec_json_text(item->override->vendor, NULL));
  }
  l->rc |= item->link != NULL ? spec_json_put(entry, "link", spec_json_text(item->link, NULL))
                              : spec_json_put(entry, "digest", json_string(item->digest));
  l->rc |= spec_json_push(l->files, entry);
  return l->rc;
}

static int write_json(const spec_export *e, const char *name, json_t *root, int rc, spec_err *err) {
  spec_buf text = {0};
  const char *path = spec_path_join(e->arena, e->dir, name);
  if (rc != 0 || path == NULL)
    rc = spec_fail_memory(err);
  if (rc == 0)
    rc = spec_json_dump(&text, root, err);
  if (rc == 0)
    rc = spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  json_decref(root);
  return rc;
}

int spec_export_begin(const spec_export *e, spec_err *err) {
  json_t *root = json_object();
  lister l = {e, json_array(), 0};
  l.rc |= spec_map_each(e->known, add_path, &l);
  l.rc |= spec_map_each(e->wanted, add_wanted, &l);
  l.rc |= spec_json_put(root, "schema", json_integer(1));
  l.rc |= spec_json_put(root, "files", l.files);
  return write_json(e, SPEC_EXPORT_WRITING, root, l.rc, err);
}

static json_t *layers_json(const spec_plan *plan, int *rc) {
  json_t *list = json_array();
  for (size_t i = 0; i < plan->layer_count; i++) {
    json_t *layer = json_object();
    *rc |= spec_json_put(layer, "name", spec_json_text(plan->layers[i].name, NULL));
    *rc |= spec_json_put(layer, "dir", spec_json_text(plan->layers[i].dir, NULL));
    *rc |= spec_json_push(list, layer);
  }
  return list;
}

static json_t *removed_json(const spec_plan *plan, int *rc) {
  json_t *list = json_array();
  for (size_t i = 0; i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    if (o->action != SPEC_REMOVE)
      continue;
    json_t *entry = json_object();
    *rc |= spec_json_put(entry, "path", spec_json_text(o->trunk, NULL));
    *rc |= spec_json_put(entry, "layer", spec_json_text(plan->layers[o->layer].name, NULL));
    *rc |= spec_json_push(list, entry);
  }
  return list;
}

int spec_export_end(const spec_export *e, spec_err *err) {
  const spec_plan *plan = e->plan;
  json_t *root = json_object();
  lister l = {e, json_array(), 0};
  l.rc |= spec_json_put(root, "schema", json_integer(1));
  l.rc |= spec_json_put(root, "version", json_string(SPEC_VERSION));
  l.rc |= spec_json_put(root, "backend", spec_json_text(plan->backend, NULL));
  l.rc |= spec_json_put(root, "trunk", spec_json_text(plan->trunk.root, NULL));
  l.rc |= spec_json_put(root, "mode", json_string(spec_export_mode_name(e->mode)));
  l.rc |= spec_json_put(root, "layers", layers_json(plan, &l.rc));
  l.rc |= spec_json_put(root, "removed", removed_json(plan, &l.rc));
  l.rc |= spec_map_each(e->wanted, add_origin, &l);
  l.rc |= spec_json_put(root, "files", l.files);
  int rc = write_json(e, SPEC_EXPORT_ORIGIN, root, l.rc, err);
  const char *writing = spec_path_join(e->arena, e->dir, SPEC_EXPORT_WRITING);
  if (rc == 0)
    rc = writing == NULL ? spec_fail_memory(err) : spec_fs_remove(writing, err);
  return rc;
}
