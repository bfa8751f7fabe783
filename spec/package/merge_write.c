/* merge_write.c: the merged text, and where each of its lines comes from. */
#include "package/merge_level.h"

#include "base/buf.h"
#include "base/err.h"
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  spec_merger *m;
  spec_buf text;
  size_t line; /* the next byte's, from 1 */
  const char *newline;
  spec_merge_span *spans;
  size_t span_count, span_cap;
  size_t at, trunk_line; /* in the trunk's text */
  size_t blanks;         /* empty lines that are due before whatever comes next */
} writer;

static bool is_break(const char *text, size_t len, size_t i) {
  return text[i] == '\n' || (text[i] == '\r' && (i + 1 == len || text[i + 1] != '\n'));
}

static size_t count_breaks(const char *text, size_t len) {
  size_t n = 0;
  for (size_t i = 0; i < len; i++)
    n += is_break(text, len, i);
  return n;
}

static bool ends_line(const char *text, size_t len) {
  return len == 0 || text[len - 1] == '\n' || text[len - 1] == '\r';
}

/* The first line break of the trunk's text, else "\n". */
static const char *newline_of(const spec_py_source *source) {
  for (size_t i = 0; i < source->len; i++)
    if (source->text[i] == '\n' || source->text[i] == '\r')
      return source->text[i] == '\n'                              ? "\n"
             : i + 1 < source->len && source->text[i + 1] == '\n' ? "\r\n"
                                                                  : "\r";
  return "\n";
}

/* --- pieces --------------------------------------------------------------------------------- */

static void add_span(writer *w, size_t count, size_t source_line, bool vendor) {
  spec_merger *m = w->m;
  spec_merge_span *last = w->span_count > 0 ? &w->spans[w->span_count - 1] : NULL;
  if (last != NULL && last->vendor == vendor && last->line + last->count == w->line &&
      last->source_line + last->count == source_line) {
    last->count += count;
    return;
  }
  if (m->rc == 0)
    m->rc = spec_arena_reserve(m->arena, &w->spans, w->span_count, &w->span_cap, sizeof *w->spans,
                               m->err);
  if (m->rc == 0)
    w->spans[w->span_count++] = (spec_merge_span){w->line, count, source_line, vendor};
}

/* Text of anybody's. A line that ends with CR would swallow the LF of an empty one behind it. */
static void append(writer *w, const char *text, size_t len) {
  bool swallows =
      len > 0 && text[0] == '\n' && w->text.len > 0 && w->text.data[w->text.len - 1] == '\r';
  spec_buf_str(&w->text, swallows ? "\n" : "");
  spec_buf_add(&w->text, text, len);
}

/* Our own text. */
static void put(writer *w, const char *text, size_t len) {
  append(w, text, len);
  w->line += count_breaks(text, len);
}

static void put_newlines(writer *w, size_t count) {
  for (size_t i = 0; i < count; i++)
    put(w, w->newline, strlen(w->newline));
}

/* Lines of a source, the first of them on `line` there. */
static void put_source(writer *w, const char *text, size_t len, size_t line, bool vendor) {
  size_t breaks = count_breaks(text, len);
  if (len == 0)
    return;
  add_span(w, breaks + !ends_line(text, len), line, vendor);
  append(w, text, len);
  w->line += breaks;
}

static void put_trunk(writer *w, size_t to) {
  const char *text = w->m->trunk.source.text + w->at;
  if (to > w->at && !ends_line(text, 1)) /* empty lines of its own serve as well */
    put_newlines(w, w->blanks);
  w->blanks = to > w->at ? 0 : w->blanks;
  put_source(w, text, to - w->at, w->trunk_line, false);
}

static void pass_trunk(writer *w, size_t to) {
  w->trunk_line += count_breaks(w->m->trunk.source.text + w->at, to - w->at);
  w->at = to;
}

static void end_line(writer *w) {
  if (!ends_line(spec_buf_text(&w->text), w->text.len))
    put_newlines(w, 1);
}

/* --- the vendor's lines --------------------------------------------------------------------- */

/* Whether a line that begins at `at` begins inside of a string. *token is the first one that does
 * not end before; it only goes forward. */
static bool in_string(const spec_py_module *module, size_t *token, size_t last, size_t at) {
  for (; *token < last; (*token)++) {
    const spec_py_token *t = &module->tokens.items[*token];
    bool formatted = t->kind == SPEC_PY_OPEN && t->op == SPEC_PY_FSTRING;
    size_t end = formatted ? module->tokens.items[t->mate].end : t->end;
    if (end > at)
      return t->start < at && (formatted || t->kind == SPEC_PY_STRING);
    *token = formatted ? t->mate : *token;
  }
  return false;
}

/* Whole lines of a statement, indented as the trunk's are. Lines inside of strings stay. */
static void put_indented(writer *w, const spec_edit *edit, const spec_py_statement *s,
                         size_t line) {
  const spec_py_module *vendor = &w->m->vendor;
  const char *text = vendor->source.text;
  size_t token = s->first;
  for (size_t at = s->lines_start, end; at < s->lines_end; at = end) {
    for (end = at; end < s->lines_end && !is_break(text, s->lines_end, end);)
      end++;
    end += end < s->lines_end;
    size_t len = edit->vendor_indent_len;
    bool indented = end - at > len && memcmp(text + at, edit->vendor_indent, len) == 0 &&
                    !in_string(vendor, &token, s->last, at);
    if (indented)
      put(w, edit->indent, edit->indent_len);
    put_source(w, text + at + (indented ? len : 0), end - at - (indented ? len : 0), line++, true);
  }
}

/* The same assignment to __all__, as an addition to what is there. */
static void put_addition(writer *w, const spec_py_statement *s) {
  const spec_py_module *vendor = &w->m->vendor;
  size_t i = s->first;
  while (!spec_py_is(&vendor->source, &vendor->tokens.items[i], "="))
    i = vendor->tokens.items[i].kind == SPEC_PY_OPEN ? vendor->tokens.items[i].mate : i + 1;
  const spec_py_token *value = &vendor->tokens.items[i + 1];
  put(w, "__all__ = [*__all__, *(", strlen("__all__ = [*__all__, *("));
  put_source(w, vendor->source.text + value->start, s->end - value->start, value->line, true);
  put(w, ")]", 2);
}

static void put_part(writer *w, const spec_edit *edit, const spec_py_statement *s) {
  const spec_py_module *vendor = &w->m->vendor;
  const char *text = vendor->source.text;
  size_t line = s->shares_line ? s->line : vendor->tokens.items[s->first - 1].line;
  put(w, edit->indent, edit->indent_len);
  const char *mark = spec_merge_printf(w->m, "# spec: from %s:%zu", w->m->input->overlay, line);
  put(w, mark, strlen(mark));
  put_newlines(w, 1);
  bool same = edit->indent_len == edit->vendor_indent_len &&
              memcmp(edit->indent, edit->vendor_indent, edit->indent_len) == 0;
  if (edit->item->extends) {
    put_addition(w, s);
  } else if (s->shares_line) {
    put(w, edit->indent, edit->indent_len);
    put_source(w, text + s->start, s->end - s->start, line, true);
  } else if (same) {
    put_source(w, text + s->lines_start, s->lines_end - s->lines_start, line, true);
  } else {
    put_indented(w, edit, s, line);
  }
  end_line(w);
}

static void put_item(writer *w, const spec_edit *edit, bool first) {
  size_t blanks = first ? edit->first_blanks : edit->blanks;
  end_line(w);
  blanks = blanks > w->blanks ? blanks : w->blanks;
  put_newlines(w, w->text.len > 0 ? blanks : 0);
  w->blanks = edit->blanks;
  for (size_t i = 0; i < edit->item->part_count; i++) {
    put_newlines(w, i > 0 ? edit->gap : 0);
    put_part(w, edit, edit->item->parts[i]);
  }
}

static void put_edit(writer *w, const spec_edit *edit, bool first) {
  put_trunk(w, edit->from);
  pass_trunk(w, edit->from);
  if (edit->item != NULL)
    put_item(w, edit, first);
  if (edit->opens_body) {
    put_newlines(w, 1);
    put(w, edit->indent, edit->indent_len);
  }
  pass_trunk(w, edit->to);
}

static int compare_edits(const void *a, const void *b) {
  const spec_edit *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

int spec_merge_write(spec_merged *out, spec_merger *m) {
  writer w = {.m = m, .line = 1, .trunk_line = 1, .newline = newline_of(&m->trunk.source)};
  if (m->edit_count > 0)
    qsort(m->edits, m->edit_count, sizeof *m->edits, compare_edits);
  for (size_t i = 0; i < m->edit_count && m->rc == 0; i++)
    put_edit(&w, &m->edits[i], i == 0 || m->edits[i - 1].from < m->edits[i].from);
  put_trunk(&w, m->trunk.source.len);
  const char *text = spec_arena_strndup(m->arena, spec_buf_text(&w.text), w.text.len);
  size_t len = w.text.len;
  bool failed = spec_buf_failed(&w.text) || text == NULL;
  spec_buf_dispose(&w.text);
  if (m->rc != 0 || failed)
    return m->rc != 0 ? m->rc : spec_fail_memory(m->err);
  *out = (spec_merged){text, len, w.spans, w.span_count};
  return SPEC_OK;
}
