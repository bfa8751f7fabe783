/* upgrade_finish.c: what comes after the files are in their places. */
#include "git/upgrade.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/conflict.h"
#include "diff/patch_write.h"
#include <string.h>

typedef struct finishing {
  spec_unresolved *out;
  spec_journal *journal;
  const spec_backend *backend;
  spec_arena *arena;
  spec_err *err;
} finishing;

static const char *full_path(finishing *f, const char *below) {
  return spec_path_join(f->arena, f->backend->dir, below);
}

static int wait_for(finishing *f, const char *path) {
  int rc = spec_arena_reserve(f->arena, &f->out->paths, f->out->count, &f->out->cap,
                              sizeof *f->out->paths, f->err);
  if (rc == 0)
    f->out->paths[f->out->count++] = path;
  return rc;
}

/* The file of a conflict as it is now; text NULL: there is none. */
static int read_resolved(finishing *f, spec_fs_file *out, const spec_journal_change *c) {
  spec_ftype type;
  const char *path = full_path(f, c->new_path);
  *out = (spec_fs_file){0};
  int rc = path == NULL ? spec_fail_memory(f->err) : spec_fs_link_type(&type, path, f->err);
  return rc != 0 || type != SPEC_FT_FILE ? rc : spec_fs_load(f->arena, out, path, f->err);
}

/* Markers that the trunk's own text has do not count. */
static bool is_resolved(const spec_journal_change *c, const spec_fs_file *file) {
  return file->data == NULL ||
         spec_conflict_find(file->data, file->len, c->their.text, c->their.len) == 0;
}

static int list_unresolved(finishing *f) {
  int rc = SPEC_OK;
  for (size_t i = 0; rc == 0 && i < f->journal->count; i++) {
    const spec_journal_change *c = &f->journal->changes[i];
    spec_fs_file file;
    if (!c->conflict || c->new_path == NULL)
      continue;
    rc = read_resolved(f, &file, c);
    if (rc == 0 && !is_resolved(c, &file))
      rc = wait_for(f, c->new_path);
  }
  return rc;
}

/* The whole file that was resolved becomes a patch again.  The patch is there before the file is
 * gone, so that a run that is cut short between leaves both, and is simply repeated. */
static int make_patch(finishing *f, const spec_journal_change *c) {
  spec_fs_file file;
  spec_patch_made made;
  const spec_patch_make_options options = {.path = c->trunk};
  const char *path = full_path(f, c->new_path);
  const char *patch = path == NULL ? NULL : spec_arena_printf(f->arena, "%s.patch", path);
  int rc = patch == NULL ? spec_fail_memory(f->err) : read_resolved(f, &file, c);
  if (rc != 0 || file.data == NULL)
    return rc;
  const spec_patch_side their = {c->their.text, c->their.len, false};
  const spec_patch_side own = {file.data, file.len, false};
  rc = spec_patch_make(&made, f->arena, &options, &their, &own, f->err);
  if (rc == 0 && made.len > 0)
    rc = spec_fs_write(patch, made.text, made.len, c->old.executable, NULL, f->err);
  return rc != 0 ? rc : spec_fs_remove(path, f->err);
}

static bool has_override(const spec_vendor_file *files, size_t count, const char *trunk) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(files[i].trunk, trunk) == 0)
      return true;
  return false;
}

/* The new lock, without lines of overrides that were removed while resolving. */
static int write_lock(finishing *f, const spec_journal_text *text) {
  spec_lock lock = {.arena = f->arena}, kept = {.arena = f->arena};
  spec_vendor_file *files;
  size_t count;
  int rc = spec_lock_parse(&lock, text->text, text->len, SPEC_LOCK_FILE, f->err);
  if (rc == 0)
    rc = spec_vendor_files(f->arena, &files, &count, f->backend, f->err);
  for (size_t i = 0; rc == 0 && i < lock.count; i++)
    if (has_override(files, count, lock.lines[i].trunk))
      rc = spec_lock_set(&kept, &lock.lines[i], f->err);
  return rc != 0 ? rc : spec_lock_write(&kept, NULL, f->backend->dir, f->err);
}

int spec_upgrade_finish(spec_unresolved *out, spec_journal *journal, const spec_backend *backend,
                        spec_arena *arena, spec_err *err) {
  finishing f = {out, journal, backend, arena, err};
  *out = (spec_unresolved){0};
  int rc = journal->applied ? SPEC_OK : spec_journal_apply(journal, arena, err);
  if (rc == 0)
    rc = list_unresolved(&f);
  if (rc != 0 || out->count > 0)
    return rc;
  for (size_t i = 0; rc == 0 && i < journal->count; i++)
    if (journal->changes[i].form == SPEC_CHANGE_PATCH)
      rc = make_patch(&f, &journal->changes[i]);
  for (size_t i = 0; rc == 0 && i < journal->count; i++)
    if (journal->changes[i].form == SPEC_CHANGE_LOCK && journal->changes[i].new.text != NULL)
      rc = write_lock(&f, &journal->changes[i].new);
  return rc != 0 ? rc : spec_journal_end(journal, arena, err);
}
