/* extract.c: what becomes of each file of a fork. */
#include "git/extract.h"

#include "base/err.h"
#include "base/path.h"
#include "core/counterpart.h"
#include "core/kind.h"
#include "diff/lines.h"
#include "diff/patch_write.h"
#include "git/extract_parts.h"
#include <string.h>

/* inih cuts longer lines. */
enum { INI_LINE = 199 };

const char *spec_extract_form_name(spec_extract_form form) {
  static const char *const names[] = {"patch", "copy", "addition", "removal", "own", "rest"};
  return names[form];
}

static void leave(spec_extract_item *item, const char *reason) {
  item->form = SPEC_EXTRACT_REST;
  item->reason = reason;
}

/* The bytes of both sides; those that are no files stay absent. */
static int read_sides(const spec_extract *e, const spec_extract_item *item,
                      spec_patch_side sides[2], spec_err *err) {
  const spec_snapshot *from[] = {e->base, e->fork};
  const spec_snapshot_file *files[] = {item->base, item->fork};
  int rc = 0;
  for (int i = 0; rc == 0 && i < 2; i++) {
    sides[i] = (spec_patch_side){0};
    if (files[i] == NULL || files[i]->type != SPEC_ENTRY_FILE)
      continue;
    sides[i].executable = files[i]->executable;
    rc = spec_snapshot_read(from[i], e->arena, &sides[i].text, &sides[i].len, files[i], err);
  }
  return rc;
}

/* Whether spec.ini can say something of a path. */
static bool fits_ini(const char *before, const char *path, const char *behind) {
  return strlen(before) + strlen(path) + strlen(behind) <= INI_LINE;
}

/* A copy of a module replaces it only where policy says so. */
static void set_policy(spec_extract_item *item, const spec_counterpart *place, bool whole) {
  if (place->package == NULL)
    return;
  bool is_module = strcmp(spec_path_ext(place->package), ".py") == 0;
  bool merges = place->policy == SPEC_POLICY_MERGE && is_module && whole && item->base != NULL;
  if (place->policy != SPEC_POLICY_CLOSED && !merges)
    return;
  item->policy = place->package;
  if (strpbrk(place->package, "=:") != NULL || !fits_ini("", place->package, " = whole"))
    leave(item, "policy needs a line in spec.ini, which cannot hold this name");
}

static void carry(spec_extract_item *item, const char *text, size_t len) {
  item->text = text;
  item->len = len;
  item->carried = spec_lines_count(text, len);
}

/* A file that both have: a patch, or a copy where that is no smaller by half. */
static int change(const spec_extract *e, spec_extract_item *item, const spec_counterpart *place,
                  const spec_patch_side sides[2], spec_err *err) {
  const spec_patch_make_options options = {.path = item->trunk};
  spec_patch_made made;
  int rc = spec_patch_make(&made, e->arena, &options, &sides[0], &sides[1], err);
  if (rc != 0)
    return rc;
  item->removed = made.removed;
  item->added = made.added;
  if (made.len == 0) {
    leave(item, "only the mode differs");
    return SPEC_OK;
  }
  bool whole = place->form == SPEC_COUNTERPART_COPY ||
               (place->form == SPEC_COUNTERPART_ANY && made.len > sides[1].len / 2);
  item->form = whole ? SPEC_EXTRACT_COPY : SPEC_EXTRACT_PATCH;
  carry(item, whole ? sides[1].text : made.text, whole ? sides[1].len : made.len);
  set_policy(item, place, whole);
  if (!whole && item->form == SPEC_EXTRACT_PATCH)
    item->overlay = spec_arena_printf(e->arena, "%s.patch", place->overlay);
  return item->overlay == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* A file that only the fork has. */
static void add(const spec_extract *e, spec_extract_item *item, const spec_counterpart *place,
                const spec_patch_side *fork) {
  item->form = SPEC_EXTRACT_ADDITION;
  carry(item, fork->text, fork->len);
  if (place->form == SPEC_COUNTERPART_PATCH)
    leave(item, "the base has no such file to patch");
  else if (spec_extract_is_under_file(e->base, item->trunk))
    leave(item, "the base has a file where its folder is");
  else if (spec_extract_is_folder(e->base, item->trunk))
    leave(item, "the base has a folder there");
  else
    set_policy(item, place, true);
}

static void take_out(spec_extract_item *item, const spec_counterpart *place) {
  item->form = SPEC_EXTRACT_REMOVAL;
  item->overlay = "spec.ini";
  if (!place->removable)
    leave(
        item,
        "removed by the fork: only sources and modules can be taken out, so override what uses it");
  else if (!fits_ini("path = ", item->trunk, ""))
    leave(item, "a path too long for a line of spec.ini");
}

/* What is not a file, before or after. */
static const char *reason_of_type(const spec_snapshot_file *file) {
  if (file == NULL || file->type == SPEC_ENTRY_FILE)
    return NULL;
  if (file->type == SPEC_ENTRY_LINK)
    return "a symbolic link";
  return file->type == SPEC_ENTRY_SUBMODULE ? "a submodule" : "no regular file";
}

/* Whether a name of the backend's own folder has a meaning in every overlay. */
static bool is_reserved(const char *path) {
  static const char *const names[] = {"spec",      "spec_cpp",   "spec.ini",    "spec.cmake",
                                      "spec.lock", "python/src", "backend/spec"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (spec_path_below(path, names[i]) != NULL)
      return true;
  return false;
}

/* A file of the fork's third_party/<name>, which becomes the backend's folder. */
static void take_own(spec_extract_item *item, const char *path, const spec_patch_side *fork) {
  item->form = SPEC_EXTRACT_OWN;
  item->overlay = path;
  carry(item, fork->text, fork->len);
  if (is_reserved(path))
    leave(item, "in an overlay's folder that name means something else");
}

static int place_item(const spec_extract *e, spec_extract_item *item, bool own_is_new,
                      const spec_patch_side sides[2], spec_err *err) {
  const spec_backend backend = {.name = e->name};
  spec_counterpart place;
  const char *own = own_is_new ? spec_path_below(item->trunk, e->own) : NULL;
  const char *reason = reason_of_type(item->fork != NULL ? item->fork : item->base);
  if (reason == NULL && reason_of_type(item->base) != NULL)
    reason = "the base has no regular file there";
  if (reason != NULL) {
    leave(item, reason);
    return SPEC_OK;
  }
  if (own != NULL && *own != '\0') {
    take_own(item, own, &sides[1]);
    return SPEC_OK;
  }
  int rc = spec_counterpart_of(&place, e->arena, &backend, item->trunk, err);
  if (rc != 0)
    return rc;
  item->overlay = place.overlay;
  if (place.overlay == NULL)
    leave(item, place.reason);
  else if (item->fork == NULL)
    take_out(item, &place);
  else if (item->base == NULL)
    add(e, item, &place, &sides[1]);
  else
    rc = change(e, item, &place, sides, err);
  return rc;
}

/* Lines in which a file differs that is not compared otherwise. */
static int count_difference(const spec_extract *e, spec_extract_item *item,
                            const spec_patch_side sides[2], spec_err *err) {
  spec_patch_made made;
  if (item->removed + item->added > 0)
    return SPEC_OK;
  if (item->base == NULL || item->fork == NULL) {
    item->added = spec_lines_count(sides[1].text, sides[1].len);
    item->removed = spec_lines_count(sides[0].text, sides[0].len);
    return SPEC_OK;
  }
  int rc = spec_patch_make(&made, e->arena, &(spec_patch_make_options){.path = item->trunk},
                           &sides[0], &sides[1], err);
  item->removed = rc == 0 ? made.removed : 0;
  item->added = rc == 0 ? made.added : 0;
  return rc;
}

static int add_item(spec_extract *e, const char *path, const spec_snapshot_file *base,
                    const spec_snapshot_file *fork, bool own_is_new, spec_err *err) {
  spec_extract_item item = {.trunk = path, .base = base, .fork = fork};
  spec_patch_side sides[2];
  int rc = read_sides(e, &item, sides, err);
  if (rc == 0)
    rc = place_item(e, &item, own_is_new, sides, err);
  if (rc == 0)
    rc = count_difference(e, &item, sides, err);
  if (rc == 0)
    rc = spec_arena_reserve(e->arena, &e->items, e->count, &e->cap, sizeof item, err);
  if (rc != 0)
    return rc;
  if (item.form == SPEC_EXTRACT_REST) {
    item.overlay = item.text = item.policy = NULL;
    item.len = item.carried = 0;
  }
  item.lines = spec_lines_count(sides[1].text, sides[1].len);
  item.executable = fork != NULL && fork->executable;
  e->forms[item.form]++;
  e->items[e->count++] = item;
  return SPEC_OK;
}

static bool same(const spec_snapshot_file *a, const spec_snapshot_file *b) {
  return a->type == b->type && a->executable == b->executable && strcmp(a->id, b->id) == 0;
}

int spec_extract_plan(spec_extract *out, spec_arena *arena, const spec_snapshot *base,
                      const spec_snapshot *fork, const char *name, spec_err *err) {
  spec_extract e = {.arena = arena, .base = base, .fork = fork, .name = name};
  e.own = spec_arena_printf(arena, "third_party/%s", name);
  if (e.own == NULL)
    return spec_fail_memory(err);
  bool own_is_new = spec_extract_own_is_new(&e);
  int rc = 0;
  for (size_t i = 0, k = 0; rc == 0;) {
    const spec_snapshot_file *b = i < base->count ? &base->files[i] : NULL;
    const spec_snapshot_file *f = k < fork->count ? &fork->files[k] : NULL;
    if (b == NULL && f == NULL)
      break;
    int order = b == NULL ? 1 : f == NULL ? -1 : strcmp(b->path, f->path);
    i += order <= 0;
    k += order >= 0;
    if (order == 0 && same(b, f))
      e.unchanged++;
    else
      rc = add_item(&e, order <= 0 ? b->path : f->path, order <= 0 ? b : NULL,
                    order >= 0 ? f : NULL, own_is_new, err);
  }
  if (rc == 0)
    rc = spec_extract_find_owners(&e, err);
  if (rc == 0)
    *out = e;
  return rc;
}
