/* report.c: the SPEC log and the manifest, two renderings of one placing. */
#include "place.h"

#include "base/err.h"
#include "base/json.h"
#include "core/manifest.h"
#include <string.h>

static const char *note_of(const spec_override *o) {
  switch (o->action) {
  case SPEC_ADD:
    return " (added)";
  case SPEC_REMOVE:
    return " (removed)";
  case SPEC_HOOKS:
    return " (hooks)";
  case SPEC_PATCH:
    return o->in_trunk ? " (patched)" : " (added)";
  default:
    return "";
  }
}

static void log_override(spec_buf *out, const spec_override *o) {
  for (const char *name = o->owners; *name != '\0';) {
    size_t len = strcspn(name, ";");
    spec_buf_printf(out, "SPEC: %s -> %.*s%s\n", o->trunk, (int)len, name, note_of(o));
    name += len + (name[len] == ';');
  }
}

static void log_summary(const spec_placing *p, spec_buf *out) {
  size_t kinds[SPEC_KIND_OTHER + 1] = {0}, units = 0;
  for (size_t i = 0; i < p->plan->override_count; i++)
    kinds[p->plan->overrides[i].kind]++;
  for (size_t i = 0; i < p->unit_count; i++)
    units += p->units[i].reach.override_count > 0;
  spec_buf_printf(out, "%s: %zu override%s (", p->plan->backend, p->plan->override_count,
                  p->plan->override_count == 1 ? "" : "s");
  const char *separator = "";
  for (int k = 0; k <= SPEC_KIND_OTHER; k++)
    if (kinds[k] > 0) {
      spec_buf_printf(out, "%s%zu %s", separator, kinds[k], spec_kind_name((spec_kind)k));
      separator = ", ";
    }
  spec_buf_printf(out, "), %zu of %zu units affected\n", units, p->unit_count);
}

int spec_place_log(const spec_placing *p, spec_buf *out, spec_err *err) {
  static const char rule[] = "=====================================\n";
  spec_buf_str(out, rule);
  spec_buf_str(out, "flagtree backend cmake specialization\n");
  for (size_t i = 0; i < p->plan->override_count; i++)
    log_override(out, &p->plan->overrides[i]);
  log_summary(p, out);
  spec_buf_str(out, rule);
  return spec_buf_failed(out) ? spec_fail_memory(err) : SPEC_OK;
}

static int add_unit(json_t *units, const spec_unit *u) {
  json_t *unit = json_object(), *reached = json_array(), *dirs = json_array();
  int rc = spec_json_put(unit, "target", spec_json_text(u->target->name, NULL));
  rc |= spec_json_put(unit, "source", spec_json_text(u->id, NULL));
  rc |= spec_json_put(unit, "staged", json_boolean(u->relocated));
  rc |= spec_json_put(unit, "digest", json_stringn(u->digest, 16));
  for (size_t i = 0; i < u->reach.override_count; i++)
    rc |= spec_json_push(reached, spec_json_text(u->reach.overrides[i]->trunk, NULL));
  for (size_t i = 0; i < u->reach.dir_count; i++)
    rc |= spec_json_push(dirs, spec_json_text(u->reach.dirs[i], NULL));
  rc |= spec_json_put(unit, "overrides", reached);
  rc |= spec_json_put(unit, "include_dirs", dirs);
  return rc | spec_json_push(units, unit);
}

int spec_place_manifest(const spec_placing *p, spec_buf *out, spec_err *err) {
  json_t *root;
  int rc = spec_manifest_new(&root, p->plan, err);
  if (rc != 0)
    return rc;
  json_t *units = json_array();
  for (size_t i = 0; rc == 0 && i < p->unit_count; i++)
    if (p->units[i].reach.override_count > 0)
      rc = add_unit(units, &p->units[i]);
  rc |= spec_json_put(root, "unit_count", json_integer((json_int_t)p->unit_count));
  rc |= spec_json_put(root, "units", units);
  rc = rc != 0 ? spec_fail_memory(err) : spec_json_dump(out, root, err);
  json_decref(root);
  return rc;
}
