/* merge_tokens.c: a region that both sides changed, token by token.
 *
 * First line ends count as tokens, then as white space, so that lines which one side has wrapped
 * anew are merged too.  White space is merged by itself: each token that all three texts have
 * keeps the white space ahead of it, or takes that of the side which changed it. */
#include "diff/merge_steps.h"

#include "base/buf.h"
#include "base/err.h"
#include "diff/histogram.h"
#include "diff/merge3.h"
#include "diff/tokens.h"
#include <string.h>

typedef struct weaving {
  spec_tokens base, ours, theirs;
  const spec_merge_region *region;
  spec_buf out;
  bool python;
  bool reindents[2], adds_lines[2]; /* ours, theirs */
} weaving;

static bool has_end(spec_line text) {
  return text.len > 0 && memchr(text.text, '\n', text.len) != NULL;
}

static bool is_python(const char *path) {
  size_t len = strlen(path);
  return len > 3 && strcmp(path + len - 3, ".py") == 0;
}

/* Whether a token is the first of its line. */
static bool begins_line(const spec_tokens *t, size_t index) {
  return index == 0 || has_end(spec_tokens_lead(t, index)) || has_end(t->items.lines[index - 1]);
}

/* Writes the white space ahead of three tokens that stand for each other, and notes new
 * indentation.  False: both sides changed it, and it matters which is taken. */
static bool weave_lead(weaving *w, size_t in_base, size_t in_ours, size_t in_theirs) {
  spec_line base = spec_tokens_lead(&w->base, in_base);
  spec_line ours = spec_tokens_lead(&w->ours, in_ours);
  spec_line theirs = spec_tokens_lead(&w->theirs, in_theirs);
  bool starts = begins_line(&w->base, in_base);
  w->reindents[0] |= starts && !spec_line_equal(base, ours) && begins_line(&w->ours, in_ours);
  w->reindents[1] |= starts && !spec_line_equal(base, theirs) && begins_line(&w->theirs, in_theirs);
  if (!spec_line_equal(theirs, base) && !spec_line_equal(ours, base) &&
      !spec_line_equal(ours, theirs) && (has_end(ours) || has_end(theirs) || (starts && w->python)))
    return false;
  spec_line lead = spec_line_equal(theirs, base) ? ours : theirs;
  spec_buf_add(&w->out, lead.text, lead.len);
  return true;
}

static bool weave_same(weaving *w, const spec_chunk *c) {
  for (size_t i = 0; i < c->base_count; i++) {
    if (!weave_lead(w, c->base + i, c->ours + i, c->theirs + i))
      return false;
    spec_line token = w->base.items.lines[c->base + i];
    spec_buf_add(&w->out, token.text, token.len);
  }
  return true;
}

/* Whether tokens are names with a comma ahead of each, or behind each. */
static bool are_names(const spec_line *tokens, size_t count, bool comma_first) {
  const spec_line comma = {",", 1};
  for (size_t i = 0; i < count; i++) {
    bool wants_comma = (i % 2 == 0) == comma_first;
    if (wants_comma ? !spec_line_equal(tokens[i], comma) : !spec_token_is_word(&tokens[i]))
      return false;
  }
  return count > 0 && count % 2 == 0;
}

static bool is_in_import(weaving *w) {
  const spec_line *before = &w->region->before;
  spec_buf all = {0};
  spec_buf_add(&all, before->text, before->len);
  spec_buf_add(&all, spec_buf_text(&w->out), w->out.len);
  bool inside =
      !spec_buf_failed(&all) && spec_merge_in_import((spec_line){spec_buf_text(&all), all.len});
  w->out.failed = w->out.failed || spec_buf_failed(&all);
  spec_buf_dispose(&all);
  return inside;
}

static void add(weaving *w, const spec_tokens *side, size_t first, size_t count) {
  spec_line text = spec_tokens_with_lead(side, first, count);
  spec_buf_add(&w->out, text.text, text.len);
}

/* Names that both added at one place of an import are joined, the trunk's first, so that the
 * vendor's stay where their reader looks for them, at the end.  What the trunk added behind the
 * line stays behind it. */
static bool weave_names(weaving *w, const spec_chunk *c) {
  const spec_line *o = w->ours.items.lines + c->ours, *t = w->theirs.items.lines + c->theirs;
  size_t names = 0;
  while (names < c->theirs_count && !has_end(t[names]))
    names++;
  if (c->base_count > 0 || c->ours_count == 0 || names == 0)
    return false;
  const bool comma_first = *o->text == ',';
  if (!are_names(o, c->ours_count, comma_first) || !are_names(t, names, comma_first) ||
      (names < c->theirs_count && !comma_first) || !is_in_import(w))
    return false;
  add(w, &w->theirs, c->theirs, names);
  add(w, &w->ours, c->ours, c->ours_count);
  add(w, &w->theirs, c->theirs + names, c->theirs_count - names);
  return true;
}

/* What one side put in the place of what all had. */
static bool weave_change(weaving *w, const spec_chunk *c) {
  bool ours = c->kind == SPEC_CHUNK_OURS;
  const spec_tokens *side = ours ? &w->ours : &w->theirs;
  size_t first = ours ? c->ours : c->theirs, count = ours ? c->ours_count : c->theirs_count;
  spec_line text = spec_tokens_with_lead(side, first, count);
  if (c->kind != SPEC_CHUNK_BOTH)
    w->adds_lines[ours ? 0 : 1] |= has_end(text);
  if (count > 0 && c->base_count > 0 && c->kind != SPEC_CHUNK_BOTH) {
    size_t lead = spec_tokens_lead(side, first).len;
    if (!weave_lead(w, c->base, c->ours, c->theirs))
      return false;
    text.text += lead;
    text.len -= lead;
  }
  spec_buf_add(&w->out, text.text, text.len);
  return true;
}

static bool weave_chunk(weaving *w, const spec_chunk *c) {
  if (c->kind == SPEC_CHUNK_CONFLICT)
    return weave_names(w, c);
  return c->kind == SPEC_CHUNK_SAME ? weave_same(w, c) : weave_change(w, c);
}

static int compare(spec_changes *out, spec_arena *arena, const spec_lines *base,
                   const spec_lines *side, const unsigned char *ranks, spec_err *err) {
  int rc = spec_diff_histogram(out, arena, base, side, err);
  if (rc == 0)
    spec_changes_slide(out, base, side, ranks);
  return rc;
}

/* Splits all three; ranks has 1 for the id of a line's end. */
static int split(weaving *w, spec_arena *arena, bool ends, unsigned char **ranks, spec_err *err) {
  const spec_merge_region *r = w->region;
  size_t ids;
  int rc = spec_tokens_split(&w->base, arena, r->base.text, r->base.len, ends, err);
  if (rc == 0)
    rc = spec_tokens_split(&w->ours, arena, r->ours.text, r->ours.len, ends, err);
  if (rc == 0)
    rc = spec_tokens_split(&w->theirs, arena, r->theirs.text, r->theirs.len, ends, err);
  spec_lines *const all[] = {&w->base.items, &w->ours.items, &w->theirs.items};
  if (rc == 0)
    rc = spec_lines_number(&ids, arena, all, 3, err);
  if (rc != 0)
    return rc;
  *ranks = spec_arena_alloc(arena, ids);
  if (*ranks == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < all[i]->count; k++)
      (*ranks)[all[i]->ids[k]] = all[i]->lines[k].len == 1 && has_end(all[i]->lines[k]);
  return SPEC_OK;
}

/* Where a side has less than half of the base's words left, those that are equal are so by
 * chance. */
static bool is_rewritten(const spec_changes *changes, const spec_tokens *base) {
  size_t words = 0, gone = 0, next = 0;
  for (size_t i = 0; i < base->items.count; i++) {
    while (next < changes->count && changes->items[next].old + changes->items[next].old_count <= i)
      next++;
    bool is_word = spec_token_is_word(&base->items.lines[i]);
    words += is_word;
    gone += is_word && next < changes->count && changes->items[next].old <= i;
  }
  return gone * 2 > words;
}

/* Whether what was woven makes sense as far as can be told. */
static bool is_sound(const weaving *w) {
  return !w->python ||
         !((w->reindents[0] && w->adds_lines[1]) || (w->reindents[1] && w->adds_lines[0]));
}

static int weave(spec_line *text, spec_arena *arena, weaving *w, bool ends, spec_err *err) {
  unsigned char *ranks;
  spec_changes ours, theirs;
  spec_chunks chunks;
  int rc = split(w, arena, ends, &ranks, err);
  if (rc == 0)
    rc = compare(&ours, arena, &w->base.items, &w->ours.items, ranks, err);
  if (rc == 0)
    rc = compare(&theirs, arena, &w->base.items, &w->theirs.items, ranks, err);
  if (rc != 0 || is_rewritten(&ours, &w->base) || is_rewritten(&theirs, &w->base))
    return rc;
  rc = spec_merge3(&chunks, arena,
                   &(spec_merge3_input){&w->base.items, &w->ours.items, &w->theirs.items, &ours,
                                        &theirs, SPEC_TOUCHING_INSERTS},
                   err);
  bool woven = rc == 0;
  for (size_t i = 0; woven && i < chunks.count; i++)
    woven = weave_chunk(w, &chunks.items[i]);
  if (rc == 0 && spec_buf_failed(&w->out))
    return spec_fail_memory(err);
  if (!woven || !is_sound(w))
    return rc;
  text->text = spec_arena_strndup(arena, spec_buf_text(&w->out), w->out.len);
  text->len = w->out.len;
  return text->text == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_merge_tokens(spec_line *text, spec_arena *arena, const spec_merge_region *region,
                      spec_err *err) {
  int rc = 0;
  for (int ends = 1; ends >= 0 && rc == 0 && text->text == NULL; ends--) {
    weaving w = {.region = region, .python = is_python(region->path)};
    rc = weave(text, arena, &w, ends != 0, err);
    spec_buf_dispose(&w.out);
  }
  return rc;
}
