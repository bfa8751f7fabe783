/* compose_patch.c */
#include "package/compose_patch.h"

#include "base/err.h"
#include "base/path.h"
#include "core/patch_override.h"
#include "package/made.h"
#include "package/py_module.h"
#include "package/spans.h"
#include <string.h>

/* --- whose lines are whose --- */

/* Lines of the base stay those of the file that it has them from. The patch's own are there with a
 * sign before them: who takes the text of a function from its file must pass them over. */
static int map_lines(spec_member *member, const spec_plan *plan, const spec_patched *made,
                     const spec_member *base, spec_err *err) {
  spec_spans all = {.arena = plan->arena};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < made->span_count; i++) {
    const spec_patch_span *s = &made->spans[i];
    const spec_span own = {s->line, s->count, member->override->vendor, s->source};
    rc = s->from_patch ? spec_spans_add(&all, own, err)
                       : spec_spans_add_of(&all, base, s->line, s->count, s->source, err);
  }
  member->spans = all.items;
  member->span_count = all.count;
  return rc;
}

/* --- the whole --- */

/* A result that Python cannot read is found here, where the patch is known. */
static int check_syntax(spec_plan *plan, const spec_override *o, const spec_patched *made,
                        spec_err *err) {
  const spec_py_source source = {made->text, made->len, o->vendor};
  spec_py_module module;
  spec_py_fault fault = {0};
  int rc = spec_py_module_read(&module, &fault, plan->arena, &source, err);
  if (rc != 0 || fault.what == NULL || fault.encoding)
    return rc;
  const spec_patch_span *span = spec_patch_source(made, fault.line);
  const char *where = span == NULL || !span->from_patch
                          ? o->vendor
                          : spec_arena_printf(plan->arena, "%s:%zu", o->vendor,
                                              span->source + (fault.line - span->line));
  const char *what = spec_arena_printf(plan->arena, "%s (line %zu)", fault.what, fault.line);
  if (where == NULL || what == NULL)
    return spec_fail_memory(err);
  spec_report(&plan->report, SPEC_F_PATCH_SYNTAX, where, o->trunk, what, NULL);
  return SPEC_OK;
}

/* Without a base, nothing but an empty text is to be shown instead. */
static void take_base(spec_member *member, const spec_member *base) {
  *member = *base;
  if (base->text == NULL) {
    member->text = "";
    member->origin = SPEC_MADE;
    member->modified = SPEC_MADE_DATE;
  }
}

int spec_compose_patch(spec_member *member, spec_plan *plan, const spec_member *base,
                       spec_err *err) {
  const spec_override *o = member->override;
  const spec_patch_base on = {base->text, base->len, o->trunk, false};
  const char *text = member->text;
  spec_patch_outcome outcome;
  size_t len = member->len;
  take_base(member, base);
  member->override = o;
  int rc = spec_patch_override(&outcome, plan, o, text, len, &on, err);
  if (rc != 0 || !outcome.applied)
    return rc;
  member->origin = SPEC_MADE;
  member->file = NULL;
  member->text = outcome.made.text;
  member->len = outcome.made.len;
  member->modified = SPEC_MADE_DATE;
  if (outcome.patch.new_mode != 0)
    member->executable = (outcome.patch.new_mode & 0111) != 0;
  if (strcmp(spec_path_ext(member->path), ".py") != 0)
    return SPEC_OK;
  rc = map_lines(member, plan, &outcome.made, base, err);
  return rc != 0 ? rc : check_syntax(plan, o, &outcome.made, err);
}
