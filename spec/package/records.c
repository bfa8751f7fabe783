/* records.c: what a package says of itself, for reports and for tracebacks. */
#include "package/key.h"

#include "base/err.h"
#include "base/json.h"
#include "base/path.h"
#include "core/manifest.h"
#include <string.h>

static int write_json(spec_arena *arena, const char *folder, const char *name, const json_t *value,
                      spec_err *err) {
  spec_buf text = {0};
  const char *path = spec_path_join(arena, folder, name);
  int rc = path == NULL ? spec_fail_memory(err) : spec_json_dump(&text, value, err);
  if (rc == 0)
    rc = spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  return rc;
}

static json_t *member_json(const spec_member *m) {
  json_t *item = json_object();
  int rc = spec_json_put(item, "path", spec_json_text(m->path, NULL));
  rc |= spec_json_put(item, "origin", json_string(spec_origin_name(m->origin)));
  if (m->override != NULL)
    rc |= spec_json_put(item, "overlay", spec_json_text(m->override->overlay, NULL));
  if (rc == 0)
    return item;
  json_decref(item);
  return NULL;
}

/* The members that are not the trunk's, and the trunk's that are left out. */
static int add_members(json_t *root, const spec_package *package) {
  json_t *members = json_array(), *removed = json_array();
  int rc = 0;
  for (size_t i = 0; i < package->count; i++)
    if (package->members[i].origin != SPEC_FROM_TRUNK)
      rc |= spec_json_push(members, member_json(&package->members[i]));
  for (size_t i = 0; i < package->removed_count; i++)
    rc |= spec_json_push(removed, spec_json_text(package->removed[i], NULL));
  rc |= spec_json_put(root, "members", members);
  return rc | spec_json_put(root, "removed", removed);
}

int spec_records_manifest(json_t **out, const spec_package *package, const char *key,
                          spec_err *err) {
  json_t *root;
  int rc = spec_manifest_new(&root, package->plan, err);
  if (rc != 0)
    return rc;
  rc = spec_json_put(root, "mode",
                     json_string(package->mode == SPEC_PACKAGE_LIVE ? "live" : "baked"));
  if (key != NULL)
    rc |= spec_json_put(root, "key", json_string(key));
  rc |= spec_json_put(root, "digest", json_string(package->digest));
  rc |= add_members(root, package);
  if (rc == 0) {
    *out = root;
    return SPEC_OK;
  }
  json_decref(root);
  return spec_fail_memory(err);
}

static int write_manifest(const spec_package *package, const char *key, const char *folder,
                          spec_err *err) {
  json_t *root;
  int rc = spec_records_manifest(&root, package, key, err);
  if (rc != 0)
    return rc;
  rc = write_json(package->plan->arena, folder, "manifest.json", root, err);
  json_decref(root);
  return rc;
}

/* [line, count, file, line of the file] for each span. */
static json_t *spans_json(const spec_member *m) {
  json_t *list = json_array();
  int rc = 0;
  for (size_t i = 0; i < m->span_count; i++) {
    const spec_span *s = &m->spans[i];
    json_t *row = json_array();
    rc |= spec_json_push(row, json_integer((json_int_t)s->line));
    rc |= spec_json_push(row, json_integer((json_int_t)s->count));
    rc |= spec_json_push(row, spec_json_text(s->file, NULL));
    rc |= spec_json_push(row, json_integer((json_int_t)s->file_line));
    rc |= spec_json_push(list, row);
  }
  if (rc == 0)
    return list;
  json_decref(list);
  return NULL;
}

static int write_lines(const spec_package *package, const char *folder, spec_err *err) {
  json_t *root = json_object();
  int rc = 0;
  for (size_t i = 0; i < package->count; i++)
    if (package->members[i].span_count > 0)
      rc |= spec_json_put(root, package->members[i].path, spans_json(&package->members[i]));
  rc = rc != 0 || root == NULL ? spec_fail_memory(err)
                               : write_json(package->plan->arena, folder, "lines.json", root, err);
  json_decref(root);
  return rc;
}

int spec_records_write(const spec_package *package, const char *key, const char *folder,
                       spec_err *err) {
  int rc = write_manifest(package, key, folder, err);
  return rc != 0 ? rc : write_lines(package, folder, err);
}
