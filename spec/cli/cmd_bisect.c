/* cmd_bisect.c: which commits of the trunk changed what is overridden, and broke an override. */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "cli/git_commands.h"
#include "cli/trunk_side.h"

#include "base/err.h"
#include "git/bisect.h"
#include <time.h>

static const spec_cli_option options[] = {
    SPEC_CLI_TRUNK_OPTIONS,
    SPEC_CLI_REPOSITORY_OPTION,
    {"--to", "REV", "the end of the history (default: HEAD)", SPEC_CLI_TEXT,
     offsetof(spec_cli_args, to)},
};

typedef struct history {
  spec_cli *cli;
  const spec_backend *backend;
  spec_repository *repository;
  spec_revision to;
  spec_bisected *items;
  size_t count, broken, unknown;
} history;

static int open_history(history *h, spec_err *err) {
  const char *rev = h->cli->args.to != NULL ? h->cli->args.to : "HEAD";
  int rc = spec_cli_repository(h->cli, &h->repository, err);
  if (rc == 0)
    rc = spec_repository_resolve(h->repository, &h->to, rev, err);
  if (rc == 0)
    spec_cli_leave_out(h->cli, &h->to, h->backend);
  return rc;
}

static int walk(history *h, spec_err *err) {
  spec_arena *arena = h->cli->arena;
  spec_lock *lock = spec_arena_alloc(arena, sizeof *lock);
  spec_vendor_file *files;
  if (lock == NULL)
    return spec_fail_memory(err);
  lock->arena = arena;
  int rc = spec_lock_read(lock, NULL, h->backend->dir, err);
  if (rc == 0)
    rc = spec_vendor_files(arena, &files, &h->count, h->backend, err);
  if (rc != 0)
    return rc;
  h->items = spec_arena_array(arena, h->count, sizeof *h->items);
  if (h->items == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < h->count; i++)
    h->items[i] = (spec_bisected){.file = &files[i], .line = spec_lock_find(lock, files[i].trunk)};
  const spec_bisect_input input = {h->repository, arena, &h->to, h->to.without};
  rc = spec_bisect(h->items, h->count, &input, err);
  for (size_t i = 0; rc == 0 && i < h->count; i++) {
    h->broken += h->items[i].broken != NULL;
    h->unknown += h->items[i].line == NULL || *h->items[i].why != '\0';
  }
  return rc;
}

/* The author's date as ISO 8601 has it, with the author's own offset from UTC. */
static const char *date_of(const history *h, const spec_commit *commit) {
  char text[32];
  time_t moment = (time_t)(commit->date + commit->offset * 60L);
  struct tm parts;
  int offset = commit->offset < 0 ? -commit->offset : commit->offset;
  if (gmtime_r(&moment, &parts) == NULL ||
      strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts) == 0)
    return "";
  return spec_arena_printf(h->cli->arena, "%s%c%02d:%02d", text, commit->offset < 0 ? '-' : '+',
                           offset / 60, offset % 60);
}

static int describe(const history *h, spec_commit *out, const char **date, const char *id,
                    spec_err *err) {
  int rc = spec_repository_describe(h->repository, h->cli->arena, out, id, err);
  if (rc == 0)
    *date = date_of(h, out);
  return rc == 0 && *date == NULL ? spec_fail_memory(err) : rc;
}

/* --- text --- */

static int write_commit(const history *h, spec_buf *out, const char *what, const char *id,
                        spec_err *err) {
  spec_commit commit;
  const char *date;
  int rc = describe(h, &commit, &date, id, err);
  if (rc == 0)
    spec_buf_printf(out, "  %-11s  %.12s  %s  %s: %s\n", what, id, date, commit.author,
                    commit.subject);
  return rc;
}

static int write_item(const history *h, spec_buf *out, const spec_bisected *item, spec_err *err) {
  const spec_standing *s = &item->standing;
  int rc = SPEC_OK;
  spec_buf_str(out, item->file->overlay);
  if (item->file->action == SPEC_REMOVE)
    spec_buf_printf(out, " [remove] %s", item->file->trunk);
  if (item->line == NULL)
    spec_buf_str(out, "  not locked\n");
  else if (*item->why != '\0')
    spec_buf_printf(out, "  not known: %s\n", item->why);
  else if (item->change == NULL)
    spec_buf_str(out, "  unchanged\n");
  else
    spec_buf_printf(out, "  %zu change%s%s\n", item->changes, item->changes == 1 ? "" : "s",
                    item->broken != NULL ? " to the first that breaks it" : ", none breaks it");
  if (item->change != NULL)
    rc = write_commit(h, out, "changed", item->change, err);
  if (rc == 0 && item->broken != NULL)
    rc = write_commit(h, out, spec_state_name(s->state), item->broken, err);
  if (item->broken != NULL && s->moved_to != NULL)
    spec_buf_printf(out, "  %-11s  moved to %s\n", "", s->moved_to);
  return rc;
}

static int print_text(const history *h, spec_err *err) {
  spec_buf text = {0};
  int rc = SPEC_OK;
  for (size_t i = 0; rc == 0 && i < h->count; i++)
    rc = write_item(h, &text, &h->items[i], err);
  spec_buf_printf(&text, "%s up to %.12s: %zu override%s, %zu broken, %zu not known\n",
                  h->backend->name, h->to.commit, h->count, h->count == 1 ? "" : "s", h->broken,
                  h->unknown);
  if (rc == 0 && spec_buf_failed(&text))
    rc = spec_fail_memory(err);
  if (rc == 0)
    spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return rc;
}

/* --- JSON --- */

static int put_commit(const history *h, json_t *row, const char *key, const char *id,
                      spec_err *err) {
  spec_commit commit;
  const char *date;
  if (id == NULL)
    return spec_json_put(row, key, json_null()) != 0 ? spec_fail_memory(err) : SPEC_OK;
  int rc = describe(h, &commit, &date, id, err);
  if (rc != 0)
    return rc;
  json_t *object = json_object();
  rc |= spec_json_put(object, "commit", spec_json_text(id, NULL));
  rc |= spec_json_put(object, "date", spec_json_text(date, NULL));
  rc |= spec_json_put(object, "author", spec_json_text(commit.author, NULL));
  rc |= spec_json_put(object, "subject", spec_json_text(commit.subject, NULL));
  return (rc | spec_json_put(row, key, object)) != 0 ? spec_fail_memory(err) : SPEC_OK;
}

static int add_row(const history *h, json_t *rows, const spec_bisected *item, spec_err *err) {
  json_t *row = json_object();
  const spec_standing *s = &item->standing;
  bool broken = item->broken != NULL;
  int put = spec_json_put(row, "overlay", spec_json_text(item->file->overlay, NULL));
  put |= spec_json_put(row, "trunk", spec_json_text(item->file->trunk, NULL));
  put |= spec_json_put(row, "locked", json_boolean(item->line != NULL));
  put |= spec_json_put(row, "why", spec_json_text(item->why, NULL));
  put |= spec_json_put(row, "changes", json_integer((json_int_t)item->changes));
  int rc = put_commit(h, row, "first_change", item->change, err);
  if (rc == 0)
    rc = put_commit(h, row, "first_break", item->broken, err);
  put |= spec_json_put(row, "state",
                       broken ? spec_json_text(spec_state_name(s->state), NULL) : json_null());
  put |= spec_json_put(row, "moved_to",
                       broken && s->moved_to != NULL ? spec_json_text(s->moved_to, NULL)
                                                     : json_null());
  put |= spec_json_push(rows, row);
  return rc == 0 && put != 0 ? spec_fail_memory(err) : rc;
}

static int print_json(const history *h, spec_err *err) {
  json_t *root = json_object(), *rows = json_array();
  int rc = SPEC_OK;
  for (size_t i = 0; rc == 0 && i < h->count; i++)
    rc = add_row(h, rows, &h->items[i], err);
  int put = spec_json_put(root, "schema", json_integer(1));
  put |= spec_json_put(root, "backend", spec_json_text(h->backend->name, NULL));
  put |= spec_json_put(root, "to", spec_json_text(h->to.commit, NULL));
  put |= spec_json_put(root, "overrides", rows);
  put |= spec_cli_add_findings(h->cli, root);
  if (rc == 0)
    rc = put != 0 ? spec_fail_memory(err) : spec_cli_print_json(h->cli, root, err);
  json_decref(root);
  return rc;
}

static int run(spec_cli *cli, spec_err *err) {
  history h = {.cli = cli};
  int rc = spec_cli_backend(cli, &h.backend, err);
  if (rc == 0)
    rc = open_history(&h, err);
  if (rc == 0)
    rc = walk(&h, err);
  if (rc == 0)
    rc = cli->args.json ? print_json(&h, err) : print_text(&h, err);
  if (rc == 0 && h.broken + h.unknown > 0)
    rc = spec_fail(err, SPEC_EREFUSED, "broken or not known: %zu of %zu overrides",
                   h.broken + h.unknown, h.count);
  spec_repository_free(h.repository);
  return rc;
}

const spec_command spec_cmd_bisect = {
    "bisect", "[options]", SPEC_SUMMARY_BISECT, options, sizeof options / sizeof *options, 0,
    0,        run};
