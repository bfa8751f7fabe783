/* merge_region.c */
#include "diff/merge_steps.h"

#include "base/err.h"
#include "diff/histogram.h"
#include "diff/merge3.h"
#include <string.h>

static const char *const NAMES[] = {
    [SPEC_MERGE_LINES] = "lines",   [SPEC_MERGE_HISTOGRAM] = "histogram",
    [SPEC_MERGE_UNITED] = "united", [SPEC_MERGE_TOKENS] = "tokens",
    [SPEC_MERGE_MOVED] = "moved",   [SPEC_MERGE_CONFLICT] = "conflict",
};

const char *spec_merge_how_name(spec_merge_how how) {
  return NAMES[how];
}

int spec_merge_pieces_add(spec_merge_pieces *out, spec_arena *arena, const spec_merge_piece *piece,
                          spec_err *err) {
  if (piece->how == SPEC_MERGE_LINES && piece->text.len == 0)
    return SPEC_OK;
  int rc = spec_arena_reserve(arena, &out->items, out->count, &out->cap, sizeof *piece, err);
  if (rc != 0)
    return rc;
  out->items[out->count++] = *piece;
  out->reviews += piece->how != SPEC_MERGE_LINES && piece->how != SPEC_MERGE_CONFLICT;
  out->conflicts += piece->how == SPEC_MERGE_CONFLICT;
  return SPEC_OK;
}

/* The three texts of a region, as lines that were numbered together. */
typedef struct split {
  spec_lines base, ours, theirs;
  unsigned char *ranks; /* 1 for ids of blank lines */
} split;

static bool is_blank(const spec_line *line) {
  for (size_t i = 0; i < line->len; i++)
    if (strchr(" \t\r\n\f", line->text[i]) == NULL || line->text[i] == '\0')
      return false;
  return true;
}

static int split_region(split *out, spec_arena *arena, const spec_merge_region *region,
                        spec_err *err) {
  spec_lines *const texts[] = {&out->base, &out->ours, &out->theirs};
  const spec_line *const from[] = {&region->base, &region->ours, &region->theirs};
  int rc = 0;
  for (size_t i = 0; i < 3 && rc == 0; i++)
    rc = spec_lines_split(texts[i], arena, from[i]->text, from[i]->len, err);
  size_t ids = 0;
  if (rc == 0)
    rc = spec_lines_number(&ids, arena, texts, 3, err);
  if (rc != 0)
    return rc;
  out->ranks = spec_arena_alloc(arena, ids);
  if (out->ranks == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < texts[i]->count; k++)
      out->ranks[texts[i]->ids[k]] = is_blank(&texts[i]->lines[k]);
  return SPEC_OK;
}

static int compare(spec_changes *out, spec_arena *arena, const split *s, const spec_lines *side,
                   spec_err *err) {
  int rc = spec_diff_histogram(out, arena, &s->base, side, err);
  if (rc == 0)
    spec_changes_slide(out, &s->base, side, s->ranks);
  return rc;
}

/* The bytes of some lines of a text. */
static spec_line bytes(const spec_lines *lines, spec_line text, size_t first, size_t count) {
  const char *end = text.text + text.len;
  const char *from = first < lines->count ? lines->lines[first].text : end;
  size_t next = first + count;
  const char *to = next < lines->count ? lines->lines[next].text : end;
  return (spec_line){from, (size_t)(to - from)};
}

/* Lines that both sides begin or end with are no conflict: drops them from the sub-region. */
static spec_line common_start(const spec_line *a, const spec_line *b) {
  size_t len = 0;
  for (size_t i = 0; i < a->len && i < b->len && a->text[i] == b->text[i]; i++)
    if (a->text[i] == '\n')
      len = i + 1;
  return (spec_line){a->text, len};
}

static spec_line common_end(const spec_line *a, const spec_line *b) {
  size_t len = 0, most = a->len < b->len ? a->len : b->len, i = 0;
  while (i < most && a->text[a->len - i - 1] == b->text[b->len - i - 1]) {
    i++;
    bool starts = (i == a->len || a->text[a->len - i - 1] == '\n') &&
                  (i == b->len || b->text[b->len - i - 1] == '\n');
    len = starts ? i : len;
  }
  return (spec_line){a->text + a->len - len, len};
}

/* Tries each step on what both sides changed each its own way. */
static int settle(spec_merge_piece *out, spec_arena *arena, const spec_merge_region *region,
                  spec_err *err) {
  spec_merge_piece piece = {SPEC_MERGE_CONFLICT, {0}, region->base, region->ours, region->theirs};
  int rc = 0;
  if (region->base.len == 0) {
    piece.how = SPEC_MERGE_UNITED;
    rc = spec_merge_unite(&piece.text, arena, region, err);
  } else {
    piece.how = SPEC_MERGE_TOKENS;
    rc = spec_merge_tokens(&piece.text, arena, region, err);
  }
  if (piece.text.text == NULL)
    piece.how = SPEC_MERGE_CONFLICT;
  *out = piece;
  return rc;
}

static int settle_chunk(spec_merge_pieces *out, spec_arena *arena, spec_merge_region *region,
                        spec_err *err) {
  spec_merge_piece piece;
  int rc = settle(&piece, arena, region, err);
  if (rc != 0 || piece.how != SPEC_MERGE_CONFLICT)
    return rc != 0 ? rc : spec_merge_pieces_add(out, arena, &piece, err);
  /* What both sides did alike, at the start and at the end. */
  spec_line start = common_start(&region->ours, &region->theirs);
  spec_line ours = {region->ours.text + start.len, region->ours.len - start.len};
  spec_line theirs = {region->theirs.text + start.len, region->theirs.len - start.len};
  spec_line end = common_end(&ours, &theirs);
  ours.len -= end.len;
  theirs.len -= end.len;
  spec_merge_piece alike = {SPEC_MERGE_HISTOGRAM, start, {0}, start, start};
  if (start.len + end.len == 0)
    return spec_merge_pieces_add(out, arena, &piece, err);
  if (start.len > 0)
    rc = spec_merge_pieces_add(out, arena, &alike, err);
  spec_merge_piece rest = {SPEC_MERGE_CONFLICT, {0}, region->base, ours, theirs};
  if (ours.len == 0 || theirs.len == 0) { /* one side did all that the other did, and more */
    rest.how = SPEC_MERGE_HISTOGRAM;
    rest.text = ours.len == 0 ? theirs : ours;
  }
  if (rc == 0)
    rc = spec_merge_pieces_add(out, arena, &rest, err);
  alike.text = alike.ours = alike.theirs = end;
  if (rc == 0 && end.len > 0)
    rc = spec_merge_pieces_add(out, arena, &alike, err);
  return rc;
}

/* As much of what stands before a chunk as its steps look at. */
enum { BEFORE_MAX = 8192 };

static spec_line tail(spec_line text) {
  size_t skip = text.len > BEFORE_MAX ? text.len - BEFORE_MAX : 0;
  return (spec_line){text.text + skip, text.len - skip};
}

/* What stands before a chunk: the region's surroundings, and the pieces from `first` on. */
static int text_before(spec_line *out, spec_arena *arena, const spec_merge_region *region,
                       const spec_merge_pieces *pieces, size_t first, spec_err *err) {
  const spec_line before = tail(region->before);
  size_t len = before.len;
  for (size_t i = first; i < pieces->count; i++)
    len += pieces->items[i].text.len;
  char *text = spec_arena_alloc(arena, len + 1);
  if (text == NULL)
    return spec_fail_memory(err);
  size_t at = before.len;
  if (at > 0)
    memcpy(text, before.text, at);
  for (size_t i = first; i < pieces->count; i++) {
    const spec_line *piece = &pieces->items[i].text;
    if (piece->len > 0)
      memcpy(text + at, piece->text, piece->len);
    at += piece->len;
  }
  *out = tail((spec_line){text, len});
  return SPEC_OK;
}

static int add_chunk(spec_merge_pieces *out, spec_arena *arena, const spec_merge_region *region,
                     const spec_chunk *c, const split *s, spec_err *err) {
  spec_line base = bytes(&s->base, region->base, c->base, c->base_count);
  spec_line ours = bytes(&s->ours, region->ours, c->ours, c->ours_count);
  spec_line theirs = bytes(&s->theirs, region->theirs, c->theirs, c->theirs_count);
  const spec_line *text = c->kind == SPEC_CHUNK_OURS ? &ours : &theirs;
  return spec_merge_pieces_add(
      out, arena, &(spec_merge_piece){SPEC_MERGE_HISTOGRAM, *text, base, ours, theirs}, err);
}

/* Settles the chunks of a region one by one. */
static int settle_chunks(spec_merge_pieces *out, spec_arena *arena, const spec_merge_region *region,
                         const split *s, const spec_chunks *chunks, spec_err *err) {
  const size_t first = out->count;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < chunks->count; i++) {
    const spec_chunk *c = &chunks->items[i];
    if (c->kind != SPEC_CHUNK_CONFLICT) {
      rc = add_chunk(out, arena, region, c, s, err);
      continue;
    }
    const spec_chunk *next = i + 1 < chunks->count ? c + 1 : NULL;
    spec_merge_region part = {
        .base = bytes(&s->base, region->base, c->base, c->base_count),
        .ours = bytes(&s->ours, region->ours, c->ours, c->ours_count),
        .theirs = bytes(&s->theirs, region->theirs, c->theirs, c->theirs_count),
        .after = next ? bytes(&s->base, region->base, next->base, next->base_count) : region->after,
        .path = region->path};
    rc = text_before(&part.before, arena, region, out, first, err);
    if (rc == 0)
      rc = settle_chunk(out, arena, &part, err);
  }
  return rc;
}

/* Whether a line without LF, the last one of its file, would be followed by another. */
static bool joins_lines(const spec_merge_pieces *pieces, size_t first,
                        const spec_merge_region *region) {
  bool follows = region->after.len > 0;
  for (size_t i = pieces->count; i-- > first;) {
    const spec_line *text = &pieces->items[i].text;
    if (text->len == 0) {
      follows = follows || pieces->items[i].how == SPEC_MERGE_CONFLICT;
      continue;
    }
    if (follows && text->text[text->len - 1] != '\n')
      return true;
    follows = true;
  }
  return false;
}

int spec_merge_region_resolve(spec_merge_pieces *out, spec_arena *arena,
                              const spec_merge_region *region, spec_err *err) {
  split s = {0};
  spec_changes ours, theirs;
  spec_chunks chunks = {0};
  spec_merge_pieces made = *out;
  int rc = split_region(&s, arena, region, err);
  if (rc == 0)
    rc = compare(&ours, arena, &s, &s.ours, err);
  if (rc == 0)
    rc = compare(&theirs, arena, &s, &s.theirs, err);
  if (rc == 0)
    rc = spec_merge3(
        &chunks, arena,
        &(spec_merge3_input){&s.base, &s.ours, &s.theirs, &ours, &theirs, SPEC_TOUCHING_MERGES},
        err);
  if (rc == 0)
    rc = settle_chunks(&made, arena, region, &s, &chunks, err);
  if (rc != 0)
    return rc;
  if (!joins_lines(&made, out->count, region)) {
    *out = made;
    return SPEC_OK;
  }
  return spec_merge_pieces_add(
      out, arena,
      &(spec_merge_piece){SPEC_MERGE_CONFLICT, {0}, region->base, region->ours, region->theirs},
      err);
}
