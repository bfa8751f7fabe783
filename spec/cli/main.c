/* main.c: the commands of triton-spec. */
#include "cli/cli.h"

#include "cli/git_commands.h"

static const spec_command *const commands[] = {
    &spec_cmd_new,     &spec_cmd_plan,   &spec_cmd_lint,       &spec_cmd_why,      &spec_cmd_log,
    &spec_cmd_build,   &spec_cmd_verify, &spec_cmd_cmake_args, &spec_cmd_export,   &spec_cmd_bake,
    &spec_cmd_run,     &spec_cmd_enable, &spec_cmd_disable,    &spec_cmd_kernel,   &spec_git_lock,
    &spec_git_status,  &spec_git_bisect, &spec_git_extract,    &spec_git_patchify, &spec_git_edit,
    &spec_git_upgrade, &spec_cmd_cache,  &spec_cmd_policy,     &spec_cmd_stage,    &spec_cmd_place,
    &spec_cmd_check,   &spec_cmd_wait,
};

int main(int argc, char **argv) {
  const spec_program program = {commands, sizeof commands / sizeof *commands, spec_cli_run_git};
  return spec_cli_main(&program, argc, argv);
}
