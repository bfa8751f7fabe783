/* main_git.c: the commands of triton-spec-git, which triton-spec runs for what needs libgit2. */
#include "cli/cli.h"

#include "base/err.h"
#include "git/repository.h"
#include <stdio.h>

static const spec_command *const commands[] = {
    &spec_cmd_lock,        &spec_cmd_status,  &spec_cmd_bisect,   &spec_cmd_upgrade,
    &spec_cmd_count_lines, &spec_cmd_extract, &spec_cmd_patchify, &spec_cmd_edit,
};

static int refuse(spec_cli *cli, char **argv, spec_err *err) {
  (void)cli;
  return spec_fail(err, SPEC_EINVAL, "'%s' is a command of triton-spec", argv[0]);
}

int main(int argc, char **argv) {
  const spec_program program = {commands, sizeof commands / sizeof *commands, refuse};
  spec_err err = {0};
  if (spec_repository_begin(&err) != 0) {
    fprintf(stderr, "error[%s]: %s\n", spec_code_name(err.code), err.what);
    return SPEC_EXIT_FAILED;
  }
  int status = spec_cli_main(&program, argc, argv);
  spec_repository_end();
  return status;
}
