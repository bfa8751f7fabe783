/* override_base.c */
#include "git/override_base.h"

#include "base/err.h"
#include "base/fs.h"
#include "core/patch.h"
#include <string.h>

static int fail_type(const char *trunk, spec_err *err) {
  spec_fail(err, SPEC_EINVAL,
            "the trunk's '%s' is no regular file, so no override can stand for it", trunk);
  return spec_fail_mend(err, "name a file");
}

static int entry_of(const spec_base_from *from, spec_entry *out, const spec_revision *revision,
                    const char *trunk, spec_err *err) {
  int rc = spec_repository_entry(from->repository, out, revision, trunk, err);
  return rc == 0 && out->type != SPEC_ENTRY_NONE && out->type != SPEC_ENTRY_FILE
             ? fail_type(trunk, err)
             : rc;
}

/* The line of the file that the trunk has. */
static int line_of(const spec_base_from *from, spec_lock_line *out, const spec_entry *entry,
                   const char *trunk, spec_err *err) {
  const char *commit = from->trunk.folder == NULL ? from->trunk.commit : "";
  bool exists = entry->type == SPEC_ENTRY_FILE;
  spec_entry there;
  if (from->trunk.folder != NULL && from->head != NULL) {
    int rc = spec_repository_entry(from->repository, &there, from->head, trunk, err);
    if (rc != 0)
      return rc;
    bool same = exists ? strcmp(there.id, entry->id) == 0 : there.type == SPEC_ENTRY_NONE;
    commit = same ? from->head->commit : "";
  }
  *out = (spec_lock_line){.trunk = trunk};
  out->blob = exists ? spec_arena_strdup(from->arena, entry->id) : "-";
  out->commit = *commit == '\0' ? "-" : spec_arena_strdup(from->arena, commit);
  return out->blob == NULL || out->commit == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* Whether the locked file is executable: as the trunk has it if it is the same, else as its commit
 * has it. */
static int mode_of(const spec_base_from *from, bool *out, const spec_entry *entry,
                   const spec_lock_line *line, spec_err *err) {
  spec_revision revision;
  spec_entry there;
  *out = entry->executable;
  if (strcmp(entry->id, line->blob) == 0 || strcmp(line->commit, "-") == 0 ||
      !spec_repository_has(from->repository, line->commit))
    return SPEC_OK;
  int rc = spec_repository_commit(from->repository, &revision, line->commit, err);
  if (rc == 0)
    rc = spec_repository_entry(from->repository, &there, &revision, line->trunk, err);
  if (rc == 0 && there.type == SPEC_ENTRY_FILE)
    *out = there.executable;
  return rc;
}

int spec_override_base_of(spec_override_base *out, const spec_base_from *from, const char *trunk,
                          spec_err *err) {
  const spec_lock_line *locked = spec_lock_find(from->lock, trunk);
  spec_override_base base = {.is_locked = locked != NULL && !from->is_named};
  spec_entry entry;
  /* The trunk is asked in any case: then its file can be had by its id. */
  int rc = entry_of(from, &entry, &from->trunk, trunk, err);
  if (rc == 0 && base.is_locked)
    base.line = *locked;
  else if (rc == 0)
    rc = line_of(from, &base.line, &entry, trunk, err);
  if (rc != 0 || strcmp(base.line.blob, "-") == 0) {
    *out = base;
    return rc;
  }
  rc = spec_repository_read(from->repository, from->arena, &base.file.text, &base.file.len,
                            base.line.blob, err);
  if (rc == 0)
    rc = mode_of(from, &base.file.executable, &entry, &base.line, err);
  if (rc == 0)
    *out = base;
  return rc;
}

static int apply(spec_file_text *out, spec_arena *arena, const spec_file_text *patch,
                 const char *trunk, const char *path, const spec_file_text *base, spec_err *err) {
  spec_patch parsed;
  spec_patched made;
  spec_patch_base text = {base->text, base->len, trunk, true};
  int rc = spec_patch_parse(&parsed, arena, patch->text, patch->len, path, trunk, err);
  if (rc == 0)
    rc = spec_patch_apply(&made, arena, &parsed, &text, err);
  if (rc == 0)
    *out =
        (spec_file_text){made.text, made.len,
                         parsed.new_mode != 0 ? (parsed.new_mode & 0111) != 0 : base->executable};
  return rc;
}

int spec_override_outcome(spec_file_text *out, spec_arena *arena, const spec_vendor_file *file,
                          const spec_override_base *base, spec_err *err) {
  spec_fs_file loaded;
  *out = (spec_file_text){0};
  if (file->action == SPEC_REMOVE)
    return SPEC_OK;
  int rc = spec_fs_load(arena, &loaded, file->path, err);
  if (rc != 0)
    return rc;
  spec_file_text text = {loaded.data, loaded.len, loaded.executable};
  if (file->action == SPEC_PATCH)
    return apply(out, arena, &text, file->trunk, file->path, &base->file, err);
  *out = text;
  return SPEC_OK;
}

int spec_override_check(spec_arena *arena, const char *patch, size_t len, const char *trunk,
                        const spec_file_text sides[2], spec_err *err) {
  const spec_file_text text = {patch, len, false}, *wanted = &sides[1];
  spec_file_text got;
  int rc = apply(&got, arena, &text, trunk, "the patch", &sides[0], err);
  if (rc != 0)
    return rc;
  if (got.text == NULL || got.len != wanted->len || got.executable != wanted->executable ||
      memcmp(got.text, wanted->text, got.len) != 0)
    return spec_fail(err, SPEC_EINVAL, "the patch of '%s' does not make the file that it should",
                     trunk);
  return SPEC_OK;
}
