/* export_tree.c: which files an export has, and where each is taken from. */
#include "export_parts.h"

#include "base/err.h"
#include "base/path.h"
#include "core/plan_patch.h"
#include <string.h>

/* A folder whose files are taken: the trunk, or a layer that lies outside it. */
typedef struct source {
  spec_export *export;
  spec_tree *tree;
  const char *root, *real; /* as spelled, and without links */
  const char *prefix;      /* where its files lie in the export */
  const char *layer;       /* NULL: the trunk */
} source;

int spec_export_want(spec_export *e, const char *path, spec_export_item item, spec_err *err) {
  if (!spec_text_is_utf8(path, strlen(path))) {
    spec_fail(err, SPEC_EINVAL, "the name '%s' is not UTF-8, so no list of files can hold it",
              path);
    return spec_fail_mend(err, "rename the file");
  }
  spec_export_item *copy = spec_arena_alloc(e->arena, sizeof *copy);
  if (copy == NULL)
    return spec_fail_memory(err);
  *copy = item;
  return spec_map_set(e->wanted, path, copy, err);
}

static spec_export_item item_of(const spec_export *e, const spec_override *o) {
  spec_export_item item = {.layer = e->plan->layers[o->layer].name, .override = o};
  if (o->patched == NULL) {
    item.source = o->vendor;
  } else {
    item.text = o->patched->text;
    item.len = o->patched->len;
    item.executable = o->patched->executable;
  }
  return item;
}

/* Whether the export has nothing of a trunk path, or export_package.c says what. */
static bool is_left_out(const spec_override *o) {
  return o->action == SPEC_REMOVE || o->kind == SPEC_KIND_PYTHON;
}

/* --- one entry of a folder --- */

static int take_file(const source *s, const char *path, spec_err *err) {
  spec_export *e = s->export;
  const spec_override *o = s->layer == NULL ? spec_plan_find(e->plan, path) : NULL;
  if (o != NULL && is_left_out(o))
    return SPEC_OK;
  const char *place = spec_path_join(e->arena, s->prefix, path);
  if (place == NULL)
    return spec_fail_memory(err);
  if (o != NULL)
    return spec_export_want(e, place, item_of(e, o), err);
  spec_export_item item = {.layer = s->layer};
  item.source = spec_path_join(e->arena, s->root, path);
  return item.source == NULL ? spec_fail_memory(err) : spec_export_want(e, place, item, err);
}

/* The way from the folder of path to target, both below one root. */
static const char *way_to(spec_arena *arena, const char *path, const char *target) {
  const char *way = target;
  for (const char *slash = strchr(path, '/'); way != NULL && slash != NULL;
       slash = strchr(slash + 1, '/'))
    way = spec_path_join(arena, "..", way);
  return way != NULL && *way == '\0' ? "." : way;
}

/* Whether an override's path leads through a folder: then that cannot be a link. */
static bool leads_to_override(const source *s, const char *dir) {
  const spec_plan *plan = s->export->plan;
  for (size_t i = 0; s->layer == NULL && i < plan->override_count; i++)
    if (spec_path_below(plan->overrides[i].trunk, dir) != NULL)
      return true;
  return false;
}

/* A link to a folder stays a link: into the export where it led into its own root. */
static int take_folder_link(const source *s, const char *path, spec_err *err) {
  spec_export *e = s->export;
  const char *full = spec_path_join(e->arena, s->root, path), *real = NULL;
  int rc = full == NULL ? spec_fail_memory(err) : spec_fs_real(e->arena, &real, full, err);
  if (rc != 0)
    return rc;
  const char *inside = spec_path_below(real, s->real);
  if (inside == NULL && e->mode != SPEC_EXPORT_LINKS) {
    spec_fail(err, SPEC_EINVAL, "'%s' is a link to a folder outside '%s': it leads to '%s'", path,
              s->root, real);
    spec_fail_where(err, "%s", full);
    return spec_fail_mend(err, "put the folder in the link's place, or export with --links");
  }
  const char *place = spec_path_join(e->arena, s->prefix, path);
  spec_export_item item = {.layer = s->layer};
  item.link = inside != NULL ? way_to(e->arena, path, inside) : real;
  return place == NULL || item.link == NULL ? spec_fail_memory(err)
                                            : spec_export_want(e, place, item, err);
}

static int take_folder(const source *s, const char *dir, spec_err *err);

static int take_entry(const source *s, const char *path, spec_ftype type, spec_err *err) {
  spec_ftype real = type;
  bool skipped = false;
  int rc = 0;
  if (strcmp(spec_path_basename(path), ".git") == 0) /* a file too, in a submodule or worktree */
    return SPEC_OK;
  if (type == SPEC_FT_LINK)
    rc = spec_tree_type(s->tree, &real, path, err);
  if (rc != 0 || real == SPEC_FT_FILE)
    return rc != 0 ? rc : take_file(s, path, err);
  if (real != SPEC_FT_DIR)
    return SPEC_OK;
  if (type == SPEC_FT_LINK && !leads_to_override(s, path))
    return take_folder_link(s, path, err);
  rc = spec_tree_skips(s->tree, &skipped, path, err);
  return rc != 0 || skipped ? rc : take_folder(s, path, err);
}

static int take_folder(const source *s, const char *dir, spec_err *err) {
  spec_arena *arena = s->export->arena;
  const char *full = spec_path_join(arena, s->root, dir);
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = full == NULL ? spec_fail_memory(err) : spec_fs_list(arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(arena, dir, entries[i].name);
    rc = path == NULL ? spec_fail_memory(err) : take_entry(s, path, entries[i].type, err);
  }
  return rc;
}

/* --- layers --- */

static int take_layer(spec_export *e, const spec_layer *layer, const char *prefix, spec_err *err) {
  source s = {.export = e, .root = layer->dir, .prefix = prefix, .layer = layer->name};
  int rc = spec_fs_real(e->arena, &s.real, layer->dir, err);
  if (rc == 0)
    rc = spec_tree_new(&s.tree, e->arena, layer->dir, err);
  if (rc != 0)
    return rc;
  rc = take_folder(&s, "", err);
  spec_tree_free(s.tree);
  return rc;
}

/* The spec.cmake of a layer.  What it names beside itself must be there too, so the folder of one
 * that is not part of the trunk comes along. */
static int add_script(spec_export *e, const spec_layer *layer, spec_err *err) {
  const char *script = spec_path_join(e->arena, layer->dir, "spec.cmake");
  spec_ftype type = SPEC_FT_NONE;
  int rc = script == NULL ? spec_fail_memory(err) : spec_fs_type(&type, script, err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  const char *folder = spec_path_below(layer->dir, e->plan->trunk.root);
  if (folder == NULL) {
    folder = spec_path_join(e->arena, SPEC_EXPORT_OWN, layer->name);
    rc = folder == NULL ? spec_fail_memory(err) : take_layer(e, layer, folder, err);
  }
  const char *path = rc != 0 ? NULL : spec_path_join(e->arena, folder, "spec.cmake");
  if (rc == 0 && path == NULL)
    rc = spec_fail_memory(err);
  e->scripts[e->script_count] = path;
  e->script_count += rc == 0;
  return rc;
}

static int add_additions(spec_export *e, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->plan->override_count; i++) {
    const spec_override *o = &e->plan->overrides[i];
    bool there = false;
    if (!is_left_out(o))
      rc = spec_tree_has_file(e->plan->trunk.tree, &there, o->trunk, err);
    if (rc == 0 && !is_left_out(o) && !there)
      rc = spec_export_want(e, o->trunk, item_of(e, o), err);
    e->counts.removed += o->action == SPEC_REMOVE;
  }
  return rc;
}

int spec_export_collect(spec_export *e, spec_err *err) {
  const spec_trunk *trunk = &e->plan->trunk;
  const source s = {e, trunk->tree, trunk->root, trunk->real, "", NULL};
  e->scripts = spec_arena_array(e->arena, e->plan->layer_count, sizeof *e->scripts);
  if (e->scripts == NULL)
    return spec_fail_memory(err);
  int rc = take_folder(&s, "", err);
  if (rc == 0)
    rc = add_additions(e, err);
  if (rc == 0)
    rc = spec_export_package(e, err);
  for (size_t i = 0; rc == 0 && i < e->plan->layer_count; i++)
    rc = add_script(e, &e->plan->layers[i], err);
  return rc != 0 ? rc : spec_reporter_result(&e->plan->report, err);
}
