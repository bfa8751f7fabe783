/* overlay.c: a walk that links cannot lead out of or around in circles. */
#include "core/overlay.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "core/kind.h"
#include <string.h>

/* The folders on the way down, by their real paths: a link to one of them, or
 * to a folder above one, would never end. */
typedef struct frame {
  const struct frame *up;
  const char *real;
} frame;

/* Folders entered through links: two links in each of 40 folders, each to the next folder, would
 * be a million million paths. */
enum { MOST_LINKED = 10000 };

typedef struct walk {
  spec_arena *arena;
  const char *dir;  /* the layer's folder */
  const char *sub;  /* the walked folder below it */
  const char *real; /* the layer's folder without links */
  spec_reporter *report;
  spec_overlay_fn *fn;
  void *user;
  size_t *linked; /* folders entered through links so far */
} walk;

static int walk_dir(const walk *w, const char *path, const frame *up, const char *real,
                    spec_err *err);

bool spec_overlay_is_carried(const char *path) {
  for (const char *p = path; *p != '\0'; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f || strchr(";\"\\$[]'`^<>|*?&", *p) != NULL)
      return false;
  return spec_text_is_utf8(path, strlen(path));
}

static int report_at(const walk *w, spec_finding finding, const char *path, const char *b) {
  const char *where = spec_path_join(w->arena, w->dir, path);
  w->report->failed |= where == NULL;
  spec_report(w->report, finding, where, path, b, NULL);
  return SPEC_OK;
}

static bool is_on_the_way(const frame *top, const char *real) {
  for (; top != NULL; top = top->up)
    if (spec_path_below(top->real, real) != NULL)
      return true;
  return false;
}

static int walk_link(const walk *w, const char *path, const char *full, const frame *up,
                     spec_err *err) {
  const char *real, *text;
  int rc = spec_fs_real(w->arena, &real, full, err);
  if (rc == SPEC_ENOTFOUND) {
    rc = spec_fs_readlink(w->arena, &text, full, err);
    return rc != 0 ? rc : report_at(w, SPEC_F_DANGLING, path, text);
  }
  if (rc != 0)
    return rc;
  if (spec_path_below(real, w->real) == NULL)
    return report_at(w, SPEC_F_ESCAPE, path, real);
  spec_ftype type;
  rc = spec_fs_type(&type, real, err);
  if (rc != 0)
    return rc;
  if (type == SPEC_FT_FILE)
    return w->fn(w->user, spec_path_below(path, w->sub), err);
  if (type != SPEC_FT_DIR)
    return report_at(w, SPEC_F_NOT_A_FILE, path, NULL);
  if (is_on_the_way(up, real))
    return report_at(w, SPEC_F_LINK_LOOP, path, NULL);
  if (++*w->linked > MOST_LINKED) {
    spec_fail(err, SPEC_EINVAL, "the overlay's links lead to more than %d folders", MOST_LINKED);
    spec_fail_where(err, "%s", full);
    return spec_fail_mend(err, "replace links to folders by links to files");
  }
  return walk_dir(w, path, up, real, err);
}

static int walk_entry(const walk *w, const char *path, spec_ftype type, const frame *up,
                      spec_err *err) {
  const char *full = spec_path_join(w->arena, w->dir, path);
  if (full == NULL)
    return spec_fail_memory(err);
  if (!spec_overlay_is_carried(path))
    return report_at(w, SPEC_F_BAD_NAME, path, NULL);
  switch (type) {
  case SPEC_FT_FILE:
    return w->fn(w->user, spec_path_below(path, w->sub), err);
  case SPEC_FT_DIR: {
    const char *real = spec_path_join(w->arena, up->real, spec_path_basename(path));
    return real == NULL ? spec_fail_memory(err) : walk_dir(w, path, up, real, err);
  }
  case SPEC_FT_LINK:
    return walk_link(w, path, full, up, err);
  default:
    return report_at(w, SPEC_F_NOT_A_FILE, path, NULL);
  }
}

static int walk_dir(const walk *w, const char *path, const frame *up, const char *real,
                    spec_err *err) {
  const char *full = spec_path_join(w->arena, w->dir, path);
  if (full == NULL)
    return spec_fail_memory(err);
  spec_dirent *entries;
  size_t count;
  int rc = spec_fs_list(w->arena, &entries, &count, full, err);
  const frame here = {up, real};
  for (size_t i = 0; rc == 0 && i < count; i++) {
    if (spec_kind_is_ignored_dir(entries[i].name))
      continue;
    const char *child = spec_path_join(w->arena, path, entries[i].name);
    rc = child == NULL ? spec_fail_memory(err) : walk_entry(w, child, entries[i].type, &here, err);
  }
  return rc;
}

int spec_overlay_walk(spec_arena *arena, const char *layer_dir, const char *sub,
                      spec_reporter *report, spec_overlay_fn *fn, void *user, spec_err *err) {
  size_t linked = 0;
  walk w = {arena, layer_dir, sub, NULL, report, fn, user, &linked};
  const char *full = spec_path_join(arena, layer_dir, sub);
  if (full == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_link_type(&type, full, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  rc = spec_fs_real(arena, &w.real, layer_dir, err);
  if (rc != 0)
    return rc;
  const frame top = {NULL, w.real};
  return walk_entry(&w, sub, type, &top, err);
}
