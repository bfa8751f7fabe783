/* renames.c */
#include "git/renames.h"

#include "base/err.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "diff/lines.h"
#include <string.h>

/* Files that are read for one that is gone. */
enum { READ_MAX = 400 };

static int on_entry(void *user, const spec_entry *entry, spec_err *err) {
  spec_renames *r = user;
  spec_entry there = {0};
  if (entry->type != SPEC_ENTRY_FILE)
    return SPEC_OK;
  int rc = SPEC_OK;
  if (r->from != NULL)
    rc = spec_repository_entry(r->repository, &there, r->from, entry->name, err);
  if (rc != 0 || there.type != SPEC_ENTRY_NONE)
    return rc;
  rc = spec_arena_reserve(r->arena, &r->added, r->count, &r->cap, sizeof *r->added, err);
  if (rc != 0)
    return rc;
  spec_entry *added = &r->added[r->count];
  *added = *entry;
  if (added->id[0] == '\0') /* a folder's file, which is read now only */
    rc = spec_repository_entry(r->repository, added, r->to, entry->name, err);
  added->name = spec_arena_strdup(r->arena, entry->name);
  if (rc == 0 && added->name == NULL)
    rc = spec_fail_memory(err);
  if (rc != 0)
    return rc;
  r->count++;
  return SPEC_OK;
}

/* Names that one file may have had: of one ending, or alike but for it. */
static bool is_kin(const char *a, const char *b) {
  const char *x = spec_path_basename(a), *y = spec_path_basename(b);
  const char *x_ext = spec_path_ext(a), *y_ext = spec_path_ext(b);
  size_t x_len = strlen(x) - strlen(x_ext), y_len = strlen(y) - strlen(y_ext);
  return strcmp(x_ext, y_ext) == 0 || (x_len == y_len && memcmp(x, y, x_len) == 0);
}

/* Bytes of the lines that both have, twice, in percent of all. */
static int likeness(unsigned *out, spec_arena *arena, const spec_line *a, const spec_line *b,
                    spec_err *err) {
  spec_lines x, y;
  size_t ids = 0, common = 0;
  *out = 0;
  int rc = spec_lines_split(&x, arena, a->text, a->len, err);
  if (rc == 0)
    rc = spec_lines_split(&y, arena, b->text, b->len, err);
  spec_lines *const texts[] = {&x, &y};
  if (rc == 0)
    rc = spec_lines_number(&ids, arena, texts, 2, err);
  if (rc != 0)
    return rc;
  size_t *left = spec_arena_array(arena, ids, sizeof *left);
  if (left == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < x.count; i++)
    left[x.ids[i]]++;
  for (size_t i = 0; i < y.count; i++)
    if (left[y.ids[i]] > 0) {
      left[y.ids[i]]--;
      common += y.lines[i].len;
    }
  if (a->len + b->len > 0)
    *out = (unsigned)(200 * common / (a->len + b->len));
  return SPEC_OK;
}

static int compare_with(spec_renames *r, spec_rename *best, const spec_entry *candidate,
                        const spec_line *text, spec_err *err) {
  spec_arena *scratch;
  spec_line other;
  unsigned percent = 0;
  int rc = spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = spec_repository_read(r->repository, scratch, &other.text, &other.len, candidate->id, err);
  if (rc == 0)
    rc = likeness(&percent, scratch, text, &other, err);
  spec_arena_free(scratch);
  if (rc == 0 && percent >= SPEC_RENAME_LIKENESS && percent > best->likeness) {
    best->path = candidate->name;
    best->likeness = percent;
    memcpy(best->id, candidate->id, sizeof best->id);
  }
  return rc;
}

int spec_renames_find(spec_renames *r, spec_rename *out, const char *path, const char *text,
                      size_t len, spec_err *err) {
  const spec_line wanted = {text, len};
  char id[SPEC_BLOB_ID_SIZE];
  int rc = r->listed ? SPEC_OK : spec_repository_walk(r->repository, r->to, "", on_entry, r, err);
  if (rc != 0)
    return rc;
  r->listed = true;
  *out = (spec_rename){0};
  spec_blob_id(id, text, len);
  for (size_t i = 0; i < r->count && len > 0; i++)
    if (strcmp(r->added[i].id, id) == 0 &&
        (out->path == NULL ||
         strcmp(spec_path_basename(r->added[i].name), spec_path_basename(path)) == 0)) {
      out->path = r->added[i].name;
      out->likeness = 100;
      memcpy(out->id, id, sizeof out->id);
    }
  size_t read = 0;
  for (size_t i = 0; i < r->count && out->likeness < 100 && read < READ_MAX && rc == 0; i++)
    if (is_kin(r->added[i].name, path)) {
      read++;
      rc = compare_with(r, out, &r->added[i], &wanted, err);
    }
  return rc;
}
