/* upgrade_report.c */
#include "cli/upgrade_report.h"

#include "base/err.h"
#include <string.h>

/* --- text ----------------------------------------------------------------------------------- */

static void say_pieces(spec_buf *out, const spec_merged_file *merged) {
  for (size_t i = 0; i < merged->pieces.count; i++) {
    const spec_merge_piece *piece = &merged->pieces.items[i];
    if (piece->how != SPEC_MERGE_LINES && (piece->how == SPEC_MERGE_CONFLICT || piece->text.len))
      spec_buf_printf(out, "             line %zu: %s\n", spec_merged_line(merged, i),
                      spec_merge_how_name(piece->how));
  }
}

static void say_item(spec_buf *out, const spec_upgrade_item *item) {
  const spec_override_merge *m = &item->merge;
  if (m->carried == SPEC_CARRIED_SAME)
    return;
  spec_buf_printf(out, "%-11s  %s", spec_carried_name(m->carried), item->file->overlay);
  if (m->likeness > 0 && strcmp(m->blob, "-") != 0)
    spec_buf_printf(out, " (the trunk's file is now %s, %u %% alike)", m->trunk, m->likeness);
  if (m->carried == SPEC_CARRIED_ORPHANED)
    spec_buf_printf(out, " (the trunk has no %s any more)", item->file->trunk);
  spec_buf_char(out, '\n');
  if (item->overlay == NULL && item->file->action != SPEC_REMOVE)
    spec_buf_str(out, "             the trunk does the same by itself: dropped\n");
  else if (item->overlay != NULL && strcmp(item->overlay, item->file->overlay) != 0)
    spec_buf_printf(out, "             now %s\n", item->overlay);
  if (m->upstreamed_hunks > 0 && item->overlay != NULL)
    spec_buf_printf(out, "             %zu hunk%s of the patch %s in the trunk by now: dropped\n",
                    m->upstreamed_hunks, m->upstreamed_hunks == 1 ? "" : "s",
                    m->upstreamed_hunks == 1 ? "is" : "are");
  if (m->why != NULL)
    spec_buf_printf(out, "             %s\n", m->why);
  if (item->note != NULL)
    spec_buf_printf(out, "             %s\n", item->note);
  say_pieces(out, &m->merged);
}

static void say_outcome(spec_buf *out, const spec_cli *cli, const spec_upgrade *upgrade,
                        bool written, bool waits) {
  size_t counts[SPEC_CARRIED_ORPHANED + 1] = {0};
  for (size_t i = 0; i < upgrade->count; i++)
    counts[upgrade->items[i].merge.carried]++;
  spec_buf_printf(out, "%zu override%s:", upgrade->count, upgrade->count == 1 ? "" : "s");
  const char *comma = " ";
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i] > 0) {
      spec_buf_printf(out, "%s%zu %s", comma, counts[i], spec_carried_name((spec_carried)i));
      comma = ", ";
    }
  spec_buf_char(out, '\n');
  if (waits)
    spec_buf_str(out, "Resolve the conflicts, then run `triton-spec upgrade --continue`; "
                      "`--abort` goes back.\n");
  else if (!written && !cli->args.dry_run)
    spec_buf_str(out, "Nothing was written. With --keep-going the rest is, and conflicts become "
                      "markers.\n");
  else if (written && upgrade->reviews > 0)
    spec_buf_str(out, "Look at what is marked for review, then run `triton-spec upgrade "
                      "--accept`.\n");
}

/* --- JSON ----------------------------------------------------------------------------------- */

static int add_pieces(json_t *object, const spec_merged_file *merged) {
  json_t *pieces = json_array();
  int rc = 0;
  for (size_t i = 0; i < merged->pieces.count; i++) {
    const spec_merge_piece *piece = &merged->pieces.items[i];
    if (piece->how == SPEC_MERGE_LINES)
      continue;
    json_t *one = json_object();
    size_t line = spec_merged_line(merged, i);
    rc |= spec_json_put(one, "line", json_integer((json_int_t)line));
    rc |= spec_json_put(one, "merged_by", spec_json_text(spec_merge_how_name(piece->how), NULL));
    rc |= spec_json_push(pieces, one);
  }
  return rc | spec_json_put(object, "pieces", pieces);
}

static json_t *text_or_null(const char *text) {
  return text != NULL ? spec_json_text(text, NULL) : json_null();
}

static int add_item(json_t *items, const spec_upgrade_item *item) {
  const spec_override_merge *m = &item->merge;
  json_t *object = json_object();
  int rc = spec_json_put(object, "trunk", spec_json_text(item->file->trunk, NULL));
  rc |= spec_json_put(object, "overlay", spec_json_text(item->file->overlay, NULL));
  rc |= spec_json_put(object, "result", spec_json_text(spec_carried_name(m->carried), NULL));
  rc |= spec_json_put(object, "new_trunk", spec_json_text(m->trunk, NULL));
  rc |= spec_json_put(object, "new_overlay", text_or_null(item->overlay));
  rc |= spec_json_put(object, "likeness", json_integer((json_int_t)m->likeness));
  rc |= spec_json_put(object, "upstreamed_hunks", json_integer((json_int_t)m->upstreamed_hunks));
  rc |= spec_json_put(object, "review", json_boolean(item->review));
  rc |= spec_json_put(object, "why", text_or_null(m->why));
  rc |= spec_json_put(object, "note", text_or_null(item->note));
  rc |= add_pieces(object, &m->merged);
  return rc | spec_json_push(items, object);
}

static int print_json(spec_cli *cli, json_t *root, int rc, spec_err *err) {
  rc |= spec_cli_add_findings(cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(cli, root, err);
  json_decref(root);
  return rc;
}

int spec_report_upgrade(spec_cli *cli, const spec_backend *backend, const spec_upgrade *upgrade,
                        bool written, bool waits, spec_err *err) {
  spec_buf text = {0};
  if (cli->args.json) {
    json_t *root = json_object(), *items = json_array();
    int rc = spec_json_put(root, "backend", spec_json_text(backend->name, NULL));
    rc |= spec_json_put(root, "to", spec_json_text(upgrade->journal.commit, NULL));
    rc |= spec_json_put(root, "written", json_boolean(written));
    rc |= spec_json_put(root, "unfinished", json_boolean(waits));
    for (size_t i = 0; i < upgrade->count; i++)
      rc |= add_item(items, &upgrade->items[i]);
    rc |= spec_json_put(root, "overrides", items);
    return print_json(cli, root, rc, err);
  }
  for (size_t i = 0; i < upgrade->count; i++)
    say_item(&text, &upgrade->items[i]);
  say_outcome(&text, cli, upgrade, written, waits);
  spec_cli_print(spec_buf_text(&text));
  bool failed = spec_buf_failed(&text);
  spec_buf_dispose(&text);
  return failed ? spec_fail_memory(err) : SPEC_OK;
}

int spec_report_rest(spec_cli *cli, const spec_journal *journal, const spec_unresolved *left,
                     spec_err *err) {
  spec_buf text = {0};
  if (cli->args.json) {
    json_t *root = json_object(), *paths = json_array();
    int rc = spec_json_put(root, "to", spec_json_text(journal->commit, NULL));
    for (size_t i = 0; i < left->count; i++)
      rc |= spec_json_push(paths, spec_json_text(left->paths[i], NULL));
    rc |= spec_json_put(root, "unresolved", paths);
    return print_json(cli, root, rc, err);
  }
  for (size_t i = 0; i < left->count; i++)
    spec_buf_printf(&text, "unresolved   %s\n", left->paths[i]);
  if (left->count == 0)
    spec_buf_printf(&text, "The upgrade to %s is finished.\n", journal->rev);
  spec_cli_print(spec_buf_text(&text));
  bool failed = spec_buf_failed(&text);
  spec_buf_dispose(&text);
  return failed ? spec_fail_memory(err) : SPEC_OK;
}

/* One line, or one number in JSON. */
static int report_count(spec_cli *cli, const char *name, size_t count, const char *text,
                        spec_err *err) {
  if (text == NULL)
    return spec_fail_memory(err);
  if (!cli->args.json) {
    spec_cli_print(text);
    return SPEC_OK;
  }
  json_t *root = json_object();
  int rc = spec_json_put(root, name, json_integer((json_int_t)count));
  return print_json(cli, root, rc, err);
}

int spec_report_undone(spec_cli *cli, const spec_journal *journal, size_t kept, spec_err *err) {
  const char *text =
      kept == 0 ? "Every file is as it was before the upgrade.\n"
                : spec_arena_printf(cli->arena,
                                    "Every file is as it was before the upgrade; %zu that had been "
                                    "edited since %s kept in %s/.spec-upgrade-edited.\n",
                                    kept, kept == 1 ? "is" : "are", journal->folder);
  return report_count(cli, "kept", kept, text, err);
}

int spec_report_accepted(spec_cli *cli, size_t accepted, spec_err *err) {
  const char *text = spec_arena_printf(cli->arena, "%zu override%s accepted.\n", accepted,
                                       accepted == 1 ? "" : "s");
  return report_count(cli, "accepted", accepted, text, err);
}
