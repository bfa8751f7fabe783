/* cmd_plan.c: what would be swapped. */
#include "cli/cli.h"

#include "base/err.h"
#include "core/manifest.h"

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    SPEC_CLI_INSTALLED_OPTION,
};

static void print_text(const spec_plan *plan) {
  size_t layer_count, count;
  const spec_layer *layers = spec_plan_layers(plan, &layer_count);
  const spec_override *overrides = spec_plan_overrides(plan, &count);
  spec_buf text = {0};
  spec_buf_printf(&text, "trunk    %s\n", spec_plan_trunk(plan));
  for (size_t i = 0; i < layer_count; i++)
    spec_buf_printf(&text, "%-8s %s (%s)\n", i + 1 == layer_count ? "backend" : "base",
                    layers[i].name, layers[i].dir);
  for (size_t i = 0; i < count; i++)
    spec_buf_printf(&text, "%-8s %-7s %s%s%s\n", spec_action_name(overrides[i].action),
                    spec_kind_name(overrides[i].kind), overrides[i].trunk,
                    layer_count > 1 ? "  from " : "",
                    layer_count > 1 ? layers[overrides[i].layer].name : "");
  spec_buf_printf(&text, "%zu override%s\n", count, count == 1 ? "" : "s");
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int print_json(spec_cli *cli, const spec_plan *plan, spec_err *err) {
  json_t *root;
  int rc = spec_manifest_new(&root, plan, err);
  if (rc != 0)
    return rc;
  rc = spec_cli_add_findings(cli, root) != 0 ? spec_fail_memory(err)
                                             : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_plan *plan = NULL;
  int rc = spec_cli_plan(cli, &plan, err);
  if (plan == NULL)
    return rc;
  if (cli->args.json) {
    spec_err inner = {0};
    if (print_json(cli, plan, &inner) != 0) {
      *err = inner;
      rc = inner.code;
    }
  } else {
    print_text(plan);
  }
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_plan = {
    "plan",
    "[options]",
    "Show which vendor file stands for which trunk file, and every finding.",
    options,
    sizeof options / sizeof *options,
    0,
    0,
    run};
