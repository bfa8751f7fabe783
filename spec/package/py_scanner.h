/* py_scanner.h: what the two halves of the scanner share: py_scan.c and py_string.c. */
#ifndef SPEC_PACKAGE_PY_SCANNER_H
#define SPEC_PACKAGE_PY_SCANNER_H

#include "package/py_scan.h"

/* CPython's limits are 200 brackets, 150 f-strings within each other and 100 indentations. */
enum { SPEC_PY_FRAMES = 350, SPEC_PY_INDENTS = 100 };

/* What is open: a bracket, or an f-string or replacement field with the string's own form. */
typedef struct spec_py_frame {
  uint8_t op;
  char quote;
  bool triple, raw;
  bool spec; /* of a field: its format specification has begun */
  uint32_t token;
} spec_py_frame;

/* A column as CPython counts it, with tabs to the next multiple of 8 and of 1. */
typedef struct spec_py_column {
  size_t wide, narrow;
} spec_py_column;

typedef struct spec_py_scanner {
  spec_arena *arena;
  const char *text;
  size_t len, at;
  uint32_t line;
  spec_py_token *tokens;
  size_t count, cap;
  spec_py_mark *marks;
  size_t mark_count, mark_cap;
  spec_py_frame frames[SPEC_PY_FRAMES];
  size_t depth;
  spec_py_column indents[SPEC_PY_INDENTS];
  size_t level;
  bool begins; /* a logical line is about to begin */
  spec_py_fault fault;
  int rc; /* SPEC_ENOMEM when memory ran out */
  spec_err *err;
} spec_py_scanner;

/* Notes what is wrong, unless something was before. */
void spec_py_scan_fault(spec_py_scanner *s, const char *what, size_t line);

static inline bool spec_py_scan_goes_on(const spec_py_scanner *s) {
  return s->rc == 0 && s->fault.what == NULL;
}

/* The byte at so many from here; NUL behind the end, where no text has one. */
static inline char spec_py_peek(const spec_py_scanner *s, size_t n) {
  return s->at + n < s->len ? s->text[s->at + n] : '\0';
}

static inline bool spec_py_at_end(const spec_py_scanner *s) {
  return s->at >= s->len;
}

/* Each passes what it is named after if it is here: the line break, the character. */
static inline bool spec_py_pass_break(spec_py_scanner *s) {
  if (spec_py_at_end(s) || (spec_py_peek(s, 0) != '\n' && spec_py_peek(s, 0) != '\r'))
    return false;
  s->at += spec_py_peek(s, 0) == '\r' && spec_py_peek(s, 1) == '\n' ? 2 : 1;
  s->line++;
  return true;
}

static inline bool spec_py_pass(spec_py_scanner *s, char c) {
  if (spec_py_at_end(s) || spec_py_peek(s, 0) != c)
    return false;
  s->at++;
  return true;
}

/* A token from `start` on `line` to here. */
void spec_py_add(spec_py_scanner *s, spec_py_token_kind kind, int op, size_t start, size_t line);
/* Such a token that opens something, and the one that closes what was opened last. */
void spec_py_open(spec_py_scanner *s, spec_py_frame opened, size_t start, size_t line);
void spec_py_close(spec_py_scanner *s, size_t start);

/* A string that begins with the quote here, behind a prefix that began at `start`: all of it, or of
 * one with fields the opening quotes. */
void spec_py_string(spec_py_scanner *s, size_t start, bool formatted, bool raw);
/* Whether the text of an f-string or of a format specification goes on here. */
bool spec_py_in_string(const spec_py_scanner *s);
/* Passes that text, up to what ends it or the field in it. */
void spec_py_string_text(spec_py_scanner *s);

#endif
