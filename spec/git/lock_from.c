/* lock_from.c */
#include "git/lock_from.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/blob_id.h"
#include <string.h>

static int fail_type(const char *what, const char *trunk, spec_err *err) {
  spec_fail(err, SPEC_EINVAL, "the trunk's '%s' is %s, so no override can stand for it", trunk,
            what);
  return spec_fail_mend(err, "rename or remove the override");
}

/* The blob of a path in the revision; "-" when it has none. */
static int blob_in_revision(const spec_lock_from *from, const char **out, const char *trunk,
                            spec_err *err) {
  spec_entry entry;
  int rc = spec_repository_entry(from->repository, &entry, from->revision, trunk, err);
  if (rc != 0)
    return rc;
  if (entry.type == SPEC_ENTRY_FOLDER)
    return fail_type("a folder", trunk, err);
  if (entry.type == SPEC_ENTRY_SUBMODULE)
    return fail_type("of a submodule", trunk, err);
  if (entry.type == SPEC_ENTRY_LINK)
    return fail_type("a link", trunk, err);
  *out = entry.type == SPEC_ENTRY_NONE ? "-" : spec_arena_strdup(from->arena, entry.id);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int blob_in_folder(const spec_lock_from *from, const char **out, const char *trunk,
                          spec_err *err) {
  const char *inner = from->installed ? spec_path_below(trunk, "python") : trunk;
  char id[SPEC_BLOB_ID_SIZE];
  spec_ftype type = SPEC_FT_NONE;
  int rc = SPEC_OK;
  if (inner != NULL) { /* else of the part that is not installed */
    const char *path = spec_path_join(from->arena, from->folder, inner);
    if (path == NULL)
      return spec_fail_memory(err);
    rc = spec_fs_type(&type, path, err);
    if (rc == 0 && type != SPEC_FT_FILE && type != SPEC_FT_NONE)
      return fail_type("no regular file", trunk, err);
    if (rc == 0 && type == SPEC_FT_FILE)
      rc = spec_blob_id_of_file(from->arena, id, path, err);
  }
  if (rc != 0)
    return rc;
  *out = type == SPEC_FT_NONE ? "-" : spec_arena_strdup(from->arena, id);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_lock_line_from(const spec_lock_from *from, spec_lock_line *out, const char *trunk,
                        spec_err *err) {
  const char *here = NULL, *there = NULL;
  bool has_revision = from->repository != NULL && from->revision != NULL;
  int rc = from->folder != NULL ? blob_in_folder(from, &here, trunk, err) : SPEC_OK;
  if (rc == 0 && has_revision)
    rc = blob_in_revision(from, &there, trunk, err);
  if (rc != 0)
    return rc;
  const char *blob = here != NULL ? here : there;
  if (blob == NULL)
    return spec_fail(err, SPEC_EINVAL, "a line needs a folder or a revision");
  bool same = there != NULL && strcmp(blob, there) == 0 && from->revision->commit[0] != '\0';
  *out =
      (spec_lock_line){.trunk = trunk, .blob = blob, .commit = same ? from->revision->commit : "-"};
  return SPEC_OK;
}
