/* cmd_lock.c: writes spec.lock, from the trunk that is here or from a revision of it. */
#include "cli/git_commands.h"
#include "cli/trunk_side.h"

#include "base/err.h"
#include "base/path.h"
#include "core/lock.h"
#include "core/vendor_files.h"
#include "git/lock_from.h"
#include <string.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    {"--rev", "REV", "take the files of this revision (default: those that lie in the trunk)",
     SPEC_CLI_TEXT, offsetof(spec_cli_args, rev)},
    SPEC_CLI_INSTALLED_OPTION,
    {"--check", NULL, "write nothing; exit status 1 when something would be written",
     SPEC_CLI_SWITCH, offsetof(spec_cli_args, check)},
};

/* What became of a line. */
typedef enum change { SAME, ADDED, CHANGED, DROPPED } change;
static const char *const change_names[] = {"same", "added", "changed", "dropped"};

typedef struct locking {
  spec_cli *cli;
  const spec_backend *backend;
  spec_repository *repository;
  spec_revision revision;
  spec_lock_from from;
  spec_lock old, new;
  spec_vendor_file *files;
  size_t file_count;
} locking;

/* --rev needs a repository; a folder does without, and then no commit is known. */
static int open_source(locking *l, spec_err *err) {
  spec_cli *cli = l->cli;
  spec_err ignored = {0};
  bool must = cli->args.rev != NULL || cli->args.repository != NULL;
  l->from = (spec_lock_from){.arena = cli->arena, .installed = cli->args.installed};
  int rc = cli->args.rev != NULL ? SPEC_OK : spec_cli_trunk(cli, &l->from.folder, err);
  if (rc != 0)
    return rc;
  rc = spec_cli_repository(cli, &l->repository, must ? err : &ignored);
  if (rc == 0)
    rc = spec_repository_resolve(l->repository, &l->revision,
                                 cli->args.rev != NULL ? cli->args.rev : "HEAD",
                                 must ? err : &ignored);
  if (rc != 0)
    return must || rc == SPEC_ENOMEM ? rc : SPEC_OK;
  l->from.repository = l->repository;
  l->from.revision = &l->revision;
  return SPEC_OK;
}

/* New lines for what is named; the others stay, unless their override is gone. */
static int make_lines(locking *l, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < l->file_count; i++) {
    const char *trunk = l->files[i].trunk;
    const spec_lock_line *old = spec_lock_find(&l->old, trunk);
    spec_lock_line line;
    if (spec_cli_names(l->cli, &l->files[i])) {
      rc = spec_lock_line_from(&l->from, &line, trunk, err);
      if (rc == 0) {
        line.review = old != NULL && old->review; /* `upgrade --accept` alone takes it off */
        /* The file is the one that was locked, in a trunk that cannot tell of what commit. */
        if (old != NULL && strcmp(line.commit, "-") == 0 && strcmp(old->blob, line.blob) == 0)
          line.commit = old->commit;
        rc = spec_lock_set(&l->new, &line, err);
      }
    } else if (old != NULL) {
      rc = spec_lock_set(&l->new, old, err);
    }
  }
  for (size_t i = 0; rc == 0 && l->cli->args.word_count > 0 && i < l->old.count; i++)
    if (spec_lock_find(&l->new, l->old.lines[i].trunk) == NULL)
      rc = spec_lock_set(&l->new, &l->old.lines[i], err);
  return rc;
}

static change compare(const locking *l, const char *trunk) {
  const spec_lock_line *old = spec_lock_find(&l->old, trunk);
  const spec_lock_line *new = spec_lock_find(&l->new, trunk);
  if (old == NULL || new == NULL)
    return old == NULL ? ADDED : DROPPED;
  return strcmp(old->blob, new->blob) == 0 && strcmp(old->commit, new->commit) == 0 ? SAME
                                                                                    : CHANGED;
}

static void say(spec_buf *out, const locking *l, const spec_lock_line *line, size_t counts[4]) {
  change what = compare(l, line->trunk);
  counts[what]++;
  if (what == SAME)
    return;
  const spec_lock_line *old = spec_lock_find(&l->old, line->trunk);
  spec_buf_printf(out, "%-8s %s", change_names[what], line->trunk);
  if (what == CHANGED && strcmp(old->blob, line->blob) != 0)
    spec_buf_printf(out, "  (was made against %.12s)", old->blob);
  else if (what != DROPPED && strcmp(line->blob, "-") != 0 && strcmp(line->commit, "-") == 0)
    spec_buf_str(out, "  (of no known commit)");
  spec_buf_char(out, '\n');
}

static void print_text(const locking *l, bool written) {
  size_t counts[4] = {0};
  spec_buf text = {0};
  for (size_t i = 0; i < l->new.count; i++)
    say(&text, l, &l->new.lines[i], counts);
  for (size_t i = 0; i < l->old.count; i++)
    if (spec_lock_find(&l->new, l->old.lines[i].trunk) == NULL)
      say(&text, l, &l->old.lines[i], counts);
  spec_buf_printf(&text, "%s/%s: %zu line%s, %zu added, %zu changed, %zu dropped%s\n",
                  l->backend->dir, SPEC_LOCK_FILE, l->new.count, l->new.count == 1 ? "" : "s",
                  counts[ADDED], counts[CHANGED], counts[DROPPED],
                  written || l->cli->args.check ? "" : " (as it was)");
  spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
}

static int add_line(json_t *lines, const spec_lock_line *line, change what) {
  json_t *object = json_object();
  int rc = spec_json_put(object, "trunk", spec_json_text(line->trunk, NULL));
  rc |= spec_json_put(object, "blob", spec_json_text(line->blob, NULL));
  rc |= spec_json_put(object, "commit", spec_json_text(line->commit, NULL));
  rc |= spec_json_put(object, "review", json_boolean(line->review));
  rc |= spec_json_put(object, "change", spec_json_text(change_names[what], NULL));
  return rc | spec_json_push(lines, object);
}

static int print_json(const locking *l, bool written, spec_err *err) {
  json_t *root = json_object(), *lines = json_array();
  int rc = 0;
  for (size_t i = 0; i < l->new.count; i++)
    rc |= add_line(lines, &l->new.lines[i], compare(l, l->new.lines[i].trunk));
  for (size_t i = 0; i < l->old.count; i++)
    if (spec_lock_find(&l->new, l->old.lines[i].trunk) == NULL)
      rc |= add_line(lines, &l->old.lines[i], DROPPED);
  const char *path = spec_path_join(l->cli->arena, l->backend->dir, SPEC_LOCK_FILE);
  rc |= spec_json_put(root, "lock", path == NULL ? NULL : spec_json_text(path, NULL));
  rc |= spec_json_put(root, "written", json_boolean(written));
  rc |= spec_json_put(root, "lines", lines);
  rc |= spec_cli_add_findings(l->cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(l->cli, root, err);
  json_decref(root);
  return rc;
}

static bool differs(const locking *l) {
  bool same = l->old.count == l->new.count;
  for (size_t i = 0; same && i < l->new.count; i++)
    same = compare(l, l->new.lines[i].trunk) == SAME;
  return !same;
}

static int lock(locking *l, spec_err *err) {
  bool written = false, existed = false;
  int rc = spec_lock_read(&l->old, &existed, l->backend->dir, err);
  if (rc == 0)
    rc = spec_vendor_files(l->cli->arena, &l->files, &l->file_count, l->backend, err);
  if (rc == 0)
    rc = spec_cli_check_names(l->cli, l->backend, l->files, l->file_count, err);
  if (rc == 0)
    rc = make_lines(l, err);
  if (rc == 0 && !l->cli->args.check)
    rc = spec_lock_write(&l->new, &written, l->backend->dir, err);
  if (rc != 0)
    return rc;
  if (l->cli->args.json)
    rc = print_json(l, written, err);
  else
    print_text(l, written);
  if (rc == 0 && l->cli->args.check && (differs(l) || !existed))
    rc = spec_fail(err, SPEC_EREFUSED, "%s is not what the trunk gives", SPEC_LOCK_FILE);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  locking l = {.cli = cli, .old.arena = cli->arena, .new.arena = cli->arena};
  int rc = spec_cli_backend(cli, &l.backend, err);
  if (rc == 0)
    rc = open_source(&l, err);
  if (rc == 0)
    rc = lock(&l, err);
  spec_repository_free(l.repository);
  return rc;
}

const spec_command spec_cmd_lock = {"lock",
                                    "[options] [override...]",
                                    SPEC_SUMMARY_LOCK,
                                    options,
                                    sizeof options / sizeof *options,
                                    0,
                                    (size_t)-1,
                                    run};
