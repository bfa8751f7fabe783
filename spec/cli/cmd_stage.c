/* cmd_stage.c: first step of a configure run, called by SpecOverlay.cmake. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "spec_build.h"

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    {"--out", "DIR", "folder for the results, <build>/spec", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, out)},
};

static int run(spec_cli *cli, spec_err *err) {
  const char *cwd;
  spec_plan *plan = NULL;
  spec_options how;
  bool stands = false;
  if (cli->args.out == NULL)
    return spec_fail(err, SPEC_EINVAL, "'stage' needs --out DIR");
  cli->trace = true;
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc == 0)
    rc = spec_cli_options(cli, &how, err);
  const char *out = rc == 0 ? spec_path_resolve(cli->arena, cwd, cli->args.out) : NULL;
  if (rc == 0)
    rc = out == NULL ? spec_fail_memory(err)
                     : spec_build_stands(&stands, &how, out, NULL, false, err);
  if (rc != 0 || stands)
    return rc;
  rc = spec_plan_new(&plan, &how, err);
  if (rc == 0)
    rc = spec_build_stage(plan, out, err);
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_stage = {
    "stage",
    "[options] --out DIR",
    "Plumbing: write the stage and plan.cmake (run by CMake when the trunk's project begins).",
    options,
    sizeof options / sizeof *options,
    0,
    0,
    run};
