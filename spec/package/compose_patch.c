/* compose_patch.c */
#include "package/compose_patch.h"

#include "base/err.h"
#include "core/patch.h"
#include "package/made.h"

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

typedef struct spans {
  spec_arena *arena;
  spec_span *items;
  size_t count, cap;
} spans;

static int add_span(spans *to, spec_span span, spec_err *err) {
  int rc = spec_arena_reserve(to->arena, &to->items, to->count, &to->cap, sizeof *to->items, err);
  if (rc == 0)
    to->items[to->count++] = span;
  return rc;
}

/* `count` lines from `line` on are the base's from `source` on: those of its own sources, where it
 * is made of several. *at is where among its spans the last call ended. */
static int add_base_lines(spans *to, const spec_member *base, size_t *at, spec_span lines,
                          spec_err *err) {
  size_t end = lines.file_line + lines.count;
  int rc = 0;
  if (base->span_count == 0)
    return base->file == NULL
               ? SPEC_OK
               : add_span(to, (spec_span){lines.line, lines.count, base->file, lines.file_line},
                          err);
  while (*at < base->span_count &&
         base->spans[*at].line + base->spans[*at].count <= lines.file_line)
    ++*at;
  for (size_t i = *at; rc == 0 && i < base->span_count && base->spans[i].line < end; i++) {
    const spec_span *span = &base->spans[i];
    size_t from = span->line > lines.file_line ? span->line : lines.file_line;
    size_t to_line = span->line + span->count < end ? span->line + span->count : end;
    rc = add_span(to,
                  (spec_span){lines.line + (from - lines.file_line), to_line - from, span->file,
                              span->file_line + (from - span->line)},
                  err);
  }
  return rc;
}

static int map_lines(spec_member *member, const patching *p, const spec_patched *made,
                     const spec_member *base, spec_err *err) {
  spans all = {.arena = p->plan->arena};
  size_t at = 0;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < made->span_count; i++) {
    const spec_patch_span *s = &made->spans[i];
    const spec_span span = {s->line, s->count, p->override->vendor, s->source};
    rc = s->from_patch ? add_span(&all, span, err) : add_base_lines(&all, base, &at, span, err);
  }
  member->spans = all.items;
  member->span_count = all.count;
  return rc;
}

/* --- the whole --- */

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
