/* stage.c: wanted files first, then one pass that makes and prunes. */
#include "stage.h"

#include "base/err.h"
#include "base/path.h"
#include "core/plan_patch.h"
#include "core/results.h"
#include <string.h>

struct spec_stage {
  spec_arena *arena;
  const char *dir;
  spec_map *files; /* path -> spec_staged */
  spec_map *dirs;  /* every folder above a wanted file, "" too -> non-NULL */
  spec_map *bare;  /* folders that are wanted for themselves -> non-NULL */
};

int spec_stage_new(spec_stage **out, spec_arena *arena, const char *dir, spec_err *err) {
  spec_stage *stage = spec_arena_alloc(arena, sizeof *stage);
  if (stage == NULL)
    return spec_fail_memory(err);
  stage->arena = arena;
  stage->dir = dir;
  int rc = spec_map_new(&stage->files, arena, err);
  if (rc == 0)
    rc = spec_map_new(&stage->dirs, arena, err);
  if (rc == 0)
    rc = spec_map_new(&stage->bare, arena, err);
  if (rc != 0) {
    spec_stage_free(stage);
    return rc;
  }
  *out = stage;
  return SPEC_OK;
}

void spec_stage_free(spec_stage *stage) {
  if (stage == NULL)
    return;
  spec_map_free(stage->files);
  spec_map_free(stage->dirs);
  spec_map_free(stage->bare);
}

const char *spec_stage_dir(const spec_stage *stage) {
  return stage->dir;
}
size_t spec_stage_count(const spec_stage *stage) {
  return spec_map_count(stage->files);
}

static int add_dirs(spec_stage *stage, const char *path, spec_err *err) {
  for (const char *dir = path; *dir != '\0';) {
    dir = spec_path_dirname(stage->arena, dir);
    if (dir == NULL)
      return spec_fail_memory(err);
    bool known;
    spec_map_get(stage->dirs, dir, &known);
    if (known)
      return SPEC_OK;
    int rc = spec_map_set(stage->dirs, dir, stage, err);
    if (rc != 0)
      return rc;
  }
  return SPEC_OK;
}

static int add(spec_stage *stage, const char *path, const char *target,
               const spec_override *patched_by, spec_err *err) {
  spec_staged *file = spec_arena_alloc(stage->arena, sizeof *file);
  if (file == NULL)
    return spec_fail_memory(err);
  *file = (spec_staged){spec_arena_strdup(stage->arena, target), patched_by};
  if (file->target == NULL)
    return spec_fail_memory(err);
  int rc = spec_map_set(stage->files, path, file, err);
  return rc != 0 ? rc : add_dirs(stage, path, err);
}

int spec_stage_add(spec_stage *stage, const char *path, const char *target, spec_err *err) {
  return add(stage, path, target, NULL, err);
}

int spec_stage_add_override(spec_stage *stage, const spec_override *override, spec_err *err) {
  return add(stage, override->trunk, override->vendor, override->patched != NULL ? override : NULL,
             err);
}

int spec_stage_add_dir(spec_stage *stage, const char *path, spec_err *err) {
  int rc = spec_map_set(stage->bare, path, stage, err);
  if (rc == 0)
    rc = add_dirs(stage, path, err);
  return rc != 0 ? rc : spec_map_set(stage->dirs, path, stage, err);
}

bool spec_stage_has(const spec_stage *stage, const char *path) {
  return spec_map_get(stage->files, path, NULL) != NULL;
}

bool spec_stage_has_dir(const spec_stage *stage, const char *path) {
  return spec_map_get(stage->dirs, path, NULL) != NULL;
}

typedef struct visitor {
  spec_stage_fn *fn;
  void *user;
} visitor;

static int visit(void *user, const char *path, void *value) {
  const visitor *v = user;
  return v->fn(v->user, path, value);
}

int spec_stage_each(const spec_stage *stage, spec_stage_fn *fn, void *user) {
  visitor v = {fn, user};
  return spec_map_each(stage->files, visit, &v);
}

/* --- writing --- */

typedef struct writer {
  spec_stage *stage;
  const char *last_dir; /* the folder made last: files come grouped by folder */
  spec_err *err;
} writer;

static int make_file(void *user, const char *path, const spec_staged *file) {
  writer *w = user;
  spec_arena *arena = w->stage->arena;
  const char *full = spec_path_join(arena, w->stage->dir, path);
  const char *dir = spec_path_dirname(arena, path);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(w->err);
  if (w->last_dir == NULL || strcmp(dir, w->last_dir) != 0) {
    int rc = spec_results_folder(arena, w->stage->dir, dir, w->err);
    if (rc != 0)
      return rc;
    w->last_dir = dir;
  }
  if (file->patched_by == NULL)
    return spec_results_link(file->target, full, w->err);
  const spec_patched_file *made = file->patched_by->patched;
  return spec_results_write(full, made->text, made->len, made->executable, w->err);
}

static int make_bare(void *user, const char *path, void *value) {
  (void)value;
  writer *w = user;
  const char *full = spec_path_join(w->stage->arena, w->stage->dir, path);
  return full == NULL ? spec_fail_memory(w->err) : spec_fs_mkdirs(full, w->err);
}

static int prune_dir(spec_stage *stage, const char *path, spec_err *err) {
  const char *full = spec_path_join(stage->arena, stage->dir, path);
  if (full == NULL)
    return spec_fail_memory(err);
  spec_dirent *entries;
  size_t count;
  int rc = spec_fs_list(stage->arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *child = spec_path_join(stage->arena, path, entries[i].name);
    const char *gone = child == NULL ? NULL : spec_path_join(stage->arena, stage->dir, child);
    if (gone == NULL)
      return spec_fail_memory(err);
    if (entries[i].type == SPEC_FT_DIR)
      rc = spec_stage_has_dir(stage, child) ? prune_dir(stage, child, err)
                                            : spec_fs_remove_tree(gone, err);
    else if (!spec_stage_has(stage, child))
      rc = spec_fs_remove(gone, err);
  }
  return rc;
}

int spec_stage_write(spec_stage *stage, bool prune, spec_err *err) {
  writer w = {stage, NULL, err};
  int rc = spec_results_folder(stage->arena, stage->dir, "", err);
  if (rc == 0 && prune)
    rc = prune_dir(stage, "", err);
  if (rc == 0)
    rc = spec_stage_each(stage, make_file, &w);
  return rc != 0 ? rc : spec_map_each(stage->bare, make_bare, &w);
}

/* --- what a plan wants --- */

typedef struct twin {
  spec_stage *stage;
  const spec_plan *plan;
} twin;

static int add_twin_file(void *user, const char *path, spec_err *err) {
  const twin *t = user;
  if (spec_stage_has(t->stage, path))
    return SPEC_OK;
  const char *full = spec_path_join(t->stage->arena, t->plan->trunk.root, path);
  return full == NULL ? spec_fail_memory(err) : spec_stage_add(t->stage, path, full, err);
}

/* The files of one folder, none below it. */
static int add_neighbours(twin *t, const char *dir, spec_err *err) {
  spec_arena *arena = t->stage->arena;
  const char *full = spec_path_join(arena, t->plan->trunk.root, dir);
  spec_dirent *entries = NULL;
  size_t count = 0;
  int rc = full == NULL ? spec_fail_memory(err) : spec_fs_list(arena, &entries, &count, full, err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    const char *path = spec_path_join(arena, dir, entries[i].name);
    bool is_file = false;
    rc = path == NULL ? spec_fail_memory(err)
                      : spec_tree_has_file(t->plan->trunk.tree, &is_file, path, err);
    if (rc == 0 && is_file)
      rc = add_twin_file(t, path, err);
  }
  return rc;
}

/* What an overridden CMake file finds beside it: a folder's own CMakeLists.txt all that lies
 * in the folder, a module the files of its folder. */
static int add_twin(twin *t, const spec_override *o, spec_err *err) {
  const char *dir = spec_path_dirname(t->stage->arena, o->trunk);
  if (dir == NULL)
    return spec_fail_memory(err);
  if (strcmp(spec_path_basename(o->trunk), "CMakeLists.txt") != 0)
    return add_neighbours(t, dir, err);
  return spec_tree_walk(t->plan->trunk.tree, dir, add_twin_file, t, err);
}

bool spec_stage_is_twin(const spec_override *o) {
  return o->kind == SPEC_KIND_CMAKE && o->in_trunk && o->action != SPEC_REMOVE;
}

bool spec_stage_is_made(const spec_plan *plan, const char *path) {
  const spec_override *o = spec_plan_find(plan, path);
  if (o != NULL && o->action != SPEC_REMOVE)
    return true;
  for (size_t i = 0; i < plan->override_count; i++) {
    o = &plan->overrides[i];
    const char *name = spec_path_basename(o->trunk);
    size_t len = (size_t)(name - o->trunk); /* of its folder, the last slash included */
    if (spec_stage_is_twin(o) && strcmp(name, "CMakeLists.txt") == 0 &&
        strncmp(path, o->trunk, len) == 0)
      return true;
  }
  return false;
}

int spec_stage_overrides(spec_stage *stage, const spec_plan *plan, spec_err *err) {
  twin t = {stage, plan};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    if (o->kind != SPEC_KIND_PYTHON && o->action != SPEC_REMOVE)
      rc = spec_stage_add_override(stage, o, err);
  }
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (spec_stage_is_twin(&plan->overrides[i]))
      rc = add_twin(&t, &plan->overrides[i], err);
  return rc;
}
