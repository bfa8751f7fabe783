/* wheel_write.c: the new wheel: what it holds, in which order, and its RECORD. */
#include "package/wheel.h"

#include "base/err.h"
#include "base/path.h"
#include "package/headers.h"

#include <stdlib.h>
#include <string.h>

/* A member of the new wheel. */
typedef struct entry {
  const char *name;              /* in the new wheel */
  const spec_wheel_member *from; /* the one that it is, or stands for; NULL: a new one */
  const char *data;              /* NULL: the bytes of `from`, as they are packed */
  size_t len;
  bool is_executable; /* of a new or changed one */
} entry;

/* Something that stands directly before item `at` of a list. */
typedef struct addition {
  const spec_wheel_change *change;
  size_t at;
} addition;

typedef struct writer {
  const spec_wheel *wheel;
  const spec_wheel_edit *edit;
  spec_arena *arena;
  spec_map *changes;       /* name -> spec_wheel_change */
  const char *info, *data; /* folders of the new wheel: dist-info, and what goes elsewhere */
  const char *old_data;
  entry *entries;
  size_t count;
  entry *metadata;
  spec_wheel_record record; /* of the new wheel */
} writer;

/* The change of a member of the open wheel, or NULL. */
static const spec_wheel_change *change_of(const writer *w, const char *name) {
  return spec_map_get(w->changes, name, NULL);
}

/* --- names --------------------------------------------------------------------------------- */

const char *spec_wheel_file_name(const spec_wheel *wheel, const char *version) {
  const char *in_name = spec_version_in_name(wheel->arena, version);
  return in_name == NULL ? NULL
                         : spec_arena_printf(wheel->arena, "%s-%s-%s.whl", wheel->name.project,
                                             in_name, wheel->name.tail);
}

static int name_folders(writer *w, spec_err *err) {
  const char *old = w->wheel->dist_info,
             *version = spec_version_in_name(w->arena, w->edit->version);
  int project = (int)strcspn(old, "-"), stem = (int)(strlen(old) - strlen(".dist-info"));
  if (version == NULL)
    return spec_fail_memory(err);
  w->info = spec_arena_printf(w->arena, "%.*s-%s.dist-info", project, old, version);
  w->data = spec_arena_printf(w->arena, "%.*s-%s.data", project, old, version);
  w->old_data = spec_arena_printf(w->arena, "%.*s.data", stem, old);
  return w->info == NULL || w->data == NULL || w->old_data == NULL ? spec_fail_memory(err)
                                                                   : SPEC_OK;
}

/* The name in the new wheel of what the open one has, or would have, under `name`. */
static int rename_member(const writer *w, const char **out, const char *name, spec_err *err) {
  const char *below = spec_path_below(name, w->wheel->dist_info), *folder = w->info;
  if (below == NULL) {
    below = spec_path_below(name, w->old_data);
    folder = w->data;
  }
  /* A folder's own member ends in '/', and so does its new name. */
  *out = below == NULL ? name : spec_arena_printf(w->arena, "%s/%s", folder, below);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* --- where new members stand ----------------------------------------------------------------- */

/* The name of item i of a list. */
typedef const char *name_fn(const spec_wheel *wheel, size_t i);

static const char *member_name(const spec_wheel *wheel, size_t i) {
  return wheel->members[i].entry->name;
}

static const char *row_name(const spec_wheel *wheel, size_t i) {
  return wheel->record.rows[i].path;
}

/* The item before which a new name goes: behind the greatest that is smaller, or before the
 * smallest that is greater, of those in the same folder at the top; else before the dist-info
 * folder. */
static size_t place_of(const spec_wheel *wheel, name_fn *name_of, size_t count, const char *name) {
  size_t top = strcspn(name, "/"), at = count, info = count;
  const char *before = NULL, *after = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *other = name_of(wheel, i);
    if (info == count && spec_path_below(other, wheel->dist_info) != NULL)
      info = i;
    if (strncmp(name, other, top) != 0 || (other[top] != '/' && other[top] != '\0'))
      continue;
    if (strcmp(other, name) < 0 && (before == NULL || strcmp(other, before) > 0)) {
      before = other;
      at = i + 1;
    } else if (before == NULL && strcmp(other, name) > 0 &&
               (after == NULL || strcmp(other, after) < 0)) {
      after = other;
      at = i;
    }
  }
  return before == NULL && after == NULL ? info : at;
}

static int by_place(const void *a, const void *b) {
  const addition *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return strcmp(x->change->name, y->change->name);
}

/* The members that the open wheel lacks, in the order in which they go into a list. */
static int find_additions(const writer *w, addition **out, size_t *count, name_fn *name_of,
                          size_t list, spec_err *err) {
  const spec_wheel_edit *edit = w->edit;
  addition *found = spec_arena_array(w->arena, edit->change_count, sizeof *found);
  size_t n = 0;
  if (found == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < edit->change_count; i++) {
    const spec_wheel_change *change = &edit->changes[i];
    if (change->data != NULL && spec_wheel_find(w->wheel, change->name) == NULL)
      found[n++] = (addition){change, place_of(w->wheel, name_of, list, change->name)};
  }
  if (n > 0)
    qsort(found, n, sizeof *found, by_place);
  *out = found;
  *count = n;
  return SPEC_OK;
}

/* --- the list of members -----------------------------------------------------------------------
 */

/* Whether the member is left out: removed, or a folder of which nothing is left. */
static bool is_left_out(const writer *w, const spec_wheel_member *member) {
  const spec_wheel_change *change = change_of(w, member->entry->name);
  if (!member->is_folder)
    return change != NULL && change->data == NULL;
  size_t len = strlen(member->entry->name), left_out = 0;
  for (size_t i = 0; i < w->wheel->count; i++) {
    const spec_wheel_member *other = &w->wheel->members[i];
    if (other->is_folder || strncmp(other->entry->name, member->entry->name, len) != 0)
      continue;
    if (!is_left_out(w, other))
      return false;
    left_out++;
  }
  for (size_t i = 0; i < w->edit->change_count && left_out > 0; i++)
    if (w->edit->changes[i].data != NULL &&
        strncmp(w->edit->changes[i].name, member->entry->name, len) == 0)
      return false;
  return left_out > 0; /* one that was empty before stays */
}

/* Lists a member under a name that the open wheel has, or would have. */
static int add_entry(writer *w, const char *name, const spec_wheel_member *from,
                     const spec_wheel_change *change, spec_err *err) {
  entry *e = &w->entries[w->count++];
  *e = (entry){.from = from};
  if (change != NULL) {
    e->data = change->data;
    e->len = change->len;
    e->is_executable = change->is_executable;
  }
  return rename_member(w, &e->name, name, err);
}

static int list_entries(writer *w, spec_err *err) {
  const spec_wheel *wheel = w->wheel;
  addition *additions;
  size_t addition_count, next = 0;
  w->entries = spec_arena_array(w->arena, wheel->count + w->edit->change_count, sizeof *w->entries);
  if (w->entries == NULL)
    return spec_fail_memory(err);
  int rc = find_additions(w, &additions, &addition_count, member_name, wheel->count, err);
  for (size_t i = 0; i <= wheel->count && rc == SPEC_OK; i++) {
    for (; rc == SPEC_OK && next < addition_count && additions[next].at == i; next++)
      rc = add_entry(w, additions[next].change->name, NULL, additions[next].change, err);
    const spec_wheel_member *member = i < wheel->count ? &wheel->members[i] : NULL;
    if (rc == SPEC_OK && member != NULL && !is_left_out(w, member))
      rc = add_entry(w, member->entry->name, member, change_of(w, member->entry->name), err);
  }
  return rc;
}

/* --- METADATA and RECORD ------------------------------------------------------------------------
 */

/* The entry of a file of the dist-info folder that only this file may edit. */
static int find_info_entry(const writer *w, entry **out, const char *name, spec_err *err) {
  const spec_wheel_member *member = spec_wheel_info(w->wheel, name);
  for (size_t i = 0; i < w->count; i++) {
    if (w->entries[i].from != member || w->entries[i].data != NULL)
      continue;
    *out = &w->entries[i];
    return SPEC_OK;
  }
  (void)spec_fail(err, SPEC_EINVAL, "a wheel's %s cannot be given or taken away", name);
  return SPEC_EINVAL;
}

static int edit_metadata(writer *w, spec_err *err) {
  entry *e = NULL;
  const char *text;
  size_t len;
  spec_header version;
  int rc = find_info_entry(w, &e, "METADATA", err);
  if (rc == SPEC_OK)
    rc = spec_wheel_read(w->wheel, w->arena, &text, &len, e->from, err);
  if (rc != SPEC_OK)
    return rc;
  (void)spec_headers_find(&version, text, len, "Version");
  w->metadata = e;
  e->data = spec_headers_replace(w->arena, &e->len, text, len, &version, w->edit->version);
  e->is_executable = spec_archive_is_executable(e->from->entry);
  return e->data == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* Adds a row for what has that name in the open wheel, or would have: `old` with other bytes if
 * there are any, else a new one. */
static int add_row(writer *w, const char *name, const spec_wheel_row *old, const char *data,
                   size_t len, spec_err *err) {
  spec_wheel_row *row = &w->record.rows[w->record.count++];
  if (old != NULL)
    *row = *old;
  int rc = rename_member(w, &row->path, name, err);
  if (rc == SPEC_OK && data != NULL && spec_wheel_row_of(row, w->arena, row->path, data, len) < 0)
    rc = spec_fail_memory(err);
  return rc;
}

/* The row of a member that the open wheel has. */
static int keep_row(writer *w, const spec_wheel_row *old, spec_err *err) {
  const spec_wheel_change *change = change_of(w, old->path);
  const entry *metadata = w->metadata;
  if (spec_wheel_find(w->wheel, old->path) == metadata->from)
    return add_row(w, old->path, old, metadata->data, metadata->len, err);
  if (change == NULL)
    return add_row(w, old->path, old, NULL, 0, err);
  return change->data == NULL ? SPEC_OK
                              : add_row(w, old->path, old, change->data, change->len, err);
}

static int list_rows(writer *w, spec_err *err) {
  const spec_wheel_record *old = &w->wheel->record;
  addition *additions;
  size_t addition_count, next = 0;
  w->record = (spec_wheel_record){.eol = old->eol};
  w->record.rows =
      spec_arena_array(w->arena, old->count + w->edit->change_count, sizeof *w->record.rows);
  if (w->record.rows == NULL)
    return spec_fail_memory(err);
  int rc = find_additions(w, &additions, &addition_count, row_name, old->count, err);
  for (size_t i = 0; i <= old->count && rc == SPEC_OK; i++) {
    for (; rc == SPEC_OK && next < addition_count && additions[next].at == i; next++) {
      const spec_wheel_change *change = additions[next].change;
      rc = add_row(w, change->name, NULL, change->data, change->len, err);
    }
    if (rc == SPEC_OK && i < old->count)
      rc = keep_row(w, &old->rows[i], err);
  }
  return rc;
}

static int edit_record(writer *w, spec_err *err) {
  entry *e = NULL;
  int rc = find_info_entry(w, &e, "RECORD", err);
  if (rc == SPEC_OK)
    rc = list_rows(w, err);
  if (rc != SPEC_OK)
    return rc;
  spec_buf text = {0};
  spec_wheel_record_write(&text, &w->record);
  e->data =
      spec_buf_failed(&text) ? NULL : spec_arena_strndup(w->arena, spec_buf_text(&text), text.len);
  e->len = text.len;
  e->is_executable = spec_archive_is_executable(e->from->entry);
  spec_buf_dispose(&text);
  return e->data == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* --- the archive -------------------------------------------------------------------------------
 */

/* Adds a member whose bytes are at hand. What it stands for lends its mode, unless only one of the
 * two can be executed. */
static int add_bytes(const writer *w, spec_archive_writer *out, const entry *e, spec_err *err) {
  spec_archive_entry like = {.date = spec_archive_date(w->edit->date)};
  spec_archive_set_mode(&like, e->is_executable);
  if (e->from != NULL && spec_archive_is_executable(e->from->entry) == e->is_executable) {
    like.made_by = e->from->entry->made_by;
    like.attributes = e->from->entry->attributes;
  }
  return spec_archive_add(out, e->name, e->data, e->len, &like, err);
}

static int write_archive(const writer *w, bool *changed, const char *path, spec_err *err) {
  spec_archive_writer *out;
  int rc = spec_archive_new(&out, w->arena, path, err);
  if (rc != SPEC_OK)
    return rc;
  for (size_t i = 0; i < w->count && rc == SPEC_OK; i++) {
    const entry *e = &w->entries[i];
    rc = e->data != NULL ? add_bytes(w, out, e, err)
                         : spec_archive_copy(out, e->name, &w->wheel->archive, e->from->entry, err);
  }
  if (rc == SPEC_OK)
    return spec_archive_publish(out, changed, err);
  spec_archive_discard(out);
  return rc;
}

/* --- all ---------------------------------------------------------------------------------------
 */

static int find_changes(writer *w, spec_err *err) {
  int rc = spec_map_new(&w->changes, w->arena, err);
  for (size_t i = 0; i < w->edit->change_count && rc == SPEC_OK; i++)
    rc = spec_map_set(w->changes, w->edit->changes[i].name, (void *)&w->edit->changes[i], err);
  return rc;
}

int spec_wheel_write(bool *changed, const spec_wheel *wheel, const char *path,
                     const spec_wheel_edit *edit, spec_err *err) {
  writer w = {.wheel = wheel, .edit = edit, .arena = wheel->arena};
  int rc = find_changes(&w, err);
  if (rc == SPEC_OK)
    rc = name_folders(&w, err);
  if (rc == SPEC_OK)
    rc = list_entries(&w, err);
  if (rc == SPEC_OK)
    rc = edit_metadata(&w, err);
  if (rc == SPEC_OK)
    rc = edit_record(&w, err);
  if (rc == SPEC_OK)
    rc = write_archive(&w, changed, path, err);
  spec_map_free(w.changes);
  return rc;
}
