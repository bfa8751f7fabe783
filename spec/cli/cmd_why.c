/* cmd_why.c: which rule decides about one path, and, in a build, for which target. */
#include "cli/why.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/plan_patch.h"
#include "core/rule.h"
#include "explain.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    SPEC_CLI_INSTALLED_OPTION,
    {"--build", "DIR", "a configured build (default: the current folder, if it is one)",
     SPEC_CLI_TEXT, offsetof(spec_cli_args, build)},
    {"--all", NULL, "every unit and output, however many there are", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, all)},
};

/* A path as the user may give it (absolute, of the overlay, of the stage, of the
 * trunk) as a path below the trunk. */
static const char *trunk_path(const spec_cli *cli, const spec_plan *plan, const char *stage,
                              const char *word) {
  const char *root = spec_plan_trunk(plan);
  const char *path = spec_path_resolve(cli->arena, root, word);
  if (path == NULL)
    return NULL;
  size_t count;
  const spec_override *overrides = spec_plan_overrides(plan, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(overrides[i].vendor, path) == 0 || strcmp(overrides[i].overlay, word) == 0)
      return overrides[i].trunk;
  const char *below = stage == NULL ? NULL : spec_path_below(path, stage);
  if (below == NULL)
    below = spec_path_below(path, root);
  return below != NULL ? below : path;
}

/* --- the answer --- */

/* The files that an override stands for: those of lower layers, then the trunk's. */
static json_t *shadows_json(spec_cli *cli, const spec_plan *plan, const spec_override *o,
                            bool in_trunk) {
  size_t layers;
  const spec_layer *layer = spec_plan_layers(plan, &layers);
  json_t *list = json_array();
  int rc = 0;
  for (const spec_override *b = o->below; b != NULL; b = b->below) {
    json_t *item = json_object();
    rc |= spec_json_put(item, "layer", spec_json_text(layer[b->layer].name, NULL));
    rc |= spec_json_put(item, "file", spec_json_text(b->vendor, NULL));
    rc |= spec_json_push(list, item);
  }
  if (in_trunk) {
    json_t *item = json_object();
    const char *file = spec_path_join(cli->arena, spec_plan_trunk(plan), o->trunk);
    rc |= spec_json_put(item, "file", file == NULL ? NULL : spec_json_text(file, NULL));
    rc |= spec_json_push(list, item);
  }
  cli->failed |= rc != 0;
  return list;
}

/* Where each hunk of a patch has gone. */
static json_t *hunks_json(spec_cli *cli, const spec_patch_outcome *outcome) {
  json_t *list = json_array();
  size_t grown = 0, shrunk = 0; /* by the hunks ahead */
  int rc = 0;
  for (size_t i = 0; i < outcome->patch.hunk_count; i++) {
    const spec_patch_hunk *hunk = &outcome->patch.hunks[i];
    const spec_hunk_place *place = &outcome->made.places.hunks[i];
    bool applies = place->state == SPEC_HUNK_APPLIES;
    json_t *item = json_object();
    rc |= spec_json_put(item, "patch_line", json_integer((json_int_t)hunk->number));
    rc |= spec_json_put(item, "line", json_integer((json_int_t)(place->line + grown - shrunk)));
    rc |= spec_json_put(item, "offset", json_integer((json_int_t)(applies ? place->offset : 0)));
    rc |= spec_json_put(item, "upstreamed", json_boolean(!applies));
    rc |= spec_json_push(list, item);
    grown += applies ? hunk->new_count : 0;
    shrunk += applies ? hunk->old_count : 0;
  }
  cli->failed |= rc != 0;
  return list;
}

static int put_override(spec_cli *cli, json_t *root, const spec_plan *plan, const spec_override *o,
                        bool in_trunk) {
  size_t layers;
  const spec_layer *layer = spec_plan_layers(plan, &layers);
  const spec_rule *rule = spec_rule_of(o);
  int rc = spec_json_put(root, "kind", json_string(spec_kind_name(o->kind)));
  rc |= spec_json_put(root, "action", json_string(spec_action_name(o->action)));
  rc |= spec_json_put(root, "layer", spec_json_text(layer[o->layer].name, NULL));
  rc |= spec_json_put(root, "vendor", spec_json_text(o->vendor, NULL));
  rc |= spec_json_put(root, "reason", json_string(spec_rule_reason(o)));
  rc |= spec_json_put(root, "rule", json_string(rule->name));
  rc |= spec_json_put(root, "how", json_string(rule->text));
  if (o->patched != NULL && o->patched->outcome.applied)
    rc |= spec_json_put(root, "hunks", hunks_json(cli, &o->patched->outcome));
  return rc | spec_json_put(root, "shadows", shadows_json(cli, plan, o, in_trunk));
}

static int make_answer(spec_cli *cli, json_t **out, const spec_plan *plan, const char *path,
                       bool in_trunk, spec_err *err) {
  const spec_override *o = spec_plan_find(plan, path);
  json_t *root = json_object();
  int rc = spec_json_put(root, "trunk", spec_json_text(path, NULL));
  rc |= spec_json_put(root, "backend", spec_json_text(spec_plan_backend(plan), NULL));
  rc |= spec_json_put(root, "exists_in_trunk", json_boolean(in_trunk));
  rc |= spec_json_put(root, "overridden", json_boolean(o != NULL));
  if (o != NULL)
    rc |= put_override(cli, root, plan, o, in_trunk);
  *out = root;
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

static int not_found(const spec_plan *plan, const char *path, spec_err *err) {
  const char *near;
  int rc = spec_tree_nearest(plan->trunk.tree, &near, path, err);
  if (rc != 0)
    return rc;
  return spec_fail(err, SPEC_ENOTFOUND, "neither the trunk nor the overlay has '%s'%s", path, near);
}

/* A build may also compile what neither has: a plugin's source. */
static bool is_known(const json_t *answer) {
  const json_t *build = json_object_get(answer, "build");
  return json_is_true(json_object_get(answer, "exists_in_trunk")) ||
         json_is_true(json_object_get(answer, "overridden")) ||
         json_array_size(json_object_get(build, "units")) > 0 ||
         json_array_size(json_object_get(build, "reached_by")) > 0;
}

static int print_answer(spec_cli *cli, json_t *answer, spec_err *err) {
  if (cli->args.json)
    return spec_cli_add_findings(cli, answer) != 0 ? spec_fail_memory(err)
                                                   : spec_cli_print_json(cli, answer, err);
  spec_buf text = {0};
  spec_why_text(&text, answer, cli->args.all);
  int rc = spec_buf_failed(&text) ? spec_fail_memory(err) : 0;
  if (rc == 0)
    spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return rc;
}

static int answer(spec_cli *cli, spec_plan *plan, const char *build, spec_err *err) {
  const char *stage = build == NULL ? NULL : spec_path_join(cli->arena, build, "spec/stage");
  const char *path = trunk_path(cli, plan, stage, cli->args.words[0]);
  json_t *root = NULL, *placed = NULL;
  bool in_trunk = false;
  if (path == NULL)
    return spec_fail_memory(err);
  int rc =
      spec_path_is_absolute(path) ? 0 : spec_tree_has_file(plan->trunk.tree, &in_trunk, path, err);
  if (rc == 0)
    rc = make_answer(cli, &root, plan, path, in_trunk, err);
  if (rc == 0 && build != NULL) {
    cli->errors_only = true; /* findings of placing too; the plan's own are in the answer */
    rc = spec_build_explain(&placed, plan, build, path, err);
    if (rc == 0 && spec_json_put(root, "build", placed) != 0)
      rc = spec_fail_memory(err);
  }
  if (rc == 0)
    rc = is_known(root) ? print_answer(cli, root, err) : not_found(plan, path, err);
  json_decref(root);
  return rc;
}

/* --- where to look --- */

/* The build that is asked about, absolute; NULL: the plan alone is. */
static int find_build(spec_cli *cli, const char **out, spec_err *err) {
  const char *cwd;
  bool is_build = false;
  *out = NULL;
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc == 0 && cli->args.build != NULL) {
    *out = spec_path_resolve(cli->arena, cwd, cli->args.build);
    return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
  }
  if (rc == 0 && cli->args.trunk == NULL && cli->args.backend == NULL)
    rc = spec_build_is_one(&is_build, cwd, err);
  if (rc == 0 && is_build)
    *out = cwd;
  return rc;
}

static int check_options(const spec_cli *cli, spec_err *err) {
  if (cli->args.build == NULL || (cli->args.trunk == NULL && cli->args.backend == NULL))
    return SPEC_OK;
  spec_fail(err, SPEC_EINVAL, "a build has its own trunk and backend");
  return spec_fail_mend(err, "give --build, or --trunk and --backend");
}

static int run(spec_cli *cli, spec_err *err) {
  spec_plan *plan = NULL;
  const char *build = NULL;
  int rc = check_options(cli, err);
  if (rc == 0)
    rc = find_build(cli, &build, err);
  cli->errors_only =
      build != NULL && !cli->args.json; /* the rest was told when it was configured */
  if (rc == 0)
    rc = build == NULL ? spec_cli_plan(cli, &plan, err)
                       : spec_build_plan(&plan, build, spec_cli_on_event, cli, err);
  if (plan == NULL)
    return rc;
  spec_err inner = {0};
  /* An overlay that is refused cannot be placed: what its plan says is all there is. */
  int answered = answer(cli, plan, rc == 0 ? build : NULL, &inner);
  if (answered != 0) {
    *err = inner;
    rc = answered;
  }
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_why = {"why",
                                   "[options] <path>",
                                   "Say which file the build uses for a path, and why: the rule, "
                                   "the targets, the includes.",
                                   options,
                                   sizeof options / sizeof *options,
                                   1,
                                   1,
                                   run};
