/* cmd_status.c: how each override stands towards a trunk. */
#include "cli/git_commands.h"
#include "cli/status.h"
#include "cli/trunk_side.h"

#include "base/err.h"
#include "base/path.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    {"--rev", "REV", "hold them against this revision (default: the files that lie in the trunk)",
     SPEC_CLI_TEXT, offsetof(spec_cli_args, rev)},
    SPEC_CLI_OLDER_OPTION,
    SPEC_CLI_INSTALLED_OPTION,
};

/* A trunk's own files do without history; a revision, or a named repository, does not. */
static int open_trunk(spec_cli *cli, spec_repository **repository, spec_revision *now,
                      spec_err *err) {
  const char *folder;
  int rc = spec_cli_repository_or_none(cli, repository, err);
  if (rc == 0 && cli->args.rev != NULL)
    return spec_repository_resolve(*repository, now, cli->args.rev, err);
  if (rc == 0)
    rc = spec_cli_trunk(cli, &folder, err);
  if (rc == 0)
    spec_repository_folder(now, folder, cli->args.installed);
  return rc;
}

/* Whether the line is of a part that is not installed. */
static bool is_elsewhere(const spec_cli *cli, const char *trunk) {
  return cli->args.installed && spec_path_below(trunk, "python/triton") == NULL;
}

static int add(spec_status *s, size_t *cap, const spec_standing *standing, spec_err *err) {
  int rc = spec_arena_reserve(s->cli->arena, &s->items, s->count, cap, sizeof *s->items, err);
  if (rc == 0) {
    s->items[s->count++] = *standing;
    s->counts[standing->state]++;
  }
  return rc;
}

/* Every override, then every line that has none. */
static int judge(spec_status *s, const spec_standing_input *input, const spec_lock *lock,
                 spec_err *err) {
  spec_vendor_file *files;
  size_t count, cap = 0;
  int rc = spec_vendor_files(s->cli->arena, &files, &count, s->backend, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    spec_standing standing;
    if (is_elsewhere(s->cli, files[i].trunk))
      continue;
    rc = spec_standing_of(&standing, input, &files[i], spec_lock_find(lock, files[i].trunk), err);
    if (rc == 0)
      rc = add(s, &cap, &standing, err);
  }
  for (size_t i = 0; rc == 0 && i < lock->count; i++) {
    bool known = is_elsewhere(s->cli, lock->lines[i].trunk);
    for (size_t f = 0; !known && f < count; f++)
      known = strcmp(files[f].trunk, lock->lines[i].trunk) == 0;
    const spec_standing stale = {.state = SPEC_STATE_STALE,
                                 .line = &lock->lines[i],
                                 .why = "the lock has a line for it, and there is no override",
                                 .added = -1,
                                 .removed = -1};
    if (!known)
      rc = add(s, &cap, &stale, err);
  }
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  spec_status status = {.cli = cli};
  spec_lock lock = {.arena = cli->arena};
  spec_revision now;
  spec_standing_input input = {.arena = cli->arena, .now = &now};
  int rc = spec_cli_backend(cli, &status.backend, err);
  if (rc == 0)
    rc = open_trunk(cli, &input.repository, &now, err);
  if (rc == 0)
    spec_cli_leave_out(cli, &now, status.backend);
  if (rc == 0)
    rc = spec_cli_older(cli, &input.older, err);
  if (rc == 0)
    rc = spec_lock_read(&lock, NULL, status.backend->dir, err);
  if (rc == 0)
    rc = spec_map_new(&input.renames, cli->arena, err);
  if (rc == 0)
    rc = judge(&status, &input, &lock, err);
  status.now = &now;
  if (rc == 0)
    rc = cli->args.json ? spec_status_print_json(&status, err)
                        : spec_status_print_text(&status, err);
  size_t unclean = status.count - status.counts[SPEC_STATE_CLEAN];
  if (rc == 0 && unclean > 0)
    rc = spec_fail(err, SPEC_EREFUSED, "not clean: %zu of %zu overrides", unclean, status.count);
  spec_map_free(input.renames);
  spec_repository_free(input.repository);
  return rc;
}

const spec_command spec_cmd_status = {
    "status", "[options]", SPEC_SUMMARY_STATUS, options, sizeof options / sizeof *options, 0,
    0,        run};
