/* plan_patch.c */
#include "core/plan_patch.h"

#include "base/err.h"
#include "base/path.h"
#include "core/conflict.h"
#include "core/module_twin.h"

/* --- whether there is something to patch --- */

/* A module that a patch makes must not be in the trunk in another form. */
static int check_created(spec_plan *plan, bool *ok, const spec_override *o, spec_err *err) {
  const char *twin = NULL;
  int rc = o->kind != SPEC_KIND_PYTHON ? SPEC_OK
                                       : spec_module_twin(plan->arena, &twin, plan->trunk.tree,
                                                          &plan->backends[o->layer], o->trunk, err);
  *ok = twin == NULL;
  if (rc == 0 && twin != NULL)
    spec_report(&plan->report, SPEC_F_MODULE_CLASH, o->vendor, o->overlay, twin, NULL);
  return rc;
}

static int report_no_file(spec_plan *plan, const spec_override *o, const spec_override *below,
                          spec_err *err) {
  const char *near = "";
  int rc = below != NULL ? SPEC_OK : spec_tree_nearest(plan->trunk.tree, &near, o->trunk, err);
  if (rc == 0)
    spec_report(&plan->report, SPEC_F_PATCH_NO_FILE, o->vendor, o->overlay, o->trunk, near);
  return rc;
}

int spec_plan_check_patch(spec_plan *plan, bool *ok, const spec_override *o,
                          const spec_override *below, spec_err *err) {
  const char *text;
  size_t len;
  *ok = below != NULL ? below->action != SPEC_REMOVE : o->in_trunk;
  if (*ok)
    return SPEC_OK;
  int rc = spec_fs_read(plan->arena, &text, &len, o->vendor, err);
  if (rc == 0)
    rc = spec_patch_is_creation(ok, plan->arena, text, len, o->trunk, err);
  if (rc != 0)
    return rc;
  return *ok ? check_created(plan, ok, o, err) : report_no_file(plan, o, below, err);
}

/* --- conflicts --- */

static int find_conflict(spec_arena *arena, size_t *line, const spec_plan *plan,
                         const spec_override *o, spec_err *err) {
  const char *text, *base = NULL, *path = NULL;
  size_t len, base_len = 0;
  size_t (*find)(const char *, size_t, const char *, size_t) =
      o->action == SPEC_PATCH ? spec_conflict_find_in_patch : spec_conflict_find;
  int rc = spec_fs_read(arena, &text, &len, o->vendor, err);
  *line = rc == 0 ? find(text, len, NULL, 0) : 0;
  if (rc != 0 || *line == 0 || !o->in_trunk)
    return rc;
  path = spec_path_join(arena, plan->trunk.root, o->trunk);
  rc = path == NULL ? spec_fail_memory(err) : spec_fs_read(arena, &base, &base_len, path, err);
  if (rc == 0)
    *line = find(text, len, base, base_len);
  return rc;
}

int spec_plan_check_conflict(spec_plan *plan, const spec_override *o, spec_err *err) {
  spec_arena *scratch;
  size_t line = 0;
  int rc = spec_arena_new(&scratch, err);
  if (rc != 0)
    return rc;
  rc = find_conflict(scratch, &line, plan, o, err);
  spec_arena_free(scratch);
  if (rc != 0 || line == 0)
    return rc;
  const char *where = spec_arena_printf(plan->arena, "%s:%zu", o->vendor, line);
  if (where == NULL)
    return spec_fail_memory(err);
  spec_report(&plan->report, SPEC_F_CONFLICT_MARKERS, where, o->overlay, NULL, NULL);
  return SPEC_OK;
}

/* --- applying --- */

static int apply(spec_plan *plan, spec_override *o, spec_err *err);

/* What a patch is applied to; base->data stays NULL when it makes the file. */
static int load_base(spec_plan *plan, spec_fs_file *base, const spec_override *o, spec_err *err) {
  *base = (spec_fs_file){0};
  if (o->below != NULL && o->below->action == SPEC_REMOVE)
    return SPEC_OK;
  if (o->below != NULL && o->below->action == SPEC_PATCH) {
    spec_override below = *o->below;
    int rc = apply(plan, &below, err);
    if (rc == 0)
      *base = (spec_fs_file){below.patched->text, below.patched->len, below.patched->executable, 0};
    return rc;
  }
  if (o->below != NULL)
    return spec_fs_load(plan->arena, base, o->below->vendor, err);
  if (!o->in_trunk)
    return SPEC_OK;
  const char *path = spec_path_join(plan->arena, plan->trunk.root, o->trunk);
  return path == NULL ? spec_fail_memory(err) : spec_fs_load(plan->arena, base, path, err);
}

static int apply(spec_plan *plan, spec_override *o, spec_err *err) {
  spec_patched_file *file = spec_arena_alloc(plan->arena, sizeof *file);
  spec_fs_file base;
  const char *text;
  size_t len;
  if (file == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_read(plan->arena, &text, &len, o->vendor, err);
  if (rc == 0)
    rc = load_base(plan, &base, o, err);
  if (rc != 0)
    return rc;
  const spec_patch_base on = {base.data, base.len, o->trunk, false};
  spec_patch_outcome *outcome = &file->outcome;
  rc = spec_patch_override(outcome, plan, o, text, len, &on, err);
  file->text = outcome->applied ? outcome->made.text : base.data != NULL ? base.data : "";
  file->len = outcome->applied ? outcome->made.len : base.len;
  file->executable =
      outcome->patch.new_mode != 0 ? (outcome->patch.new_mode & 0111) != 0 : base.executable;
  o->patched = file;
  return rc;
}

int spec_plan_apply_patches(spec_plan *plan, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    spec_override *o = &plan->overrides[i];
    if (o->action == SPEC_PATCH && o->kind != SPEC_KIND_PYTHON)
      rc = apply(plan, o, err);
  }
  return rc;
}
