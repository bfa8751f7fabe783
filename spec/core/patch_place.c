/* patch_place.c: where each hunk of a patch stands in a text.
 *
 * Lines are compared by digest first, and a hunk is looked for where its rarest line is, so that
 * the cost grows with the text and the patch, not with their product. */
#include "core/patch.h"

#include "base/digest.h"
#include "base/err.h"
#include "core/patch_text.h"
#include <stdlib.h>
#include <string.h>

/* Context that lines must have to be taken for a hunk's outcome wherever they are: what diff shows
 * on one side.  With less, a single line that happens to be alike would do. */
enum { EVIDENCE = 3 };
/* Bounds of the search for the place that is most alike, which only serves a message. */
enum { ALIKE_LINES = 256, ALIKE_PLACES = 32 };

/* The lines of one text of a hunk. */
typedef struct side {
  const spec_patch_line **lines;
  uint64_t *digests;
  size_t count;
} side;

/* All lines of the base that have one digest. */
typedef struct slot {
  uint64_t digest; /* 0: free */
  size_t first, count;
} slot;

typedef struct finder {
  spec_arena *arena;
  const spec_patch_text *base;
  bool is_exact;
  uint64_t *digests; /* of the base's lines */
  uint64_t *sums;    /* of the first n of those, as rolling(): count + 1 of them */
  size_t *next;      /* the next line with that digest */
  slot *slots;
  size_t mask;
} finder;

static uint64_t digest_of(const char *text, size_t len, bool unended) {
  return spec_digest_64(text, len, unended);
}

/* A digest of a row of digests, from that of the row without its last: the sums of two rows give
 * that of what lies between, see sum_of(). */
static const uint64_t rolling_base = 0x9E3779B97F4A7C15;

static uint64_t rolling(uint64_t sum, uint64_t digest) {
  return sum * rolling_base + digest;
}

static uint64_t power_of_base(size_t exponent) {
  uint64_t power = 1;
  for (uint64_t square = rolling_base; exponent > 0; exponent /= 2, square *= square)
    power *= exponent % 2 == 1 ? square : 1;
  return power;
}

static slot *slot_of(const finder *f, uint64_t digest) {
  size_t i = (size_t)digest & f->mask;
  while (f->slots[i].digest != 0 && f->slots[i].digest != digest)
    i = (i + 1) & f->mask;
  return &f->slots[i];
}

static int index_base(finder *f, spec_err *err) {
  size_t count = f->base->count, size = 16;
  while (size < count * 2)
    size *= 2;
  f->mask = size - 1;
  f->slots = spec_arena_array(f->arena, size, sizeof *f->slots);
  f->digests = spec_arena_array(f->arena, count, sizeof *f->digests);
  f->sums = spec_arena_array(f->arena, count + 1, sizeof *f->sums);
  f->next = spec_arena_array(f->arena, count, sizeof *f->next);
  if (f->slots == NULL || f->digests == NULL || f->sums == NULL || f->next == NULL)
    return spec_fail_memory(err);
  for (size_t i = count; i-- > 0;) { /* backwards, so that each list runs forwards */
    const spec_patch_text_line *line = &f->base->lines[i];
    f->digests[i] = digest_of(line->text, line->len, line->unended);
    slot *s = slot_of(f, f->digests[i]);
    f->next[i] = s->count > 0 ? s->first : count;
    *s = (slot){f->digests[i], i, s->count + 1};
  }
  for (size_t i = 0; i < count; i++)
    f->sums[i + 1] = rolling(f->sums[i], f->digests[i]);
  return SPEC_OK;
}

static int side_of(const finder *f, side *out, const spec_patch_hunk *hunk, char other,
                   spec_err *err) {
  *out = (side){spec_arena_array(f->arena, hunk->line_count, sizeof *out->lines),
                spec_arena_array(f->arena, hunk->line_count, sizeof *out->digests), 0};
  if (out->lines == NULL || out->digests == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < hunk->line_count; i++) {
    const spec_patch_line *line = &hunk->lines[i];
    if (line->mark == other)
      continue;
    out->lines[out->count] = line;
    out->digests[out->count++] = digest_of(line->text, line->len, line->unended);
  }
  return SPEC_OK;
}

static bool same_line(const finder *f, const side *s, size_t i, size_t at) {
  const spec_patch_text_line *line = &f->base->lines[at];
  return f->digests[at] == s->digests[i] && line->len == s->lines[i]->len &&
         line->unended == s->lines[i]->unended &&
         memcmp(line->text, s->lines[i]->text, line->len) == 0;
}

/* How many lines of the side, from its first and up to `max`, are in the base from `at` on. */
static size_t common(const finder *f, const side *s, size_t at, size_t max) {
  size_t n = 0;
  while (n < max && n < s->count && at + n < f->base->count && same_line(f, s, n, at + n))
    n++;
  return n;
}

static bool is_at(const finder *f, const side *s, size_t at) {
  return at <= f->base->count && common(f, s, at, SIZE_MAX) == s->count;
}

/* Which line of the side the base has least often; *count says how often. */
static size_t rarest_line(const finder *f, const side *s, size_t *count) {
  size_t rarest = 0;
  *count = SIZE_MAX;
  for (size_t i = 0; i < s->count && *count > 0; i++) {
    size_t found = slot_of(f, s->digests[i])->count;
    if (found < *count) {
      *count = found;
      rarest = i;
    }
  }
  return rarest;
}

/* The first places of the whole side, one more than are listed at most; their number. */
static size_t find(const finder *f, const side *s, size_t places[SPEC_PATCH_CANDIDATES + 1]) {
  size_t count, found = 0, rarest = rarest_line(f, s, &count);
  if (s->count == 0 || count == 0)
    return 0;
  uint64_t sum = 0, power = power_of_base(s->count);
  for (size_t i = 0; i < s->count; i++)
    sum = rolling(sum, s->digests[i]);
  for (size_t line = slot_of(f, s->digests[rarest])->first;
       line < f->base->count && found <= SPEC_PATCH_CANDIDATES; line = f->next[line]) {
    size_t at = line - rarest;
    if (line >= rarest && f->base->count - at >= s->count &&
        f->sums[at + s->count] - f->sums[at] * power == sum && is_at(f, s, at))
      places[found++] = at;
  }
  return found;
}

/* Whether the hunk's outcome is there already. */
static bool is_upstreamed(const finder *f, const spec_patch_hunk *hunk, const side *new,
                          spec_hunk_place *out) {
  size_t places[SPEC_PATCH_CANDIDATES + 1];
  if (new->count == 0)
    return false;
  size_t at = hunk->new_line - 1;
  if (!is_at(f, new, at)) {
    if (hunk->before + hunk->after < EVIDENCE || find(f, new, places) != 1)
      return false;
    at = places[0];
  }
  out->state = SPEC_HUNK_UPSTREAMED;
  out->line = at + 1;
  return true;
}

static int compare_sizes(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Where the side would begin, for each of its lines that the base has at a few places: sorted. */
static int alike(const finder *f, size_t **out, size_t *count, const side *s, spec_err *err) {
  size_t cap = 0;
  *out = NULL;
  *count = 0;
  for (size_t i = 0; i < s->count && i < ALIKE_LINES; i++) {
    const slot *found = slot_of(f, s->digests[i]);
    if (found->count == 0 || found->count > ALIKE_PLACES)
      continue;
    for (size_t at = found->first; at < f->base->count; at = f->next[at]) {
      if (at < i)
        continue;
      int rc = spec_arena_reserve(f->arena, out, *count, &cap, sizeof **out, err);
      if (rc != 0)
        return rc;
      (*out)[(*count)++] = at - i;
    }
  }
  if (*count > 0)
    qsort(*out, *count, sizeof **out, compare_sizes);
  return SPEC_OK;
}

static size_t distance(size_t a, size_t b) {
  return a > b ? a - b : b - a;
}

/* The place where most lines are as the hunk has them; those from the top count double, since the
 * first that differs is what the reader is shown.  When nothing is alike: the stated place. */
static int nearest(const finder *f, spec_hunk_place *out, const side *s, size_t stated,
                   spec_err *err) {
  size_t *starts, count, best = 0, best_score = 0;
  int rc = alike(f, &starts, &count, s, err);
  for (size_t i = 0, n; rc == 0 && i < count; i += n) {
    for (n = 1; i + n < count && starts[i + n] == starts[i];)
      n++;
    size_t score = n + common(f, s, starts[i], ALIKE_LINES);
    if (score > best_score ||
        (score == best_score && distance(starts[i], stated) < distance(best, stated))) {
      best = starts[i];
      best_score = score;
    }
  }
  if (best_score == 0)
    best = stated;
  if (rc != 0 || best >= f->base->count)
    return rc;
  size_t same = common(f, s, best, SIZE_MAX);
  out->nearest = best + 1;
  out->found = best + same + 1;
  out->expected = same < s->count ? s->lines[same] : NULL;
  return SPEC_OK;
}

/* A hunk that shows no line of the old text goes by its number, or into an empty file. */
static void place_blind(const finder *f, const spec_patch_hunk *hunk, const side *new,
                        spec_hunk_place *out) {
  size_t count = f->base->count, at = count == 0 ? 0 : hunk->old_line;
  bool joins = at == count && count > 0 && f->base->lines[count - 1].unended;
  bool to_end = new->lines[new->count - 1]->unended;
  if ((count == 0 || f->is_exact) && at <= count && !joins && (!to_end || at == count)) {
    out->line = at + 1;
    out->offset = (ptrdiff_t)at - (ptrdiff_t)hunk->old_line;
  } else if (!is_upstreamed(f, hunk, new, out)) {
    out->state = SPEC_HUNK_BLIND;
  }
}

/* Whether a place agrees with what the hunk says about the file's edges: a change that no context
 * precedes is of the first line when its number says so, one that none follows is of the last. */
static bool fits_edges(const finder *f, const spec_patch_hunk *hunk, const side *old, size_t at) {
  bool first = hunk->before == 0 && hunk->after > 0 && hunk->old_line == 1;
  bool last = hunk->after == 0 && hunk->before > 0;
  return (!first || at == 0) && (!last || at + old->count == f->base->count);
}

/* A last line without newline must stay the last. */
static bool keeps_end(const finder *f, const side *old, const side *new, size_t at) {
  return new->count == 0 || !new->lines[new->count - 1]->unended ||
         at + old->count == f->base->count;
}

static int place_hunk(const finder *f, const spec_patch_hunk *hunk, spec_hunk_place *out,
                      spec_err *err) {
  side old, new;
  size_t places[SPEC_PATCH_CANDIDATES + 1];
  int rc = side_of(f, &old, hunk, '+', err);
  if (rc == 0)
    rc = side_of(f, &new, hunk, '-', err);
  if (rc != 0)
    return rc;
  if (old.count == 0) {
    place_blind(f, hunk, &new, out);
    return SPEC_OK;
  }
  size_t stated = hunk->old_line - 1, at = stated;
  if (!f->is_exact || !is_at(f, &old, stated) || !keeps_end(f, &old, &new, stated)) {
    size_t found = find(f, &old, places);
    if (found > 1) {
      out->state = SPEC_HUNK_AMBIGUOUS;
      out->candidate_count = found;
      for (size_t i = 0; i < found && i < SPEC_PATCH_CANDIDATES; i++)
        out->candidates[i] = places[i] + 1;
      return SPEC_OK;
    }
    bool fits =
        found == 1 && fits_edges(f, hunk, &old, places[0]) && keeps_end(f, &old, &new, places[0]);
    if (!fits && is_upstreamed(f, hunk, &new, out))
      return SPEC_OK;
    if (found == 0) {
      out->state = SPEC_HUNK_NOWHERE;
      return nearest(f, out, &old, stated, err);
    }
    out->state = fits ? SPEC_HUNK_APPLIES : SPEC_HUNK_OFF_EDGE;
    at = places[0];
  }
  out->line = at + 1;
  out->offset = (ptrdiff_t)at - (ptrdiff_t)stated;
  return SPEC_OK;
}

/* Hunks apply in order and share no line. */
static void check_clashes(spec_patch_places *places, const spec_patch *patch) {
  size_t end = 0;
  for (size_t i = 0; i < patch->hunk_count; i++) {
    spec_hunk_place *place = &places->hunks[i];
    if (place->state == SPEC_HUNK_APPLIES && place->line - 1 < end)
      place->state = SPEC_HUNK_CLASHES;
    if (place->state == SPEC_HUNK_APPLIES)
      end = place->line - 1 + patch->hunks[i].old_count;
    places->applying += place->state == SPEC_HUNK_APPLIES;
    places->upstreamed += place->state == SPEC_HUNK_UPSTREAMED;
    places->failing += place->state > SPEC_HUNK_UPSTREAMED;
  }
}

/* A patch that creates or deletes the file; *done: no hunk needs to be looked for. */
static int place_file(bool *done, spec_patch_places *places, const spec_patch *patch,
                      const spec_patch_base *base, spec_err *err) {
  *done = base->text == NULL ? patch->deletes : patch->creates;
  if (base->text == NULL && !patch->creates && !patch->deletes) {
    (void)spec_fail(err, SPEC_ENOTFOUND, "the patch changes '%s', which does not exist",
                    base->path);
    (void)spec_fail_where(err, "%s", patch->path);
    (void)spec_fail_mend(err, "mend the patch's path, or drop it");
    return SPEC_ENOTFOUND;
  }
  if (!*done)
    return SPEC_OK;
  if (base->text != NULL && !spec_patch_makes(patch, base)) {
    (void)spec_fail(err, SPEC_EREFUSED, "the patch creates '%s', which exists", base->path);
    (void)spec_fail_where(err, "%s", patch->path);
    (void)spec_fail_mend(err, "make the patch anew against that file");
    return SPEC_EREFUSED;
  }
  for (size_t i = 0; i < patch->hunk_count; i++)
    places->hunks[i].state = SPEC_HUNK_UPSTREAMED;
  places->upstreamed = patch->hunk_count;
  return SPEC_OK;
}

int spec_patch_place(spec_patch_places *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, spec_err *err) {
  spec_patch_places places = {0};
  spec_patch_text *text = spec_arena_alloc(arena, sizeof *text);
  finder f = {.arena = arena, .base = text, .is_exact = base->is_exact};
  bool done = false;
  places.hunks = spec_arena_array(arena, patch->hunk_count, sizeof *places.hunks);
  int rc = text == NULL || places.hunks == NULL ? spec_fail_memory(err)
                                                : place_file(&done, &places, patch, base, err);
  if (rc == 0)
    rc = spec_patch_text_read(text, arena, patch, base, err);
  if (rc != 0)
    return rc;
  places.base = text;
  if (!done) {
    places.eol_adopted = text->eol_adopted;
    rc = index_base(&f, err);
    for (size_t i = 0; rc == 0 && i < patch->hunk_count; i++)
      rc = place_hunk(&f, &patch->hunks[i], &places.hunks[i], err);
    check_clashes(&places, patch);
  }
  if (rc == 0)
    *out = places;
  return rc;
}
