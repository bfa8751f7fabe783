/* merge.c */
#include "package/merge_level.h"

#include "base/err.h"
#include <stdio.h>
#include <string.h>

/* --- helpers of all parts ------------------------------------------------------------------- */

void *spec_merge_alloc(spec_merger *m, size_t count, size_t size) {
  void *made = m->rc == 0 ? spec_arena_array(m->arena, count, size) : NULL;
  if (made == NULL && m->rc == 0)
    m->rc = spec_fail_memory(m->err);
  return made;
}

const char *spec_merge_text(spec_merger *m, spec_py_text name) {
  const char *made = m->rc == 0 ? spec_arena_strndup(m->arena, name.text, name.len) : NULL;
  if (made == NULL && m->rc == 0)
    m->rc = spec_fail_memory(m->err);
  return made != NULL ? made : "";
}

const char *spec_merge_printf(spec_merger *m, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *made = len >= 0 ? spec_merge_alloc(m, (size_t)len + 1, 1) : NULL;
  if (made != NULL)
    (void)vsnprintf(made, (size_t)len + 1, format, again);
  va_end(again);
  return made != NULL ? made : "";
}

const char *spec_merge_where(spec_merger *m, bool vendor, size_t line) {
  return spec_merge_printf(m, "%s:%zu", vendor ? m->input->vendor.path : m->input->trunk.path,
                           line);
}

void spec_merge_report(spec_merger *m, spec_finding finding, size_t line, const char *a,
                       const char *b, const char *c) {
  const char *where = spec_merge_where(m, true, line);
  if (m->rc == 0)
    spec_report(m->report, finding, where, a, b, c);
}

/* --- a level -------------------------------------------------------------------------------- */

/* Where new statements may go at all, and where imports and all others go best. */
static void find_landmarks(spec_level *level) {
  const spec_py_module *module = &level->m->trunk;
  const spec_py_statement *items = level->trunk.items;
  size_t count = level->trunk.count, first = 0, imports, end = count;
  if (count > 0 && spec_is_docstring(module, &items[0]))
    first = 1;
  while (first < count && spec_is_future_import(module, &items[first]))
    first++;
  for (imports = first; imports < count && spec_is_import(module, &items[imports]);)
    imports++;
  while (end > imports && spec_is_main_guard(module, &items[end - 1]))
    end--;
  level->first = 2 * first;
  level->imports = 2 * imports;
  level->end = 2 * end;
  for (size_t i = 0; i < count; i++)
    if (spec_is_star_import(module, &items[i]))
      level->stars = 2 * (i + 1);
}

void spec_merge_level(spec_level *level) {
  spec_merger *m = level->m;
  if (m->rc != 0)
    return;
  m->rc = spec_map_new(&level->known, m->arena, m->err);
  if (m->rc != 0)
    return;
  find_landmarks(level);
  spec_items(level);
  spec_known_names(level);
  spec_item_hows(level);
  spec_reach(level);
  spec_item_places(level);
  spec_item_edits(level);
  spec_map_free(level->known);
}

/* --- the modules ---------------------------------------------------------------------------- */

/* Reads one of the two; false: it cannot be read, or memory ran out. */
static bool read(spec_merger *m, spec_py_module *out, const spec_py_source *source) {
  spec_py_fault fault;
  m->rc = spec_py_module_read(out, &fault, m->arena, source, m->err);
  if (m->rc == 0 && fault.what != NULL)
    spec_report(m->report, fault.encoding ? SPEC_F_MERGE_ENCODING : SPEC_F_MERGE_SYNTAX,
                spec_merge_printf(m, "%s:%zu", source->path, fault.line), fault.what, NULL, NULL);
  return m->rc == 0 && fault.what == NULL;
}

static bool has_lazy_annotations(const spec_py_module *module) {
  const spec_py_text wanted = {"annotations", strlen("annotations")};
  for (size_t i = 0; i < module->body.count; i++)
    if (spec_is_future_import(module, &module->body.items[i]) &&
        spec_binds(&module->body.items[i], wanted))
      return true;
  return false;
}

/* Reports marks that no definition bears. Those of an earlier merge may be there. */
static void check_marks(spec_merger *m) {
  for (size_t i = 0; i < m->vendor.tokens.mark_count; i++) {
    const spec_py_mark *mark = &m->vendor.tokens.marks[i];
    bool origin = mark->len >= 5 && memcmp(mark->word, "from ", 5) == 0;
    if (!mark->heeded && !origin)
      spec_merge_report(m, SPEC_F_MERGE_MARK, mark->line,
                        spec_merge_text(m, (spec_py_text){mark->word, mark->len}), NULL, NULL);
  }
}

int spec_merge(spec_merged *out, spec_arena *arena, spec_reporter *report,
               const spec_merge_input *input, spec_err *err) {
  spec_merger m = {.arena = arena, .report = report, .input = input, .err = err};
  size_t errors = report->errors;
  bool both = read(&m, &m.trunk, &input->trunk);
  both = m.rc == 0 && read(&m, &m.vendor, &input->vendor) && both;
  if (!both)
    return m.rc;
  m.lazy_annotations = has_lazy_annotations(&m.trunk);
  spec_level level = {
      .m = &m, .trunk = m.trunk.body, .vendor = m.vendor.body, .indent = "", .vendor_indent = ""};
  spec_merge_level(&level);
  check_marks(&m);
  if (m.rc == 0 && m.changes == 0 && report->errors == errors)
    spec_merge_report(&m, SPEC_F_MERGE_EMPTY, 1, input->overlay, NULL, NULL);
  if (m.rc != 0 || report->errors != errors)
    return m.rc;
  return spec_merge_write(out, &m);
}
