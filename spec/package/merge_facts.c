/* merge_facts.c: what kind of statement it is, beyond its grammar. */
#include "package/merge_level.h"

#include <string.h>

bool spec_same_text(spec_py_text a, spec_py_text b) {
  return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

bool spec_is_text(spec_py_text a, const char *b) {
  return a.len == strlen(b) && memcmp(a.text, b, a.len) == 0;
}

static const spec_py_token *token_at(const spec_py_module *module, size_t i) {
  return &module->tokens.items[i];
}

static bool is_token(const spec_py_module *module, size_t i, const char *text) {
  return spec_py_is(&module->source, token_at(module, i), text);
}

static spec_py_text token_text(const spec_py_module *module, size_t i) {
  const spec_py_token *t = token_at(module, i);
  return (spec_py_text){module->source.text + t->start, t->end - t->start};
}

/* Line breaks and indentations count by where they are, not by how they look. */
static bool is_layout(const spec_py_token *t) {
  return t->kind == SPEC_PY_LINE || t->kind == SPEC_PY_NEWLINE;
}

bool spec_same_tokens(const spec_py_module *a, size_t a_first, size_t a_last,
                      const spec_py_module *b, size_t b_first, size_t b_last) {
  if (a_last - a_first != b_last - b_first)
    return false;
  for (size_t i = 0; i < a_last - a_first; i++) {
    const spec_py_token *x = token_at(a, a_first + i), *y = token_at(b, b_first + i);
    if (x->kind != y->kind)
      return false;
    if (!is_layout(x) && !spec_same_text(token_text(a, a_first + i), token_text(b, b_first + i)))
      return false;
  }
  return true;
}

bool spec_is_definition(const spec_py_statement *s) {
  return s->kind == SPEC_PY_FUNCTION || s->kind == SPEC_PY_CLASS;
}

bool spec_is_idle(const spec_py_module *module, const spec_py_statement *s) {
  if (s->kind != SPEC_PY_EXPRESSION)
    return s->kind == SPEC_PY_SIMPLE && is_token(module, s->first, "pass");
  for (size_t i = s->first; i < s->last; i++) {
    int kind = token_at(module, i)->kind;
    if (kind != SPEC_PY_STRING && kind != SPEC_PY_NUMBER && !is_token(module, i, "..."))
      return false;
  }
  return true;
}

bool spec_is_docstring(const spec_py_module *module, const spec_py_statement *s) {
  return s->kind == SPEC_PY_EXPRESSION && spec_is_idle(module, s) &&
         token_at(module, s->first)->kind == SPEC_PY_STRING;
}

/* --- imports -------------------------------------------------------------------------------- */

static bool is_plain_import(const spec_py_statement *s) {
  return s->kind == SPEC_PY_IMPORT || s->kind == SPEC_PY_FROM;
}

/* Whether all statements of the block number `clause` import, and there is one. */
static bool clause_imports(const spec_py_statement *s, size_t clause) {
  bool any = false;
  for (size_t i = 0; i < s->body.count; i++) {
    if (s->body.items[i].clause != clause)
      continue;
    if (!is_plain_import(&s->body.items[i]))
      return false;
    any = true;
  }
  return any;
}

static bool heads_name(const spec_py_module *module, const spec_py_statement *s, const char *name) {
  for (size_t i = s->first; i < s->last; i++)
    if (is_token(module, i, name))
      return true;
  return false;
}

bool spec_is_import(const spec_py_module *module, const spec_py_statement *s) {
  if (is_plain_import(s))
    return true;
  if (s->kind == SPEC_PY_TRY)
    return clause_imports(s, 0) &&
           (heads_name(module, s, "ImportError") || heads_name(module, s, "ModuleNotFoundError"));
  if (s->kind != SPEC_PY_IF || s->body.count == 0)
    return false;
  size_t last = s->first + 1;
  bool dotted = is_token(module, last + 1, ".");
  last += dotted ? 2 : 0;
  bool checks = is_token(module, last, "TYPE_CHECKING") && is_token(module, last + 1, ":");
  for (size_t i = 0; i < s->body.count; i++)
    checks = checks && s->body.items[i].clause == 0 && is_plain_import(&s->body.items[i]);
  return checks;
}

bool spec_is_star_import(const spec_py_module *module, const spec_py_statement *s) {
  return s->kind == SPEC_PY_FROM && s->binds.count == 0 && is_token(module, s->last - 1, "*");
}

bool spec_is_future_import(const spec_py_module *module, const spec_py_statement *s) {
  return s->kind == SPEC_PY_FROM && is_token(module, s->first + 1, "__future__");
}

bool spec_is_main_guard(const spec_py_module *module, const spec_py_statement *s) {
  return s->kind == SPEC_PY_IF && is_token(module, s->first + 1, "__name__");
}

/* --- names ---------------------------------------------------------------------------------- */

static bool holds(spec_py_names names, spec_py_text name) {
  for (size_t i = 0; i < names.count; i++)
    if (spec_same_text(names.items[i].name, name))
      return true;
  return false;
}

bool spec_binds(const spec_py_statement *s, spec_py_text name) {
  return holds(s->binds, name);
}

bool spec_uses(const spec_py_statement *s, spec_py_text name) {
  return holds(s->uses, name);
}

spec_py_text spec_defined(const spec_py_statement *s) {
  return s->binds.items[s->binds.count - 1].name;
}

/* --- decorators ----------------------------------------------------------------------------- */

/* The end of the line that a decorator is on. */
static size_t decorator_end(const spec_py_module *module, size_t at) {
  while (token_at(module, at)->kind != SPEC_PY_NEWLINE)
    at++;
  return at;
}

/* Whether the decorator is `overload`, or that of a module. */
static bool is_overload(const spec_py_module *module, size_t at) {
  size_t end = decorator_end(module, at);
  bool dotted = end == at + 4 && is_token(module, at + 2, ".");
  return (end == at + 2 || dotted) && is_token(module, end - 1, "overload");
}

static bool makes_accessor(const spec_py_module *module, size_t at, spec_py_text name) {
  static const char *const words[] = {"getter", "setter", "deleter"};
  if (decorator_end(module, at) != at + 4 || !is_token(module, at + 2, ".") ||
      !spec_same_text(token_text(module, at + 1), name))
    return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_token(module, at + 3, words[i]))
      return true;
  return false;
}

bool spec_is_accessor(const spec_py_module *module, const spec_py_statement *s) {
  for (size_t i = 0; i < s->decorator_count; i++)
    if (makes_accessor(module, s->decorators[i], spec_defined(s)))
      return true;
  return false;
}

bool spec_continues(const spec_py_module *module, const spec_py_statement *before,
                    const spec_py_statement *s) {
  for (size_t i = 0; i < before->decorator_count; i++)
    if (is_overload(module, before->decorators[i]))
      return true;
  return spec_is_accessor(module, s);
}

const char *spec_decorators(spec_merger *m, const spec_py_module *module,
                            const spec_py_statement *s) {
  const char *text = "";
  for (size_t i = 0; i < s->decorator_count && m->rc == 0; i++) {
    size_t from = token_at(module, s->decorators[i])->start;
    size_t to = token_at(module, decorator_end(module, s->decorators[i]) - 1)->end;
    text = spec_merge_printf(m, "%s%s%.*s", text, i > 0 ? ", " : "", (int)(to - from),
                             module->source.text + from);
  }
  return text;
}

/* --- marks ---------------------------------------------------------------------------------- */

/* Where the mark of a definition may be, in bytes: from its first token to the end of its head's
 * line, or of a class to the first statement of its body that is no docstring. */
static size_t mark_limit(const spec_py_module *module, const spec_py_statement *s) {
  size_t i = s->header;
  while (token_at(module, i)->kind != SPEC_PY_NEWLINE)
    i++;
  size_t limit = token_at(module, i)->end;
  if (s->kind != SPEC_PY_CLASS)
    return limit;
  for (size_t k = 0; k < s->body.count; k++)
    if (!spec_is_docstring(module, &s->body.items[k]))
      return s->body.items[k].start > limit ? s->body.items[k].start : limit;
  return s->lines_end;
}

bool spec_marked(spec_merger *m, const char *word, const spec_py_statement *s) {
  spec_py_tokens *tokens = &m->vendor.tokens;
  size_t low = 0, high = tokens->mark_count, limit = mark_limit(&m->vendor, s);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (tokens->marks[middle].start < s->start)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = false;
  for (; low < tokens->mark_count && tokens->marks[low].start < limit; low++)
    if (spec_is_text((spec_py_text){tokens->marks[low].word, tokens->marks[low].len}, word)) {
      tokens->marks[low].heeded = true;
      found = true;
    }
  return found;
}
