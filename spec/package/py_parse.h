/* py_parse.h: what the parts of the parser share: py_module.c, py_simple.c, py_names.c. */
#ifndef SPEC_PACKAGE_PY_PARSE_H
#define SPEC_PACKAGE_PY_PARSE_H

#include "base/map.h"
#include "package/py_module.h"

/* Facts about a name of the module, by its text. */
typedef struct spec_py_ident {
  uint32_t class_of; /* serial number of the class body around here that has bound it, or 0 */
  uint32_t hidden;   /* serial number of the comprehension or parameter list that it is local to */
} spec_py_ident;

typedef struct spec_py_binding {
  spec_py_ident *ident;
  bool in_class; /* bound in a class body: its class_of was set, and was this before */
  uint32_t class_before;
} spec_py_binding;

typedef struct spec_py_parser {
  spec_arena *arena;
  spec_err *err;
  int rc; /* SPEC_ENOMEM when memory ran out */
  spec_py_fault fault;
  const spec_py_source *source;
  const spec_py_token *tokens;
  size_t at; /* index of the next token */

  spec_map *idents;           /* text -> spec_py_ident */
  spec_py_name *binds, *uses; /* room for twice the names of the module in each */
  spec_py_binding *bindings;  /* of the binds, in parallel */
  spec_py_ident **used;       /* whose the uses are */
  size_t bind_count, use_count;
  uint32_t serial, class_serial; /* the latest number given out; that of the class around */
  uint16_t class_depth;
  size_t conditions; /* compound statements around, in the class body or module */
  size_t nesting;    /* of lambdas in defaults of lambdas */
} spec_py_parser;

void spec_py_fail(spec_py_parser *p, const char *what, size_t token);
bool spec_py_goes_on(const spec_py_parser *p);
bool spec_py_keyword(const spec_py_parser *p, size_t token);

static inline bool spec_py_is_kind(const spec_py_parser *p, size_t token, spec_py_token_kind kind) {
  return p->tokens[token].kind == kind;
}

static inline bool spec_py_word(const spec_py_parser *p, size_t token, const char *word) {
  return p->tokens[token].kind == SPEC_PY_NAME && spec_py_is(p->source, &p->tokens[token], word);
}

static inline bool spec_py_op(const spec_py_parser *p, size_t token, int op) {
  return p->tokens[token].kind == SPEC_PY_OP && p->tokens[token].op == op;
}

/* The token behind this one, or behind the bracket that it opens. */
static inline size_t spec_py_next(const spec_py_parser *p, size_t token) {
  return p->tokens[token].kind == SPEC_PY_OPEN ? p->tokens[token].mate + 1 : token + 1;
}

/* The first of such operators, or such a word, in [from, to), outside of brackets and of lambdas'
 * parameters; `to` when there is none. With `lambda` nothing behind a lambda counts. */
size_t spec_py_find_op(const spec_py_parser *p, size_t from, size_t to, int op, bool lambda);
size_t spec_py_find_word(const spec_py_parser *p, size_t from, size_t to, const char *word);
/* The colon of the lambda at `token`; `to` when there is none before. */
size_t spec_py_lambda_colon(const spec_py_parser *p, size_t token, size_t to);

/* Each looks at the tokens [from, to) and notes what they use and bind. */
void spec_py_expression(spec_py_parser *p, size_t from, size_t to, bool annotation);
void spec_py_targets(spec_py_parser *p, size_t from, size_t to, bool unbound);
void spec_py_pattern(spec_py_parser *p, size_t from, size_t to);
/* Between the name of a function or class and its colon: type parameters, parameters and result, or
 * bases. */
void spec_py_function_head(spec_py_parser *p, size_t from, size_t colon);
void spec_py_class_head(spec_py_parser *p, size_t from, size_t colon);
void spec_py_bind(spec_py_parser *p, size_t token, bool unbound);
/* A simple statement: its kind. */
spec_py_kind spec_py_simple(spec_py_parser *p, size_t from, size_t to);

#endif
