/* cmd_upgrade.c: carries a backend's overrides to another revision of the trunk. */
#include "cli/git_commands.h"
#include "cli/trunk_side.h"
#include "cli/upgrade_report.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    SPEC_CLI_OLDER_OPTION,
    {"--to", "REV", "the revision of the trunk to go to", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, to)},
    {"--keep-going", NULL, "write what can be merged, and conflict markers into what cannot",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, keep_going)},
    {"--dry-run", NULL, "write nothing", SPEC_CLI_SWITCH, offsetof(spec_cli_args, dry_run)},
    {"--continue", NULL, "go on: after conflicts are resolved, or a run was cut short",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, resume)},
    {"--abort", NULL, "go back: every file as it was before", SPEC_CLI_SWITCH,
     offsetof(spec_cli_args, abort)},
    {"--accept", NULL, "take the marks for review off all overrides, or off those that are named",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, accept)},
};

typedef struct upgrading {
  spec_cli *cli;
  const spec_backend *backend;
  spec_journal journal; /* of an earlier run */
  bool unfinished;      /* there is one */
} upgrading;

static int read_journal(upgrading *u, spec_err *err) {
  return spec_journal_read(&u->journal, &u->unfinished, u->cli->arena, u->backend->dir, err);
}

static int refuse_idle(const upgrading *u, spec_err *err) {
  return spec_fail(err, SPEC_EINVAL, "no upgrade of backend '%s' is under way", u->backend->name);
}

/* --- going to a revision -------------------------------------------------------------------- */

static int refuse_unfinished(const upgrading *u, spec_err *err) {
  spec_fail(err, SPEC_EBUSY, "the upgrade of backend '%s' to %s is not finished", u->backend->name,
            u->journal.rev);
  spec_fail_where(err, "%s/%s", u->backend->dir, SPEC_JOURNAL_DIR);
  return spec_fail_mend(err, "go on with `triton-spec upgrade --continue`, or back with --abort");
}

/* Writes what was planned, and finishes when nothing waits for its owner. */
static int write_all(upgrading *u, spec_upgrade *upgrade, spec_unresolved *left, spec_err *err) {
  int rc = spec_upgrade_begin(upgrade, u->cli->arena, err);
  return rc != 0 ? rc
                 : spec_upgrade_finish(left, &upgrade->journal, u->backend, u->cli->arena, err);
}

static int go(upgrading *u, spec_repository *repository, spec_err *err) {
  spec_cli *cli = u->cli;
  spec_revision to;
  spec_upgrade upgrade;
  spec_unresolved left = {0};
  const char *older = NULL;
  int rc = spec_repository_resolve(repository, &to, cli->args.to, err);
  if (rc == 0)
    rc = spec_cli_older(cli, &older, err);
  if (rc != 0)
    return rc;
  const spec_upgrade_input input = {repository, cli->arena, u->backend, &to, cli->args.to, older};
  rc = spec_upgrade_plan(&upgrade, &input, err);
  if (rc != 0)
    return rc;
  const bool blocked = upgrade.blocked > 0;
  const bool written = !cli->args.dry_run && (!blocked || cli->args.keep_going);
  if (written)
    rc = write_all(u, &upgrade, &left, err);
  if (rc == 0)
    rc = spec_report_upgrade(cli, u->backend, &upgrade, written, left.count > 0, err);
  return rc == 0 && blocked ? spec_fail(err, SPEC_EREFUSED, "%zu override%s could not be merged",
                                        upgrade.blocked, upgrade.blocked == 1 ? "" : "s")
                            : rc;
}

static int upgrade_to(upgrading *u, spec_err *err) {
  spec_repository *repository = NULL;
  if (u->unfinished)
    return refuse_unfinished(u, err);
  int rc = spec_cli_repository(u->cli, &repository, err);
  if (rc == 0)
    rc = go(u, repository, err);
  spec_repository_free(repository);
  return rc;
}

/* --- going on, going back ------------------------------------------------------------------- */

static int go_on(upgrading *u, spec_err *err) {
  spec_unresolved left;
  if (!u->unfinished)
    return refuse_idle(u, err);
  int rc = spec_upgrade_finish(&left, &u->journal, u->backend, u->cli->arena, err);
  if (rc == 0)
    rc = spec_report_rest(u->cli, &u->journal, &left, err);
  if (rc != 0 || left.count == 0)
    return rc;
  spec_fail(err, SPEC_EREFUSED, "%zu file%s still %s conflict markers", left.count,
            left.count == 1 ? "" : "s", left.count == 1 ? "has" : "have");
  return spec_fail_mend(err, "resolve them, and run `triton-spec upgrade --continue` again");
}

static int go_back(upgrading *u, spec_err *err) {
  size_t kept = 0;
  if (!u->unfinished)
    return refuse_idle(u, err);
  int rc = spec_journal_undo(&u->journal, u->cli->arena, &kept, err);
  if (rc == 0)
    rc = spec_journal_end(&u->journal, u->cli->arena, err);
  return rc != 0 ? rc : spec_report_undone(u->cli, &u->journal, kept, err);
}

/* --- accepting ------------------------------------------------------------------------------ */

static int accept(upgrading *u, spec_err *err) {
  spec_cli *cli = u->cli;
  spec_lock lock = {.arena = cli->arena};
  spec_vendor_file *files;
  size_t count, accepted = 0;
  bool changed = false;
  if (u->unfinished)
    return refuse_unfinished(u, err);
  int rc = spec_lock_read(&lock, NULL, u->backend->dir, err);
  if (rc == 0)
    rc = spec_vendor_files(cli->arena, &files, &count, u->backend, err);
  if (rc == 0)
    rc = spec_cli_check_names(cli, u->backend, files, count, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const spec_lock_line *line = spec_lock_find(&lock, files[i].trunk);
    if (line == NULL || !line->review || !spec_cli_names(cli, &files[i]))
      continue;
    spec_lock_line plain = *line;
    plain.review = false;
    accepted++;
    rc = spec_lock_set(&lock, &plain, err);
  }
  if (rc == 0 && accepted > 0)
    rc = spec_lock_write(&lock, &changed, u->backend->dir, err);
  return rc != 0 ? rc : spec_report_accepted(cli, accepted, err);
}

static int check_mode(const spec_cli_args *args, spec_err *err) {
  int modes = (args->to != NULL) + args->resume + args->abort + args->accept;
  if (modes != 1) {
    spec_fail(err, SPEC_EINVAL, "one of --to, --continue, --abort and --accept must be given");
    return spec_fail_mend(err, "triton-spec upgrade --to REV");
  }
  if (args->word_count > 0 && !args->accept)
    return spec_fail(err, SPEC_EINVAL,
                     "overrides can be named with --accept only: an upgrade "
                     "carries all of a backend, or none");
  return SPEC_OK;
}

static int run(spec_cli *cli, spec_err *err) {
  upgrading u = {.cli = cli};
  const spec_cli_args *args = &cli->args;
  int rc = check_mode(args, err);
  if (rc == 0)
    rc = spec_cli_backend(cli, &u.backend, err);
  if (rc == 0)
    rc = read_journal(&u, err);
  if (rc != 0)
    return rc;
  return args->resume   ? go_on(&u, err)
         : args->abort  ? go_back(&u, err)
         : args->accept ? accept(&u, err)
                        : upgrade_to(&u, err);
}

const spec_command spec_cmd_upgrade = {"upgrade",
                                       "[options] [override...]",
                                       SPEC_SUMMARY_UPGRADE,
                                       options,
                                       sizeof options / sizeof *options,
                                       0,
                                       (size_t)-1,
                                       run};
