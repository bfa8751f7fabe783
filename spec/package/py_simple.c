/* py_simple.c: statements of one line, and how to find one's way in it. */
#include "package/py_parse.h"

size_t spec_py_find_op(const spec_py_parser *p, size_t from, size_t to, int op, bool lambda) {
  for (size_t i = from; i < to; i = spec_py_next(p, i)) {
    if (spec_py_op(p, i, op))
      return i;
    if (spec_py_word(p, i, "lambda") && lambda)
      return to;
    if (spec_py_word(p, i, "lambda"))
      i = spec_py_lambda_colon(p, i, to);
    if (i >= to)
      break;
  }
  return to;
}

size_t spec_py_find_word(const spec_py_parser *p, size_t from, size_t to, const char *word) {
  while (from < to && !spec_py_word(p, from, word))
    from = spec_py_next(p, from);
  return from < to ? from : to;
}

static void import_names(spec_py_parser *p, size_t from, size_t to, bool dotted) {
  if (spec_py_is_kind(p, from, SPEC_PY_OPEN)) {
    to = p->tokens[from].mate;
    from++;
  }
  if (from >= to)
    spec_py_fail(p, "an import without a name", from - 1);
  for (size_t i = from, end; i < to; i = end + 1) {
    end = spec_py_find_op(p, i, to, ',', false);
    size_t as = spec_py_find_word(p, i, end, "as");
    size_t name = as + 1 < end ? as + 1 : i;
    if (spec_py_is_kind(p, name, SPEC_PY_NAME))
      spec_py_bind(p, name, false);
    else if (!dotted && spec_py_op(p, name, '*'))
      return;
    else
      spec_py_fail(p, "an import without a name", name);
  }
}

/* What is on one side of an operator: something. */
static void check_side(spec_py_parser *p, size_t from, size_t to) {
  if (from >= to)
    spec_py_fail(p, "an assignment that lacks one side", to - 1);
}

static spec_py_kind assignment(spec_py_parser *p, size_t from, size_t to) {
  size_t annotated = spec_py_find_op(p, from, to, ':', true);
  size_t augmented = spec_py_find_op(p, from, to, SPEC_PY_AUGMENTED, true);
  size_t equals = spec_py_find_op(p, from, to, '=', true);
  if (annotated < to) {
    equals = spec_py_find_op(p, annotated, to, '=', false);
    check_side(p, from, annotated);
    check_side(p, annotated + 1, equals);
    check_side(p, equals, to == equals ? to + 1 : to - 1);
    spec_py_targets(p, from, annotated, equals == to);
    spec_py_expression(p, annotated + 1, equals, true);
    if (equals < to)
      spec_py_expression(p, equals + 1, to, false);
    return SPEC_PY_ASSIGN;
  }
  if (augmented < to) {
    size_t used = p->use_count, bound = p->bind_count;
    check_side(p, from, augmented);
    check_side(p, augmented + 1, to);
    spec_py_targets(p, from, augmented, false);
    if (p->use_count == used && p->bind_count == bound + 1) /* a name alone is used as well */
      spec_py_expression(p, from, augmented, false);
    spec_py_expression(p, augmented + 1, to, false);
    return SPEC_PY_ASSIGN;
  }
  spec_py_kind kind = equals < to ? SPEC_PY_ASSIGN : SPEC_PY_EXPRESSION;
  for (; equals < to; equals = spec_py_find_op(p, from, to, '=', true)) {
    check_side(p, from, equals);
    spec_py_targets(p, from, equals, false);
    from = equals + 1;
  }
  check_side(p, from, to);
  spec_py_expression(p, from, to, false);
  return kind;
}

/* Whether a statement begins with "type" as a keyword. */
static bool defines_type(const spec_py_parser *p, size_t from) {
  const spec_py_token *third = &p->tokens[from + 2];
  return spec_py_word(p, from, "type") && spec_py_is_kind(p, from + 1, SPEC_PY_NAME) &&
         !spec_py_keyword(p, from + 1) &&
         (spec_py_op(p, from + 2, '=') || (third->kind == SPEC_PY_OPEN && third->op == '['));
}

/* What begins no statement of one line: on a line of its own it would be something else. */
static bool begins_otherwise(const spec_py_parser *p, size_t from) {
  static const char *const words[] = {"and",  "as",     "async",   "class", "def", "elif",
                                      "else", "except", "finally", "for",   "if",  "in",
                                      "is",   "or",     "try",     "while", "with"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (spec_py_word(p, from, words[i]))
      return true;
  return spec_py_op(p, from, '@');
}

spec_py_kind spec_py_simple(spec_py_parser *p, size_t from, size_t to) {
  static const char *const bare[] = {"pass", "break", "continue", "global", "nonlocal"};
  static const char *const with_value[] = {"assert", "raise", "return"};
  if (begins_otherwise(p, from))
    spec_py_fail(p, "no statement begins so here", from);
  for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
    if (spec_py_word(p, from, bare[i]))
      return SPEC_PY_SIMPLE;
  for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
    if (spec_py_word(p, from, with_value[i])) {
      spec_py_expression(p, from + 1, to, false);
      return SPEC_PY_SIMPLE;
    }
  if (spec_py_word(p, from, "import")) {
    import_names(p, from + 1, to, true);
    return SPEC_PY_IMPORT;
  }
  if (spec_py_word(p, from, "from")) {
    size_t names = spec_py_find_word(p, from, to, "import");
    if (names + 1 >= to)
      spec_py_fail(p, "'from' without 'import' and a name", from);
    else
      import_names(p, names + 1, to, false);
    return SPEC_PY_FROM;
  }
  if (spec_py_word(p, from, "del")) {
    spec_py_targets(p, from + 1, to, true);
    return SPEC_PY_DELETE;
  }
  if (defines_type(p, from)) {
    spec_py_bind(p, from + 1, false);
    return SPEC_PY_TYPE;
  }
  return assignment(p, from, to);
}
