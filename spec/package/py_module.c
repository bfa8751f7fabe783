/* py_module.c: logical lines become statements, indented lines the blocks of those before. */
#include "package/py_module.h"

#include "base/err.h"
#include "package/py_parse.h"
#include <string.h>

/* A block that grows. */
typedef struct list {
  spec_py_statement *items;
  size_t count, cap;
} list;

static void block(spec_py_parser *p, size_t level, list *out, uint16_t clause);

void spec_py_fail(spec_py_parser *p, const char *what, size_t token) {
  if (p->fault.what == NULL)
    p->fault = (spec_py_fault){.what = what, .line = p->tokens[token].line};
}

bool spec_py_goes_on(const spec_py_parser *p) {
  return p->rc == 0 && p->fault.what == NULL;
}

/* The token that ends the logical line which `token` lies in. */
static size_t newline_behind(const spec_py_parser *p, size_t token) {
  while (!spec_py_is_kind(p, token, SPEC_PY_NEWLINE))
    token = spec_py_next(p, token);
  return token;
}

/* --- lists of statements -------------------------------------------------------------------- */

static spec_py_statement *append(spec_py_parser *p, list *out) {
  if (p->rc == 0)
    p->rc = spec_arena_reserve(p->arena, &out->items, out->count, &out->cap, sizeof *out->items,
                               p->err);
  return p->rc == 0 ? &out->items[out->count++] : NULL;
}

/* Fills in where a statement lies: its tokens are [first, last), and the line that it ends in ends
 * with the token `newline`. */
static void place(const spec_py_parser *p, spec_py_statement *s, size_t first, size_t last,
                  size_t line, size_t newline) {
  while (last > first + 1 &&
         (spec_py_is_kind(p, last - 1, SPEC_PY_NEWLINE) || spec_py_op(p, last - 1, ';')))
    last--;
  s->first = (uint32_t)first;
  s->last = (uint32_t)last;
  s->start = p->tokens[first].start;
  s->end = p->tokens[last - 1].end;
  s->line = p->tokens[first].line;
  s->last_line = p->tokens[last - 1].end_line;
  s->word_line = s->word_line > 0 ? s->word_line : s->line;
  s->lines_start = p->tokens[line].start;
  s->lines_end = p->tokens[newline].end;
}

typedef struct mark {
  size_t binds, uses;
} mark;

static mark marked(const spec_py_parser *p) {
  return (mark){p->bind_count, p->use_count};
}

/* Gives the statement the names noted since then, but for those that class bodies in it bind. */
static void take_names(spec_py_parser *p, spec_py_statement *s, mark from) {
  const spec_py_name *binds = p->binds + from.binds;
  size_t count = p->bind_count - from.binds, kept = 0;
  s->uses = (spec_py_names){p->uses + from.uses, p->use_count - from.uses};
  for (size_t i = 0; i < count; i++)
    kept += binds[i].local == p->class_depth;
  s->binds = (spec_py_names){binds, count};
  if (kept == count)
    return;
  spec_py_name *own = spec_arena_array(p->arena, kept, sizeof *own);
  if (own == NULL) {
    p->rc = spec_fail_memory(p->err);
    return;
  }
  s->binds = (spec_py_names){own, kept};
  for (size_t i = 0; i < count; i++)
    if (binds[i].local == p->class_depth)
      *own++ = binds[i];
}

/* --- lines ---------------------------------------------------------------------------------- */

/* From here on the class body around answers for what was bound since then. What a condition may
 * leave out, it may leave to the module. */
static void bind_in_class(spec_py_parser *p, mark from) {
  if (p->class_depth == 0 || p->conditions > 0)
    return;
  for (size_t i = from.binds; i < p->bind_count; i++) {
    spec_py_binding *b = &p->bindings[i];
    if (p->binds[i].unbound || p->binds[i].local != p->class_depth)
      continue;
    b->in_class = true;
    b->class_before = b->ident->class_of;
    b->ident->class_of = p->class_serial;
  }
}

/* The statements from `from` on up to the end of the logical line that begins at `line`. */
static void simple_line(spec_py_parser *p, size_t line, size_t from, list *out, uint16_t clause) {
  size_t newline = newline_behind(p, from), before = out->count;
  for (size_t i = from, end; i < newline && spec_py_goes_on(p); i = end + 1) {
    end = spec_py_find_op(p, i, newline, ';', false);
    if (end == i)
      spec_py_fail(p, "a semicolon without a statement", i);
    spec_py_statement *s = spec_py_goes_on(p) ? append(p, out) : NULL;
    if (s == NULL)
      return;
    mark names = marked(p);
    s->kind = spec_py_simple(p, i, end);
    s->clause = clause;
    take_names(p, s, names);
    bind_in_class(p, names);
    place(p, s, i, end, line, newline);
  }
  bool inlined = from != line + 1;
  for (size_t i = before; i < out->count; i++)
    out->items[i].shares_line = inlined || out->count - before > 1;
  p->at = newline + 1;
}

/* --- definitions ---------------------------------------------------------------------------- */

/* The colon that ends the head which begins here. */
static size_t head_end(spec_py_parser *p, size_t from) {
  size_t newline = newline_behind(p, from), colon = spec_py_find_op(p, from, newline, ':', false);
  if (colon == newline)
    spec_py_fail(p, "a colon is missing", from);
  return colon;
}

/* The block behind the colon of a line of that level: indented lines, or the rest of the line. */
static void suite(spec_py_parser *p, size_t line, size_t colon, list *out, uint16_t clause) {
  size_t level = p->tokens[line].level;
  if (!spec_py_goes_on(p))
    return;
  if (!spec_py_is_kind(p, colon + 1, SPEC_PY_NEWLINE)) {
    simple_line(p, line, colon + 1, out, clause);
    return;
  }
  p->at = colon + 2;
  if (!spec_py_is_kind(p, p->at, SPEC_PY_LINE) || p->tokens[p->at].level != level + 1)
    spec_py_fail(p, "an indented block is missing", colon);
  else
    block(p, level + 1, out, clause);
}

/* Passes a function's body. */
static void pass_suite(spec_py_parser *p, size_t line, size_t colon) {
  size_t level = p->tokens[line].level;
  bool inlined = !spec_py_is_kind(p, colon + 1, SPEC_PY_NEWLINE);
  p->at = newline_behind(p, colon) + 1;
  if (!inlined && (!spec_py_is_kind(p, p->at, SPEC_PY_LINE) || p->tokens[p->at].level != level + 1))
    spec_py_fail(p, "an indented block is missing", colon);
  while (!inlined && spec_py_is_kind(p, p->at, SPEC_PY_LINE) && p->tokens[p->at].level > level)
    p->at = newline_behind(p, p->at) + 1;
}

static void class_body(spec_py_parser *p, spec_py_statement *s, size_t line, size_t colon) {
  list body = {0};
  size_t first = p->bind_count;
  uint32_t outer = p->class_serial;
  size_t conditions = p->conditions;
  p->class_serial = ++p->serial;
  p->class_depth++;
  p->conditions = 0;
  suite(p, line, colon, &body, 0);
  p->conditions = conditions;
  for (size_t i = p->bind_count; i > first; i--)
    if (p->bindings[i - 1].in_class && p->binds[i - 1].local == p->class_depth)
      p->bindings[i - 1].ident->class_of = p->bindings[i - 1].class_before;
  p->class_depth--;
  p->class_serial = outer;
  s->body = (spec_py_block){body.items, body.count};
}

static void definition(spec_py_parser *p, spec_py_statement *s, size_t line, size_t word) {
  bool async = spec_py_word(p, word, "async"), class = spec_py_word(p, word, "class");
  size_t name = word + (async ? 2 : 1), colon = head_end(p, word);
  if (!spec_py_goes_on(p))
    return;
  if (!spec_py_is_kind(p, name, SPEC_PY_NAME) || spec_py_keyword(p, name)) {
    spec_py_fail(p, "a definition without a name", word);
    return;
  }
  s->kind = class ? SPEC_PY_CLASS : SPEC_PY_FUNCTION;
  s->word = (uint32_t)word;
  s->word_line = p->tokens[word].line;
  s->header = (uint32_t)colon;
  if (class)
    spec_py_class_head(p, name + 1, colon);
  else
    spec_py_function_head(p, name + 1, colon);
  if (class)
    class_body(p, s, line, colon);
  else if (spec_py_goes_on(p))
    pass_suite(p, line, colon);
  spec_py_bind(p, name, false);
}

/* The decorators that begin with the logical line at `line`; returns the line behind them. */
static size_t decorators(spec_py_parser *p, spec_py_statement *s, size_t line) {
  size_t level = p->tokens[line].level, count = 0, at = line;
  for (; spec_py_is_kind(p, at, SPEC_PY_LINE) && spec_py_op(p, at + 1, '@'); count++)
    at = newline_behind(p, at) + 1;
  if (!spec_py_is_kind(p, at, SPEC_PY_LINE) || p->tokens[at].level != level)
    spec_py_fail(p, "a decorator without a definition", line + 1);
  uint32_t *items = spec_arena_array(p->arena, count, sizeof *items);
  if (items == NULL) {
    p->rc = spec_fail_memory(p->err);
    return at;
  }
  size_t i = line;
  for (size_t k = 0; k < count; k++) {
    size_t newline = newline_behind(p, i);
    items[k] = (uint32_t)(i + 1);
    spec_py_expression(p, i + 2, newline, false);
    i = newline + 1;
  }
  s->decorators = items;
  s->decorator_count = count;
  return at;
}

/* --- compound statements -------------------------------------------------------------------- */

static void with_items(spec_py_parser *p, size_t from, size_t to) {
  const spec_py_token *open = &p->tokens[from];
  bool whole = open->kind == SPEC_PY_OPEN && open->op == '(' && open->mate + 1 == to;
  if (whole && spec_py_find_word(p, from + 1, open->mate, "as") < open->mate) {
    from++;
    to = open->mate;
  }
  for (size_t i = from, end; i < to && spec_py_goes_on(p); i = end + 1) {
    end = spec_py_find_op(p, i, to, ',', false);
    size_t as = spec_py_find_word(p, i, end, "as");
    spec_py_expression(p, i, as, false);
    if (as < end)
      spec_py_targets(p, as + 1, end, false);
  }
}

/* What the head of a compound statement's clause uses and binds. */
static void clause_head(spec_py_parser *p, size_t word, size_t colon) {
  size_t from = word + 1;
  if (spec_py_word(p, word, "for")) {
    size_t in = spec_py_find_word(p, from, colon, "in");
    spec_py_targets(p, from, in, false);
    spec_py_expression(p, in, colon, false);
  } else if (spec_py_word(p, word, "with")) {
    with_items(p, from, colon);
  } else if (spec_py_word(p, word, "except")) {
    spec_py_expression(p, from, spec_py_find_word(p, from, colon, "as"), false);
  } else if (spec_py_word(p, word, "case")) {
    size_t guard = spec_py_find_word(p, from, colon, "if");
    spec_py_pattern(p, from, guard);
    spec_py_expression(p, guard, colon, false);
  } else {
    spec_py_expression(p, from, colon, false);
  }
}

/* Whether the token begins a further clause of such a statement. */
static bool continues(const spec_py_parser *p, size_t token, spec_py_kind kind) {
  bool otherwise = spec_py_word(p, token, "else");
  switch (kind) {
  case SPEC_PY_IF:
    return otherwise || spec_py_word(p, token, "elif");
  case SPEC_PY_TRY:
    return otherwise || spec_py_word(p, token, "except") || spec_py_word(p, token, "finally");
  case SPEC_PY_FOR:
  case SPEC_PY_WHILE:
    return otherwise;
  default:
    return false;
  }
}

/* The clauses of a statement whose first one begins with the logical line at `line`. */
static void clauses(spec_py_parser *p, spec_py_statement *s, size_t line, size_t word, list *body) {
  size_t level = p->tokens[line].level;
  uint16_t clause = 0;
  for (bool more = true; more && spec_py_goes_on(p); clause++) {
    size_t colon = head_end(p, word);
    if (!spec_py_goes_on(p))
      return;
    clause_head(p, word, colon);
    suite(p, line, colon, body, clause);
    line = p->at;
    word = line + 1;
    more = spec_py_is_kind(p, line, SPEC_PY_LINE) && p->tokens[line].level == level &&
           continues(p, word, s->kind);
  }
  if (s->kind == SPEC_PY_TRY && clause == 1)
    spec_py_fail(p, "'try' without 'except' or 'finally'", word);
}

/* A match statement: the cases are its clauses. */
static void cases(spec_py_parser *p, size_t line, size_t word, list *body) {
  size_t level = p->tokens[line].level + 1, colon = head_end(p, word);
  uint16_t clause = 0;
  if (!spec_py_goes_on(p))
    return;
  spec_py_expression(p, word + 1, colon, false);
  for (line = p->at = colon + 2;
       spec_py_is_kind(p, line, SPEC_PY_LINE) && p->tokens[line].level >= level; line = p->at) {
    if (p->tokens[line].level != level || !spec_py_word(p, line + 1, "case"))
      spec_py_fail(p, "'case' is missing", line + 1);
    size_t end = head_end(p, line + 1);
    if (!spec_py_goes_on(p))
      return;
    clause_head(p, line + 1, end);
    suite(p, line, end, body, clause++);
  }
  if (clause == 0)
    spec_py_fail(p, "an indented block is missing", colon);
}

/* The kind of compound statement or definition that begins with this word, or SPEC_PY_SIMPLE. */
static spec_py_kind compound_kind(const spec_py_parser *p, size_t word) {
  static const struct {
    const char *word;
    spec_py_kind kind;
  } kinds[] = {{"if", SPEC_PY_IF},       {"try", SPEC_PY_TRY},   {"for", SPEC_PY_FOR},
               {"while", SPEC_PY_WHILE}, {"with", SPEC_PY_WITH}, {"def", SPEC_PY_FUNCTION},
               {"class", SPEC_PY_CLASS}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (spec_py_word(p, word, kinds[i].word))
      return kinds[i].kind;
  size_t newline = newline_behind(p, word);
  bool matches =
      spec_py_word(p, word, "match") && newline > word + 2 && spec_py_op(p, newline - 1, ':');
  return matches ? SPEC_PY_MATCH : SPEC_PY_SIMPLE;
}

/* A statement with blocks, or a definition, at `word`; its decorators begin at `line`. */
static void block_statement(spec_py_parser *p, list *out, uint16_t clause) {
  spec_py_statement s = {.clause = clause};
  size_t line = p->at, at = line;
  mark names = marked(p);
  if (spec_py_op(p, line + 1, '@'))
    at = decorators(p, &s, line);
  if (!spec_py_goes_on(p))
    return;
  size_t word = at + 1, behind = word + (spec_py_word(p, word, "async") ? 1 : 0);
  s.kind = compound_kind(p, behind);
  bool defines = s.kind == SPEC_PY_FUNCTION || s.kind == SPEC_PY_CLASS;
  list body = {0};
  p->conditions += !defines;
  if (defines)
    definition(p, &s, at, word);
  else if (s.decorator_count > 0 || s.kind == SPEC_PY_SIMPLE)
    spec_py_fail(p, "a decorator or 'async' without what it belongs to", word);
  else if (s.kind == SPEC_PY_MATCH)
    cases(p, at, behind, &body);
  else
    clauses(p, &s, at, behind, &body);
  p->conditions -= !defines;
  if (!defines)
    s.body = (spec_py_block){body.items, body.count};
  if (!spec_py_goes_on(p))
    return;
  take_names(p, &s, names);
  if (defines)
    bind_in_class(p, names);
  place(p, &s, line + 1, p->at, line, p->at - 1);
  spec_py_statement *added = append(p, out);
  if (added != NULL)
    *added = s;
}

/* The lines of that level, up to one that is less indented. */
static void block(spec_py_parser *p, size_t level, list *out, uint16_t clause) {
  static const char *const strays[] = {"elif", "else", "except", "finally"};
  while (spec_py_goes_on(p) && spec_py_is_kind(p, p->at, SPEC_PY_LINE) &&
         p->tokens[p->at].level >= level) {
    size_t word = p->at + 1;
    if (p->tokens[p->at].level > level)
      spec_py_fail(p, "an indented line without a block", word);
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++)
      if (spec_py_word(p, word, strays[i]))
        spec_py_fail(p, "a clause without the statement that it continues", word);
    if (!spec_py_goes_on(p))
      return;
    bool simple = compound_kind(p, word) == SPEC_PY_SIMPLE && !spec_py_op(p, word, '@') &&
                  !spec_py_word(p, word, "async");
    if (simple)
      simple_line(p, p->at, word, out, clause);
    else
      block_statement(p, out, clause);
  }
}

/* --- the module ----------------------------------------------------------------------------- */

static int make_room(spec_py_parser *p, size_t names) {
  p->binds = spec_arena_array(p->arena, 2 * names, sizeof *p->binds);
  p->uses = spec_arena_array(p->arena, 2 * names, sizeof *p->uses);
  p->bindings = spec_arena_array(p->arena, 2 * names, sizeof *p->bindings);
  p->used = spec_arena_array(p->arena, 2 * names, sizeof(spec_py_ident *));
  if (p->binds == NULL || p->uses == NULL || p->bindings == NULL || p->used == NULL)
    return spec_fail_memory(p->err);
  return spec_map_new(&p->idents, p->arena, p->err);
}

int spec_py_module_read(spec_py_module *out, spec_py_fault *fault, spec_arena *arena,
                        const spec_py_source *source, spec_err *err) {
  spec_py_tokens tokens;
  int rc = spec_py_scan(&tokens, fault, arena, source, err);
  if (rc != 0 || fault->what != NULL)
    return rc;
  size_t names = 0;
  for (size_t i = 0; i < tokens.count; i++)
    names += tokens.items[i].kind == SPEC_PY_NAME;
  spec_py_parser p = {.arena = arena, .err = err, .source = source, .tokens = tokens.items};
  p.rc = make_room(&p, names);
  list body = {0};
  if (p.rc == 0)
    block(&p, 0, &body, 0);
  spec_map_free(p.idents);
  *fault = p.fault;
  if (p.rc == 0 && p.fault.what == NULL)
    *out = (spec_py_module){*source, tokens, {body.items, body.count}};
  return p.rc;
}

const char *spec_py_kind_name(spec_py_kind kind) {
  static const char *const names[] = {
      [SPEC_PY_FUNCTION] = "function", [SPEC_PY_CLASS] = "class",
      [SPEC_PY_IMPORT] = "import",     [SPEC_PY_FROM] = "from",
      [SPEC_PY_ASSIGN] = "assignment", [SPEC_PY_TYPE] = "type",
      [SPEC_PY_DELETE] = "del",        [SPEC_PY_EXPRESSION] = "expression",
      [SPEC_PY_SIMPLE] = "simple",     [SPEC_PY_IF] = "if",
      [SPEC_PY_TRY] = "try",           [SPEC_PY_FOR] = "for",
      [SPEC_PY_WHILE] = "while",       [SPEC_PY_WITH] = "with",
      [SPEC_PY_MATCH] = "match",
  };
  return names[kind];
}
