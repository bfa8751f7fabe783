/* cmd_lint.c: every finding that can be made without a build. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/event.h"
#include "base/fs.h"
#include "base/path.h"
#include "cli/sarif.h"
#include "package/package.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    SPEC_CLI_INSTALLED_OPTION,
    {"--strict", NULL, "replaced functions that no longer take the trunk's calls are errors",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, strict)},
    {"--sarif", "FILE", "write the findings as SARIF 2.1.0, too", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, sarif)},
};

/* What was found, for reports and for counting. */
typedef struct gathering {
  spec_cli *cli;
  json_t *findings;
  size_t counts[SPEC_ERROR + 1];
} gathering;

static void on_event(void *user, const spec_event *event) {
  gathering *g = user;
  g->counts[event->severity]++;
  g->cli->failed |= spec_json_push(g->findings, spec_event_json(event)) != 0;
  spec_cli_on_event(g->cli, event);
}

static int write_sarif(const gathering *g, spec_err *err) {
  spec_arena *arena = g->cli->arena;
  const char *cwd, *path;
  json_t *root;
  int rc = spec_fs_cwd(arena, &cwd, err);
  if (rc == 0)
    rc = spec_sarif_new(&root, arena, g->findings, cwd, err);
  if (rc != 0)
    return rc;
  spec_buf text = {0};
  path = spec_path_resolve(arena, cwd, g->cli->args.sarif);
  rc = path == NULL ? spec_fail_memory(err) : spec_json_dump(&text, root, err);
  if (rc == 0)
    rc = spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, err);
  spec_buf_dispose(&text);
  json_decref(root);
  return rc;
}

static int print_json(const gathering *g, const spec_plan *plan, spec_err *err) {
  json_t *root = json_object();
  size_t count;
  (void)spec_plan_overrides(plan, &count);
  int rc = spec_json_put(root, "schema", json_integer(1));
  rc |= spec_json_put(root, "backend", spec_json_text(spec_plan_backend(plan), NULL));
  rc |= spec_json_put(root, "overrides", json_integer((json_int_t)count));
  rc |= spec_json_put(root, "errors", json_integer((json_int_t)g->counts[SPEC_ERROR]));
  rc |= spec_json_put(root, "warnings", json_integer((json_int_t)g->counts[SPEC_WARNING]));
  rc |= spec_json_put(root, "notes", json_integer((json_int_t)g->counts[SPEC_NOTE]));
  rc |= spec_cli_add_findings(g->cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(g->cli, root, err);
  json_decref(root);
  return rc;
}

static void print_text(const gathering *g, const spec_plan *plan) {
  size_t count;
  spec_buf text = {0};
  (void)spec_plan_overrides(plan, &count);
  spec_buf_printf(&text, "%s: %zu override%s, %zu error%s, %zu warning%s, %zu note%s\n",
                  spec_plan_backend(plan), count, count == 1 ? "" : "s", g->counts[SPEC_ERROR],
                  g->counts[SPEC_ERROR] == 1 ? "" : "s", g->counts[SPEC_WARNING],
                  g->counts[SPEC_WARNING] == 1 ? "" : "s", g->counts[SPEC_NOTE],
                  g->counts[SPEC_NOTE] == 1 ? "" : "s");
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

/* What putting the package together finds, if there is to be one. */
static int look_into(spec_plan *plan, spec_err *err) {
  size_t count;
  const spec_override *overrides = spec_plan_overrides(plan, &count);
  spec_package package;
  for (size_t i = 0; i < count; i++)
    if (overrides[i].kind == SPEC_KIND_PYTHON)
      return spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, err);
  return SPEC_OK;
}

/* The plan's findings, then those of its texts; err says that there are errors among them. */
static int lint(gathering *g, spec_plan **plan, spec_err *err) {
  spec_options wanted;
  int rc = spec_cli_options(g->cli, &wanted, err);
  if (rc != 0)
    return rc;
  wanted.installed = g->cli->args.installed;
  wanted.strict_signatures = g->cli->args.strict;
  wanted.on_event = on_event;
  wanted.user = g;
  rc = spec_plan_new(plan, &wanted, err);
  if (*plan == NULL)
    return rc;
  spec_err inner = {0};
  int looked = look_into(*plan, &inner);
  if (looked == SPEC_OK) /* then rc and err say what there is of the plan's own */
    return rc;
  *err = inner;
  return looked;
}

static int run(spec_cli *cli, spec_err *err) {
  gathering g = {.cli = cli, .findings = json_array()};
  spec_plan *plan = NULL;
  spec_err inner = {0};
  int rc = g.findings == NULL ? spec_fail_memory(err) : lint(&g, &plan, err);
  if (plan != NULL && (rc == 0 || rc == SPEC_EREFUSED)) {
    int written = cli->args.sarif != NULL ? write_sarif(&g, &inner) : SPEC_OK;
    if (written == 0 && cli->args.json)
      written = print_json(&g, plan, &inner);
    else if (written == 0)
      print_text(&g, plan);
    if (written != 0) {
      *err = inner;
      rc = written;
    }
  }
  spec_plan_free(plan);
  json_decref(g.findings);
  return rc;
}

const spec_command spec_cmd_lint = {"lint",
                                    "[options]",
                                    "Show every finding that can be made without a build.",
                                    options,
                                    sizeof options / sizeof *options,
                                    0,
                                    0,
                                    run};
