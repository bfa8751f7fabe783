/* place_cmake.c: place.cmake, the commands that CMake runs last. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include "cmake_text.h"
#include "digest_overrides.h"
#include <stdlib.h>
#include <string.h>

/* What one source file gets in one folder of the build.  CMake keeps source
 * properties a folder, so units of several targets there share them. */
typedef struct setting {
  const spec_unit *first;
  const char *path;
  const char *own;   /* the source's own include folders, joined */
  bool *overrides;   /* by index of the plan */
  const char **dirs; /* staged include folders, absolute */
  size_t dir_count;
  const char *joined; /* dirs, joined by ';' */
  char digest[33];
} setting;

typedef struct emitter {
  const spec_placing *p;
  spec_buf *out;
  spec_map *by_file;
  setting **all;
  size_t count;
  spec_err *err;
} emitter;

static const char *staged(const emitter *e, const char *id) {
  return spec_path_join(e->p->arena, e->p->view.stage, id);
}

static int add_dir(emitter *e, setting *s, const char *id) {
  const char *dir = staged(e, id);
  if (dir == NULL)
    return spec_fail_memory(e->err);
  for (size_t i = 0; i < s->dir_count; i++)
    if (strcmp(s->dirs[i], dir) == 0)
      return SPEC_OK;
  const char **grown = spec_arena_grow(e->p->arena, s->dirs, s->dir_count * sizeof dir,
                                       (s->dir_count + 1) * sizeof dir);
  if (grown == NULL)
    return spec_fail_memory(e->err);
  s->dirs = grown;
  s->dirs[s->dir_count++] = dir;
  return SPEC_OK;
}

static int new_setting(emitter *e, setting **out, const spec_unit *u, const char *key) {
  setting *s = spec_arena_alloc(e->p->arena, sizeof *s);
  if (s == NULL)
    return spec_fail_memory(e->err);
  s->first = u;
  s->path = u->relocated ? staged(e, u->id) : u->listed;
  s->overrides = spec_arena_array(e->p->arena, e->p->plan->override_count, sizeof *s->overrides);
  if (s->path == NULL || s->overrides == NULL)
    return spec_fail_memory(e->err);
  int rc = spec_map_set(e->by_file, key, s, e->err);
  if (rc == 0)
    e->all[e->count++] = s;
  *out = s;
  return rc;
}

static int add_unit(emitter *e, const spec_unit *u) {
  const char *key = spec_arena_printf(e->p->arena, "%s\n%s", u->target->dir, u->id);
  if (key == NULL)
    return spec_fail_memory(e->err);
  setting *s = spec_map_get(e->by_file, key, NULL);
  int rc = s != NULL ? 0 : new_setting(e, &s, u, key);
  for (size_t i = 0; rc == 0 && i < u->reach.override_count; i++)
    s->overrides[u->reach.overrides[i] - e->p->plan->overrides] = true;
  for (size_t i = 0; rc == 0 && i < u->reach.dir_count; i++)
    rc = add_dir(e, s, u->reach.dirs[i]);
  return rc;
}

static int finish_setting(emitter *e, setting *s) {
  const spec_plan *plan = e->p->plan;
  spec_buf joined = {0};
  for (size_t i = 0; i < s->dir_count; i++)
    spec_buf_printf(&joined, "%s%s", i == 0 ? "" : ";", s->dirs[i]);
  s->joined =
      spec_buf_failed(&joined) ? NULL : spec_arena_strdup(e->p->arena, spec_buf_text(&joined));
  spec_buf_dispose(&joined);
  const spec_override **reached =
      spec_arena_array(e->p->arena, plan->override_count, sizeof *reached);
  if (s->joined == NULL || reached == NULL)
    return spec_fail_memory(e->err);
  size_t n = 0;
  for (size_t i = 0; i < plan->override_count; i++)
    if (s->overrides[i])
      reached[n++] = &plan->overrides[i];
  return spec_digest_overrides(e->p->arena, s->digest, plan, reached, n, e->err);
}

/* Settings that differ only in the file stand together. */
static int compare_settings(const void *a, const void *b) {
  const setting *x = *(setting *const *)a, *y = *(setting *const *)b;
  int order = strcmp(x->first->target->dir, y->first->target->dir);
  if (order == 0)
    order = strcmp(x->digest, y->digest);
  if (order == 0)
    order = strcmp(x->joined, y->joined);
  return order != 0 ? order : strcmp(x->path, y->path);
}

static bool same_group(const setting *x, const setting *y) {
  return strcmp(x->first->target->dir, y->first->target->dir) == 0 &&
         strcmp(x->digest, y->digest) == 0 && strcmp(x->joined, y->joined) == 0;
}

static void emit_group(emitter *e, size_t from, size_t to) {
  const setting *s = e->all[from];
  spec_buf_str(e->out, "_spec_unit(");
  spec_cmake_quote(e->out, s->first->target->name);
  spec_buf_printf(e->out, " %.16s ", s->digest);
  spec_cmake_quote(e->out, s->joined);
  for (size_t i = from; i < to; i++) {
    spec_buf_str(e->out, "\n  ");
    spec_cmake_quote(e->out, e->all[i]->path);
  }
  spec_buf_str(e->out, ")\n");
}

static int emit_units(emitter *e) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->p->unit_count; i++)
    if (e->p->units[i].reach.override_count > 0)
      rc = add_unit(e, &e->p->units[i]);
  for (size_t i = 0; rc == 0 && i < e->count; i++)
    rc = finish_setting(e, e->all[i]);
  if (rc != 0 || e->count == 0)
    return rc;
  qsort(e->all, e->count, sizeof *e->all, compare_settings);
  for (size_t from = 0, to; from < e->count; from = to) {
    for (to = from + 1; to < e->count && same_group(e->all[from], e->all[to]); to++)
      continue;
    emit_group(e, from, to);
  }
  return SPEC_OK;
}

/* A precompiled header is compiled by itself, with the target's own commands. */
static int emit_precompiled(emitter *e) {
  for (size_t i = 0; i < e->p->precompiled_count; i++) {
    const spec_precompiled *made = &e->p->precompiled[i];
    if (made->reach.override_count == 0)
      continue;
    spec_buf_str(e->out, "_spec_precompiled(");
    spec_cmake_quote(e->out, made->target->name);
    spec_buf_printf(e->out, " %.16s", made->digest);
    for (size_t d = 0; d < made->reach.dir_count; d++) {
      const char *dir = staged(e, made->reach.dirs[d]);
      if (dir == NULL)
        return spec_fail_memory(e->err);
      spec_buf_str(e->out, "\n  ");
      spec_cmake_quote(e->out, dir);
    }
    spec_buf_str(e->out, ")\n");
  }
  return SPEC_OK;
}

static void emit_swaps(emitter *e) {
  for (size_t i = 0; i < e->p->swap_count; i++) {
    const spec_swap *s = &e->p->swaps[i];
    spec_buf_str(e->out, "set_property(TARGET ");
    spec_cmake_quote(e->out, s->target->name);
    spec_buf_printf(e->out, " PROPERTY %s", s->property);
    for (size_t k = 0; k < s->items.count; k++) {
      spec_buf_str(e->out, "\n  ");
      spec_cmake_quote(e->out, s->items.items[k]);
    }
    spec_buf_str(e->out, ")\n");
  }
}

/* A source keeps its properties when it moves into the stage. */
static int emit_moves(emitter *e) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->p->unit_count; i++) {
    const spec_unit *u = &e->p->units[i];
    if (!u->relocated || spec_path_below(u->listed, e->p->view.stage) != NULL)
      continue;
    const char *to = staged(e, u->id);
    if (to == NULL)
      return spec_fail_memory(e->err);
    spec_buf_str(e->out, "_spec_move(");
    spec_cmake_quote(e->out, u->target->name);
    spec_buf_char(e->out, ' ');
    spec_cmake_quote(e->out, u->listed);
    spec_buf_char(e->out, ' ');
    spec_cmake_quote(e->out, to);
    spec_buf_str(e->out, ")\n");
  }
  return rc;
}

int spec_place_cmake(const spec_placing *p, spec_buf *out, spec_err *err) {
  emitter e = {.p = p, .out = out, .err = err};
  e.all = spec_arena_array(p->arena, p->unit_count, sizeof *e.all);
  if (e.all == NULL)
    return spec_fail_memory(err);
  int rc = spec_map_new(&e.by_file, p->arena, err);
  if (rc != 0)
    return rc;
  spec_buf_str(out, "# Made by triton-spec.  Swapped sources, then the affected units.\n");
  emit_swaps(&e);
  rc = emit_moves(&e);
  if (rc == 0)
    rc = emit_units(&e);
  if (rc == 0)
    rc = emit_precompiled(&e);
  spec_map_free(e.by_file);
  return rc == 0 && spec_buf_failed(out) ? spec_fail_memory(err) : rc;
}
