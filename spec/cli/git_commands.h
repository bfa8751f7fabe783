/* git_commands.h: the commands of triton-spec-git, as triton-spec lists them.
 *
 * Loading libgit2 and starting it takes longer than planning does, so what needs it is a program of
 * its own. triton-spec becomes that program for these commands, their --help too. */
#ifndef SPEC_CLI_GIT_COMMANDS_H
#define SPEC_CLI_GIT_COMMANDS_H

#include "cli/cli.h"

/* What both programs say of a command. */
#define SPEC_SUMMARY_LOCK "Record which trunk files the overrides were made against, in spec.lock."
#define SPEC_SUMMARY_STATUS \
  "Show for each override whether the trunk has moved on, and whether it merges."
#define SPEC_SUMMARY_BISECT \
  "Show which commit of the trunk first changed, and first broke, each override."
#define SPEC_SUMMARY_UPGRADE  "Carry the overrides to another revision of the trunk."
#define SPEC_SUMMARY_EXTRACT  "Make an overlay of a fork, and prove that the two are the same."
#define SPEC_SUMMARY_PATCHIFY "Turn copies of the trunk's files into patches."
#define SPEC_SUMMARY_EDIT     "Edit a file of the trunk, and keep what changed as an override."

/* Rows of triton-spec's table, without a function of their own. */
extern const spec_command spec_git_lock, spec_git_status, spec_git_bisect, spec_git_upgrade;
extern const spec_command spec_git_extract, spec_git_patchify, spec_git_edit;

/* Makes this process triton-spec-git, with a command and what follows it; returns only on
 * failure. */
int spec_cli_run_git(spec_cli *cli, char **argv, spec_err *err);
/* Where triton-spec-git is: in libexec, or beside this program where it was built.
 * SPEC_ENOTFOUND. */
int spec_cli_git_program(spec_cli *cli, const char **out, spec_err *err);

#endif
