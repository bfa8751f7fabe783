/* merge3.c */
#include "diff/merge3.h"

#include <string.h>

/* Changes of one side that are still to come, and where they leave that side. */
typedef struct side {
  const spec_change *next, *end;
  ptrdiff_t shift; /* items of the side minus those of the base, up to here */
} side;

/* Changes that cannot be told apart, as a range of the base. */
typedef struct group {
  size_t from, end;
  bool ours, theirs;
} group;

/* Whether a change goes into the group that lies ahead of it or under it. */
static bool belongs(const group *g, const spec_change *c, spec_touching touching) {
  bool adds = c->old_count == 0, group_adds = g->from == g->end;
  if (touching == SPEC_TOUCHING_CONFLICTS)
    return c->old <= g->end;
  if (adds && group_adds)
    return c->old == g->end;
  if (c->old < g->end)
    return !adds || c->old > g->from;
  return touching == SPEC_TOUCHING_INSERTS && !adds && !group_adds && c->old == g->end;
}

static bool absorb(group *g, side *s, bool ours, spec_touching touching) {
  if (s->next == s->end || !belongs(g, s->next, touching))
    return false;
  size_t end = s->next->old + s->next->old_count;
  g->end = end > g->end ? end : g->end;
  s->shift += (ptrdiff_t)s->next->new_count - (ptrdiff_t)s->next->old_count;
  s->next++;
  *(ours ? &g->ours : &g->theirs) = true;
  return true;
}

/* Whether the first side's next change comes ahead of the second's: what is added goes before what
 * is changed at the same place. */
static bool is_first(const side *a, const side *b) {
  if (a->next == a->end || b->next == b->end)
    return a->next != a->end;
  if (a->next->old != b->next->old)
    return a->next->old < b->next->old;
  return a->next->old_count == 0 || b->next->old_count > 0;
}

static bool is_equal(const spec_lines *a, size_t at, size_t count, const spec_lines *b,
                     size_t other, size_t other_count) {
  return count == other_count &&
         (count == 0 || memcmp(a->ids + at, b->ids + other, count * sizeof *a->ids) == 0);
}

static spec_chunk_kind kind_of(const spec_merge3_input *in, const group *g, const spec_chunk *c) {
  if (!g->ours || !g->theirs)
    return g->ours ? SPEC_CHUNK_OURS : SPEC_CHUNK_THEIRS;
  return is_equal(in->ours, c->ours, c->ours_count, in->theirs, c->theirs, c->theirs_count)
             ? SPEC_CHUNK_BOTH
             : SPEC_CHUNK_CONFLICT;
}

static size_t shifted(size_t at, ptrdiff_t by) {
  return (size_t)((ptrdiff_t)at + by);
}

int spec_merge3(spec_chunks *out, spec_arena *arena, const spec_merge3_input *in, spec_err *err) {
  spec_chunks made = {0};
  size_t cap = 0, at = 0;
  const spec_changes *o = in->to_ours, *t = in->to_theirs;
  side ours = {o->items, o->items + o->count, 0}, theirs = {t->items, t->items + t->count, 0};
  for (;;) {
    int rc = spec_arena_reserve(arena, &made.items, made.count + 1, &cap, sizeof *made.items, err);
    if (rc != 0)
      return rc;
    bool more = ours.next != ours.end || theirs.next != theirs.end;
    const spec_change *first = is_first(&ours, &theirs) ? ours.next : theirs.next;
    size_t start = more ? first->old : in->base->count;
    if (start > at)
      made.items[made.count++] = (spec_chunk){
          SPEC_CHUNK_SAME,           at,        start - at, shifted(at, ours.shift), start - at,
          shifted(at, theirs.shift), start - at};
    if (!more)
      break;
    group g = {start, first->old + first->old_count, false, false};
    spec_chunk c = {
        .base = start, .ours = shifted(start, ours.shift), .theirs = shifted(start, theirs.shift)};
    /* The first one belongs to itself whatever may touch. */
    bool is_ours = first == ours.next;
    absorb(&g, is_ours ? &ours : &theirs, is_ours, SPEC_TOUCHING_CONFLICTS);
    while (absorb(&g, &ours, true, in->touching) || absorb(&g, &theirs, false, in->touching))
      ;
    c.base_count = g.end - start;
    c.ours_count = shifted(g.end, ours.shift) - c.ours;
    c.theirs_count = shifted(g.end, theirs.shift) - c.theirs;
    c.kind = kind_of(in, &g, &c);
    made.conflicts += c.kind == SPEC_CHUNK_CONFLICT;
    made.items[made.count++] = c;
    at = g.end;
  }
  *out = made;
  return SPEC_OK;
}
