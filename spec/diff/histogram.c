/* histogram.c: the histogram diff as JGit introduced it, an extension of patience diff to texts
 * without unique lines. */
#include "diff/histogram.h"

#include "base/err.h"
#include "diff/myers.h"

/* A line that occurs more often says nothing of where it belongs. */
enum { FREQUENT = 64 };

/* No line. */
static const size_t NONE = SIZE_MAX;

/* A part of both texts: [old, old_end) and [new, new_end). */
typedef struct part {
  size_t old, old_end, new, new_end;
} part;

typedef struct search {
  const spec_lines *old, *new;
  size_t *first;             /* for each id: its first old line within the part */
  size_t *next;              /* for each old line: the next one of the same id within the part */
  uint32_t *count;           /* for each id: how many there are within the part */
  char *old_gone, *new_come; /* marks */
  part *todo;
  size_t todo_count, todo_cap;
  spec_arena *arena;
  spec_err *err;
} search;

/* A run of common lines. */
typedef struct run {
  size_t old, new, len;
  uint32_t rarest; /* occurrences of the line that occurs least */
} run;

static void count_old(search *s, const part *p) {
  for (size_t i = p->old; i < p->old_end; i++)
    s->count[s->old->ids[i]] = 0;
  for (size_t i = p->new; i < p->new_end; i++)
    s->count[s->new->ids[i]] = 0;
  for (size_t i = p->old_end; i-- > p->old;) {
    uint32_t id = s->old->ids[i];
    s->next[i] = s->count[id]++ == 0 ? NONE : s->first[id];
    s->first[id] = i;
  }
}

/* The run of common lines around one pair of them. */
static run grow(const search *s, const part *p, size_t old, size_t new) {
  const uint32_t *a = s->old->ids, *b = s->new->ids;
  run r = {old, new, 1, s->count[a[old]]};
  while (r.old > p->old && r.new > p->new && a[r.old - 1] == b[r.new - 1]) {
    r.old--;
    r.new--;
    r.len++;
    r.rarest = s->count[a[r.old]] < r.rarest ? s->count[a[r.old]] : r.rarest;
  }
  for (size_t i = r.old + r.len, k = r.new + r.len;
       i < p->old_end && k < p->new_end && a[i] == b[k]; i++, k++) {
    r.len++;
    r.rarest = s->count[a[i]] < r.rarest ? s->count[a[i]] : r.rarest;
  }
  return r;
}

/* The best run of a part.  *common tells whether there is any common line. */
static run best_run(const search *s, const part *p, bool *common) {
  run best = {0, 0, 0, FREQUENT + 1};
  *common = false;
  for (size_t k = p->new; k < p->new_end;) {
    uint32_t id = s->new->ids[k], count = s->count[id];
    size_t after = k + 1;
    *common = *common || count > 0;
    if (count > 0 && count <= best.rarest && count <= FREQUENT)
      for (size_t i = s->first[id]; i != NONE; i = s->next[i]) {
        run r = grow(s, p, i, k);
        after = r.new + r.len > after ? r.new + r.len : after;
        if (r.rarest < best.rarest || (r.rarest == best.rarest && r.len > best.len))
          best = r;
      }
    k = after;
  }
  return best;
}

static int push(search *s, part p) {
  int rc = spec_arena_reserve(s->arena, &s->todo, s->todo_count, &s->todo_cap, sizeof p, s->err);
  if (rc == 0)
    s->todo[s->todo_count++] = p;
  return rc;
}

static void mark(search *s, const part *p) {
  for (size_t i = p->old; i < p->old_end; i++)
    s->old_gone[i] = 1;
  for (size_t k = p->new; k < p->new_end; k++)
    s->new_come[k] = 1;
}

/* A part all of whose common lines are frequent. */
static int compare_otherwise(search *s, const part *p) {
  const spec_lines old = {s->old->lines + p->old, p->old_end - p->old, s->old->ids + p->old};
  const spec_lines new = {s->new->lines + p->new, p->new_end - p->new, s->new->ids + p->new};
  spec_changes changes;
  int rc = spec_diff_myers(&changes, s->arena, &old, &new, s->err);
  for (size_t i = 0; rc == 0 && i < changes.count; i++) {
    const spec_change *c = &changes.items[i];
    mark(s, &(part){p->old + c->old, p->old + c->old + c->old_count, p->new + c->new,
                    p->new + c->new + c->new_count});
  }
  return rc;
}

static int compare(search *s, part p) {
  bool common;
  count_old(s, &p);
  run best = best_run(s, &p, &common);
  if (!common) {
    mark(s, &p);
    return SPEC_OK;
  }
  if (best.len == 0)
    return compare_otherwise(s, &p);
  int rc = push(s, (part){p.old, best.old, p.new, best.new});
  return rc != 0 ? rc
                 : push(s, (part){best.old + best.len, p.old_end, best.new + best.len, p.new_end});
}

int spec_diff_histogram(spec_changes *out, spec_arena *arena, const spec_lines *old,
                        const spec_lines *new, spec_err *err) {
  size_t ids = spec_lines_ids(old, new);
  search s = {.old = old,
              .new = new,
              .first = spec_arena_array(arena, ids, sizeof *s.first),
              .next = spec_arena_array(arena, old->count, sizeof *s.next),
              .count = spec_arena_array(arena, ids, sizeof *s.count),
              .old_gone = spec_arena_alloc(arena, old->count),
              .new_come = spec_arena_alloc(arena, new->count),
              .arena = arena,
              .err = err};
  if (s.first == NULL || s.next == NULL || s.count == NULL || s.old_gone == NULL ||
      s.new_come == NULL)
    return spec_fail_memory(err);
  int rc = push(&s, (part){0, old->count, 0, new->count});
  while (rc == 0 && s.todo_count > 0)
    rc = compare(&s, s.todo[--s.todo_count]);
  return rc != 0 ? rc
                 : spec_changes_of_marks(out, arena, s.old_gone, old->count, s.new_come, new->count,
                                         err);
}

/* --- where a change ends -------------------------------------------------------------------- */

/* Moves one change within the lines [low, high) of the text that it adds to or removes from. */
static ptrdiff_t slide(const uint32_t *ids, size_t from, size_t count, size_t low, size_t high,
                       const unsigned char *ranks) {
  size_t up = 0, down = 0;
  while (from - up > low && ids[from - up - 1] == ids[from - up - 1 + count])
    up++;
  while (from + count + down < high && ids[from + down] == ids[from + count + down])
    down++;
  ptrdiff_t best = (ptrdiff_t)down;
  for (ptrdiff_t at = (ptrdiff_t)down; at >= -(ptrdiff_t)up; at--) {
    size_t last = (size_t)((ptrdiff_t)(from + count) + at) - 1;
    size_t chosen = (size_t)((ptrdiff_t)(from + count) + best) - 1;
    if (ranks[ids[last]] > ranks[ids[chosen]])
      best = at;
  }
  return best;
}

void spec_changes_slide(spec_changes *changes, const spec_lines *old, const spec_lines *new,
                        const unsigned char *ranks) {
  for (size_t i = 0; i < changes->count; i++) {
    spec_change *c = &changes->items[i];
    if (c->old_count > 0 && c->new_count > 0)
      continue;
    /* A common line stays between two changes. */
    const spec_change *last = i > 0 ? c - 1 : NULL, *next = i + 1 < changes->count ? c + 1 : NULL;
    ptrdiff_t by;
    if (c->old_count == 0)
      by = slide(new->ids, c->new, c->new_count, last ? last->new + last->new_count + 1 : 0,
                 next ? next->new - 1 : new->count, ranks);
    else
      by = slide(old->ids, c->old, c->old_count, last ? last->old + last->old_count + 1 : 0,
                 next ? next->old - 1 : old->count, ranks);
    c->old = (size_t)((ptrdiff_t)c->old + by);
    c->new = (size_t)((ptrdiff_t)c->new + by);
  }
}
