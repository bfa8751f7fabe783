/* py_string.c: strings; those with replacement fields are entered and left as brackets are. */
#include "package/py_scanner.h"

/* Passes a backslash in a string and what it takes the meaning of. */
static void escape(spec_py_scanner *s) {
  s->at++;
  if (!spec_py_pass_break(s) && !spec_py_at_end(s))
    s->at++;
}

/* Passes the quotes that end such a string, if they are here. */
static bool pass_quotes(spec_py_scanner *s, char quote, bool triple) {
  if (spec_py_at_end(s) || spec_py_peek(s, 0) != quote ||
      (triple && (spec_py_peek(s, 1) != quote || spec_py_peek(s, 2) != quote)))
    return false;
  s->at += triple ? 3 : 1;
  return true;
}

/* The rest of a string whose opening quotes were passed. */
static void plain_string(spec_py_scanner *s, char quote, bool triple, size_t start, size_t line) {
  while (!pass_quotes(s, quote, triple)) {
    if (spec_py_at_end(s) ||
        (!triple && (spec_py_peek(s, 0) == '\n' || spec_py_peek(s, 0) == '\r'))) {
      spec_py_scan_fault(s, "a string is never closed", line);
      return;
    }
    if (spec_py_peek(s, 0) == '\\')
      escape(s);
    else if (!spec_py_pass_break(s))
      s->at++;
  }
  spec_py_add(s, SPEC_PY_STRING, 0, start, line);
}

void spec_py_string(spec_py_scanner *s, size_t start, bool formatted, bool raw) {
  char quote = spec_py_peek(s, 0);
  bool triple = spec_py_peek(s, 1) == quote && spec_py_peek(s, 2) == quote;
  s->at += triple ? 3 : 1;
  if (formatted)
    spec_py_open(
        s, (spec_py_frame){.op = SPEC_PY_FSTRING, .quote = quote, .triple = triple, .raw = raw},
        start, s->line);
  else
    plain_string(s, quote, triple, start, s->line);
}

bool spec_py_in_string(const spec_py_scanner *s) {
  const spec_py_frame *top = s->depth > 0 ? &s->frames[s->depth - 1] : NULL;
  return top != NULL && (top->op == SPEC_PY_FSTRING || (top->op == SPEC_PY_FIELD && top->spec));
}

/* Passes a backslash in an f-string; true: with "N{", the beginning of a character's name. */
static bool escape_in_text(spec_py_scanner *s, bool raw) {
  if (spec_py_peek(s, 1) == '{' || spec_py_peek(s, 1) == '}') {
    s->at++;
    return false;
  }
  bool named = !raw && spec_py_peek(s, 1) == 'N' && spec_py_peek(s, 2) == '{';
  escape(s);
  return named && spec_py_pass(s, '{');
}

void spec_py_string_text(spec_py_scanner *s) {
  const spec_py_frame top = s->frames[s->depth - 1];
  bool named = false;
  for (size_t start; spec_py_scan_goes_on(s);) {
    start = s->at;
    char c = spec_py_peek(s, 0);
    if (spec_py_at_end(s) || (!top.triple && (c == '\n' || c == '\r'))) {
      spec_py_scan_fault(s, "an f-string is never closed", s->tokens[top.token].line);
    } else if (pass_quotes(s, top.quote, top.triple)) {
      if (top.op == SPEC_PY_FIELD)
        spec_py_scan_fault(s, "an f-string's replacement field is never closed", s->line);
      else
        spec_py_close(s, start);
      return;
    } else if (c == '\\') {
      named = escape_in_text(s, top.raw) || named;
    } else if (c == '{' && (top.op == SPEC_PY_FIELD || spec_py_peek(s, 1) != '{')) {
      s->at++;
      spec_py_frame field = top;
      field.op = SPEC_PY_FIELD;
      field.spec = false;
      spec_py_open(s, field, start, s->line);
      return;
    } else if (c == '}' && !named && top.op == SPEC_PY_FIELD) {
      s->at++;
      spec_py_close(s, start);
      return;
    } else if (c == '}' && !named && spec_py_peek(s, 1) != '}') {
      spec_py_scan_fault(s, "an f-string has a single '}'", s->line);
    } else if (!spec_py_pass_break(s)) {
      s->at += !named && (c == '{' || c == '}') ? 2 : 1;
      named = named && c != '}';
    }
  }
}
