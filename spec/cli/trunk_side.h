/* trunk_side.h: what the commands of the git side begin with. */
#ifndef SPEC_CLI_TRUNK_SIDE_H
#define SPEC_CLI_TRUNK_SIDE_H

#include "cli/cli.h"
#include "core/vendor_files.h"
#include "git/repository.h"

/* Options of every command that holds overrides against a trunk. */
#define SPEC_CLI_TRUNK_OPTIONS SPEC_CLI_PLACE_OPTIONS, SPEC_CLI_JSON_OPTION
#define SPEC_CLI_REPOSITORY_OPTION                                                        \
  {"--repository", "DIR", "the git repository of the trunk (default: that of the trunk)", \
   SPEC_CLI_TEXT, offsetof(spec_cli_args, repository)}
#define SPEC_CLI_OLDER_OPTION                                                                     \
  {"--base", "TREE", "a folder with an older trunk, for texts that the repository does not have", \
   SPEC_CLI_TEXT, offsetof(spec_cli_args, base)}
#define SPEC_CLI_REV_OPTION                                                                   \
  {"--rev", "REV", "a revision of the trunk (default: its files as they lie)", SPEC_CLI_TEXT, \
   offsetof(spec_cli_args, rev)}

/* The trunk's folder, absolute, from --trunk. */
int spec_cli_trunk(spec_cli *cli, const char **out, spec_err *err);
/* The backend that is named, without its bases: each has its own lock. */
int spec_cli_backend(spec_cli *cli, const spec_backend **out, spec_err *err);
/* The trunk's repository: of --repository, or of the trunk's folder. As spec_repository_open(). */
int spec_cli_repository(spec_cli *cli, spec_repository **out, spec_err *err);
/* The same, but where neither --rev nor --repository is given a trunk without one will do. */
int spec_cli_repository_or_none(spec_cli *cli, spec_repository **out, spec_err *err);
/* The folder of --base, absolute; NULL when none is given. */
int spec_cli_older(spec_cli *cli, const char **out, spec_err *err);
/* Whether the command line names the file: by its path in the trunk or the overlay, or by a folder
 * of either; without words it names all. */
bool spec_cli_names(const spec_cli *cli, const spec_vendor_file *file);
/* SPEC_ENOTFOUND: a word of the command line names none of the backend's files. */
int spec_cli_check_names(const spec_cli *cli, const spec_backend *backend,
                         const spec_vendor_file *files, size_t count, spec_err *err);
/* Where the backend's folder lies in the trunk, what a revision has there is not the trunk's. */
void spec_cli_leave_out(spec_cli *cli, spec_revision *revision, const spec_backend *backend);

#endif
