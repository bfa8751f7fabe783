/* merge_check.c */
#include "package/merge_check.h"

#include "package/signature.h"

static void check_decorators(spec_merger *m, const spec_py_statement *was, const spec_item *item) {
  bool undecorated = false, any = false;
  for (size_t i = 0; i < item->part_count; i++) {
    undecorated |= spec_marked(m, "undecorated", item->parts[i]);
    any |= item->parts[i]->decorator_count > 0;
  }
  if (!any && !undecorated && was->decorator_count > 0)
    spec_merge_report(m, SPEC_F_MERGE_DECORATOR, item->parts[0]->word_line,
                      spec_merge_text(m, spec_defined(was)), spec_decorators(m, &m->trunk, was),
                      NULL);
}

static bool is_static(spec_merger *m, const spec_py_module *module, const spec_py_statement *s) {
  for (size_t i = 0; i < s->decorator_count; i++)
    if (spec_py_is(&module->source, &module->tokens.items[s->decorators[i] + 1], "staticmethod"))
      return true;
  (void)m;
  return false;
}

static void check_signature(spec_merger *m, const spec_py_statement *was,
                            const spec_py_statement *is, bool method) {
  spec_signature before, now;
  const char *why = NULL;
  bool was_method = method && !is_static(m, &m->trunk, was);
  bool is_method = method && !is_static(m, &m->vendor, is);
  if (m->rc == 0)
    m->rc = spec_signature_read(&before, m->arena, &m->trunk, was, was_method, m->err);
  if (m->rc == 0)
    m->rc = spec_signature_read(&now, m->arena, &m->vendor, is, is_method, m->err);
  if (m->rc == 0)
    m->rc = spec_signature_compare(&why, m->arena, &before, &now, m->err);
  if (m->rc != 0 || why == NULL)
    return;
  const char *name = spec_merge_text(m, spec_defined(is));
  const char *where = spec_merge_where(m, true, is->word_line);
  if (m->rc != 0)
    return;
  if (m->input->strict_signatures)
    spec_report(m->report, SPEC_F_MERGE_SIGNATURE, where, name, why, NULL);
  else
    spec_report_soft(m->report, SPEC_F_MERGE_SIGNATURE, where, name, why, NULL);
}

/* The first function of that name in the body of a class; NULL: none. */
static const spec_py_statement *method_of(const spec_py_statement *class, spec_py_text name) {
  for (size_t i = 0; i < class->body.count; i++) {
    const spec_py_statement *s = &class->body.items[i];
    if (s->kind == SPEC_PY_FUNCTION && spec_same_text(spec_defined(s), name))
      return s;
  }
  return NULL;
}

static void check_methods(spec_merger *m, const spec_py_statement *was,
                          const spec_py_statement *is) {
  for (size_t i = 0; i < is->body.count && m->rc == 0; i++) {
    const spec_py_statement *s = &is->body.items[i];
    if (s->kind != SPEC_PY_FUNCTION || method_of(is, spec_defined(s)) != s)
      continue;
    const spec_py_statement *before = method_of(was, spec_defined(s));
    if (before != NULL)
      check_signature(m, before, s, true);
  }
}

void spec_check_replaced(spec_merger *m, const spec_py_statement *first,
                         const spec_py_statement *last, const spec_item *item, size_t depth) {
  /* A property is what its getter is; overloads are what they overload. */
  const spec_py_statement *was = spec_is_accessor(&m->trunk, last) ? first : last;
  const spec_py_statement *part = item->parts[item->part_count - 1];
  const spec_py_statement *is = spec_is_accessor(&m->vendor, part) ? item->parts[0] : part;
  check_decorators(m, was, item);
  if (was->kind == SPEC_PY_FUNCTION && is->kind == SPEC_PY_FUNCTION)
    check_signature(m, was, is, depth > 0);
  if (was->kind == SPEC_PY_CLASS && is->kind == SPEC_PY_CLASS)
    check_methods(m, was, is);
  bool same = first == last && item->part_count == 1 &&
              spec_same_tokens(&m->trunk, was->first, was->last, &m->vendor, is->first, is->last);
  if (same)
    spec_merge_report(m, SPEC_F_MERGE_REDUNDANT, is->word_line,
                      spec_merge_text(m, spec_defined(is)), NULL, NULL);
}
