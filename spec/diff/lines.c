/* lines.c */
#include "diff/lines.h"

#include "base/digest.h"
#include "base/err.h"
#include <string.h>

size_t spec_lines_count(const char *text, size_t len) {
  size_t count = 0;
  for (const char *at = len == 0 ? "" : text, *end = at + len; at < end; count++) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    at = lf == NULL ? end : lf + 1;
  }
  return count;
}

int spec_lines_split(spec_lines *out, spec_arena *arena, const char *text, size_t len,
                     spec_err *err) {
  const char *at = len == 0 ? "" : text, *end = at + len;
  size_t count = spec_lines_count(at, len);
  if (count >= UINT32_MAX / 4)
    return spec_fail(err, SPEC_EREFUSED, "a text of %zu lines is too long to be compared", count);
  spec_lines lines = {spec_arena_array(arena, count, sizeof *lines.lines), count,
                      spec_arena_array(arena, count, sizeof *lines.ids)};
  if (lines.lines == NULL || lines.ids == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < count; i++) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    const char *next = lf == NULL ? end : lf + 1;
    lines.lines[i] = (spec_line){at, (size_t)(next - at)};
    at = next;
  }
  *out = lines;
  return SPEC_OK;
}

/* One line that was met, in a table with open addressing. */
typedef struct entry {
  uint64_t digest; /* 0: free */
  const spec_line *line;
  uint32_t id;
} entry;

static entry *entry_of(entry *table, size_t mask, const spec_line *line, uint64_t digest) {
  size_t i = (size_t)digest & mask;
  while (table[i].digest != 0 && (table[i].digest != digest || table[i].line->len != line->len ||
                                  memcmp(table[i].line->text, line->text, line->len) != 0))
    i = (i + 1) & mask;
  return &table[i];
}

int spec_lines_number(size_t *ids, spec_arena *arena, spec_lines *const *texts, size_t count,
                      spec_err *err) {
  size_t total = 0, size = 16;
  for (size_t t = 0; t < count; t++)
    total += texts[t]->count;
  while (size < total * 2)
    size *= 2;
  entry *table = spec_arena_array(arena, size, sizeof *table);
  if (table == NULL)
    return spec_fail_memory(err);
  uint32_t next = 0;
  for (size_t t = 0; t < count; t++)
    for (size_t i = 0; i < texts[t]->count; i++) {
      const spec_line *line = &texts[t]->lines[i];
      uint64_t digest = spec_digest_64(line->text, line->len, 0);
      entry *found = entry_of(table, size - 1, line, digest);
      if (found->digest == 0)
        *found = (entry){digest, line, next++};
      texts[t]->ids[i] = found->id;
    }
  if (ids != NULL)
    *ids = next;
  return SPEC_OK;
}

bool spec_line_equal(spec_line a, spec_line b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.text, b.text, a.len) == 0);
}

size_t spec_lines_ids(const spec_lines *a, const spec_lines *b) {
  size_t most = 0;
  for (size_t i = 0; i < a->count; i++)
    most = a->ids[i] > most ? a->ids[i] : most;
  for (size_t i = 0; i < b->count; i++)
    most = b->ids[i] > most ? b->ids[i] : most;
  return most + 1;
}
