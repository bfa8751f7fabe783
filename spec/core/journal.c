/* journal.c */
#include "core/journal_parts.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <string.h>

#define EDITED_DIR ".spec-upgrade-edited"

/* A step over the changes of a journal; the first failure ends it. */
typedef struct steps {
  const spec_journal *journal;
  spec_arena *arena;
  spec_err *err;
} steps;

static const char *join(const steps *s, const char *dir, const char *name) {
  return spec_path_join(s->arena, dir, name);
}

/* "<dir>/<kind>/<index>" */
static const char *kept_path(const steps *s, const char *dir, const char *kind, size_t index) {
  return spec_arena_printf(s->arena, "%s/%s/%zu", dir, kind, index);
}

/* --- making it ------------------------------------------------------------------------------ */

static int keep(const steps *s, const char *dir, const char *kind, size_t index,
                const spec_journal_text *text) {
  if (text->text == NULL)
    return SPEC_OK;
  const char *path = kept_path(s, dir, kind, index);
  const spec_fs_file file = {text->text, text->len, text->executable, spec_fs_now()};
  return path == NULL ? spec_fail_memory(s->err) : spec_fs_create(path, &file, s->err);
}

static int fill(const steps *s, const char *dir) {
  static const char *const folders[] = {"old", "new", "their"};
  spec_buf text = {0};
  int rc = SPEC_OK;
  for (size_t i = 0; i < 3 && rc == 0; i++) {
    const char *path = join(s, dir, folders[i]);
    rc = path == NULL ? spec_fail_memory(s->err) : spec_fs_mkdirs(path, s->err);
  }
  for (size_t i = 0; i < s->journal->count && rc == 0; i++) {
    const spec_journal_change *c = &s->journal->changes[i];
    rc = keep(s, dir, "old", i, &c->old);
    if (rc == 0)
      rc = keep(s, dir, "new", i, &c->new);
    if (rc == 0)
      rc = keep(s, dir, "their", i, &c->their);
  }
  if (rc == 0)
    rc = spec_journal_text_of(&text, s->journal, s->err);
  const char *path = join(s, dir, "journal");
  if (rc == 0)
    rc = path == NULL ? spec_fail_memory(s->err)
                      : spec_fs_write(path, spec_buf_text(&text), text.len, false, NULL, s->err);
  spec_buf_dispose(&text);
  return rc;
}

/* Removes what processes that were killed left beside a path, not yet or no longer under its name.
 */
static int sweep(const steps *s, const char *path) {
  const char *dir = spec_path_dirname(s->arena, path), *base = spec_path_basename(path);
  const size_t len = strlen(base);
  spec_dirent *entries;
  size_t count;
  spec_ftype type;
  int rc = dir == NULL ? spec_fail_memory(s->err) : spec_fs_link_type(&type, dir, s->err);
  if (rc != 0 || type != SPEC_FT_DIR)
    return rc;
  rc = spec_fs_list(s->arena, &entries, &count, dir, s->err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *name = entries[i].name;
    const size_t size = strlen(name);
    if (size < len + 6 || name[0] != '.' || strncmp(name + 1, base, len) != 0 ||
        name[len + 1] != '.' || strcmp(name + size - 4, ".tmp") != 0)
      continue;
    const char *left = join(s, dir, name);
    rc = left == NULL ? spec_fail_memory(s->err) : spec_fs_remove_tree(left, s->err);
  }
  return rc;
}

static int sweep_below(const steps *s, const char *below) {
  if (below == NULL)
    return SPEC_OK;
  const char *path = join(s, s->journal->folder, below);
  return path == NULL ? spec_fail_memory(s->err) : sweep(s, path);
}

int spec_journal_begin(const spec_journal *journal, spec_arena *arena, spec_err *err) {
  const steps s = {journal, arena, err};
  const char *dir, *path = join(&s, journal->folder, SPEC_JOURNAL_DIR);
  bool taken = false;
  int rc = path == NULL ? spec_fail_memory(err) : sweep(&s, path);
  if (rc == 0)
    rc = spec_fs_temporary_folder(arena, &dir, path, err);
  if (rc != 0)
    return rc;
  rc = fill(&s, dir);
  if (rc == 0)
    rc = spec_fs_rename_folder(dir, path, &taken, err);
  if (rc == 0 && !taken)
    return SPEC_OK;
  (void)spec_fs_remove_tree(dir, NULL);
  if (rc != 0)
    return rc;
  spec_fail(err, SPEC_EBUSY, "an upgrade of this backend is not finished");
  return spec_fail_where(err, "%s", path);
}

/* --- reading it ----------------------------------------------------------------------------- */

static int recall(const steps *s, const char *dir, const char *kind, size_t index,
                  spec_journal_text *out) {
  spec_ftype type;
  spec_fs_file file;
  const char *path = kept_path(s, dir, kind, index);
  int rc = path == NULL ? spec_fail_memory(s->err) : spec_fs_link_type(&type, path, s->err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  rc = spec_fs_load(s->arena, &file, path, s->err);
  if (rc == 0) {
    out->text = file.data;
    out->len = file.len;
  }
  return rc;
}

int spec_journal_read(spec_journal *out, bool *exists, spec_arena *arena, const char *folder,
                      spec_err *err) {
  const steps s = {out, arena, err};
  const char *dir = join(&s, folder, SPEC_JOURNAL_DIR), *text;
  const char *file = dir == NULL ? NULL : join(&s, dir, "journal");
  const char *applied = dir == NULL ? NULL : join(&s, dir, "applied");
  spec_ftype type;
  size_t len;
  if (file == NULL || applied == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_link_type(&type, dir, err);
  *exists = rc == 0 && type != SPEC_FT_NONE;
  if (rc != 0 || !*exists)
    return rc;
  rc = spec_fs_read(arena, &text, &len, file, err);
  if (rc == 0)
    rc = spec_journal_parse(out, arena, text, len, file, err);
  out->folder = folder;
  for (size_t i = 0; i < out->count && rc == 0; i++) {
    spec_journal_change *c = &out->changes[i];
    rc = recall(&s, dir, "old", i, &c->old);
    if (rc == 0)
      rc = recall(&s, dir, "new", i, &c->new);
    if (rc == 0)
      rc = recall(&s, dir, "their", i, &c->their);
  }
  if (rc == 0)
    rc = spec_fs_link_type(&type, applied, err);
  out->applied = rc == 0 && type != SPEC_FT_NONE;
  return rc;
}

/* --- doing and undoing ---------------------------------------------------------------------- */

typedef enum seen { SEEN_NOTHING, SEEN_SAME, SEEN_OTHER } seen;

static bool has_bytes(const spec_fs_file *file, const spec_journal_text *wanted) {
  return wanted->text != NULL && file->len == wanted->len &&
         memcmp(file->data, wanted->text, file->len) == 0;
}

/* What is at a path now, held against what may be there. */
static int look(const steps *s, seen *out, spec_fs_file *file, const char *path,
                const spec_journal_text *wanted) {
  spec_ftype type;
  *out = SEEN_NOTHING;
  int rc = spec_fs_link_type(&type, path, s->err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  if (type != SPEC_FT_FILE) {
    spec_fail(s->err, SPEC_EREFUSED, "'%s' is no regular file any more", path);
    return spec_fail_mend(s->err, "move it away, and run the command again");
  }
  rc = spec_fs_load(s->arena, file, path, s->err);
  *out = rc == 0 && has_bytes(file, wanted) ? SEEN_SAME : SEEN_OTHER;
  return rc;
}

static int put(const steps *s, const char *path, const spec_journal_text *text) {
  const char *dir = spec_path_dirname(s->arena, path);
  int rc = dir == NULL ? spec_fail_memory(s->err) : spec_fs_mkdirs(dir, s->err);
  return rc != 0 ? rc : spec_fs_write(path, text->text, text->len, text->executable, NULL, s->err);
}

/* Removes a file, and folders that are empty then. */
static int take_away(const steps *s, const char *path) {
  int rc = spec_fs_remove(path, s->err);
  for (const char *dir = spec_path_dirname(s->arena, path); rc == 0;
       dir = spec_path_dirname(s->arena, dir)) {
    if (dir == NULL)
      return spec_fail_memory(s->err);
    if (spec_path_below(dir, s->journal->folder) == NULL || strcmp(dir, s->journal->folder) == 0)
      break;
    rc = spec_fs_remove_dir(dir, s->err);
  }
  return rc;
}

static bool moves(const spec_journal_change *c) {
  return c->old_path != NULL && (c->new_path == NULL || strcmp(c->old_path, c->new_path) != 0);
}

/* Something else has come to where a file is to be moved. */
static int refuse_taken(const steps *s, const char *path) {
  spec_fail(s->err, SPEC_EREFUSED, "'%s' is there already", path);
  return spec_fail_mend(s->err,
                        "move it away, and run `triton-spec upgrade --continue` or --abort");
}

static int apply_change(const steps *s, const spec_journal_change *c) {
  spec_fs_file file;
  seen now = SEEN_NOTHING, was = SEEN_NOTHING;
  const char *old = moves(c) ? join(s, s->journal->folder, c->old_path) : "";
  const char *new = c->new_path != NULL ? join(s, s->journal->folder, c->new_path) : "";
  if (old == NULL || new == NULL)
    return spec_fail_memory(s->err);
  int rc = moves(c) ? look(s, &was, &file, old, &c->old) : SPEC_OK;
  if (rc == 0 && c->new_path != NULL) {
    rc = look(s, &now, &file, new, &c->old);
    if (rc == 0 && now != SEEN_OTHER)
      rc = put(s, new, &c->new);
    else if (rc == 0 && was != SEEN_NOTHING && !has_bytes(&file, &c->new))
      rc = refuse_taken(s, new);
  }
  return rc == 0 && was == SEEN_SAME ? take_away(s, old) : rc;
}

int spec_journal_apply(spec_journal *journal, spec_arena *arena, spec_err *err) {
  const steps s = {journal, arena, err};
  int rc = SPEC_OK;
  for (size_t i = 0; i < journal->count && rc == 0; i++)
    if (journal->changes[i].form != SPEC_CHANGE_LOCK)
      rc = apply_change(&s, &journal->changes[i]);
  const char *path = spec_arena_printf(arena, "%s/%s/applied", journal->folder, SPEC_JOURNAL_DIR);
  if (rc == 0)
    rc = path == NULL ? spec_fail_memory(err) : spec_fs_write(path, "", 0, false, NULL, err);
  journal->applied = rc == 0;
  return rc;
}

/* Puts a file that was edited since where nothing will touch it. */
static int keep_edited(const steps *s, const char *below, const spec_fs_file *file, size_t *kept) {
  const char *path = spec_arena_printf(s->arena, "%s/%s/%s", s->journal->folder, EDITED_DIR, below);
  (*kept)++;
  const spec_journal_text text = {file->data, file->len, file->executable};
  return path == NULL ? spec_fail_memory(s->err) : put(s, path, &text);
}

/* Brings one path back to what the change found there. */
static int restore(const steps *s, const spec_journal_change *c, const char *below, bool was_there,
                   size_t *kept) {
  spec_fs_file file = {0};
  seen now;
  const char *path = join(s, s->journal->folder, below);
  const spec_journal_text none = {0};
  int rc = path == NULL ? spec_fail_memory(s->err)
                        : look(s, &now, &file, path, was_there ? &c->old : &none);
  if (rc == 0 && now == SEEN_OTHER && c->form != SPEC_CHANGE_LOCK && !has_bytes(&file, &c->new))
    rc = keep_edited(s, below, &file, kept);
  if (rc == 0 && was_there)
    rc = put(s, path, &c->old);
  else if (rc == 0 && now != SEEN_NOTHING)
    rc = take_away(s, path);
  return rc;
}

int spec_journal_undo(const spec_journal *journal, spec_arena *arena, size_t *kept, spec_err *err) {
  const steps s = {journal, arena, err};
  int rc = SPEC_OK;
  *kept = 0;
  for (size_t i = 0; i < journal->count && rc == 0; i++) {
    const spec_journal_change *c = &journal->changes[i];
    if (c->old_path != NULL)
      rc = restore(&s, c, c->old_path, true, kept);
    if (rc == 0 && c->new_path != NULL && (c->old_path == NULL || moves(c)))
      rc = restore(&s, c, c->new_path, false, kept);
  }
  return rc;
}

int spec_journal_end(const spec_journal *journal, spec_arena *arena, spec_err *err) {
  const steps s = {journal, arena, err};
  const char *gone, *path = join(&s, journal->folder, SPEC_JOURNAL_DIR);
  bool taken = false;
  int rc = path == NULL ? spec_fail_memory(err) : sweep(&s, path);
  for (size_t i = 0; rc == 0 && i < journal->count; i++) {
    rc = sweep_below(&s, journal->changes[i].old_path);
    if (rc == 0)
      rc = sweep_below(&s, journal->changes[i].new_path);
  }
  if (rc == 0)
    rc = spec_fs_temporary_folder(arena, &gone, path, err);
  if (rc == 0)
    rc = spec_fs_rename_folder(path, gone, &taken, err);
  return rc != 0 ? rc : spec_fs_remove_tree(gone, err);
}
