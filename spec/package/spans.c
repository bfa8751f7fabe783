/* spans.c */
#include "package/spans.h"

#include "base/err.h"
#include <stdint.h>
#include <string.h>

int spec_spans_add(spec_spans *to, spec_span span, spec_err *err) {
  spec_span *last = to->count > 0 ? &to->items[to->count - 1] : NULL;
  if (last != NULL && last->line + last->count == span.line &&
      last->file_line + last->count == span.file_line && strcmp(last->file, span.file) == 0) {
    last->count += span.count;
    return SPEC_OK;
  }
  int rc = spec_arena_reserve(to->arena, &to->items, to->count, &to->cap, sizeof *to->items, err);
  if (rc == 0)
    to->items[to->count++] = span;
  return rc;
}

int spec_spans_add_of(spec_spans *to, const spec_member *base, size_t line, size_t count,
                      size_t base_line, spec_err *err) {
  const spec_span whole = {1, SIZE_MAX - 1, base->file, 1};
  const spec_span *spans = base->span_count > 0 ? base->spans : &whole;
  size_t span_count = base->span_count > 0 ? base->span_count : base->file != NULL;
  size_t end = base_line + count;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < span_count && spans[i].line < end; i++) {
    const spec_span *s = &spans[i];
    size_t from = s->line > base_line ? s->line : base_line;
    size_t until = s->line + s->count < end ? s->line + s->count : end;
    if (from < until)
      rc = spec_spans_add(to,
                          (spec_span){line + (from - base_line), until - from, s->file,
                                      s->file_line + (from - s->line)},
                          err);
  }
  return rc;
}

size_t spec_text_lines(const char *text, size_t len) {
  size_t lines = 0;
  for (size_t i = 0; i < len; i++) {
    bool crlf = text[i] == '\r' && i + 1 < len && text[i + 1] == '\n';
    lines += text[i] == '\n' || (text[i] == '\r' && !crlf);
  }
  bool ends = len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r');
  return lines + (len > 0 && !ends);
}

int spec_span_whole(spec_member *member, spec_arena *arena, spec_err *err) {
  spec_spans spans = {.arena = arena};
  size_t lines = spec_text_lines(member->text, member->len);
  int rc =
      lines == 0 ? SPEC_OK : spec_spans_add(&spans, (spec_span){1, lines, member->file, 1}, err);
  member->spans = spans.items;
  member->span_count = spans.count;
  return rc;
}
