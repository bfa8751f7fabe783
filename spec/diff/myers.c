/* myers.c: the algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986),
 * in its linear space form: a search from both ends for the middle of a shortest path, then the two
 * halves likewise.
 *
 * Lines that only one of the texts has are left out of the search, which the fewest changes must
 * have anyway: with the files of a fork that is most of what differs. */
#include "diff/myers.h"

#include "base/err.h"
#include <string.h>

/* A search that has gone so many edits without meeting is cut.  A part that costs more than this
 * squared is seldom worth it: no reader sees the difference. */
enum { COST_MAX = 4096, COST_LATER = 256 };

/* Steps after which all searches are cut earlier, a second or two of them: only texts of many
 * hundred thousand lines, nearly all alike, take more. */
static const size_t patience = 400000000;

/* What is left to compare: ids, and which line of the text each stands for. */
typedef struct side {
  uint32_t *ids;
  size_t *lines;
  size_t count;
  char *marks; /* a byte for each line of the text: it differs */
} side;

typedef struct search {
  side old, new;
  ptrdiff_t *forward, *backward; /* the farthest old line on each diagonal; diagonal 0 inside */
  size_t steps;                  /* diagonals looked at so far */
} search;

/* A part of both sides: [old, old_end) and [new, new_end). */
typedef struct box {
  ptrdiff_t old, old_end, new, new_end;
} box;

static void mark(side *s, ptrdiff_t from, ptrdiff_t to) {
  for (ptrdiff_t i = from; i < to; i++)
    s->marks[s->lines[i]] = 1;
}

static bool equal(const search *s, ptrdiff_t old, ptrdiff_t new) {
  return s->old.ids[old] == s->new.ids[new];
}

/* Where a path from the start of the box ends that has gone one edit more on diagonal k. */
static ptrdiff_t advance(const search *s, const box *b, ptrdiff_t k) {
  ptrdiff_t down = s->forward[k + 1], right = s->forward[k - 1] + 1;
  ptrdiff_t x = right > down ? right : down, y = x - k;
  while (x < b->old_end && y < b->new_end && equal(s, x, y)) {
    x++;
    y++;
  }
  return s->forward[k] = x;
}

/* The same from the end of the box, backwards. */
static ptrdiff_t retreat(const search *s, const box *b, ptrdiff_t k) {
  ptrdiff_t up = s->backward[k - 1], left = s->backward[k + 1] - 1;
  ptrdiff_t x = left < up ? left : up, y = x - k;
  while (x > b->old && y > b->new && equal(s, x - 1, y - 1)) {
    x--;
    y--;
  }
  return s->backward[k] = x;
}

/* Diagonals low..high that one direction looks at; widened by one on each side for each edit, as
 * far as the box has such diagonals, with a sentinel beyond. */
typedef struct fan {
  ptrdiff_t *at, low, high, least, most, sentinel;
} fan;

static void widen(fan *f) {
  if (f->low > f->least)
    f->at[--f->low - 1] = f->sentinel;
  else
    f->low++;
  if (f->high < f->most)
    f->at[++f->high + 1] = f->sentinel;
  else
    f->high--;
}

/* The point that the search has come to from the start with the most lines behind it. */
static ptrdiff_t farthest(const fan *f, const box *b, ptrdiff_t *new) {
  ptrdiff_t best = b->old, best_new = b->new;
  for (ptrdiff_t k = f->low; k <= f->high; k += 2) {
    ptrdiff_t x = f->at[k] < b->old_end ? f->at[k] : b->old_end, y = x - k;
    if (y > b->new_end) {
      y = b->new_end;
      x = y + k;
    }
    if (x + y > best + best_new) {
      best = x;
      best_new = y;
    }
  }
  *new = best_new;
  return best;
}

/* A point that divides the box, in which neither of its first lines nor its last are equal. */
static ptrdiff_t middle(search *s, const box *b, ptrdiff_t *new) {
  const ptrdiff_t least = b->old - b->new_end, most = b->old_end - b->new;
  const ptrdiff_t start = b->old - b->new, end = b->old_end - b->new_end;
  const bool odd = ((start - end) & 1) != 0;
  fan f = {s->forward, start, start, least, most, -1};
  fan r = {s->backward, end, end, least, most, PTRDIFF_MAX / 2};
  f.at[start] = b->old;
  r.at[end] = b->old_end;
  for (size_t cost = 1;; cost++) {
    widen(&f);
    for (ptrdiff_t k = f.high; k >= f.low; k -= 2) {
      ptrdiff_t x = advance(s, b, k);
      if (odd && k >= r.low && k <= r.high && r.at[k] <= x) {
        *new = x - k;
        return x;
      }
    }
    widen(&r);
    for (ptrdiff_t k = r.high; k >= r.low; k -= 2) {
      ptrdiff_t x = retreat(s, b, k);
      if (!odd && k >= f.low && k <= f.high && x <= f.at[k]) {
        *new = x - k;
        return x;
      }
    }
    s->steps += (size_t)(f.high - f.low + r.high - r.low) / 2;
    if (cost >= COST_MAX || (s->steps > patience && cost >= COST_LATER))
      return farthest(&f, b, new);
  }
}

/* Each half has at most half of the edits, or a few thousand lines less when the search was cut, so
 * that the recursion is shallow. */
static void compare(search *s, box b) { /* NOLINT(misc-no-recursion) */
  while (b.old < b.old_end && b.new < b.new_end && equal(s, b.old, b.new)) {
    b.old++;
    b.new++;
  }
  while (b.old < b.old_end && b.new < b.new_end && equal(s, b.old_end - 1, b.new_end - 1)) {
    b.old_end--;
    b.new_end--;
  }
  if (b.old == b.old_end || b.new == b.new_end) {
    mark(&s->old, b.old, b.old_end);
    mark(&s->new, b.new, b.new_end);
    return;
  }
  ptrdiff_t new, old = middle(s, &b, &new);
  compare(s, (box){b.old, old, b.new, new});
  compare(s, (box){old, b.old_end, new, b.new_end});
}

/* The lines that the other text has too; the others are marked. */
static int take(side *out, spec_arena *arena, const spec_lines *text, const char *known,
                spec_err *err) {
  *out = (side){spec_arena_array(arena, text->count, sizeof *out->ids),
                spec_arena_array(arena, text->count, sizeof *out->lines), 0,
                spec_arena_alloc(arena, text->count)};
  if (out->ids == NULL || out->lines == NULL || out->marks == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < text->count; i++) {
    if (!known[text->ids[i]]) {
      out->marks[i] = 1;
      continue;
    }
    out->ids[out->count] = text->ids[i];
    out->lines[out->count++] = i;
  }
  return SPEC_OK;
}

static int prepare(search *s, spec_arena *arena, const spec_lines *old, const spec_lines *new,
                   spec_err *err) {
  size_t ids = spec_lines_ids(old, new);
  char *in_old = spec_arena_alloc(arena, ids), *in_new = spec_arena_alloc(arena, ids);
  if (in_old == NULL || in_new == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < old->count; i++)
    in_old[old->ids[i]] = 1;
  for (size_t i = 0; i < new->count; i++)
    in_new[new->ids[i]] = 1;
  int rc = take(&s->old, arena, old, in_new, err);
  if (rc == 0)
    rc = take(&s->new, arena, new, in_old, err);
  if (rc != 0)
    return rc;
  /* Diagonals reach from minus the new lines to the old ones, and one beyond. */
  size_t diagonals = s->old.count + s->new.count + 3;
  s->forward = spec_arena_array(arena, diagonals, sizeof *s->forward);
  s->backward = spec_arena_array(arena, diagonals, sizeof *s->backward);
  if (s->forward == NULL || s->backward == NULL)
    return spec_fail_memory(err);
  s->forward += s->new.count + 1;
  s->backward += s->new.count + 1;
  return SPEC_OK;
}

int spec_changes_of_marks(spec_changes *out, spec_arena *arena, const char *old_gone,
                          size_t old_count, const char *new_come, size_t new_count, spec_err *err) {
  spec_changes changes = {0};
  size_t cap = 0, i = 0, k = 0;
  while (i < old_count || k < new_count) {
    spec_change c = {i, 0, k, 0};
    while (i < old_count && old_gone[i])
      i++;
    while (k < new_count && new_come[k])
      k++;
    c.old_count = i - c.old;
    c.new_count = k - c.new;
    if (c.old_count + c.new_count > 0) {
      int rc = spec_arena_reserve(arena, &changes.items, changes.count, &cap, sizeof c, err);
      if (rc != 0)
        return rc;
      changes.items[changes.count++] = c;
      changes.removed += c.old_count;
      changes.added += c.new_count;
    }
    i++; /* a common line */
    k++;
  }
  *out = changes;
  return SPEC_OK;
}

int spec_diff_myers(spec_changes *out, spec_arena *arena, const spec_lines *old,
                    const spec_lines *new, spec_err *err) {
  search s = {0};
  int rc = prepare(&s, arena, old, new, err);
  if (rc != 0)
    return rc;
  compare(&s, (box){0, (ptrdiff_t)s.old.count, 0, (ptrdiff_t)s.new.count});
  return spec_changes_of_marks(out, arena, s.old.marks, old->count, s.new.marks, new->count, err);
}
