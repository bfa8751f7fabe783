/* status_text.c: a table for people, JSON for programs. */
#include "cli/status.h"

#include "base/err.h"
#include <string.h>

static const char *name_of(const spec_standing *s) {
  return s->file != NULL ? s->file->overlay : s->line->trunk;
}

/* Several overrides are called spec.ini: the removals. */
static bool is_removal(const spec_standing *s) {
  return s->file != NULL && s->file->action == SPEC_REMOVE;
}

static void write_regions(spec_buf *out, const spec_standing *s) {
  for (size_t i = 0; i < s->region_count; i++) {
    const spec_lines_range *r = &s->regions[i];
    const char *word = s->region_count > 1 || r->last > r->first ? "  lines " : "  line ";
    spec_buf_printf(out, "%s%zu", i == 0 ? word : ", ", r->first);
    if (r->last > r->first)
      spec_buf_printf(out, "-%zu", r->last);
  }
}

static void write_row(spec_buf *out, const spec_standing *s) {
  spec_buf_printf(out, "%-11s  %s", spec_state_name(s->state), name_of(s));
  if (is_removal(s))
    spec_buf_printf(out, " [remove] %s", s->file->trunk);
  write_regions(out, s);
  if (s->added >= 0)
    spec_buf_printf(out, "  upstream +%ld -%ld", s->added, s->removed);
  if (s->state == SPEC_STATE_ORPHANED && s->moved_to != NULL && s->likeness > 0)
    spec_buf_printf(out, "  moved to %s (%u %% alike)", s->moved_to, s->likeness);
  else if (s->state == SPEC_STATE_ORPHANED && s->moved_to != NULL)
    spec_buf_printf(out, "  moved to %s", s->moved_to);
  else if (s->state == SPEC_STATE_ORPHANED)
    spec_buf_str(out, "  gone");
  if (s->reviews > 0)
    spec_buf_printf(out, "  %zu region%s to review", s->reviews, s->reviews == 1 ? "" : "s");
  if (s->upstreamed_hunks > 0 && s->state != SPEC_STATE_UPSTREAMED)
    spec_buf_printf(out, "  %zu hunk%s upstreamed", s->upstreamed_hunks,
                    s->upstreamed_hunks == 1 ? "" : "s");
  if (*s->why != '\0')
    spec_buf_printf(out, "  (%s)", s->why);
  spec_buf_char(out, '\n');
}

/* "revision 1a2b3c4d5e6f", or the folder. */
static void write_trunk(spec_buf *out, const spec_status *status) {
  if (status->now->folder != NULL)
    spec_buf_str(out, status->now->folder);
  else
    spec_buf_printf(out, "%.12s",
                    status->now->commit[0] != '\0' ? status->now->commit : status->now->tree);
}

int spec_status_print_text(const spec_status *status, spec_err *err) {
  spec_buf text = {0};
  for (size_t i = 0; i < status->count; i++)
    write_row(&text, &status->items[i]);
  spec_buf_printf(&text, "%s against ", status->backend->name);
  write_trunk(&text, status);
  spec_buf_printf(&text, ": %zu override%s", status->count, status->count == 1 ? "" : "s");
  for (size_t state = 0; state < SPEC_STATES; state++)
    if (status->counts[state] > 0)
      spec_buf_printf(&text, ", %zu %s", status->counts[state], spec_state_name((spec_state)state));
  spec_buf_char(&text, '\n');
  bool whole = !spec_buf_failed(&text);
  if (whole)
    spec_cli_print(spec_buf_text(&text));
  spec_buf_dispose(&text);
  return whole ? SPEC_OK : spec_fail_memory(err);
}

static json_t *regions_json(const spec_standing *s) {
  json_t *regions = json_array();
  int rc = regions == NULL;
  for (size_t i = 0; i < s->region_count; i++) {
    json_t *range = json_object();
    rc |= spec_json_put(range, "first", json_integer((json_int_t)s->regions[i].first));
    rc |= spec_json_put(range, "last", json_integer((json_int_t)s->regions[i].last));
    rc |= spec_json_push(regions, range);
  }
  if (rc == 0)
    return regions;
  json_decref(regions);
  return NULL;
}

static json_t *text_or_null(const char *text) {
  return text == NULL ? json_null() : spec_json_text(text, NULL);
}

static json_t *count_or_null(long count) {
  return count < 0 ? json_null() : json_integer((json_int_t)count);
}

static int add_row(json_t *rows, const spec_standing *s) {
  json_t *row = json_object();
  int rc = spec_json_put(row, "state", spec_json_text(spec_state_name(s->state), NULL));
  rc |= spec_json_put(row, "overlay", text_or_null(s->file == NULL ? NULL : s->file->overlay));
  rc |= spec_json_put(row, "trunk",
                      spec_json_text(s->file != NULL ? s->file->trunk : s->line->trunk, NULL));
  rc |= spec_json_put(row, "action",
                      text_or_null(s->file == NULL ? NULL : spec_action_name(s->file->action)));
  rc |= spec_json_put(row, "why", spec_json_text(s->why, NULL));
  rc |= spec_json_put(row, "moved_to", text_or_null(s->moved_to));
  rc |= spec_json_put(row, "likeness", json_integer((json_int_t)s->likeness));
  rc |= spec_json_put(row, "upstream_added", count_or_null(s->added));
  rc |= spec_json_put(row, "upstream_removed", count_or_null(s->removed));
  rc |= spec_json_put(row, "regions", regions_json(s));
  rc |= spec_json_put(row, "to_review", json_integer((json_int_t)s->reviews));
  rc |= spec_json_put(row, "upstreamed_hunks", json_integer((json_int_t)s->upstreamed_hunks));
  rc |= spec_json_put(row, "review", json_boolean(s->line != NULL && s->line->review));
  return rc | spec_json_push(rows, row);
}

int spec_status_print_json(const spec_status *status, spec_err *err) {
  json_t *root = json_object(), *rows = json_array(), *counts = json_object();
  int rc = spec_json_put(root, "schema", json_integer(1));
  rc |= spec_json_put(root, "backend", spec_json_text(status->backend->name, NULL));
  rc |= spec_json_put(root, "folder", text_or_null(status->now->folder));
  rc |= spec_json_put(root, "commit",
                      text_or_null(status->now->commit[0] == '\0' ? NULL : status->now->commit));
  for (size_t i = 0; i < status->count; i++)
    rc |= add_row(rows, &status->items[i]);
  for (size_t state = 0; state < SPEC_STATES; state++)
    rc |= spec_json_put(counts, spec_state_name((spec_state)state),
                        json_integer((json_int_t)status->counts[state]));
  rc |= spec_json_put(root, "overrides", rows);
  rc |= spec_json_put(root, "counts", counts);
  rc |= spec_cli_add_findings(status->cli, root);
  rc = rc != 0 ? spec_fail_memory(err) : spec_cli_print_json(status->cli, root, err);
  json_decref(root);
  return rc;
}
