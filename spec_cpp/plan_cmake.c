/* plan_cmake.c */
#include "plan_cmake.h"

#include "base/err.h"
#include "base/path.h"
#include "cmake_text.h"
#include <string.h>

typedef struct writer {
  spec_arena *arena;
  spec_buf *out;
  const spec_merged *view;
  const char *out_dir;
  spec_err *err;
} writer;

static int set_one(const writer *w, const char *prefix, const char *path, const char *value) {
  const char *name = spec_arena_printf(w->arena, "%s%s", prefix, path);
  if (name == NULL || value == NULL)
    return spec_fail_memory(w->err);
  spec_cmake_global(w->out, name, &value, 1);
  return SPEC_OK;
}

/* A file that exists in the build's own paths: the stage's when overridden. */
static const char *path_of(const writer *w, const char *id) {
  const spec_override *o = spec_merged_override(w->view, id);
  bool staged = o != NULL && o->action != SPEC_REMOVE;
  return spec_path_join(w->arena, staged ? w->view->stage : w->view->plan->trunk.root, id);
}

static int write_td(const writer *w, const spec_td *td) {
  const char **items = spec_arena_array(w->arena, td->file_count + 3, sizeof *items);
  const char *name =
      spec_arena_printf(w->arena, "_SPEC_TD/%s/%s", w->view->plan->trunk.root, td->path);
  if (items == NULL || name == NULL)
    return spec_fail_memory(w->err);
  size_t n = 0;
  items[n++] = td->path;
  items[n++] = spec_tblgen_wrapper(w->arena, w->out_dir, td);
  items[n++] = td->replaced ? path_of(w, td->path) : "-";
  for (size_t i = 0; i < td->file_count; i++)
    items[n++] = path_of(w, td->files[i]);
  for (size_t i = 0; i < n; i++)
    if (items[i] == NULL)
      return spec_fail_memory(w->err);
  spec_cmake_global(w->out, name, items, n);
  return SPEC_OK;
}

static int write_tds(const writer *w, const spec_tds *tds) {
  int rc = set_one(w, "_SPEC_HAS_TD", "", tds->count > 0 ? "ON" : "OFF");
  for (size_t i = 0; rc == 0 && i < tds->count; i++)
    rc = write_td(w, &tds->items[i]);
  return rc;
}

static int write_overrides(const writer *w) {
  const spec_plan *plan = w->view->plan;
  bool folders = false, modules = false;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    if (o->action == SPEC_REMOVE)
      continue;
    if (o->kind == SPEC_KIND_SOURCE) {
      rc = set_one(w, "_SPEC_FILE/", o->trunk, path_of(w, o->trunk));
    } else if (o->kind == SPEC_KIND_CMAKE &&
               strcmp(spec_path_basename(o->trunk), "CMakeLists.txt") == 0) {
      const char *dir = spec_path_dirname(w->arena, o->trunk);
      folders = true;
      rc = dir == NULL ? spec_fail_memory(w->err) : set_one(w, "_SPEC_FOLDER/", dir, "ON");
    } else if (o->kind == SPEC_KIND_CMAKE) {
      modules = true;
      rc = set_one(w, "_SPEC_MODULE/", o->trunk, path_of(w, o->trunk));
    }
  }
  if (rc == 0)
    rc = set_one(w, "_SPEC_HAS_FOLDER", "", folders ? "ON" : "OFF");
  return rc != 0 ? rc : set_one(w, "_SPEC_HAS_MODULE", "", modules ? "ON" : "OFF");
}

/* An optional file of a layer, when it is there. */
static int layer_file(const writer *w, const char **out, const char *dir, const char *name) {
  const char *path = spec_path_join(w->arena, dir, name);
  if (path == NULL)
    return spec_fail_memory(w->err);
  spec_ftype type;
  int rc = spec_fs_type(&type, path, w->err);
  *out = type == SPEC_FT_FILE ? path : NULL;
  return rc;
}

/* Files that overrides may be made of: of each its own, those below it, and the trunk's. */
static size_t count_files(const spec_plan *plan) {
  return plan->override_count * (plan->layer_count + 1);
}

/* The vendor's file; if that is a patch, also what it is applied to. */
static int add_sources(const writer *w, const char **items, size_t *count, const spec_override *o) {
  items[(*count)++] = o->vendor;
  while (o->action == SPEC_PATCH && o->below != NULL) {
    o = o->below;
    items[(*count)++] = o->vendor;
  }
  if (o->action != SPEC_PATCH || !o->in_trunk)
    return SPEC_OK;
  const char *trunk = spec_path_join(w->arena, w->view->plan->trunk.root, o->trunk);
  items[(*count)++] = trunk;
  return trunk == NULL ? spec_fail_memory(w->err) : SPEC_OK;
}

static int write_layers(const writer *w) {
  const spec_plan *plan = w->view->plan;
  const char **dirs = spec_arena_array(w->arena, plan->layer_count, sizeof *dirs);
  const char **scripts = spec_arena_array(w->arena, plan->layer_count, sizeof *scripts);
  const char **depends =
      spec_arena_array(w->arena, plan->layer_count * 2 + count_files(plan), sizeof *depends);
  if (dirs == NULL || scripts == NULL || depends == NULL)
    return spec_fail_memory(w->err);
  size_t script_count = 0, depend_count = 0;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++) {
    const char *script = NULL, *ini = NULL;
    dirs[i] = plan->layers[i].dir;
    rc = layer_file(w, &script, dirs[i], "spec.cmake");
    if (rc == 0)
      rc = layer_file(w, &ini, dirs[i], "spec.ini");
    if (rc == 0 && script != NULL)
      depends[depend_count++] = scripts[script_count++] = script;
    if (rc == 0 && ini != NULL)
      depends[depend_count++] = ini;
  }
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].kind == SPEC_KIND_CMAKE && plan->overrides[i].action != SPEC_REMOVE)
      rc = add_sources(w, depends, &depend_count, &plan->overrides[i]);
  if (rc == 0) {
    spec_cmake_global(w->out, "_SPEC_LAYER_DIRS", dirs, plan->layer_count);
    spec_cmake_global(w->out, "_SPEC_SCRIPTS", scripts, script_count);
    spec_cmake_global(w->out, "_SPEC_DEPENDS", depends, depend_count);
  }
  return rc;
}

int spec_plan_cmake(spec_arena *arena, spec_buf *out, const spec_merged *view, const spec_tds *tds,
                    const spec_stage *stage, const char *out_dir, spec_err *err) {
  const writer w = {arena, out, view, out_dir, err};
  spec_buf_str(out, "# Made by triton-spec.\n");
  int rc = set_one(&w, "_SPEC_TRUNK", "", view->plan->trunk.root);
  if (rc == 0)
    rc = set_one(&w, "_SPEC_STAGE", "", spec_stage_dir(stage));
  if (rc == 0)
    rc = write_layers(&w);
  if (rc == 0)
    rc = write_tds(&w, tds);
  if (rc == 0)
    rc = write_overrides(&w);
  return rc == 0 && spec_buf_failed(out) ? spec_fail_memory(err) : rc;
}
