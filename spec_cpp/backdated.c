/* backdated.c */
#include "backdated.h"

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"
#include "ninja_build.h"
#include "ninja_deps.h"
#include <string.h>

/* A file with other bytes than last time. */
typedef struct changed {
  const spec_look *now;
  bool in_place; /* by writing into it: its time of change tells when */
} changed;

typedef struct dropper {
  spec_arena *arena;
  const char *build;
  const spec_looks *then;
  int64_t last_output; /* no output is newer */
  spec_map *files;     /* path -> changed */
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
  if (then == NULL)
    then = spec_looks_get(d->then, SPEC_LOOK_PAST, path);
  if (then == NULL || then->type != SPEC_FT_FILE || !has_changed(then, now))
    return SPEC_OK;
  changed *c = spec_arena_alloc(d->arena, sizeof *c);
  if (c == NULL)
    return spec_fail_memory(d->err);
  *c = (changed){now, then->device == now->device && then->inode == now->inode};
  return spec_map_set(d->files, path, c, d->err);
}

/* Whether the output was made of what the file held before, and Ninja would not see it.  Unlike a
 * date, the time of change cannot be set back; of a file that took another's place it says
 * nothing, since a link to another checkout changes no file. */
static bool is_stale(const spec_look *made, const changed *input) {
  return made->modified >= input->now->modified &&
         !(input->in_place && made->modified > input->now->changed);
}

/* Removes the output when it was made of what the file held before. */
static int drop(const dropper *d, const char *output, const changed *input) {
  const char *path = spec_path_resolve(d->arena, d->build, output);
  spec_look made;
  if (path == NULL)
    return spec_fail_memory(d->err);
  if (spec_path_below(path, d->build) == NULL)
    return SPEC_OK;
  int rc = spec_fs_glance(&made, SPEC_LOOK_INSIDE, path, d->err);
  if (rc != 0 || made.type != SPEC_FT_FILE || !is_stale(&made, input))
    return rc;
  return spec_fs_remove(path, d->err);
}

/* The changed file that Ninja names so, or NULL. */
static int find_changed(const dropper *d, const changed **out, const char *input) {
  const char *path = spec_path_resolve(d->arena, d->build, input);
  if (path == NULL)
    return spec_fail_memory(d->err);
  *out = spec_map_get(d->files, path, NULL);
  return SPEC_OK;
}

/* Compiled outputs, by Ninja's log of depfiles; also those that build.ninja does not have now: in a
 * configure run it is the former one, and the next may have them again. */
static int drop_by_deps(const dropper *d) {
  spec_ninja_deps deps;
  int rc = spec_ninja_deps_read(d->arena, &deps, d->build, d->err);
  if (rc != 0)
    return rc;
  /* By path id: a log names a header thousands of times. */
  const changed **inputs = spec_arena_array(d->arena, deps.path_count, sizeof *inputs);
  if (inputs == NULL)
    return spec_fail_memory(d->err);
  for (size_t i = 0; rc == 0 && i < deps.path_count; i++)
    rc = find_changed(d, &inputs[i], deps.paths[i]);
  for (size_t i = 0; rc == 0 && i < deps.path_count; i++)
    for (size_t k = 0; rc == 0 && deps.inputs[i] != NULL && k < deps.input_counts[i]; k++)
      if (inputs[deps.inputs[i][k]] != NULL)
        rc = drop(d, deps.paths[i], inputs[deps.inputs[i][k]]);
  return rc;
}

/* What TableGen made, by the inputs that build.ninja lists. */
static int drop_by_edge(void *user, const char *output, void *value) {
  const dropper *d = user;
  const spec_ninja_edge *edge = value;
  if (edge->command == NULL || *output == '$') /* CMake lists an output twice, once so */
    return SPEC_OK;
  const char *at = edge->inputs, *input;
  int rc;
  while ((rc = spec_ninja_next_input(d->arena, &input, &at, edge, d->err)) == 0 && input != NULL) {
    const changed *file;
    rc = find_changed(d, &file, input);
    if (rc == 0 && file != NULL)
      rc = drop(d, output, file);
    if (rc != 0)
      break;
  }
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

static int drop_outputs(dropper *d, const spec_looks *now) {
  spec_look log;
  const char *path = spec_path_join(d->arena, d->build, ".ninja_log");
  int rc = path == NULL ? spec_fail_memory(d->err)
                        : spec_fs_glance(&log, SPEC_LOOK_INSIDE, path, d->err);
  if (rc != 0 || log.type != SPEC_FT_FILE)
    return rc; /* nothing was built */
  /* Ninja writes to the log when an output is done. */
  d->last_output = log.modified;
  rc = drop_all(d, now);
  spec_map_free(d->files);
  spec_map_free(d->edges);
  return rc;
}

typedef struct carrier {
  spec_looks *now;
  const char *out;
} carrier;

static int carry(void *user, spec_look_kind kind, const char *path, const spec_look *then) {
  const carrier *c = user;
  bool of_file = kind == SPEC_LOOK_PAST || (kind == SPEC_LOOK_INSIDE && then->type == SPEC_FT_FILE);
  const char *name = of_file ? spec_path_below(path, c->out) : NULL;
  if (name != NULL && strncmp(name, "stage/", 6) == 0 &&
      spec_looks_get(c->now, SPEC_LOOK_INSIDE, path) == NULL)
    spec_looks_add(c->now, SPEC_LOOK_PAST, path, then);
  return SPEC_OK;
}

int spec_backdated_drop(spec_arena *arena, const char *out, const spec_looks *then, spec_looks *now,
                        spec_err *err) {
  dropper d = {.arena = arena, .build = spec_path_dirname(arena, out), .then = then, .err = err};
  carrier c = {now, out};
  int rc = d.build == NULL ? spec_fail_memory(err) : drop_outputs(&d, now);
  if (rc != 0)
    return rc;
  (void)spec_looks_each(then, carry, &c);
  return spec_looks_failed(now) ? spec_fail_memory(err) : SPEC_OK;
}
