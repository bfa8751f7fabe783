/* edit.c */
#include "git/edit.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "diff/patch_write.h"
#include <string.h>

/* The override of a trunk path, or at a path of the backend's folder. */
static int find(spec_edit *e, const spec_vendor_file *files, size_t count, const char *word,
                spec_err *err) {
  for (size_t i = 0; i < count; i++) {
    const spec_vendor_file *file = &files[i];
    bool is_removal = file->action == SPEC_REMOVE;
    if (strcmp(file->trunk, word) != 0 && (is_removal || strcmp(file->overlay, word) != 0))
      continue;
    if (is_removal) {
      spec_fail(err, SPEC_EINVAL, "spec.ini removes '%s'", file->trunk);
      return spec_fail_mend(err, "drop its line from [remove] first");
    }
    if (e->file != NULL) {
      spec_fail(err, SPEC_EAMBIGUOUS, "'%s' and '%s' both stand for '%s'", e->file->overlay,
                file->overlay, file->trunk);
      return spec_fail_mend(err, "keep one of the two");
    }
    e->file = file;
    e->trunk = file->trunk;
  }
  return SPEC_OK;
}

static int check_place(const spec_edit *e, spec_err *err) {
  if (e->place.overlay == NULL)
    return spec_fail(err, SPEC_EINVAL, "no overlay can hold '%s': %s", e->trunk, e->place.reason);
  if (e->place.policy == SPEC_POLICY_CLOSED) {
    spec_fail(err, SPEC_EINVAL, "policy closes '%s' to overrides", e->place.package);
    return spec_fail_mend(err, "loosen it: '[policy]' '%s = whole' in spec.ini", e->place.package);
  }
  spec_ftype type;
  int rc = e->file == NULL ? SPEC_OK : spec_fs_link_type(&type, e->file->path, err);
  if (rc != 0 || e->file == NULL || type == SPEC_FT_FILE)
    return rc;
  spec_fail(err, SPEC_EINVAL, "'%s' is a link", e->file->path);
  return spec_fail_mend(err, "edit what it leads to");
}

int spec_edit_open(spec_edit *out, const spec_base_from *from, const spec_backend *backend,
                   const spec_vendor_file *files, size_t count, const char *word, spec_err *err) {
  spec_edit e = {.from = from, .backend = backend};
  e.trunk = spec_path_normal(from->arena, word);
  if (e.trunk == NULL)
    return spec_fail_memory(err);
  if (spec_path_is_absolute(e.trunk) || spec_path_below(e.trunk, "..") != NULL)
    return spec_fail(err, SPEC_EINVAL, "'%s' is no path below the trunk", word);
  int rc = find(&e, files, count, e.trunk, err);
  if (rc == 0)
    rc = spec_counterpart_of(&e.place, from->arena, backend, e.trunk, err);
  if (rc == 0)
    rc = check_place(&e, err);
  if (rc == 0)
    rc = spec_override_base_of(&e.base, from, e.trunk, err);
  if (rc == 0 && e.file != NULL)
    rc = spec_override_outcome(&e.present, from->arena, e.file, &e.base, err);
  else if (rc == 0)
    e.present = e.base.file;
  if (rc == 0 && e.present.text == NULL) {
    spec_fail(err, SPEC_ENOTFOUND, "neither the trunk nor the overlay has '%s'", e.trunk);
    rc = spec_fail_mend(err,
                        "mend the path; a new file is written into the overlay as it is, at "
                        "'%s'",
                        e.place.overlay);
  }
  if (rc == 0)
    *out = e;
  return rc;
}

static bool same(const spec_file_text *a, const char *text, size_t len) {
  return a->text != NULL && a->len == len && memcmp(a->text, text, len) == 0;
}

/* Whether the override's file is a whole text. */
static bool stays_copy(const spec_edit *e) {
  return (e->file != NULL && e->file->action == SPEC_REPLACE) || e->base.file.text == NULL ||
         e->place.form == SPEC_COUNTERPART_COPY;
}

static bool is_merged(const spec_edit *e) {
  return e->file != NULL && e->file->action == SPEC_REPLACE && e->file->policy == SPEC_POLICY_MERGE;
}

static int set_path(spec_edited *out, const spec_edit *e, spec_err *err) {
  spec_arena *arena = e->from->arena;
  bool is_patch = out->form == SPEC_EDITED_PATCH;
  if (e->file != NULL) {
    out->path = e->file->path;
    return SPEC_OK;
  }
  const char *copy = spec_path_join(arena, e->backend->dir, e->place.overlay);
  out->path = copy == NULL || !is_patch ? copy : spec_arena_printf(arena, "%s.patch", copy);
  return out->path == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int make_patch(spec_edited *out, const spec_edit *e, const char *text, size_t len,
                      spec_err *err) {
  const spec_file_text *base = &e->base.file;
  const spec_patch_side sides[] = {{base->text, base->len, base->executable},
                                   {text, len, e->present.executable}};
  const spec_patch_make_options options = {.path = e->trunk};
  spec_patch_made made;
  int rc = spec_patch_make(&made, e->from->arena, &options, &sides[0], &sides[1], err);
  if (rc != 0)
    return rc;
  /* A copy would be merged into the module, not replace it. */
  bool may_copy = e->file == NULL && e->place.form == SPEC_COUNTERPART_ANY &&
                  e->place.policy != SPEC_POLICY_MERGE;
  if (may_copy && made.len > len / 2)
    return SPEC_OK;
  *out = (spec_edited){.form = SPEC_EDITED_PATCH,
                       .text = made.text,
                       .len = made.len,
                       .removed = made.removed,
                       .added = made.added,
                       .hunks = made.hunks};
  const spec_file_text both[] = {*base, {text, len, e->present.executable}};
  return spec_override_check(e->from->arena, made.text, made.len, e->trunk, both, err);
}

int spec_edit_make(spec_edited *out, const spec_edit *e, const char *text, size_t len,
                   spec_err *err) {
  spec_edited made = {.form = SPEC_EDITED_COPY, .text = text, .len = len};
  int rc = 0;
  if (same(&e->present, text, len))
    made = (spec_edited){.form = SPEC_EDITED_NOTHING};
  else if (same(&e->base.file, text, len) && !is_merged(e) &&
           e->base.file.executable == e->present.executable)
    made = (spec_edited){.form = SPEC_EDITED_DROP};
  else if (!stays_copy(e))
    rc = make_patch(&made, e, text, len, err);
  if (rc == 0)
    rc = set_path(&made, e, err);
  if (rc == 0)
    *out = made;
  return rc;
}

/* Whether the override makes still what was opened. */
static int check_present(const spec_edit *e, spec_err *err) {
  spec_file_text now = {0};
  spec_ftype type = SPEC_FT_NONE;
  int rc = e->file == NULL ? SPEC_OK : spec_fs_type(&type, e->file->path, err);
  if (rc == 0 && type == SPEC_FT_FILE)
    rc = spec_override_outcome(&now, e->from->arena, e->file, &e->base, err);
  if (rc != 0 || e->file == NULL || same(&now, e->present.text, e->present.len))
    return rc;
  spec_fail(err, SPEC_EBUSY, "somebody else has changed '%s' meanwhile", e->file->path);
  return spec_fail_mend(err, "look at both, and edit again");
}

int spec_edit_write(const spec_edited *made, const spec_edit *e, spec_err *err) {
  int rc = check_present(e, err);
  if (rc != 0 || made->form == SPEC_EDITED_NOTHING)
    return rc;
  if (made->form == SPEC_EDITED_DROP)
    return spec_fs_remove(made->path, err);
  const char *folder = spec_path_dirname(e->from->arena, made->path);
  rc = folder == NULL ? spec_fail_memory(err) : spec_fs_mkdirs(folder, err);
  bool executable = made->form == SPEC_EDITED_COPY && e->present.executable;
  return rc != 0 ? rc : spec_fs_write(made->path, made->text, made->len, executable, NULL, err);
}
