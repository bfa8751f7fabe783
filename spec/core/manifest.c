/* manifest.c */
#include "core/manifest.h"

#include "base/err.h"
#include <string.h>

/* value, or NULL when adding to it failed: then it is freed, and so fails what it is added to. */
static json_t *complete(json_t *value, int rc) {
  if (rc == 0)
    return value;
  json_decref(value);
  return NULL;
}

/* "a;b" -> ["a", "b"]. */
static json_t *owners_json(const spec_plan *plan, const char *owners) {
  json_t *list = json_array();
  int rc = 0;
  for (const char *name = owners; *name != '\0';) {
    size_t len = strcspn(name, ";");
    const char *copy = spec_arena_strndup(plan->arena, name, len);
    rc |= copy == NULL ? -1 : spec_json_push(list, spec_json_text(copy, NULL));
    name += len + (name[len] == ';');
  }
  return complete(list, rc);
}

static json_t *layers_json(const spec_plan *plan) {
  json_t *list = json_array();
  int rc = 0;
  for (size_t i = 0; i < plan->layer_count; i++) {
    json_t *layer = json_object();
    rc |= spec_json_put(layer, "name", spec_json_text(plan->layers[i].name, NULL));
    rc |= spec_json_put(layer, "dir", spec_json_text(plan->layers[i].dir, NULL));
    rc |= spec_json_push(list, layer);
  }
  return complete(list, rc);
}

static json_t *override_json(const spec_plan *plan, const spec_override *o) {
  json_t *item = json_object();
  int rc = spec_json_put(item, "trunk", spec_json_text(o->trunk, NULL));
  rc |= spec_json_put(item, "kind", json_string(spec_kind_name(o->kind)));
  rc |= spec_json_put(item, "action", json_string(spec_action_name(o->action)));
  if (o->policy != SPEC_POLICY_NONE)
    rc |= spec_json_put(item, "policy", json_string(spec_policy_name(o->policy)));
  rc |= spec_json_put(item, "layer", spec_json_text(plan->layers[o->layer].name, NULL));
  rc |= spec_json_put(item, "overlay", spec_json_text(o->overlay, NULL));
  rc |= spec_json_put(item, "vendor", spec_json_text(o->vendor, NULL));
  rc |= spec_json_put(item, "owners", owners_json(plan, o->owners));
  return complete(item, rc);
}

int spec_manifest_new(json_t **out, const spec_plan *plan, spec_err *err) {
  json_t *root = json_object(), *overrides = json_array();
  int rc = 0;
  rc |= spec_json_put(root, "schema", json_integer(1));
  rc |= spec_json_put(root, "version", json_string(SPEC_VERSION));
  rc |= spec_json_put(root, "backend", spec_json_text(plan->backend, NULL));
  rc |= spec_json_put(root, "trunk", spec_json_text(plan->trunk.root, NULL));
  rc |= spec_json_put(root, "layers", layers_json(plan));
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    rc |= spec_json_push(overrides, override_json(plan, &plan->overrides[i]));
  rc |= spec_json_put(root, "overrides", overrides);
  root = complete(root, rc);
  if (root == NULL)
    return spec_fail_memory(err);
  *out = root;
  return SPEC_OK;
}
