/* backdated.c */
#include "backdated.h"

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"
#include "ninja_build.h"
#include "ninja_deps.h"
#include <string.h>

typedef struct dropper {
  spec_arena *arena;
  const char *build;
  const spec_looks *then;
  int64_t last_output; /* no output is newer */
  spec_map *files;     /* path -> spec_look of today */
  spec_map *edges;     /* live output -> spec_ninja_edge */
  spec_err *err;
} dropper;

static bool has_changed(const spec_look *then, const spec_look *now) {
  if (then->digest != 0 && now->digest != 0)
    return then->digest != now->digest;
  return then->inode != now->inode || then->size != now->size || then->modified != now->modified;
}

static int collect(void *user, spec_look_kind kind, const char *path, const spec_look *now) {
  dropper *d = user;
  if (kind != SPEC_LOOK_INSIDE || now->type != SPEC_FT_FILE || now->modified > d->last_output)
    return SPEC_OK;
  const spec_look *then = spec_looks_get(d->then, kind, path);
  if (then == NULL || then->type != SPEC_FT_FILE || !has_changed(then, now))
    return SPEC_OK;
  return spec_map_set(d->files, path, (void *)now, d->err);
}

/* Removes the output when it is not older than the file that it read. */
static int drop(const dropper *d, const char *output, const spec_look *input) {
  const char *path = spec_path_resolve(d->arena, d->build, output);
  spec_look made;
  if (path == NULL)
    return spec_fail_memory(d->err);
  if (spec_path_below(path, d->build) == NULL)
    return SPEC_OK;
  int rc = spec_fs_glance(&made, SPEC_LOOK_INSIDE, path, d->err);
  if (rc != 0 || made.type != SPEC_FT_FILE || made.modified < input->modified)
    return rc;
  return spec_fs_remove(path, d->err);
}

static int read_input(const dropper *d, const char *output, const char *input) {
  const char *path = spec_path_resolve(d->arena, d->build, input);
  if (path == NULL)
    return spec_fail_memory(d->err);
  const spec_look *look = spec_map_get(d->files, path, NULL);
  return look == NULL ? SPEC_OK : drop(d, output, look);
}

/* Compiled outputs, by Ninja's log of depfiles. */
static int drop_by_deps(const dropper *d) {
  const char *file = spec_path_join(d->arena, d->build, ".ninja_deps"), *text;
  size_t len;
  spec_ftype type;
  spec_ninja_deps deps = {0};
  if (file == NULL)
    return spec_fail_memory(d->err);
  int rc = spec_fs_type(&type, file, d->err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_fs_read(d->arena, &text, &len, file, d->err);
  if (rc == 0)
    rc = spec_ninja_deps_parse(d->arena, &deps, text, len, file, d->err);
  for (size_t i = 0; rc == 0 && i < deps.path_count; i++) {
    bool live;
    (void)spec_map_get(d->edges, deps.paths[i], &live);
    for (size_t k = 0; rc == 0 && live && deps.inputs[i] != NULL && k < deps.input_counts[i]; k++)
      rc = read_input(d, deps.paths[i], deps.paths[deps.inputs[i][k]]);
  }
  return rc;
}

/* What TableGen made, by the inputs that build.ninja lists. */
static int drop_by_edge(void *user, const char *output, void *value) {
  const dropper *d = user;
  const spec_ninja_edge *edge = value;
  if (edge->command == NULL || *output == '$') /* CMake lists an output twice, once so */
    return SPEC_OK;
  const char *at = edge->inputs, *input;
  int rc = 0;
  while (rc == 0 && (rc = spec_ninja_next_input(d->arena, &input, &at, edge, d->err)) == 0 &&
         input != NULL)
    rc = read_input(d, output, input);
  return rc;
}

static int drop_all(dropper *d, const spec_looks *now) {
  int rc = spec_map_new(&d->files, d->arena, d->err);
  if (rc == 0)
    rc = spec_map_new(&d->edges, d->arena, d->err);
  if (rc == 0)
    rc = spec_looks_each(now, collect, d);
  if (rc != 0 || spec_map_count(d->files) == 0)
    return rc;
  rc = spec_ninja_build_outputs(d->arena, d->edges, d->build, d->err);
  if (rc == SPEC_ENOTFOUND)
    return SPEC_OK;
  if (rc == 0)
    rc = drop_by_deps(d);
  return rc != 0 ? rc : spec_map_each(d->edges, drop_by_edge, d);
}

int spec_backdated_drop(spec_arena *arena, const char *build, const spec_looks *then,
                        const spec_looks *now, spec_err *err) {
  dropper d = {.arena = arena, .build = build, .then = then, .err = err};
  spec_look log;
  const char *path = spec_path_join(arena, build, ".ninja_log");
  int rc = path == NULL ? spec_fail_memory(err) : spec_fs_glance(&log, SPEC_LOOK_INSIDE, path, err);
  if (rc != 0 || log.type != SPEC_FT_FILE)
    return rc; /* nothing was built */
  /* Ninja writes to the log when an output is done. */
  d.last_output = log.modified;
  rc = drop_all(&d, now);
  spec_map_free(d.files);
  spec_map_free(d.edges);
  return rc;
}
