/* context.c */
#include "diff/context.h"

#include "base/err.h"
#include <string.h>

/* Lines that are compared for all hunks of a patch before those left are given no more context than
 * usual: that takes a text of some hundred thousand lines which are nearly all alike. */
static const size_t patience = 200000000;

typedef struct widener {
  const spec_changes *changes;
  const spec_lines *old;
  spec_hunk_width width;
  size_t *first;  /* the first line of the old text that has an id, by id */
  size_t *next;   /* the next one with the same id, by line; the line count: none */
  size_t *number; /* how many there are, by id */
  size_t compared;
} widener;

static int index_lines(widener *w, spec_arena *arena, spec_err *err) {
  const spec_lines *old = w->old;
  size_t ids = 1;
  for (size_t i = 0; i < old->count; i++)
    ids = old->ids[i] >= ids ? old->ids[i] + (size_t)1 : ids;
  w->first = spec_arena_array(arena, ids, sizeof *w->first);
  w->number = spec_arena_array(arena, ids, sizeof *w->number);
  w->next = spec_arena_array(arena, old->count, sizeof *w->next);
  if (w->first == NULL || w->number == NULL || w->next == NULL)
    return spec_fail_memory(err);
  for (size_t i = old->count; i-- > 0;) {
    uint32_t id = old->ids[i];
    w->next[i] = w->number[id] > 0 ? w->first[id] : old->count;
    w->first[id] = i;
    w->number[id]++;
  }
  return SPEC_OK;
}

static size_t rarest_line(const widener *w, const spec_hunk_range *h) {
  size_t rarest = h->old;
  for (size_t i = h->old; i < h->old_end; i++)
    if (w->number[w->old->ids[i]] < w->number[w->old->ids[rarest]])
      rarest = i;
  return rarest;
}

/* Whether the lines of the hunk are in the old text there alone. */
static bool is_unique(widener *w, const spec_hunk_range *h) {
  const uint32_t *ids = w->old->ids;
  if (h->old == h->old_end)
    return w->old->count == 0;
  size_t rarest = rarest_line(w, h), ahead = rarest - h->old, count = h->old_end - h->old;
  for (size_t line = w->first[ids[rarest]]; line < w->old->count; line = w->next[line]) {
    w->compared++;
    if (line == rarest || line < ahead || line - ahead + count > w->old->count)
      continue;
    size_t n = 0;
    while (n < count && ids[line - ahead + n] == ids[h->old + n])
      n++;
    w->compared += n;
    if (n == count)
      return false;
  }
  return true;
}

/* The hunk with so many lines of context. */
static void set_width(const widener *w, spec_hunk_range *h, size_t width) {
  const spec_change *first = &w->changes->items[h->first];
  const spec_change *last = &w->changes->items[h->first + h->count - 1];
  size_t end = last->old + last->old_count, left = w->old->count - end;
  h->old = first->old > width ? first->old - width : 0;
  h->old_end = end + (left > width ? width : left);
}

/* Takes in the hunk ahead if the two meet; returns whether they did. */
static bool take_ahead(spec_hunk_range *ahead, const spec_hunk_range *h) {
  if (h->old > ahead->old_end)
    return false;
  ahead->count += h->count;
  ahead->old_end = h->old_end > ahead->old_end ? h->old_end : ahead->old_end;
  return true;
}

/* Widens the last of `count` hunks; returns how many there are then. */
static size_t widen(widener *w, spec_hunk_range *hunks, size_t count) {
  size_t width = w->width.least;
  for (;;) {
    while (count > 1 && take_ahead(&hunks[count - 2], &hunks[count - 1]))
      count--;
    spec_hunk_range *h = &hunks[count - 1];
    h->is_unique = h->is_unique || is_unique(w, h);
    if (h->is_unique)
      return count;
    if (width >= w->width.most || w->compared > patience) {
      set_width(w, h, w->width.least);
      return count;
    }
    set_width(w, h, ++width);
  }
}

int spec_hunk_ranges(spec_hunk_range **out, size_t *count, spec_arena *arena,
                     const spec_changes *changes, const spec_lines *old, spec_hunk_width width,
                     spec_err *err) {
  widener w = {.changes = changes, .old = old, .width = width};
  spec_hunk_range *hunks = spec_arena_array(arena, changes->count, sizeof *hunks);
  int rc = hunks == NULL ? spec_fail_memory(err) : index_lines(&w, arena, err);
  if (rc != 0)
    return rc;
  size_t made = 0;
  for (size_t i = 0; i < changes->count; i++) {
    spec_hunk_range *h = &hunks[made++];
    *h = (spec_hunk_range){.first = i, .count = 1};
    set_width(&w, h, w.width.least);
    made = widen(&w, hunks, made);
  }
  *out = hunks;
  *count = made;
  return SPEC_OK;
}
