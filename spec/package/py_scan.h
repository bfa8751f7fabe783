/* py_scan.h: the tokens of a Python module, for the grammars of CPython 3.10 to 3.14. */
#ifndef SPEC_PACKAGE_PY_SCAN_H
#define SPEC_PACKAGE_PY_SCAN_H

#include "base/arena.h"
#include <stdint.h>
#include <string.h>

/* A module's text. Not NUL-terminated; whatever is made from it points into it. */
typedef struct spec_py_source {
  const char *text;
  size_t len;
  const char *path; /* absolute, for findings */
} spec_py_source;

typedef enum spec_py_token_kind {
  SPEC_PY_LINE, /* begins a logical line; start to end is its indentation, level tells how deep */
  SPEC_PY_NEWLINE, /* ends it; its end is the beginning of the next physical line */
  SPEC_PY_NAME,    /* keywords too */
  SPEC_PY_NUMBER,
  SPEC_PY_STRING, /* one without replacement fields, with its prefix */
  SPEC_PY_OP,
  SPEC_PY_OPEN,  /* a bracket, an f-string's or t-string's beginning, or a replacement field's */
  SPEC_PY_CLOSE, /* what ends it */
  SPEC_PY_END    /* behind the last token */
} spec_py_token_kind;

/* What `op` of a token is, beside the characters that stand for themselves. */
enum {
  SPEC_PY_AUGMENTED = 'A', /* += and its like */
  SPEC_PY_ARROW = '>',     /* -> */
  SPEC_PY_WALRUS = 'W',    /* := */
  SPEC_PY_POWER = 'P',     /* ** */
  SPEC_PY_OPERATOR = 'O',  /* any other of arithmetic and comparison, and ... */
  SPEC_PY_FSTRING = 'F',   /* of OPEN and CLOSE: an f-string or t-string */
  SPEC_PY_FIELD = 'R'      /* of OPEN and CLOSE: a replacement field */
};

typedef struct spec_py_token {
  uint32_t start, end;     /* bytes from the text's beginning */
  uint32_t line, end_line; /* from 1 */
  uint32_t mate;           /* of OPEN and CLOSE: index of the other one */
  uint8_t kind;
  uint8_t op;     /* of OP, OPEN and CLOSE */
  uint16_t level; /* of LINE: enclosing indented blocks */
} spec_py_token;

/* A comment that speaks to us: "# spec: <word>". */
typedef struct spec_py_mark {
  const char *word; /* what follows "spec:", without blanks around it; in the source */
  size_t len;
  size_t start, line;
  bool heeded; /* for who uses it */
} spec_py_mark;

typedef struct spec_py_tokens {
  const spec_py_token *items; /* the last one is SPEC_PY_END */
  size_t count;
  spec_py_mark *marks;
  size_t mark_count;
} spec_py_tokens;

/* What keeps a text from being a module. */
typedef struct spec_py_fault {
  const char *what; /* NULL: nothing; a constant or in the arena */
  size_t line;
  bool encoding; /* it is not UTF-8, or says that it is not */
} spec_py_fault;

/* Splits a text. When it cannot be Python, *fault says why, *out is untouched and the result is 0;
 * only memory fails (SPEC_ENOMEM). The time grows with the text's length alone. */
int spec_py_scan(spec_py_tokens *out, spec_py_fault *fault, spec_arena *arena,
                 const spec_py_source *source, spec_err *err);

/* Whether the token's text is exactly this word or operator. */
static inline bool spec_py_is(const spec_py_source *source, const spec_py_token *token,
                              const char *text) {
  size_t len = token->end - token->start;
  return (token->kind == SPEC_PY_NAME || token->kind == SPEC_PY_OP) && strlen(text) == len &&
         memcmp(source->text + token->start, text, len) == 0;
}

#endif
