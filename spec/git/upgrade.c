/* upgrade.c */
#include "git/upgrade.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/kind.h"
#include "core/patch.h"
#include "diff/patch_write.h"
#include "git/moved_folder.h"
#include <string.h>

#define PATCH_EXT ".patch"

typedef struct upgrading {
  spec_upgrade *out;
  const spec_upgrade_input *in;
  spec_vendor_file *files;
  size_t file_count;
  spec_lock old, new;
  const char *spec_cmake; /* the text of the backend's own; "" when it has none */
  spec_err *err;
} upgrading;

static int no_memory(upgrading *u) {
  return spec_fail_memory(u->err);
}

/* --- where a moved override goes ------------------------------------------------------------ */

/* The place of an override of another trunk path; NULL, and the reason: it has none. */
static int place(upgrading *u, const char **out, const char **why, const spec_vendor_file *file,
                 const char *trunk) {
  const char *inner = spec_path_below(trunk, "python"), *path;
  const bool is_module = file->kind == SPEC_KIND_PYTHON;
  *out = *why = NULL;
  if (is_module && (inner == NULL || spec_path_below(inner, "triton") == NULL))
    *why = "its module was moved out of python/triton";
  else if (!is_module && spec_kind_of(trunk) == SPEC_KIND_OTHER)
    *why = "its file was moved, and is of a kind that cannot be overridden now";
  if (*why != NULL)
    return SPEC_OK;
  if (is_module)
    path = spec_path_join(u->in->arena, "spec", inner);
  else if (spec_path_below(file->overlay, "python/src") && spec_path_below(trunk, "python/src"))
    path = trunk;
  else
    path = spec_path_join(u->in->arena, "spec_cpp", trunk);
  const bool is_patch = file->action == SPEC_PATCH;
  path = path == NULL ? NULL
                      : spec_arena_printf(u->in->arena, "%s%s", path, is_patch ? PATCH_EXT : "");
  const char *full = path == NULL ? NULL : spec_path_join(u->in->arena, u->in->backend->dir, path);
  spec_ftype type;
  int rc = full == NULL ? no_memory(u) : spec_fs_link_type(&type, full, u->err);
  if (rc == 0 && type != SPEC_FT_NONE)
    *why = "its file was moved to where the backend has an override already";
  *out = path;
  return rc;
}

static bool is_mentioned(const upgrading *u, const char *path) {
  return strstr(u->spec_cmake, path) != NULL;
}

static int note_move(upgrading *u, spec_upgrade_item *item) {
  if (is_mentioned(u, item->file->trunk))
    item->note = spec_arena_printf(u->in->arena, "spec.cmake names '%s': change it there",
                                   item->file->trunk);
  return is_mentioned(u, item->file->trunk) && item->note == NULL ? no_memory(u) : SPEC_OK;
}

/* --- what is written of one override -------------------------------------------------------- */

/* The patch as it is, when it makes the result of the new file too: its author's words stay. */
static int keep_patch(upgrading *u, spec_upgrade_item *item, spec_line result, bool *kept,
                      spec_fs_file *old) {
  const spec_line theirs = item->merge.theirs;
  const spec_patch_base base = {theirs.text, theirs.len, item->merge.trunk, true};
  spec_patch patch;
  spec_patched made = {0};
  spec_err refused = {0};
  int rc = spec_fs_load(u->in->arena, old, item->file->path, u->err);
  if (rc != 0)
    return rc;
  *kept = spec_patch_parse(&patch, u->in->arena, old->data, old->len, item->file->path,
                           item->merge.trunk, &refused) == 0 &&
          spec_patch_apply(&made, u->in->arena, &patch, &base, &refused) == 0 &&
          made.places.upstreamed == 0 && made.len == result.len &&
          (made.text == NULL) == (result.text == NULL) &&
          (made.text == NULL || memcmp(made.text, result.text, result.len) == 0);
  return SPEC_OK;
}

/* What a patch says ahead of its first header. */
static spec_line preamble(const spec_fs_file *patch) {
  size_t at = 0;
  while (at < patch->len && strncmp(patch->data + at, "diff --git ", 11) != 0 &&
         strncmp(patch->data + at, "--- ", 4) != 0) {
    const char *lf = memchr(patch->data + at, '\n', patch->len - at);
    at = lf == NULL ? patch->len : (size_t)(lf - patch->data) + 1;
  }
  return (spec_line){patch->data, at == patch->len ? 0 : at};
}

static int make_patch(upgrading *u, spec_upgrade_item *item, spec_line result) {
  const spec_override_merge *m = &item->merge;
  const spec_patch_make_options options = {.path = m->trunk};
  const spec_patch_side from = {m->theirs.text, m->theirs.len, false};
  const spec_patch_side to = {result.text, result.len, m->mode == 0100755};
  spec_patch_made made;
  spec_fs_file old;
  bool kept;
  int rc = keep_patch(u, item, result, &kept, &old);
  if (rc == 0 && kept)
    item->new = (spec_journal_text){old.data, old.len, old.executable};
  if (rc != 0 || kept)
    return rc;
  rc = spec_patch_make(&made, u->in->arena, &options, &from, &to, u->err);
  if (rc == 0 && made.len == 0)
    item->merge.carried = SPEC_CARRIED_UPSTREAMED;
  if (rc != 0 || made.len == 0)
    return rc;
  const spec_line words = preamble(&old);
  char *text = spec_arena_alloc(u->in->arena, words.len + made.len + 1);
  if (text == NULL)
    return no_memory(u);
  memcpy(text, words.text, words.len);
  memcpy(text + words.len, made.text, made.len);
  item->new = (spec_journal_text){text, words.len + made.len, m->executable};
  return SPEC_OK;
}

static int write_new(upgrading *u, spec_upgrade_item *item) {
  spec_override_merge *m = &item->merge;
  const spec_vendor_file *file = item->file;
  const spec_line result = m->merged.text;
  if (m->carried == SPEC_CARRIED_CONFLICT) {
    item->new = (spec_journal_text){result.text, result.len, m->executable};
    if (file->action != SPEC_PATCH)
      return SPEC_OK;
    size_t len = strlen(item->overlay) - strlen(PATCH_EXT);
    item->overlay = spec_arena_strndup(u->in->arena, item->overlay, len);
    return item->overlay == NULL ? no_memory(u) : SPEC_OK;
  }
  if (m->carried != SPEC_CARRIED_MERGED && m->carried != SPEC_CARRIED_REVIEW)
    return SPEC_OK;
  if (file->action == SPEC_PATCH)
    return make_patch(u, item, m->ours.text == NULL ? m->ours : result);
  if (file->action == SPEC_REPLACE)
    item->new = (spec_journal_text){result.text, result.len, m->executable};
  return SPEC_OK;
}

static int check_file(upgrading *u, spec_upgrade_item *item) {
  spec_ftype type;
  int rc = spec_fs_link_type(&type, item->file->path, u->err);
  if (rc != 0 || type == SPEC_FT_FILE)
    return rc;
  item->merge.carried = SPEC_CARRIED_BY_HAND;
  item->merge.why = "its file is a link: upgrade what it points to";
  return SPEC_OK;
}

static int settle(upgrading *u, spec_upgrade_item *item) {
  spec_override_merge *m = &item->merge;
  const char *why = NULL;
  int rc = SPEC_OK;
  item->overlay = item->file->overlay;
  if (m->carried != SPEC_CARRIED_SAME && item->file->action != SPEC_REMOVE)
    rc = check_file(u, item);
  if (rc == 0 && m->likeness > 0 && m->carried != SPEC_CARRIED_BY_HAND) {
    rc = place(u, &item->overlay, &why, item->file, m->trunk);
    if (rc == 0)
      rc = note_move(u, item);
  }
  if (why != NULL) {
    m->carried = SPEC_CARRIED_BY_HAND;
    m->why = why;
    item->overlay = item->file->overlay;
  }
  if (rc == 0)
    rc = write_new(u, item);
  if (rc == 0 && m->carried == SPEC_CARRIED_UPSTREAMED) {
    if (item->file->action == SPEC_REMOVE)
      item->note = "the trunk has removed it too: take it out of spec.ini";
    item->overlay = NULL;
  }
  return rc;
}

/* --- lock and journal ----------------------------------------------------------------------- */

static bool is_blocked(const spec_override_merge *m) {
  return m->carried == SPEC_CARRIED_CONFLICT || m->carried == SPEC_CARRIED_BY_HAND ||
         m->carried == SPEC_CARRIED_ORPHANED;
}

/* The override's line from now on.  What nobody could merge keeps its old one, and so stays
 * reported. */
static int set_line(upgrading *u, spec_upgrade_item *item, const spec_lock_line *old) {
  const spec_override_merge *m = &item->merge;
  if (m->carried == SPEC_CARRIED_UPSTREAMED)
    return SPEC_OK;
  if (m->carried == SPEC_CARRIED_BY_HAND || m->carried == SPEC_CARRIED_ORPHANED)
    return spec_lock_set(&u->new, old, u->err);
  item->review = old->review || m->carried == SPEC_CARRIED_REVIEW;
  const char *commit = u->in->to->commit;
  const spec_lock_line line = {.trunk = m->trunk,
                               .blob = m->blob,
                               .commit = *commit != '\0' ? commit : "-",
                               .review = item->review};
  return spec_lock_set(&u->new, &line, u->err);
}

static int add_change(upgrading *u, const spec_journal_change *change) {
  spec_journal *j = &u->out->journal;
  int rc =
      spec_arena_reserve(u->in->arena, &j->changes, j->count, &j->cap, sizeof *j->changes, u->err);
  if (rc == 0)
    j->changes[j->count++] = *change;
  return rc;
}

static int add_item(upgrading *u, const spec_upgrade_item *item) {
  const spec_override_merge *m = &item->merge;
  const bool drops = item->overlay == NULL;
  spec_fs_file old;
  if (item->file->action == SPEC_REMOVE || (item->new.text == NULL && !drops))
    return SPEC_OK;
  int rc = spec_fs_load(u->in->arena, &old, item->file->path, u->err);
  if (rc != 0)
    return rc;
  if (!drops && strcmp(item->overlay, item->file->overlay) == 0 && old.len == item->new.len &&
      memcmp(old.data, item->new.text, old.len) == 0)
    return SPEC_OK;
  const bool conflict = m->carried == SPEC_CARRIED_CONFLICT;
  const bool patch = conflict && item->file->action == SPEC_PATCH;
  const spec_journal_change change = {
      .conflict = conflict,
      .form = patch ? SPEC_CHANGE_PATCH : SPEC_CHANGE_COPY,
      .trunk = m->trunk,
      .old_path = item->file->overlay,
      .new_path = item->overlay,
      .old = {old.data, old.len, old.executable},
      .new = item->new,
      .their = conflict ? (spec_journal_text){m->theirs.text, m->theirs.len, false}
                        : (spec_journal_text){0}};
  return add_change(u, &change);
}

static int add_lock(upgrading *u) {
  const char *path = spec_path_join(u->in->arena, u->in->backend->dir, SPEC_LOCK_FILE);
  spec_fs_file old;
  spec_buf text = {0};
  if (path == NULL)
    return no_memory(u);
  int rc = spec_fs_load(u->in->arena, &old, path, u->err);
  spec_lock_text(&text, &u->new);
  const char *copy = spec_buf_failed(&text)
                         ? NULL
                         : spec_arena_strndup(u->in->arena, spec_buf_text(&text), text.len);
  if (rc == 0 && copy == NULL)
    rc = no_memory(u);
  if (rc == 0)
    rc = add_change(u, &(spec_journal_change){.form = SPEC_CHANGE_LOCK,
                                              .trunk = SPEC_LOCK_FILE,
                                              .old_path = SPEC_LOCK_FILE,
                                              .new_path = SPEC_LOCK_FILE,
                                              .old = {old.data, old.len, old.executable},
                                              .new = {copy, text.len, false}});
  spec_buf_dispose(&text);
  return rc;
}

/* --- all overrides -------------------------------------------------------------------------- */

static int read_spec_cmake(upgrading *u) {
  const char *path = spec_path_join(u->in->arena, u->in->backend->dir, "spec.cmake");
  spec_ftype type;
  size_t len;
  u->spec_cmake = "";
  int rc = path == NULL ? no_memory(u) : spec_fs_type(&type, path, u->err);
  if (rc == 0 && type == SPEC_FT_FILE)
    rc = spec_fs_read(u->in->arena, &u->spec_cmake, &len, path, u->err);
  return rc;
}

static int refuse_unlocked(upgrading *u, const spec_vendor_file *file) {
  spec_fail(u->err, SPEC_ENOTFOUND, "nothing says which trunk the override of '%s' was made for",
            file->trunk);
  spec_fail_where(u->err, "%s", file->path);
  return spec_fail_mend(u->err, "write its line into %s: triton-spec lock --rev REV %s",
                        SPEC_LOCK_FILE, file->overlay);
}

/* Labels name the commits, as a reader of the markers needs them. */
static int set_labels(upgrading *u, spec_override_merge_input *in, const spec_lock_line *line) {
  in->our_label = u->in->backend->name;
  in->base_label = strcmp(line->commit, "-") == 0
                       ? "locked trunk"
                       : spec_arena_printf(u->in->arena, "trunk %.12s", line->commit);
  in->their_label = spec_arena_printf(u->in->arena, "trunk %s", u->in->rev);
  return in->base_label == NULL || in->their_label == NULL ? no_memory(u) : SPEC_OK;
}

/* An addition goes with the folder that it was put into. */
static int follow_folder(upgrading *u, spec_upgrade_item *item, spec_renames *renames) {
  spec_override_merge *m = &item->merge;
  const char *folder;
  spec_fs_file own;
  if (m->carried != SPEC_CARRIED_SAME || strcmp(m->blob, "-") != 0 ||
      item->file->action != SPEC_REPLACE)
    return SPEC_OK;
  int rc = spec_moved_folder(&folder, renames, item->file->trunk, u->err);
  if (rc != 0 || folder == NULL)
    return rc;
  rc = spec_fs_load(u->in->arena, &own, item->file->path, u->err);
  if (rc != 0)
    return rc;
  m->carried = SPEC_CARRIED_REVIEW;
  m->likeness = 100;
  m->executable = own.executable;
  m->merged.text = (spec_line){own.data, own.len};
  m->trunk = spec_path_join(u->in->arena, folder, spec_path_basename(item->file->trunk));
  return m->trunk == NULL ? no_memory(u) : SPEC_OK;
}

static int carry(upgrading *u, spec_upgrade_item *item, spec_renames *renames) {
  const spec_lock_line *line = spec_lock_find(&u->old, item->file->trunk);
  spec_override_merge_input in = {
      .repository = u->in->repository, .arena = u->in->arena, .to = u->in->to, .renames = renames};
  if (line == NULL)
    return refuse_unlocked(u, item->file);
  int rc = set_labels(u, &in, line);
  if (rc == 0)
    rc = spec_override_merge_to(&item->merge, &in, item->file, line, u->err);
  if (rc == 0)
    rc = follow_folder(u, item, renames);
  if (rc == 0)
    rc = settle(u, item);
  if (rc == 0)
    rc = set_line(u, item, line);
  if (rc == 0)
    rc = add_item(u, item);
  u->out->blocked += rc == 0 && is_blocked(&item->merge);
  u->out->reviews += rc == 0 && item->merge.carried == SPEC_CARRIED_REVIEW;
  return rc;
}

static int check_twice(upgrading *u, size_t i) {
  if (i == 0 || strcmp(u->files[i - 1].trunk, u->files[i].trunk) != 0)
    return SPEC_OK;
  spec_fail(u->err, SPEC_EAMBIGUOUS, "'%s' and '%s' are for one file of the trunk",
            u->files[i - 1].overlay, u->files[i].overlay);
  return spec_fail_mend(u->err, "remove one of them");
}

static int carry_all(upgrading *u) {
  spec_upgrade *out = u->out;
  /* Files are taken for new that no locked commit has; with several, which there seldom are, the
   * whole revision is looked through. */
  spec_renames renames = {.repository = u->in->repository, .arena = u->in->arena, .to = u->in->to};
  spec_revision from;
  const char *commit = u->old.count > 0 ? u->old.lines[0].commit : "-";
  for (size_t i = 1; i < u->old.count; i++)
    if (strcmp(u->old.lines[i].commit, commit) != 0)
      commit = "-";
  if (strcmp(commit, "-") != 0 &&
      spec_repository_commit(u->in->repository, &from, commit, NULL) == 0)
    renames.from = &from;
  out->items = spec_arena_array(u->in->arena, u->file_count, sizeof *out->items);
  if (out->items == NULL)
    return no_memory(u);
  int rc = SPEC_OK;
  for (size_t i = 0; rc == 0 && i < u->file_count; i++) {
    spec_upgrade_item *item = &out->items[out->count++];
    item->file = &u->files[i];
    rc = check_twice(u, i);
    if (rc == 0)
      rc = carry(u, item, &renames);
  }
  return rc;
}

int spec_upgrade_plan(spec_upgrade *out, const spec_upgrade_input *in, spec_err *err) {
  *out = (spec_upgrade){0};
  upgrading u = {.out = out, .in = in, .err = err};
  bool exists;
  u.old.arena = u.new.arena = in->arena;
  out->journal.folder = in->backend->dir;
  out->journal.commit = *in->to->commit != '\0' ? in->to->commit : "-";
  out->journal.rev = in->rev;
  int rc = spec_lock_read(&u.old, &exists, in->backend->dir, err);
  if (rc == 0 && !exists) {
    spec_fail(err, SPEC_ENOTFOUND, "backend '%s' has no %s", in->backend->name, SPEC_LOCK_FILE);
    return spec_fail_mend(err, "say what its overrides were made against: triton-spec lock "
                               "--rev REV");
  }
  for (size_t i = 0; rc == 0 && i < u.old.count; i++)
    rc = spec_repository_lend_older(in->repository, u.old.lines[i].blob, in->older,
                                    u.old.lines[i].trunk, err);
  if (rc == 0)
    rc = read_spec_cmake(&u);
  if (rc == 0)
    rc = spec_vendor_files(in->arena, &u.files, &u.file_count, in->backend, err);
  if (rc == 0)
    rc = carry_all(&u);
  return rc != 0 ? rc : add_lock(&u);
}

int spec_upgrade_begin(spec_upgrade *upgrade, spec_arena *arena, spec_err *err) {
  int rc = spec_journal_begin(&upgrade->journal, arena, err);
  return rc != 0 ? rc : spec_journal_apply(&upgrade->journal, arena, err);
}
