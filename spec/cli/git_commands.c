/* git_commands.c: becoming triton-spec-git. */
#include "cli/git_commands.h"

#include "base/err.h"
#include "base/process.h"

const spec_command spec_git_upgrade = {"upgrade", "", SPEC_SUMMARY_UPGRADE, NULL, 0, 0, 0, NULL};
const spec_command spec_git_lock = {"lock", "", SPEC_SUMMARY_LOCK, NULL, 0, 0, 0, NULL};
const spec_command spec_git_extract = {"extract", "", SPEC_SUMMARY_EXTRACT, NULL, 0, 0, 0, NULL};
const spec_command spec_git_patchify = {"patchify", "", SPEC_SUMMARY_PATCHIFY, NULL, 0, 0, 0, NULL};
const spec_command spec_git_edit = {"edit", "", SPEC_SUMMARY_EDIT, NULL, 0, 0, 0, NULL};
const spec_command spec_git_status = {"status", "", SPEC_SUMMARY_STATUS, NULL, 0, 0, 0, NULL};
const spec_command spec_git_bisect = {"bisect", "", SPEC_SUMMARY_BISECT, NULL, 0, 0, 0, NULL};

int spec_cli_git_program(spec_cli *cli, const char **out, spec_err *err) {
  static const char *const places[] = {SPEC_LIBEXEC_DIR, "."};
  int rc = spec_cli_own_file(cli, out, places, "triton-spec-git", err);
  if (rc != 0 || *out != NULL)
    return rc;
  spec_fail(err, SPEC_ENOTFOUND, "the program triton-spec-git is not installed");
  return spec_fail_mend(err, "install the whole project: cmake --install <build>");
}

int spec_cli_run_git(spec_cli *cli, char **argv, spec_err *err) {
  const char *program = NULL;
  int rc = spec_cli_git_program(cli, &program, err);
  if (rc != 0)
    return rc;
  size_t count = 0;
  while (argv[count] != NULL)
    count++;
  const char **words = spec_arena_array(cli->arena, count + 2, sizeof *words);
  if (words == NULL)
    return spec_fail_memory(err);
  words[0] = program;
  for (size_t i = 0; i < count; i++)
    words[i + 1] = argv[i];
  return spec_process_replace(words, err);
}
