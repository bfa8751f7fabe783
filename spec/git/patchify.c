/* patchify.c */
#include "git/patchify.h"

#include "base/err.h"
#include "base/fs.h"
#include "core/counterpart.h"
#include "diff/lines.h"
#include "diff/patch_write.h"
#include <string.h>

/* Why an override can have no patch whatever its text is; NULL: it may have one. */
static int reason_before(const char **out, spec_arena *arena, const spec_backend *backend,
                         const spec_vendor_file *file, spec_err *err) {
  spec_counterpart place;
  spec_ftype type;
  int rc = spec_counterpart_of(&place, arena, backend, file->trunk, err);
  if (rc == 0)
    rc = spec_fs_link_type(&type, file->path, err);
  if (rc != 0)
    return rc;
  *out = file->action == SPEC_PATCH            ? "is a patch already"
         : file->action == SPEC_REMOVE         ? "is a removal"
         : type != SPEC_FT_FILE                ? "is a link"
         : file->policy == SPEC_POLICY_MERGE   ? "holds definitions that are merged"
         : place.form == SPEC_COUNTERPART_COPY ? "is data of the package"
                                               : NULL;
  return SPEC_OK;
}

static const char *reason_of_base(const spec_base_from *from, const spec_override_base *base) {
  if (!base->is_locked && !from->is_named)
    return "is not in spec.lock, so its base is not known";
  return base->file.text == NULL ? "is of no file of the trunk" : NULL;
}

/* Whether something else than this patch lies where it belongs; the same was left by a run that was
 * killed. */
static int is_taken(bool *out, spec_arena *arena, const spec_vendor_file *file,
                    const spec_patchified *made, spec_err *err) {
  const char *patch = spec_arena_printf(arena, "%s.patch", file->path), *text;
  spec_ftype type;
  size_t len;
  int rc = patch == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, patch, err);
  *out = rc == 0 && type != SPEC_FT_NONE;
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_fs_read(arena, &text, &len, patch, err);
  *out = rc == 0 && (len != made->len || memcmp(text, made->text, len) != 0);
  return rc;
}

static int make(spec_patchified *out, spec_arena *arena, const spec_vendor_file *file,
                const spec_file_text *copy, spec_err *err) {
  const spec_file_text *base = &out->base.file;
  const spec_patch_side sides[] = {{base->text, base->len, base->executable},
                                   {copy->text, copy->len, copy->executable}};
  const spec_patch_make_options options = {.path = file->trunk};
  spec_patch_made made;
  int rc = spec_patch_make(&made, arena, &options, &sides[0], &sides[1], err);
  if (rc != 0)
    return rc;
  if (made.len == 0)
    out->stays = made.mode_changed ? "differs in its mode alone" : "is the trunk's file: delete it";
  else if (made.len > copy->len / 2)
    out->stays = "differs in so much that a patch would be larger than half of it";
  if (out->stays != NULL)
    return SPEC_OK;
  out->text = made.text;
  out->len = made.len;
  out->lines_after = spec_lines_count(made.text, made.len);
  const spec_file_text both[] = {*base, *copy};
  bool taken = false;
  rc = spec_override_check(arena, made.text, made.len, file->trunk, both, err);
  if (rc == 0)
    rc = is_taken(&taken, arena, file, out, err);
  if (taken)
    out->stays = "has another patch beside it";
  return rc;
}

int spec_patchify(spec_patchified *out, const spec_base_from *from, const spec_backend *backend,
                  const spec_vendor_file *file, spec_err *err) {
  spec_patchified made = {0};
  spec_file_text copy = {0};
  int rc = reason_before(&made.stays, from->arena, backend, file, err);
  if (rc == 0 && made.stays == NULL) {
    rc = spec_override_base_of(&made.base, from, file->trunk, err);
    made.stays = rc == 0 ? reason_of_base(from, &made.base) : NULL;
  }
  if (rc == 0 && file->action == SPEC_REPLACE)
    rc = spec_override_outcome(&copy, from->arena, file, &made.base, err);
  made.bytes_before = copy.len;
  made.lines_before = spec_lines_count(copy.text, copy.len);
  if (rc == 0 && made.stays == NULL)
    rc = make(&made, from->arena, file, &copy, err);
  if (rc == 0)
    *out = made;
  return rc;
}

int spec_patchify_replace(const spec_patchified *made, spec_arena *arena,
                          const spec_vendor_file *file, spec_err *err) {
  const char *patch = spec_arena_printf(arena, "%s.patch", file->path);
  int rc = patch == NULL ? spec_fail_memory(err)
                         : spec_fs_write(patch, made->text, made->len, false, NULL, err);
  if (rc != 0)
    return rc;
  rc = spec_fs_remove(file->path, err);
  if (rc != 0) /* so that there are not two overrides of one file */
    (void)spec_fs_remove(patch, NULL);
  return rc;
}
