/* cmd_policy.c: what an overlay may do to the package's files, unless its spec.ini says otherwise.
 */
#include "cli/cli.h"

#include "base/err.h"
#include "base/path.h"
#include "core/policy.h"

static const spec_cli_option options[] = {
    SPEC_CLI_JSON_OPTION,
};

static void add_row(spec_buf *text, json_t *list, int *failed, const char *path,
                    spec_policy policy) {
  json_t *row = json_object();
  int rc = spec_json_put(row, "path", spec_json_text(path, NULL));
  rc |= spec_json_put(row, "policy", json_string(spec_policy_name(policy)));
  *failed |= rc | spec_json_push(list, row);
  spec_buf_printf(text, "%s = %s\n", path, spec_policy_name(policy));
}

/* A path as the table has it: python/triton/x, triton/x and x are the same. */
static const char *package_path(const spec_cli *cli, const char *word) {
  const char *path = spec_path_normal(cli->arena, word), *inner;
  if (path == NULL)
    return NULL;
  inner = spec_path_below(path, "python");
  if (inner != NULL)
    path = inner;
  return spec_path_below(path, "triton") != NULL ? path
                                                 : spec_path_join(cli->arena, "triton", path);
}

static int run(spec_cli *cli, spec_err *err) {
  spec_buf text = {0};
  json_t *root = json_object(), *list = json_array();
  int failed = 0;
  if (cli->args.word_count == 0)
    spec_buf_str(&text, "[policy]\n");
  for (const spec_policy_row *row = spec_policy_table;
       cli->args.word_count == 0 && row->path != NULL; row++)
    add_row(&text, list, &failed, row->path, row->policy);
  for (size_t i = 0; i < cli->args.word_count; i++) {
    const char *path = package_path(cli, cli->args.words[i]);
    failed |= path == NULL;
    if (path != NULL)
      add_row(&text, list, &failed, path, spec_policy_default(path));
  }
  failed |= spec_json_put(root, "policies", list) | spec_buf_failed(&text);
  failed |= cli->args.json ? spec_cli_add_findings(cli, root) : 0;
  int rc = failed != 0 ? spec_fail_memory(err) : SPEC_OK;
  if (rc == 0 && cli->args.json)
    rc = spec_cli_print_json(cli, root, err);
  else if (rc == 0)
    spec_cli_print(spec_buf_text(&text));
  json_decref(root);
  spec_buf_dispose(&text);
  return rc;
}

const spec_command spec_cmd_policy = {
    "policy",
    "[options] [<path>...]",
    "Show which Python files an overlay may replace or merge into.",
    options,
    sizeof options / sizeof *options,
    0,
    1000,
    run};
