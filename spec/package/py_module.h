/* py_module.h: the statements of a Python module, as far as one needs to put others between them.
 */
#ifndef SPEC_PACKAGE_PY_MODULE_H
#define SPEC_PACKAGE_PY_MODULE_H

#include "package/py_scan.h"

typedef enum spec_py_kind {
  SPEC_PY_FUNCTION,
  SPEC_PY_CLASS,
  SPEC_PY_IMPORT, /* import a, b */
  SPEC_PY_FROM,   /* from m import a, b */
  SPEC_PY_ASSIGN, /* to names or to what is in them; with an operator or an annotation too */
  SPEC_PY_TYPE,   /* type A = ... */
  SPEC_PY_DELETE,
  SPEC_PY_EXPRESSION, /* a string alone too */
  SPEC_PY_SIMPLE,     /* pass, assert, raise, global and others of one line */
  SPEC_PY_IF,
  SPEC_PY_TRY,
  SPEC_PY_FOR,
  SPEC_PY_WHILE,
  SPEC_PY_WITH,
  SPEC_PY_MATCH
} spec_py_kind;

/* A piece of the source. */
typedef struct spec_py_text {
  const char *text;
  size_t len;
} spec_py_text;

/* A name that a statement uses or binds. */
typedef struct spec_py_name {
  spec_py_text name;
  uint32_t line;
  uint16_t local;  /* of a use that a class body answers itself, and of what is bound: how many
                      classes are around it */
  bool annotation; /* of a use: in one, so not evaluated under `from __future__ import annotations`
                    */
  bool unbound;    /* of what is bound: it is not, by `del x` or by `x: int` alone */
} spec_py_name;

typedef struct spec_py_names {
  const spec_py_name *items;
  size_t count;
} spec_py_names;

typedef struct spec_py_statement spec_py_statement;

typedef struct spec_py_block {
  const spec_py_statement *items;
  size_t count;
} spec_py_block;

struct spec_py_statement {
  spec_py_kind kind;
  uint32_t start, end; /* bytes from the first token, a decorator's @ too, to the last */
  uint32_t lines_start, lines_end; /* the same in whole lines, comments behind it included */
  uint32_t line, last_line;        /* of start and of the last token, from 1 */
  uint32_t word_line;              /* of def or class itself */
  uint32_t first, last;            /* its tokens: indices, last exclusive */
  uint32_t word, header;           /* of a definition: its `def`, `async` or `class`, its colon */
  bool shares_line;                /* with another statement, behind or before a semicolon */
  uint16_t clause;     /* in a compound statement: which of its blocks or cases, from 0 */
  spec_py_names binds; /* names that it binds or deletes, in the order of the text; of a dotted
                          import the first part, of `except E as e` nothing */
  spec_py_names uses;  /* what it evaluates when it runs: no bodies of functions and lambdas */
  const uint32_t *decorators; /* the tokens that are their @ */
  size_t decorator_count;
  spec_py_block
      body; /* of a class, and of all blocks of a compound statement; empty for functions */
};

typedef struct spec_py_module {
  spec_py_source source;
  spec_py_tokens tokens;
  spec_py_block body;
} spec_py_module;

/* Splits a module. When it cannot be Python, *fault says why, *out is untouched and the result is
 * 0; only memory fails. The bodies of functions are looked at for brackets, strings and indentation
 * alone. */
int spec_py_module_read(spec_py_module *out, spec_py_fault *fault, spec_arena *arena,
                        const spec_py_source *source, spec_err *err);

/* "function", "class", "import", ... */
const char *spec_py_kind_name(spec_py_kind kind);

#endif
