/* cmd_why.c: which rule decides about one path. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/path.h"
#include "core/plan.h"
#include <string.h>

static const spec_cli_option options[] = {SPEC_CLI_PLAN_OPTIONS};

/* A path as the user may give it (absolute, of the overlay, of the trunk) as a
 * path below the trunk. */
static const char *trunk_path(const spec_cli *cli, const spec_plan *plan, const char *word) {
  const char *root = spec_plan_trunk(plan);
  const char *path = spec_path_resolve(cli->arena, root, word);
  if (path == NULL)
    return NULL;
  size_t count;
  const spec_override *overrides = spec_plan_overrides(plan, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(overrides[i].vendor, path) == 0 || strcmp(overrides[i].overlay, word) == 0)
      return overrides[i].trunk;
  const char *below = spec_path_below(path, root);
  return below != NULL ? below : path;
}

static const char *reason(const spec_override *o) {
  switch (o->action) {
  case SPEC_REPLACE:
    return "the overlay has a file at the same path";
  case SPEC_ADD:
    return "the overlay has a file here and the trunk has none";
  case SPEC_REMOVE:
    return "spec.ini removes it";
  default:
    return "it is the registry of the backend's hooks";
  }
}

static void explain(spec_buf *out, const spec_plan *plan, const char *path, bool in_trunk) {
  size_t layers;
  const spec_layer *layer = spec_plan_layers(plan, &layers);
  const spec_override *o = spec_plan_find(plan, path);
  if (o != NULL)
    spec_buf_printf(out, "%s\n  %s %s of backend '%s': %s\n  file: %s\n", path,
                    spec_kind_name(o->kind), spec_action_name(o->action), layer[o->layer].name,
                    reason(o), o->action == SPEC_REMOVE ? "(none)" : o->vendor);
  else if (in_trunk)
    spec_buf_printf(out, "%s\n  the trunk's own file: backend '%s' has none at this path\n", path,
                    spec_plan_backend(plan));
}

static int explain_json(spec_cli *cli, const spec_plan *plan, const char *path, bool in_trunk,
                        spec_err *err) {
  size_t layers;
  const spec_layer *layer = spec_plan_layers(plan, &layers);
  const spec_override *o = spec_plan_find(plan, path);
  json_t *root = json_object();
  int rc = spec_json_put(root, "trunk", spec_json_text(path, NULL));
  rc |= spec_json_put(root, "exists_in_trunk", json_boolean(in_trunk));
  rc |= spec_json_put(root, "overridden", json_boolean(o != NULL));
  if (o != NULL) {
    rc |= spec_json_put(root, "kind", json_string(spec_kind_name(o->kind)));
    rc |= spec_json_put(root, "action", json_string(spec_action_name(o->action)));
    rc |= spec_json_put(root, "layer", spec_json_text(layer[o->layer].name, NULL));
    rc |= spec_json_put(root, "vendor", spec_json_text(o->vendor, NULL));
    rc |= spec_json_put(root, "reason", json_string(reason(o)));
  }
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(root, err);
  json_decref(root);
  return rc;
}

static int not_found(const spec_plan *plan, const char *path, spec_err *err) {
  const char *near;
  int rc = spec_tree_nearest(plan->trunk.tree, &near, path, err);
  if (rc != 0)
    return rc;
  return spec_fail(err, SPEC_ENOTFOUND, "neither the trunk nor the overlay has '%s'%s", path, near);
}

static int answer(spec_cli *cli, const spec_plan *plan, spec_err *err) {
  const char *path = trunk_path(cli, plan, cli->args.words[0]);
  bool in_trunk = false;
  if (path == NULL)
    return spec_fail_memory(err);
  int rc =
      spec_path_is_absolute(path) ? 0 : spec_tree_has_file(plan->trunk.tree, &in_trunk, path, err);
  if (rc != 0)
    return rc;
  if (!in_trunk && spec_plan_find(plan, path) == NULL)
    return not_found(plan, path, err);
  if (cli->args.json)
    return explain_json(cli, plan, path, in_trunk, err);
  spec_buf text = {0};
  explain(&text, plan, path, in_trunk);
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_plan *plan = NULL;
  int rc = spec_cli_plan(cli, &plan, err);
  if (plan == NULL)
    return rc;
  spec_err inner = {0};
  int answered = answer(cli, plan, &inner);
  if (answered != 0) {
    *err = inner;
    rc = answered;
  }
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_why = {"why",
                                   "[options] <path>",
                                   "Say which file the build uses for a trunk path, and why.",
                                   options,
                                   sizeof options / sizeof *options,
                                   1,
                                   1,
                                   run};
