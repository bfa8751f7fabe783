/* Patches: what parses has the lines that its headers state; what applies is, hunk by hunk, the
 * base with old lines exchanged for new ones, where a plain comparison finds them. The input is the
 * base, a line "%%", and the patch. */
#include "fuzz.h"

#include "core/patch.h"

#include <string.h>

static void check_hunks(const spec_patch *patch, const char *text, size_t len) {
  size_t end = 0;
  for (size_t i = 0; i < patch->hunk_count; i++) {
    const spec_patch_hunk *hunk = &patch->hunks[i];
    size_t old = 0, new = 0;
    for (size_t k = 0; k < hunk->line_count; k++) {
      const spec_patch_line *line = &hunk->lines[k];
      CHECK(line->text >= text && line->text + line->len <= text + len);
      CHECK(line->number > hunk->number && memchr(line->text, '\n', line->len) == NULL);
      old += line->mark != '+';
      new += line->mark != '-';
    }
    CHECK(old == hunk->old_count && new == hunk->new_count && old + new > 0);
    CHECK(hunk->before + hunk->after < hunk->line_count);
    CHECK(hunk->old_line - (old > 0) >= end);
    end = hunk->old_line - (old > 0) + old;
  }
}

/* The line at *at, without its line end, and moves *at behind that; false at the end. */
static bool next_line(const char **at, const char *end, const char **line, size_t *len) {
  if (*at == end)
    return false;
  const char *lf = memchr(*at, '\n', (size_t)(end - *at));
  *line = *at;
  *len = (size_t)((lf == NULL ? end : lf) - *at);
  *at = lf == NULL ? end : lf + 1;
  *len -= lf != NULL && *len > 0 && lf[-1] == '\r';
  return true;
}

/* Line `number` of a text, from 1. */
static void get_line(const char *text, size_t text_len, size_t number, const char **line,
                     size_t *len) {
  const char *at = text;
  do
    CHECK(next_line(&at, text + text_len, line, len));
  while (--number > 0);
}

/* All old lines of a hunk that applies are at its place. */
static void check_place(const spec_patch_hunk *hunk, const spec_hunk_place *place,
                        const spec_patch_base *base) {
  const char *line;
  size_t len, number = place->line;
  for (size_t i = 0; i < hunk->line_count; i++) {
    const spec_patch_line *wanted = &hunk->lines[i];
    if (wanted->mark == '+')
      continue;
    get_line(base->text, base->len, number++, &line, &len);
    /* The helper drops every CR at the end of a line. */
    size_t bare = wanted->len > len ? len : wanted->len;
    CHECK(wanted->len - bare <= 1 && memcmp(line, wanted->text, bare) == 0 && bare == len);
  }
}

/* Each line of the result is the one that its span names. */
static void check_result(const spec_patched *made, const spec_patch_base *base, const char *patch,
                         size_t patch_len) {
  const char *at = made->text, *line, *from;
  size_t number = 0, len, from_len;
  for (size_t i = 0; i < made->span_count; i++) {
    const spec_patch_span *span = &made->spans[i];
    CHECK(span->line == number + 1 && span->count > 0);
    for (size_t k = 0; k < span->count; k++) {
      CHECK(next_line(&at, made->text + made->len, &line, &len));
      CHECK(spec_patch_source(made, ++number) == span);
      get_line(span->from_patch ? patch : base->text, span->from_patch ? patch_len : base->len,
               span->source + k, &from, &from_len);
      from += span->from_patch;
      from_len -= span->from_patch;
      CHECK(len <= from_len + 1 && from_len <= len + 1);
      CHECK(memcmp(line, from, len < from_len ? len : from_len) == 0);
    }
  }
  CHECK(at == made->text + made->len);
}

static void apply(spec_arena *arena, const spec_patch *patch, const spec_patch_base *base,
                  const char *text, size_t len) {
  spec_patched made;
  spec_err err = {0};
  int rc = spec_patch_apply(&made, arena, patch, base, &err);
  CHECK(rc == SPEC_OK || (err.what[0] != '\0' && err.where[0] != '\0' && err.mend[0] != '\0'));
  CHECK(rc != SPEC_ENOMEM);
  if (rc != SPEC_OK)
    return;
  const spec_patch_places *places = &made.places;
  CHECK(places->failing == 0 && places->applying + places->upstreamed == patch->hunk_count);
  for (size_t i = 0; i < patch->hunk_count; i++)
    if (places->hunks[i].state == SPEC_HUNK_APPLIES)
      check_place(&patch->hunks[i], &places->hunks[i], base);
  if (made.text != NULL)
    check_result(&made, base, text, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spec_arena *arena;
  spec_patch patch;
  spec_err err = {0};
  CHECK(spec_arena_new(&arena, NULL) == SPEC_OK);
  const char *text = spec_arena_strndup(arena, (const char *)data, size);
  size_t base_len = 0;
  while (base_len < size && strncmp(text + base_len, "%%\n", 3) != 0)
    base_len++;
  size_t start = base_len + 3 < size ? base_len + 3 : size, len = size - start;
  int rc = spec_patch_parse(&patch, arena, text + start, len, "x.py.patch", "x.py", &err);
  CHECK(rc == SPEC_OK ||
        (rc == SPEC_EPARSE && strncmp(err.where, "x.py.patch:", 11) == 0 && err.mend[0] != '\0'));
  if (rc == SPEC_OK) {
    check_hunks(&patch, text + start, len);
    for (int exact = 0; exact < 2; exact++)
      apply(arena, &patch, &(spec_patch_base){text, base_len, "x.py", exact}, text + start, len);
    apply(arena, &patch, &(spec_patch_base){NULL, 0, "x.py", false}, text + start, len);
  }
  spec_arena_free(arena);
  return 0;
}
