/* py_names.c: which names an expression, a target or a definition's head uses and binds when it is
 * evaluated: parameters and bodies of lambdas, targets of comprehensions, type parameters, keywords
 * of calls and attributes are none of them. */
#include "package/py_parse.h"

#include "base/err.h"
#include <string.h>

enum { LAMBDAS = 100 }; /* CPython's parser gives up earlier, but for brackets between them */

static spec_py_text text_of(const spec_py_parser *p, size_t token) {
  const spec_py_token *t = &p->tokens[token];
  return (spec_py_text){p->source->text + t->start, t->end - t->start};
}

bool spec_py_keyword(const spec_py_parser *p, size_t token) {
  static const char *const words[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  spec_py_text name = text_of(p, token);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == name.text[0] && strlen(words[i]) == name.len &&
        memcmp(words[i], name.text, name.len) == 0)
      return true;
  return false;
}

static spec_py_ident *ident_of(spec_py_parser *p, spec_py_text name) {
  spec_py_ident *ident = spec_map_get_n(p->idents, name.text, name.len, NULL);
  if (ident != NULL || p->rc != 0)
    return ident;
  const char *key = spec_map_intern(p->idents, name.text, name.len);
  ident = spec_arena_alloc(p->arena, sizeof *ident);
  p->rc = key == NULL || ident == NULL ? spec_fail_memory(p->err)
                                       : spec_map_set(p->idents, key, ident, p->err);
  return p->rc == 0 ? ident : NULL;
}

static void use(spec_py_parser *p, size_t token, bool annotation) {
  spec_py_text name = text_of(p, token);
  spec_py_ident *ident = ident_of(p, name);
  if (ident == NULL)
    return;
  bool local = p->class_depth > 0 && ident->class_of == p->class_serial;
  p->used[p->use_count] = ident;
  p->uses[p->use_count++] = (spec_py_name){.name = name,
                                           .line = p->tokens[token].line,
                                           .local = local ? p->class_depth : 0,
                                           .annotation = annotation};
}

void spec_py_bind(spec_py_parser *p, size_t token, bool unbound) {
  spec_py_text name = text_of(p, token);
  spec_py_ident *ident = ident_of(p, name);
  if (ident == NULL)
    return;
  p->bindings[p->bind_count] = (spec_py_binding){.ident = ident};
  p->binds[p->bind_count++] = (spec_py_name){
      .name = name, .line = p->tokens[token].line, .local = p->class_depth, .unbound = unbound};
}

/* Takes back the uses from `first` on of names that are hidden. */
static void drop_hidden(spec_py_parser *p, size_t first, uint32_t serial) {
  size_t kept = first;
  for (size_t i = first; i < p->use_count; i++) {
    if (p->used[i]->hidden == serial)
      continue;
    p->used[kept] = p->used[i];
    p->uses[kept++] = p->uses[i];
  }
  p->use_count = kept;
}

static void hide(spec_py_parser *p, size_t token, uint32_t serial) {
  spec_py_ident *ident = ident_of(p, text_of(p, token));
  if (ident != NULL)
    ident->hidden = serial;
}

/* --- lambda --------------------------------------------------------------------------------- */

size_t spec_py_lambda_colon(const spec_py_parser *p, size_t token, size_t to) {
  size_t open = 0;
  for (size_t i = token + 1; i < to; i = spec_py_next(p, i)) {
    if (spec_py_word(p, i, "lambda"))
      open++;
    else if (spec_py_op(p, i, ':') && open-- == 0)
      return i;
  }
  return to;
}

/* Where the default that begins here ends: at a comma that is no lambda's. */
static size_t default_end(const spec_py_parser *p, size_t from, size_t to) {
  size_t i = from;
  while (i < to && !spec_py_op(p, i, ',')) {
    if (spec_py_word(p, i, "lambda"))
      i = spec_py_lambda_colon(p, i, to);
    i = i < to ? spec_py_next(p, i) : to;
  }
  return i;
}

/* The body ends before whatever no expression without brackets can hold. */
static size_t lambda_end(const spec_py_parser *p, size_t colon, size_t to) {
  static const char *const words[] = {"for", "async", "as", "from"};
  size_t i = colon < to ? colon + 1 : to;
  while (i < to) {
    if (spec_py_op(p, i, ',') || spec_py_op(p, i, ':') || spec_py_op(p, i, '=') ||
        spec_py_op(p, i, SPEC_PY_AUGMENTED))
      return i;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      if (spec_py_word(p, i, words[k]))
        return i;
    if (spec_py_word(p, i, "lambda"))
      i = spec_py_lambda_colon(p, i, to);
    i = i < to ? spec_py_next(p, i) : to;
  }
  return to;
}

/* Notes the defaults of the lambda at `token`; returns where it ends. */
static size_t lambda(spec_py_parser *p, size_t token, size_t to, bool annotation) {
  size_t colon = spec_py_lambda_colon(p, token, to);
  if (p->nesting == LAMBDAS) {
    spec_py_fail(p, "lambdas are nested too deeply", token);
    return to;
  }
  p->nesting++;
  for (size_t i = token + 1; i < colon;) {
    if (spec_py_op(p, i, '=')) {
      size_t end = default_end(p, i + 1, colon);
      spec_py_expression(p, i + 1, end, annotation);
      i = end;
    } else {
      i = spec_py_next(p, i);
    }
  }
  p->nesting--;
  return lambda_end(p, colon, to);
}

/* --- expressions ---------------------------------------------------------------------------- */

/* Where a comprehension's iterable that begins here ends. */
static size_t iterable_end(const spec_py_parser *p, size_t from, size_t to) {
  while (from < to && !spec_py_word(p, from, "for") && !spec_py_word(p, from, "if") &&
         !spec_py_word(p, from, "async"))
    from = spec_py_next(p, from);
  return from < to ? from : to;
}

/* Hides the names between "for" and "in". */
static void hide_targets(spec_py_parser *p, size_t from, size_t to, uint32_t serial) {
  for (size_t i = from; i < to; i++) {
    bool name = p->tokens[i].kind == SPEC_PY_NAME && !spec_py_keyword(p, i);
    if (name && !spec_py_op(p, i - 1, '.'))
      hide(p, i, serial);
  }
}

/* The inside of a bracket whose first clause begins at `clause`. Only its first iterable is
 * evaluated where the names mean what they mean outside. */
static void comprehension(spec_py_parser *p, size_t from, size_t clause, size_t to,
                          bool annotation) {
  size_t in = spec_py_find_word(p, clause, to, "in");
  size_t rest = in < to ? iterable_end(p, in + 1, to) : to;
  if (in < to)
    spec_py_expression(p, in + 1, rest, annotation);
  size_t first = p->use_count;
  spec_py_expression(p, from, clause, annotation);
  for (size_t i = rest, next; i < to; i = next) {
    bool more = spec_py_word(p, i, "for");
    size_t begin = more ? spec_py_find_word(p, i, to, "in") : i;
    next = iterable_end(p, begin + 1 < to ? begin + 1 : to, to);
    spec_py_expression(p, begin + 1 < to ? begin + 1 : to, next, annotation);
  }
  /* Numbered last: comprehensions inside have hidden names of their own. */
  uint32_t serial = ++p->serial;
  hide_targets(p, clause + 1, in, serial);
  for (size_t i = spec_py_find_word(p, rest, to, "for"); i < to;) {
    size_t stop = spec_py_find_word(p, i, to, "in");
    hide_targets(p, i + 1, stop, serial);
    i = spec_py_find_word(p, stop, to, "for");
  }
  drop_hidden(p, first, serial);
}

/* What an opened bracket, f-string or field holds. */
static void bracket(spec_py_parser *p, size_t open, bool annotation) {
  size_t from = open + 1, to = p->tokens[open].mate;
  size_t clause = spec_py_find_word(p, from, to, "for");
  if (clause < to)
    comprehension(p, from, clause, to, annotation);
  else
    spec_py_expression(p, from, to, annotation);
}

/* Whether the name at i is the keyword of an argument: "f(i=1)"; "f'{i=}'" evaluates it. */
static bool names_argument(const spec_py_parser *p, size_t i) {
  bool first = spec_py_op(p, i - 1, ',') ||
               (p->tokens[i - 1].kind == SPEC_PY_OPEN && p->tokens[i - 1].op == '(');
  return first && spec_py_op(p, i + 1, '=');
}

/* Whether the token is a name that stands for a value. */
static bool is_variable(const spec_py_parser *p, size_t i) {
  return p->tokens[i].kind == SPEC_PY_NAME && !spec_py_op(p, i - 1, '.') &&
         !spec_py_keyword(p, i) && !names_argument(p, i);
}

void spec_py_expression(spec_py_parser *p, size_t from, size_t to, bool annotation) {
  for (size_t i = from; i < to && spec_py_goes_on(p);) {
    size_t next = spec_py_next(p, i);
    if (p->tokens[i].kind == SPEC_PY_OPEN)
      bracket(p, i, annotation);
    else if (spec_py_word(p, i, "lambda"))
      next = lambda(p, i, to, annotation);
    else if (is_variable(p, i) && spec_py_op(p, i + 1, SPEC_PY_WALRUS))
      spec_py_bind(p, i, false);
    else if (is_variable(p, i))
      use(p, i, annotation);
    i = next;
  }
}

/* --- targets -------------------------------------------------------------------------------- */

/* Where the name or bracket that begins here ends with what hangs on it: .x, [i], (y). */
static size_t primary_end(const spec_py_parser *p, size_t i, size_t to) {
  if (p->tokens[i].kind == SPEC_PY_OP) /* a comma or star */
    return i + 1;
  i = spec_py_next(p, i);
  while (i < to && (spec_py_op(p, i, '.') || p->tokens[i].kind == SPEC_PY_OPEN))
    i = spec_py_op(p, i, '.') ? i + 2 : spec_py_next(p, i);
  return i < to ? i : to;
}

void spec_py_targets(spec_py_parser *p, size_t from, size_t to, bool unbound) {
  for (size_t i = from; i < to && spec_py_goes_on(p);) {
    const spec_py_token *t = &p->tokens[i];
    size_t end = primary_end(p, i, to);
    bool alone = end == spec_py_next(p, i);
    if (t->kind == SPEC_PY_OPEN && (t->op == '(' || t->op == '[') && alone)
      spec_py_targets(p, i + 1, t->mate, unbound);
    else if (t->kind == SPEC_PY_NAME && alone && !spec_py_keyword(p, i))
      spec_py_bind(p, i, unbound);
    else if (t->kind != SPEC_PY_OP)
      spec_py_expression(p, i, end, false);
    i = end;
  }
}

void spec_py_pattern(spec_py_parser *p, size_t from, size_t to) {
  for (size_t i = from; i < to && spec_py_goes_on(p); i++) {
    if (p->tokens[i].kind != SPEC_PY_NAME || spec_py_keyword(p, i) || spec_py_word(p, i, "_"))
      continue;
    const spec_py_token *next = &p->tokens[i + 1];
    bool value = spec_py_op(p, i + 1, '.') || (next->kind == SPEC_PY_OPEN && next->op == '(');
    if (spec_py_op(p, i - 1, '.') || spec_py_op(p, i + 1, '='))
      continue;
    if (value)
      use(p, i, false);
    else
      spec_py_bind(p, i, false);
  }
}

/* --- heads of definitions ------------------------------------------------------------------- */

/* What follows the type parameters in brackets at `from`; `from` when there are none. */
static size_t type_parameters_end(const spec_py_parser *p, size_t from) {
  const spec_py_token *open = &p->tokens[from];
  return open->kind == SPEC_PY_OPEN && open->op == '[' ? open->mate + 1 : from;
}

/* Takes back the uses from `first` on of the type parameters in brackets at `from`. */
static void drop_type_parameters(spec_py_parser *p, size_t from, size_t first) {
  uint32_t serial = ++p->serial;
  size_t end = type_parameters_end(p, from);
  for (size_t i = from + 1; i + 1 < end; i = spec_py_next(p, i)) {
    bool begins = i == from + 1 || spec_py_op(p, i - 1, ',') || spec_py_op(p, i - 1, '*') ||
                  spec_py_op(p, i - 1, SPEC_PY_POWER);
    if (begins && p->tokens[i].kind == SPEC_PY_NAME)
      hide(p, i, serial);
  }
  drop_hidden(p, first, serial);
}

/* One parameter of a function: its annotation and its default. */
static void parameter(spec_py_parser *p, size_t from, size_t to) {
  size_t colon = from, equals = from;
  while (colon < to && !spec_py_op(p, colon, ':') && !spec_py_op(p, colon, '='))
    colon = spec_py_next(p, colon);
  equals = colon;
  while (equals < to && !spec_py_op(p, equals, '=')) {
    if (spec_py_word(p, equals, "lambda"))
      equals = spec_py_lambda_colon(p, equals, to);
    equals = equals < to ? spec_py_next(p, equals) : to;
  }
  if (colon < equals)
    spec_py_expression(p, colon + 1, equals, true);
  if (equals < to)
    spec_py_expression(p, equals + 1, to, false);
}

void spec_py_function_head(spec_py_parser *p, size_t from, size_t colon) {
  size_t first = p->use_count, open = type_parameters_end(p, from);
  if (p->tokens[open].kind != SPEC_PY_OPEN || p->tokens[open].op != '(') {
    spec_py_fail(p, "a function without parameters in parentheses", open);
    return;
  }
  size_t close = p->tokens[open].mate;
  for (size_t i = open + 1, end; i < close; i = end + 1) {
    end = default_end(p, i, close);
    parameter(p, i, end);
  }
  spec_py_expression(p, close + 1, colon, true);
  drop_type_parameters(p, from, first);
}

void spec_py_class_head(spec_py_parser *p, size_t from, size_t colon) {
  size_t first = p->use_count;
  spec_py_expression(p, type_parameters_end(p, from), colon, false);
  drop_type_parameters(p, from, first);
}
