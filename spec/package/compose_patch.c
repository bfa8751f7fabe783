/* compose_patch.c */
#include "package/compose_patch.h"

#include "base/err.h"
#include "core/patch.h"
#include "package/made.h"
#include "package/py_module.h"
#include "package/spans.h"

/* What all steps need. */
typedef struct patching {
  spec_plan *plan;
  const spec_override *override;
  spec_patch patch;
  spec_patch_base base;
} patching;

static const char *say_number(const patching *p, size_t number) {
  return spec_arena_printf(p->plan->arena, "%zu", number);
}

/* An error of the patch becomes a finding; only a lack of memory stays one. */
static int report_error(const patching *p, spec_finding finding, int rc, const spec_err *error,
                        spec_err *err) {
  if (rc == SPEC_ENOMEM)
    return spec_fail_memory(err);
  if (rc != 0)
    spec_report(&p->plan->report, finding, error->where, error->what, error->mend, NULL);
  return SPEC_OK;
}

static int report_misfits(const patching *p, const spec_patch_places *places, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->patch.hunk_count; i++) {
    spec_err error;
    int code = spec_patch_explain(&p->patch, &p->base, places, i, &error);
    rc = report_error(p, SPEC_F_PATCH_MISFIT, code, &error, err);
  }
  return rc;
}

static int report_upstreamed(const patching *p, size_t hunk, size_t line, spec_err *err) {
  const char *where =
      spec_arena_printf(p->plan->arena, "%s:%zu", p->override->vendor, p->patch.hunks[hunk].number);
  const char *number = say_number(p, hunk + 1), *at = say_number(p, line > 0 ? line : 1);
  if (where == NULL || number == NULL || at == NULL)
    return spec_fail_memory(err);
  (p->plan->strict_redundant ? spec_report : spec_report_soft)(
      &p->plan->report, SPEC_F_PATCH_UPSTREAMED, where, number, p->override->trunk, at);
  return SPEC_OK;
}

static int report_moved(const patching *p, size_t hunk, const spec_hunk_place *place,
                        spec_err *err) {
  const char *number = say_number(p, hunk + 1);
  size_t lines = (size_t)(place->offset < 0 ? -place->offset : place->offset);
  const char *how =
      spec_arena_printf(p->plan->arena, "at line %zu, %zu line%s %s than it states", place->line,
                        lines, lines == 1 ? "" : "s", place->offset < 0 ? "earlier" : "later");
  if (number == NULL || how == NULL)
    return spec_fail_memory(err);
  spec_report(&p->plan->report, SPEC_F_PATCH_MOVED, p->override->vendor, number, p->override->trunk,
              how);
  return SPEC_OK;
}

/* What is worth knowing of a patch that fits. */
static int report_fit(const patching *p, const spec_patch_places *places, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->patch.hunk_count; i++) {
    const spec_hunk_place *place = &places->hunks[i];
    if (place->state == SPEC_HUNK_UPSTREAMED)
      rc = report_upstreamed(p, i, place->line, err);
    else if (place->offset != 0)
      rc = report_moved(p, i, place, err);
  }
  if (places->eol_adopted)
    spec_report(&p->plan->report, SPEC_F_PATCH_LINE_ENDS, p->override->vendor, p->override->overlay,
                p->override->trunk, NULL);
  return rc;
}

/* --- whose lines are whose --- */

/* Lines of the base stay those of the file that it has them from. The patch's own are there with a
 * sign before them: who takes the text of a function from its file must pass them over. */
static int map_lines(spec_member *member, const patching *p, const spec_patched *made,
                     const spec_member *base, spec_err *err) {
  spec_spans all = {.arena = p->plan->arena};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < made->span_count; i++) {
    const spec_patch_span *s = &made->spans[i];
    const spec_span own = {s->line, s->count, p->override->vendor, s->source};
    rc = s->from_patch ? spec_spans_add(&all, own, err)
                       : spec_spans_add_of(&all, base, s->line, s->count, s->source, err);
  }
  member->spans = all.items;
  member->span_count = all.count;
  return rc;
}

/* --- the whole --- */

/* A result that Python cannot read is found here, where the patch is known. */
static int check_syntax(const patching *p, const spec_patched *made, spec_err *err) {
  const spec_py_source source = {made->text, made->len, p->override->vendor};
  spec_py_module module;
  spec_py_fault fault = {0};
  int rc = spec_py_module_read(&module, &fault, p->plan->arena, &source, err);
  if (rc != 0 || fault.what == NULL || fault.encoding)
    return rc;
  const spec_patch_span *span = spec_patch_source(made, fault.line);
  const char *where = span == NULL || !span->from_patch
                          ? p->override->vendor
                          : spec_arena_printf(p->plan->arena, "%s:%zu", p->override->vendor,
                                              span->source + (fault.line - span->line));
  const char *what = spec_arena_printf(p->plan->arena, "%s (line %zu)", fault.what, fault.line);
  if (where == NULL || what == NULL)
    return spec_fail_memory(err);
  spec_report(&p->plan->report, SPEC_F_PATCH_SYNTAX, where, p->override->trunk, what, NULL);
  return SPEC_OK;
}

static int write_member(spec_member *member, const patching *p, const spec_patch_places *places,
                        const spec_member *base, spec_err *err) {
  spec_patched made;
  spec_err error;
  int rc = spec_patch_write(&made, p->plan->arena, &p->patch, &p->base, places, &error);
  if (rc != 0)
    return report_error(p, SPEC_F_PATCH_MISFIT, rc, &error, err);
  if (made.text == NULL) {
    spec_report(&p->plan->report, SPEC_F_PATCH_DELETES, p->override->vendor, p->override->overlay,
                p->override->trunk, NULL);
    return SPEC_OK;
  }
  member->origin = SPEC_MADE;
  member->file = NULL;
  member->text = made.text;
  member->len = made.len;
  member->modified = SPEC_MADE_DATE;
  if (p->patch.new_mode != 0)
    member->executable = (p->patch.new_mode & 0111) != 0;
  rc = map_lines(member, p, &made, base, err);
  if (rc == 0)
    rc = check_syntax(p, &made, err);
  return rc != 0 ? rc : report_fit(p, places, err);
}

int spec_compose_patch(spec_member *member, spec_plan *plan, const spec_member *base,
                       spec_err *err) {
  const spec_override *o = member->override;
  patching p = {plan, o, {0}, {base->text, base->len, o->trunk, false}};
  spec_patch_places places;
  spec_err error;
  int rc = spec_patch_parse(&p.patch, plan->arena, member->text, member->len, o->vendor, o->trunk,
                            &error);
  *member = *base;
  member->override = o;
  if (rc != 0)
    return report_error(&p, SPEC_F_PATCH_BROKEN, rc, &error, err);
  rc = spec_patch_place(&places, plan->arena, &p.patch, &p.base, &error);
  if (rc != 0)
    return report_error(&p, SPEC_F_PATCH_MISFIT, rc, &error, err);
  if (places.failing > 0)
    return report_misfits(&p, &places, err);
  return write_member(member, &p, &places, base, err);
}
