/* patch.c: applies a patch to a text, and keeps where each line of the outcome comes from. */
#include "core/patch.h"

#include "base/err.h"
#include "core/patch_text.h"
#include <string.h>

typedef struct writer {
  spec_arena *arena;
  const spec_patch_text *base;
  size_t at; /* the next line of the base */
  char *text;
  size_t len, line_count;
  spec_patch_span *spans;
  size_t span_count, span_cap;
} writer;

/* One more line of the result comes from line `source` (from 1). */
static int map_line(writer *w, bool from_patch, size_t source, spec_err *err) {
  spec_patch_span *last = w->span_count > 0 ? &w->spans[w->span_count - 1] : NULL;
  w->line_count++;
  if (last != NULL && last->from_patch == from_patch && last->source + last->count == source) {
    last->count++;
    return SPEC_OK;
  }
  int rc =
      spec_arena_reserve(w->arena, &w->spans, w->span_count, &w->span_cap, sizeof *w->spans, err);
  if (rc == 0)
    w->spans[w->span_count++] = (spec_patch_span){w->line_count, 1, source, from_patch};
  return rc;
}

static void put(writer *w, const char *text, size_t len) {
  memcpy(w->text + w->len, text, len);
  w->len += len;
}

/* The lines of the base before line `end` (from 0). */
static int keep_until(writer *w, size_t end, spec_err *err) {
  int rc = 0;
  for (; rc == 0 && w->at < end; w->at++) {
    put(w, w->base->lines[w->at].text, w->base->lines[w->at].whole);
    rc = map_line(w, false, w->at + 1, err);
  }
  return rc;
}

static int write_hunk(writer *w, const spec_patch_hunk *hunk, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < hunk->line_count; i++) {
    const spec_patch_line *line = &hunk->lines[i];
    if (line->mark == ' ') {
      rc = keep_until(w, w->at + 1, err);
    } else if (line->mark == '-') {
      w->at++;
    } else {
      put(w, line->text, line->len);
      if (!line->unended)
        put(w, w->base->eol, strlen(w->base->eol));
      rc = map_line(w, true, line->number, err);
    }
  }
  return rc;
}

/* The most bytes that the result can have. */
static size_t room(const spec_patch *patch, const spec_patch_base *base) {
  size_t bytes = base->text == NULL ? 0 : base->len;
  for (size_t i = 0; i < patch->hunk_count; i++)
    for (size_t k = 0; k < patch->hunks[i].line_count; k++)
      if (patch->hunks[i].lines[k].mark == '+')
        bytes += patch->hunks[i].lines[k].len + strlen("\r\n");
  return bytes;
}

static int write_all(writer *w, const spec_patch *patch, const spec_patch_places *places,
                     spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < patch->hunk_count; i++)
    if (places->hunks[i].state == SPEC_HUNK_APPLIES) {
      rc = keep_until(w, places->hunks[i].line - 1, err);
      if (rc == 0)
        rc = write_hunk(w, &patch->hunks[i], err);
    }
  return rc != 0 ? rc : keep_until(w, w->base->count, err);
}

/* A patch that deletes the file must leave none of it. */
static int delete_file(spec_patched *out, const spec_patch *patch, const spec_patch_base *base,
                       spec_err *err) {
  if (out->len > 0) {
    (void)spec_fail(err, SPEC_EREFUSED, "the patch deletes '%s', but not all of its lines",
                    base->path);
    (void)spec_fail_where(err, "%s", patch->path);
    (void)spec_fail_mend(err, "make the patch anew against that file");
    return SPEC_EREFUSED;
  }
  out->text = NULL;
  return SPEC_OK;
}

static int fail_first(const spec_patch *patch, const spec_patch_base *base,
                      const spec_patch_places *places, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < patch->hunk_count; i++)
    rc = spec_patch_explain(patch, base, places, i, err);
  return rc;
}

int spec_patch_write(spec_patched *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, const spec_patch_places *places, spec_err *err) {
  writer w = {.arena = arena, .base = places->base};
  w.text = spec_arena_alloc(arena, room(patch, base) + 1);
  int rc = w.text == NULL ? spec_fail_memory(err) : write_all(&w, patch, places, err);
  if (rc != 0)
    return rc;
  spec_patched made = {w.text, w.len, w.spans, w.span_count, *places};
  if (patch->deletes)
    rc = delete_file(&made, patch, base, err);
  if (rc == 0)
    *out = made;
  return rc;
}

int spec_patch_apply(spec_patched *out, spec_arena *arena, const spec_patch *patch,
                     const spec_patch_base *base, spec_err *err) {
  spec_patch_places places;
  int rc = spec_patch_place(&places, arena, patch, base, err);
  if (rc == 0 && places.failing > 0)
    rc = fail_first(patch, base, &places, err);
  return rc != 0 ? rc : spec_patch_write(out, arena, patch, base, &places, err);
}

const spec_patch_span *spec_patch_source(const spec_patched *from, size_t line) {
  size_t low = 0, high = from->span_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const spec_patch_span *span = &from->spans[middle];
    if (line >= span->line && line - span->line < span->count)
      return span;
    if (line < span->line)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
