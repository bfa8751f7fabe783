/* compose.c: an override over its base, layer by layer. */
#include "package/compose.h"

#include "base/err.h"
#include "base/path.h"
#include "package/compose_patch.h"
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

size_t spec_text_lines(const char *text, size_t len) {
  size_t lines = 0;
  for (size_t i = 0; i < len; i++) {
    bool crlf = text[i] == '\r' && i + 1 < len && text[i + 1] == '\n';
    lines += text[i] == '\n' || (text[i] == '\r' && !crlf);
  }
  bool ends = len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r');
  return lines + (len > 0 && !ends);
}

int spec_span_whole(spec_member *member, spec_arena *arena, spec_err *err) {
  spec_span *span = spec_arena_alloc(arena, sizeof *span);
  if (span == NULL)
    return spec_fail_memory(err);
  *span = (spec_span){1, spec_text_lines(member->text, member->len), member->file, 1};
  member->spans = span;
  member->span_count = 1;
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
  if (o->action != SPEC_REPLACE && o->action != SPEC_PATCH)
    return SPEC_OK;
  base->file = spec_path_join(plan->arena, plan->trunk.root, o->trunk);
  return base->file == NULL ? spec_fail_memory(err) : spec_texts_fill(texts, base, err);
}

static int merge(spec_member *member, spec_plan *plan, const spec_member *base,
                 const spec_member *vendor, const spec_override *o, spec_err *err) {
  (void)plan;
  (void)base;
  (void)vendor;
  (void)member;
  spec_fail(err, SPEC_EINVAL, "merging '%s' is not possible yet", o->overlay);
  return spec_fail_where(err, "%s", o->vendor);
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
  return base.text == NULL ? SPEC_OK : merge(member, plan, &base, &vendor, o, err);
}
