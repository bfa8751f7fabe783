/* merge_class.c: "# spec: methods", a class that gives members to the trunk's class of its name. */
#include "package/merge_level.h"

#include <string.h>

/* Whether the vendor's head says nothing, or just what the trunk's says. */
static bool has_same_head(const spec_merger *m, const spec_py_statement *was,
                          const spec_py_statement *is) {
  size_t from = is->word + 2, was_from = was->word + 2;
  bool empty = is->header == from ||
               (is->header == from + 2 && m->vendor.tokens.items[from].kind == SPEC_PY_OPEN);
  return empty || spec_same_tokens(&m->trunk, was_from, was->header, &m->vendor, from, is->header);
}

static bool has_same_decorators(const spec_merger *m, const spec_py_statement *was,
                                const spec_py_statement *is) {
  return is->decorator_count == 0 ||
         spec_same_tokens(&m->trunk, was->first, was->word, &m->vendor, is->first, is->word);
}

void spec_place_class(spec_level *level, spec_item *item) {
  spec_merger *m = level->m;
  const spec_py_statement *is = item->parts[0], *was = NULL;
  const spec_known *known = spec_known_of(level, spec_defined(is));
  size_t classes = 0, binders = 0;
  for (const spec_mention *n = known->trunk_binds.first; n != NULL; n = n->next) {
    binders++;
    if (level->trunk.items[n->at].kind != SPEC_PY_CLASS)
      continue;
    classes++;
    was = &level->trunk.items[n->at];
    item->target = n->at;
  }
  const char *name = spec_merge_text(m, spec_defined(is));
  item->how = SPEC_HOW_INTO;
  if (classes != 1 || item->part_count != 1)
    spec_merge_report(m, SPEC_F_MERGE_NO_CLASS, is->word_line, name,
                      classes > 1   ? "more than one class"
                      : binders > 0 ? "no class of its own level"
                                    : "nothing",
                      NULL);
  else if (!has_same_head(m, was, is))
    spec_merge_report(m, SPEC_F_MERGE_HEAD, is->word_line, name, "bases", NULL);
  else if (!has_same_decorators(m, was, is))
    spec_merge_report(m, SPEC_F_MERGE_HEAD, is->word_line, name, "decorators", NULL);
  else
    return;
  item->how = SPEC_HOW_LAST; /* refused: it must only not lead anywhere */
}

/* The indentation of the first statement of a block that has lines of its own; *len 0: it has none.
 */
static const char *indent_of(const spec_py_module *module, spec_py_block block, size_t *len) {
  *len = 0;
  if (block.count == 0 || module->tokens.items[block.items[0].first - 1].kind != SPEC_PY_LINE)
    return "";
  const spec_py_token *line = &module->tokens.items[block.items[0].first - 1];
  *len = line->end - line->start;
  return module->source.text + line->start;
}

static bool has(const char *indent, size_t len, char c) {
  return len > 0 && memchr(indent, c, len) != NULL;
}

static const char *kind_of(const char *indent, size_t len) {
  return has(indent, len, '\t') ? has(indent, len, ' ') ? "tabs and spaces" : "tabs" : "spaces";
}

static void check_indent(spec_level *inner, const spec_py_statement *is) {
  const char *here = kind_of(inner->indent, inner->indent_len);
  const char *there = kind_of(inner->vendor_indent, inner->vendor_indent_len);
  if (inner->vendor_indent_len > 0 && strcmp(here, there) != 0)
    spec_merge_report(inner->m, SPEC_F_MERGE_INDENT, is->word_line,
                      spec_merge_text(inner->m, spec_defined(is)), there, here);
}

/* A body on the line of its class gets lines of its own. */
static void open_body(spec_level *inner, const spec_level *around, const spec_py_statement *was) {
  spec_merger *m = inner->m;
  const char *step = has(around->indent, around->indent_len, '\t') ? "\t" : "    ";
  inner->indent = spec_merge_printf(m, "%.*s%s", (int)around->indent_len, around->indent, step);
  inner->indent_len = inner->indent != NULL ? strlen(inner->indent) : 0;
  spec_edit_body(inner, m->trunk.tokens.items[was->header].end, was->body.items[0].start);
}

void spec_merge_class(spec_level *around, const spec_item *item) {
  spec_merger *m = around->m;
  const spec_py_statement *was = &around->trunk.items[item->target], *is = item->parts[0];
  spec_level inner = {
      .m = m, .trunk = was->body, .vendor = is->body, .depth = (uint16_t)(around->depth + 1)};
  inner.indent = indent_of(&m->trunk, was->body, &inner.indent_len);
  inner.vendor_indent = indent_of(&m->vendor, is->body, &inner.vendor_indent_len);
  if (inner.indent_len == 0)
    open_body(&inner, around, was);
  check_indent(&inner, is);
  spec_merge_level(&inner);
}
