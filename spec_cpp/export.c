/* export.c: first a list of all paths that may be there, then the files, then where they came from;
 * so a run that is stopped anywhere leaves what the next one knows again. */
#include "export.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "core/results.h"
#include "export_parts.h"
#include <string.h>

const char *spec_export_mode_name(spec_export_mode mode) {
  static const char *const names[] = {"copy", "links", "reflink"};
  return names[mode];
}

/* --- what an earlier run left --- */

/* Whether every folder of a path is a real one: nothing is removed through a link. */
static int is_reached(const spec_export *e, bool *out, const char *path, spec_err *err) {
  spec_ftype type = SPEC_FT_DIR;
  int rc = 0;
  for (const char *slash = strchr(path, '/'); rc == 0 && type == SPEC_FT_DIR && slash != NULL;
       slash = strchr(slash + 1, '/')) {
    const char *dir = spec_arena_strndup(e->arena, path, (size_t)(slash - path));
    const char *full = dir == NULL ? NULL : spec_path_join(e->arena, e->dir, dir);
    rc = full == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, full, err);
  }
  *out = type == SPEC_FT_DIR;
  return rc;
}

/* Removes the folders above a path that have become empty; not the export itself. */
static int remove_folders(const spec_export *e, const char *path, spec_err *err) {
  int rc = 0;
  for (const char *dir = spec_path_dirname(e->arena, path); rc == 0;) {
    if (dir == NULL)
      return spec_fail_memory(err);
    if (*dir == '\0')
      break;
    const char *full = spec_path_join(e->arena, e->dir, dir);
    rc = full == NULL ? spec_fail_memory(err) : spec_fs_remove_dir(full, err);
    dir = spec_path_dirname(e->arena, dir);
  }
  return rc;
}

typedef struct walker {
  spec_export *export;
  spec_err *err;
  const char *last_dir; /* the folder looked at or made last: files come grouped by folder */
} walker;

static int prune_file(void *user, const char *path, void *value) {
  walker *w = user;
  (void)value;
  spec_export *e = w->export;
  bool reached = false;
  spec_ftype type = SPEC_FT_NONE;
  if (spec_map_get(e->wanted, path, NULL) != NULL)
    return SPEC_OK;
  const char *full = spec_path_join(e->arena, e->dir, path);
  int rc = full == NULL ? spec_fail_memory(w->err) : is_reached(e, &reached, path, w->err);
  if (rc != 0 || !reached)
    return rc;
  rc = spec_fs_link_type(&type, full, w->err);
  if (rc != 0 || type == SPEC_FT_DIR)
    return rc;
  if (type != SPEC_FT_NONE) { /* else the earlier run was stopped before it removed the folder */
    rc = spec_fs_remove(full, w->err);
    e->counts.pruned += rc == 0;
  }
  return rc != 0 ? rc : remove_folders(e, path, w->err);
}

/* A name that fs_write.c gives to what it has not finished: .<name>.<process>.<number>.tmp */
static bool is_unfinished(const char *name) {
  const char *dot = name + strlen(name) - strlen(spec_path_ext(name));
  if (name[0] != '.' || strcmp(dot, ".tmp") != 0)
    return false;
  for (int part = 0; part < 2; part++) {
    const char *end = dot;
    while (dot > name && dot[-1] >= '0' && dot[-1] <= '9')
      dot--;
    if (dot == end || dot <= name + 1 || *--dot != '.')
      return false;
  }
  return true;
}

static int remove_unfinished(void *user, const char *path, void *value) {
  walker *w = user;
  (void)value;
  spec_export *e = w->export;
  const char *dir = spec_path_dirname(e->arena, path);
  if (dir == NULL)
    return spec_fail_memory(w->err);
  if (w->last_dir != NULL && strcmp(dir, w->last_dir) == 0)
    return SPEC_OK;
  w->last_dir = dir;
  const char *full = spec_path_join(e->arena, e->dir, dir);
  spec_ftype type = SPEC_FT_NONE;
  spec_dirent *entries = NULL;
  size_t count = 0;
  bool reached = false;
  int rc = full == NULL ? spec_fail_memory(w->err) : is_reached(e, &reached, path, w->err);
  if (rc == 0 && reached)
    rc = spec_fs_type(&type, full, w->err);
  if (rc == 0 && type == SPEC_FT_DIR)
    rc = spec_fs_list(e->arena, &entries, &count, full, w->err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *file = spec_path_join(e->arena, full, entries[i].name);
    if (file == NULL)
      rc = spec_fail_memory(w->err);
    else if (is_unfinished(entries[i].name))
      rc = spec_fs_remove(file, w->err);
  }
  return rc;
}

static int clear(spec_export *e, spec_err *err) {
  walker w = {e, err, NULL};
  int rc = 0;
  if (e->was_stopped) {
    rc = spec_map_each(e->known, remove_unfinished, &w);
    if (rc == 0)
      rc = spec_map_each(e->wanted, remove_unfinished, &w);
  }
  return rc != 0 ? rc : spec_map_each(e->known, prune_file, &w);
}

/* --- writing --- */

static int set_digest(spec_export_item *item, spec_err *err) {
  spec_arena *arena;
  const char *data = item->text;
  size_t len = item->len;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  if (data == NULL)
    rc = spec_fs_read(arena, &data, &len, item->source, err);
  spec_digest *digest = rc != 0 ? NULL : spec_digest_new(arena);
  if (digest != NULL) {
    spec_digest_add(digest, data, len);
    spec_digest_hex(digest, item->digest);
  } else if (rc == 0) {
    rc = spec_fail_memory(err);
  }
  spec_arena_free(arena);
  return rc;
}

static int write_item(void *user, const char *path, void *value) {
  walker *w = user;
  spec_export *e = w->export;
  spec_export_item *item = value;
  const char *full = spec_path_join(e->arena, e->dir, path);
  const char *dir = spec_path_dirname(e->arena, path);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(w->err);
  int rc = 0;
  if (w->last_dir == NULL || strcmp(dir, w->last_dir) != 0)
    rc = spec_results_folder(e->arena, e->dir, dir, w->err);
  w->last_dir = dir;
  *(item->layer == NULL ? &e->counts.trunk_files : &e->counts.vendor_files) += 1;
  if (rc != 0 || item->link != NULL)
    return rc != 0 ? rc : spec_results_link(item->link, full, w->err);
  rc = set_digest(item, w->err);
  if (rc != 0)
    return rc;
  if (item->text != NULL)
    return spec_results_write(full, item->text, item->len, item->executable, w->err);
  switch (e->mode) {
  case SPEC_EXPORT_LINKS:
    return spec_results_link(item->source, full, w->err);
  case SPEC_EXPORT_REFLINK:
    return spec_results_clone(item->source, full, w->err);
  default:
    return spec_results_copy(item->source, full, w->err);
  }
}

/* overlay.cmake and what it includes; neither when nothing is asked for. */
static int write_script(spec_export *e, const char *functions, spec_err *err) {
  spec_buf text = {0};
  const char *script = spec_path_join(e->arena, e->dir, SPEC_EXPORT_SCRIPT);
  const char *copy = spec_path_join(e->arena, e->dir, SPEC_EXPORT_FUNCTIONS);
  int rc =
      script == NULL || copy == NULL ? spec_fail_memory(err) : spec_export_script(e, &text, err);
  e->counts.has_script = text.len > 0;
  if (rc == 0 && text.len > 0) {
    rc = spec_fs_write(script, spec_buf_text(&text), text.len, false, NULL, err);
    if (rc == 0)
      rc = spec_results_copy(functions, copy, err);
  } else if (rc == 0) {
    rc = spec_fs_remove(script, err);
    if (rc == 0)
      rc = spec_fs_remove(copy, err);
  }
  spec_buf_dispose(&text);
  return rc;
}

static int write_all(spec_export *e, const char *functions, spec_err *err) {
  walker w = {e, err, NULL};
  int rc = spec_export_begin(e, err);
  if (rc == 0)
    rc = clear(e, err);
  if (rc == 0)
    rc = spec_map_each(e->wanted, write_item, &w);
  if (rc == 0)
    rc = write_script(e, functions, err);
  return rc != 0 ? rc : spec_export_end(e, err);
}

/* --- checks --- */

static int check_trunk(const spec_plan *plan, spec_err *err) {
  spec_ftype type = SPEC_FT_NONE;
  int rc = spec_tree_type(plan->trunk.tree, &type, SPEC_EXPORT_OWN, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  spec_fail(err, SPEC_EINVAL, "the trunk '%s' is an export itself: it has a '%s'", plan->trunk.root,
            SPEC_EXPORT_OWN);
  spec_fail_where(err, "%s/%s", plan->trunk.root, SPEC_EXPORT_OWN);
  return spec_fail_mend(err, "export over the tree that it was made from");
}

/* Makes the export's own folder and keeps other runs out; what they have made meanwhile is known
 * then. */
static int open_own(spec_export *e, spec_run_lock *lock, spec_err *err) {
  const char *own = spec_path_join(e->arena, e->dir, SPEC_EXPORT_OWN);
  int rc = own == NULL ? spec_fail_memory(err)
                       : spec_results_folder(e->arena, e->dir, SPEC_EXPORT_OWN, err);
  if (rc == 0)
    rc = spec_results_open(lock, &e->plan->report, own, err);
  return rc != 0 ? rc : spec_export_read(e, err);
}

static int run(spec_export *e, spec_run_lock *lock, const char *functions, spec_err *err) {
  int rc = spec_results_apart(e->plan, e->dir, err);
  if (rc == 0)
    rc = check_trunk(e->plan, err);
  if (rc == 0)
    rc = spec_map_new(&e->wanted, e->arena, err);
  if (rc == 0)
    rc = spec_map_new(&e->known, e->arena, err);
  if (rc == 0)
    rc = spec_export_read(e, err);
  if (rc == 0)
    rc = spec_export_collect(e, err);
  if (rc == 0)
    rc = open_own(e, lock, err);
  return rc != 0 ? rc : write_all(e, functions, err);
}

int spec_build_export(spec_exported *out, spec_plan *plan, const char *dir, spec_export_mode mode,
                      const char *functions, spec_err *err) {
  spec_export e = {.arena = plan->arena, .plan = plan, .dir = dir, .mode = mode};
  spec_run_lock lock = {-1};
  int rc = run(&e, &lock, functions, err);
  spec_run_lock_release(&lock);
  spec_map_free(e.wanted);
  spec_map_free(e.known);
  if (rc == 0)
    *out = e.counts;
  return rc;
}
