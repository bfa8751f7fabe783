/* cmd_place.c: second step of a configure run, called by SpecOverlay.cmake. */
#include "cli/cli.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "spec_build.h"

static const spec_cli_option options[] = {
    SPEC_CLI_PLAN_OPTIONS,
    {"--out", "DIR", "folder for the results, <build>/spec", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, out)},
    {"--targets", "FILE", "the build's targets (format: spec_cpp/targets.h)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, targets)},
    {"--warn-unused", NULL, "overrides that nothing uses only warn", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, warn_unused)},
};

static int run(spec_cli *cli, spec_err *err) {
  const char *cwd, *out = NULL, *targets = NULL;
  spec_plan *plan = NULL;
  spec_options how;
  bool stands = false, strict = !cli->args.warn_unused;
  if (cli->args.out == NULL || cli->args.targets == NULL)
    return spec_fail(err, SPEC_EINVAL, "'place' needs --out DIR and --targets FILE");
  cli->trace = true;
  int rc = spec_fs_cwd(cli->arena, &cwd, err);
  if (rc == 0)
    rc = spec_cli_options(cli, &how, err);
  if (rc == 0) {
    out = spec_path_resolve(cli->arena, cwd, cli->args.out);
    targets = spec_path_resolve(cli->arena, cwd, cli->args.targets);
    rc = out == NULL || targets == NULL
             ? spec_fail_memory(err)
             : spec_build_stands(&stands, &how, out, targets, strict, err);
  }
  if (rc != 0 || stands)
    return rc;
  cli->errors_only = true; /* the plan's warnings and notes came with 'stage' */
  rc = spec_plan_new(&plan, &how, err);
  cli->errors_only = false;
  if (rc == 0)
    rc = spec_build_place(plan, out, targets, strict, err);
  spec_plan_free(plan);
  return rc;
}

const spec_command spec_cmd_place = {
    "place",
    "[options] --out DIR --targets FILE",
    "Plumbing: place the overlay among a build's targets (run by CMake when all exist).",
    options,
    sizeof options / sizeof *options,
    0,
    0,
    run};
