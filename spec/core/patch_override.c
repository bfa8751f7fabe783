/* patch_override.c */
#include "core/patch_override.h"

#include "base/err.h"
#include "core/blob_id.h"
#include "core/plan_lock.h"
#include <string.h>

/* What all steps need. */
typedef struct patching {
  spec_plan *plan;
  const spec_override *override;
  const spec_patch *patch;
  const spec_patch_base *base;
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
  for (size_t i = 0; rc == 0 && i < p->patch->hunk_count; i++) {
    spec_err error;
    int code = spec_patch_explain(p->patch, p->base, places, i, &error);
    rc = report_error(p, SPEC_F_PATCH_MISFIT, code, &error, err);
  }
  return rc;
}

static int report_upstreamed(const patching *p, size_t hunk, size_t line, spec_err *err) {
  const char *where = spec_arena_printf(p->plan->arena, "%s:%zu", p->override->vendor,
                                        p->patch->hunks[hunk].number);
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
  for (size_t i = 0; rc == 0 && i < p->patch->hunk_count; i++) {
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

static int write(spec_patch_outcome *out, const patching *p, const spec_patch_places *places,
                 spec_err *err) {
  spec_err error;
  int rc = spec_patch_write(&out->made, p->plan->arena, p->patch, p->base, places, &error);
  if (rc != 0)
    return report_error(p, SPEC_F_PATCH_MISFIT, rc, &error, err);
  if (out->made.text == NULL) {
    spec_report(&p->plan->report, SPEC_F_PATCH_DELETES, p->override->vendor, p->override->overlay,
                p->override->trunk, NULL);
    return SPEC_OK;
  }
  out->applied = true;
  return report_fit(p, places, err);
}

/* --- whether the base is known --- */

/* Whether the lock says that the patch was made from these bytes of the trunk's. */
static int find_exact(bool *out, spec_plan *plan, const spec_override *o,
                      const spec_patch_base *base, spec_err *err) {
  const spec_plan_lock *lock;
  char id[SPEC_BLOB_ID_SIZE];
  *out = false;
  if (o->below != NULL || base->text == NULL)
    return SPEC_OK;
  const char *path = spec_plan_locked_path(plan, o);
  int rc = path == NULL ? spec_fail_memory(err) : spec_plan_lock_of(&lock, plan, o->layer, err);
  const spec_lock_line *line = rc != 0 ? NULL : spec_lock_find(&lock->lock, path);
  if (line == NULL)
    return rc;
  spec_blob_id(id, base->text, base->len);
  *out = strcmp(id, line->blob) == 0;
  return SPEC_OK;
}

/* --- the whole --- */

int spec_patch_override(spec_patch_outcome *out, spec_plan *plan, const spec_override *o,
                        const char *text, size_t len, const spec_patch_base *base, spec_err *err) {
  spec_patch_base on = *base;
  const patching p = {plan, o, &out->patch, &on};
  spec_patch_places places;
  spec_err error;
  *out = (spec_patch_outcome){0};
  int rc = find_exact(&on.is_exact, plan, o, base, err);
  if (rc != 0)
    return rc;
  rc = spec_patch_parse(&out->patch, plan->arena, text, len, o->vendor, o->trunk, &error);
  if (rc != 0)
    return report_error(&p, SPEC_F_PATCH_BROKEN, rc, &error, err);
  rc = spec_patch_place(&places, plan->arena, &out->patch, &on, &error);
  if (rc != 0)
    return report_error(&p, SPEC_F_PATCH_MISFIT, rc, &error, err);
  if (places.failing > 0)
    return report_misfits(&p, &places, err);
  return write(out, &p, &places, err);
}

int spec_patch_is_creation(bool *out, spec_arena *arena, const char *text, size_t len,
                           const char *target, spec_err *err) {
  spec_patch patch = {0};
  spec_err ignored;
  int rc = spec_patch_parse(&patch, arena, text, len, target, target, &ignored);
  *out = rc == 0 && patch.creates;
  return rc == SPEC_ENOMEM ? spec_fail_memory(err) : SPEC_OK;
}
