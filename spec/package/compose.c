/* compose.c: an override over its base, layer by layer. */
#include "package/compose.h"

#include "base/err.h"
#include "base/path.h"
#include "package/compose_patch.h"
#include "package/made.h"
#include "package/merge.h"
#include "package/py_module.h"
#include "package/spans.h"
#include <string.h>

int spec_texts_new(spec_texts *out, spec_arena *arena, spec_err *err) {
  out->arena = arena;
  return spec_map_new(&out->read, arena, err);
}

void spec_texts_free(spec_texts *texts) {
  spec_map_free(texts->read);
  texts->read = NULL;
}

int spec_texts_fill(spec_texts *texts, spec_member *member, spec_err *err) {
  spec_fs_file *file = spec_map_get(texts->read, member->file, NULL);
  if (file == NULL) {
    file = spec_arena_alloc(texts->arena, sizeof *file);
    if (file == NULL)
      return spec_fail_memory(err);
    int rc = spec_fs_load(texts->arena, file, member->file, err);
    if (rc == 0)
      rc = spec_map_set(texts->read, member->file, file, err);
    if (rc != 0)
      return rc;
  }
  member->text = file->data;
  member->len = file->len;
  member->executable = file->executable;
  member->modified = file->modified;
  return SPEC_OK;
}

static int take_vendor(spec_member *member, spec_texts *texts, const spec_plan *plan,
                       const spec_override *o, spec_err *err) {
  *member = (spec_member){.path = spec_plan_in_package(plan, o->trunk),
                          .origin = SPEC_FROM_VENDOR,
                          .file = o->vendor,
                          .override = o};
  int rc = spec_texts_fill(texts, member, err);
  bool is_module = strcmp(spec_path_ext(o->vendor), ".py") == 0;
  return rc != 0 || !is_module ? rc : spec_span_whole(member, plan->arena, err);
}

/* What the override is put over; base->text stays NULL when there is nothing. */
static int find_base(spec_member *base, spec_texts *texts, spec_plan *plan, const spec_override *o,
                     spec_err *err) {
  *base = (spec_member){.path = spec_plan_in_package(plan, o->trunk)};
  if (o->below != NULL)
    return o->below->action == SPEC_REMOVE ? SPEC_OK
                                           : spec_compose(base, texts, plan, o->below, err);
  if (!o->in_trunk)
    return SPEC_OK;
  base->file = spec_path_join(plan->arena, plan->trunk.root, o->trunk);
  return base->file == NULL ? spec_fail_memory(err) : spec_texts_fill(texts, base, err);
}

/* The vendor's definitions in the base's text. */
static int merge(spec_member *member, spec_plan *plan, const spec_member *base, spec_err *err) {
  const spec_override *o = member->override;
  const spec_merge_input input = {
      .trunk = {base->text, base->len, base->file != NULL ? base->file : o->trunk},
      .vendor = {member->text, member->len, o->vendor},
      .overlay = o->overlay,
      .strict_signatures = plan->strict_signatures,
  };
  spec_merged merged = {0};
  spec_spans spans = {.arena = plan->arena};
  int rc = spec_merge(&merged, plan->arena, &plan->report, &input, err);
  if (rc != 0 || merged.text == NULL) /* said why */
    return rc;
  for (size_t i = 0; rc == 0 && i < merged.span_count; i++) {
    const spec_merge_span *s = &merged.spans[i];
    rc = s->vendor ? spec_spans_add(&spans,
                                    (spec_span){s->line, s->count, o->vendor, s->source_line}, err)
                   : spec_spans_add_of(&spans, base, s->line, s->count, s->source_line, err);
  }
  *member = (spec_member){.path = member->path,
                          .origin = SPEC_MADE,
                          .text = merged.text,
                          .len = merged.len,
                          .modified = SPEC_MADE_DATE,
                          .executable = base->executable,
                          .override = o,
                          .spans = spans.items,
                          .span_count = spans.count};
  return rc;
}

/* Whether Python will read a module that is taken as it is; if not, it says so again when it is
 * imported. */
static int check_module(const spec_member *m, spec_plan *plan, spec_err *err) {
  spec_py_module module;
  spec_py_fault fault = {0};
  const spec_py_source source = {m->text, m->len, m->file};
  if (strcmp(spec_path_ext(m->path), ".py") != 0)
    return SPEC_OK;
  int rc = spec_py_module_read(&module, &fault, plan->arena, &source, err);
  if (rc != 0 || fault.what == NULL)
    return rc;
  const char *where = spec_arena_printf(plan->arena, "%s:%zu", m->file, fault.line);
  if (where == NULL)
    return spec_fail_memory(err);
  spec_report(&plan->report, fault.encoding ? SPEC_F_MODULE_ENCODING : SPEC_F_MODULE_SYNTAX, where,
              fault.what, NULL, NULL);
  return SPEC_OK;
}

int spec_compose(spec_member *member, spec_texts *texts, spec_plan *plan, const spec_override *o,
                 spec_err *err) {
  spec_member base = {0}, vendor = {0};
  int rc = take_vendor(&vendor, texts, plan, o, err);
  if (rc == 0 && (o->action == SPEC_PATCH || o->policy == SPEC_POLICY_MERGE))
    rc = find_base(&base, texts, plan, o, err);
  if (rc != 0)
    return rc;
  *member = vendor;
  if (o->action == SPEC_PATCH)
    return spec_compose_patch(member, plan, &base, err);
  return base.text == NULL ? check_module(member, plan, err) : merge(member, plan, &base, err);
}
