/* cmd_wait.c: lets CMake, whose own lock cannot tell who has it, wait and say for whom. */
#include "cli/cli.h"

#include "spec_build.h"

static const spec_cli_option options[] = {
    SPEC_CLI_JSON_OPTION,
};

static int run(spec_cli *cli, spec_err *err) {
  int rc = spec_build_wait(cli->args.words[0], spec_cli_on_event, cli, err);
  if (rc != 0 || !cli->args.json)
    return rc;
  json_t *root = json_object();
  rc = spec_cli_add_findings(cli, root);
  rc = rc != 0 ? SPEC_ENOMEM : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

const spec_command spec_cmd_wait = {
    "wait",
    "[options] <build folder>",
    "Plumbing: wait until no run configures or proves a build folder, and say which one does (run "
    "by CMake).",
    options,
    sizeof options / sizeof *options,
    1,
    1,
    run};
