/* place_cmake.c: place.cmake, the commands that CMake runs last. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include "cmake_text.h"
#include <stdlib.h>
#include <string.h>

/* What a source file gets.  CMake keeps source properties a folder, so the targets there
 * share them; where they reach different overrides, each gets its own. */
typedef struct setting {
  const spec_unit *unit;
  const char *path;
  const char *dirs; /* staged include folders, absolute, joined by ';' */
  bool alone;       /* for this target only */
} setting;

typedef struct emitter {
  const spec_placing *p;
  spec_buf *out;
  spec_map *firsts;    /* "folder, file" -> its first unit */
  spec_map *different; /* those whose units differ */
  setting *all;
  size_t count;
  spec_err *err;
} emitter;

static const char *staged(const emitter *e, const char *id) {
  return spec_path_join(e->p->arena, e->p->view.stage, id);
}

static bool same_reach(const spec_unit *x, const spec_unit *y) {
  bool same = strcmp(x->digest, y->digest) == 0 && x->reach.dir_count == y->reach.dir_count;
  for (size_t i = 0; same && i < x->reach.dir_count; i++)
    same = strcmp(x->reach.dirs[i], y->reach.dirs[i]) == 0;
  return same;
}

static int compare_units(emitter *e) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < e->p->unit_count; i++) {
    spec_unit *u = &e->p->units[i];
    const char *key = spec_place_unit_key(e->p, u);
    if (key == NULL)
      return spec_fail_memory(e->err);
    const spec_unit *first = spec_map_get(e->firsts, key, NULL);
    if (first == NULL)
      rc = spec_map_set(e->firsts, key, u, e->err);
    else if (!same_reach(first, u))
      rc = spec_map_set(e->different, key, u, e->err);
  }
  return rc;
}

/* Adds the unit's setting unless an earlier unit's serves it as well. */
static int add_setting(emitter *e, const spec_unit *u) {
  const char *key = spec_place_unit_key(e->p, u);
  if (key == NULL)
    return spec_fail_memory(e->err);
  setting s = {.unit = u, .path = u->relocated ? staged(e, u->id) : u->listed};
  s.alone = spec_map_get(e->different, key, NULL) != NULL;
  if (!s.alone && spec_map_get(e->firsts, key, NULL) != u)
    return SPEC_OK;
  spec_buf dirs = {0};
  for (size_t i = 0; i < u->reach.dir_count; i++)
    spec_buf_printf(&dirs, "%s%s/%s", i == 0 ? "" : ";", e->p->view.stage, u->reach.dirs[i]);
  s.dirs = spec_buf_failed(&dirs) ? NULL : spec_arena_strdup(e->p->arena, spec_buf_text(&dirs));
  spec_buf_dispose(&dirs);
  if (s.path == NULL || s.dirs == NULL)
    return spec_fail_memory(e->err);
  e->all[e->count++] = s;
  return SPEC_OK;
}

static int compare_places(const setting *x, const setting *y) {
  int order = strcmp(x->unit->target->dir, y->unit->target->dir);
  if (order == 0)
    order = (int)x->alone - (int)y->alone;
  if (order == 0 && x->alone)
    order = strcmp(x->unit->target->name, y->unit->target->name);
  if (order == 0)
    order = strcmp(x->unit->digest, y->unit->digest);
  return order != 0 ? order : strcmp(x->dirs, y->dirs);
}

/* Settings that differ only in the file stand together. */
static int compare_settings(const void *a, const void *b) {
  const setting *x = a, *y = b;
  int order = compare_places(x, y);
  return order != 0 ? order : strcmp(x->path, y->path);
}

static void emit_group(emitter *e, size_t from, size_t to) {
  const setting *s = &e->all[from];
  spec_buf_str(e->out, s->alone ? "_spec_unit_of(" : "_spec_unit(");
  spec_cmake_quote(e->out, s->unit->target->name);
  spec_buf_printf(e->out, " %.16s ", s->unit->digest);
  spec_cmake_quote(e->out, s->dirs);
  for (size_t i = from; i < to; i++) {
    spec_buf_str(e->out, "\n  ");
    spec_cmake_quote(e->out, e->all[i].path);
  }
  spec_buf_str(e->out, ")\n");
}

static int emit_units(emitter *e) {
  int rc = compare_units(e);
  for (size_t i = 0; rc == 0 && i < e->p->unit_count; i++)
    if (e->p->units[i].reach.override_count > 0 && !e->p->units[i].batched)
      rc = add_setting(e, &e->p->units[i]);
  if (rc != 0 || e->count == 0)
    return rc;
  qsort(e->all, e->count, sizeof *e->all, compare_settings);
  for (size_t from = 0, to; from < e->count; from = to) {
    for (to = from + 1; to < e->count && compare_places(&e->all[from], &e->all[to]) == 0; to++)
      continue;
    emit_group(e, from, to);
  }
  return SPEC_OK;
}

/* CMake puts the folders of CMAKE_INCLUDE_CURRENT_DIR before all that a target has. */
static bool is_behind_current(const emitter *e, const spec_wide *wide, const char *dir) {
  const spec_target *t = wide->target;
  const char *current = t->current ? spec_merged_id(&e->p->view, t->dir) : NULL;
  return current != NULL && strcmp(current, dir) == 0;
}

static void emit_wide(emitter *e, const spec_wide *wide) {
  bool behind = false;
  spec_buf dirs = {0};
  for (size_t d = 0; d < wide->dir_count; d++) {
    const char *dir = staged(e, wide->dirs[d]);
    behind |= is_behind_current(e, wide, wide->dirs[d]);
    dirs.failed |= dir == NULL;
    spec_buf_str(&dirs, "\n  ");
    spec_cmake_quote(&dirs, dir == NULL ? "" : dir);
  }
  spec_buf_str(e->out, "_spec_wide(");
  spec_cmake_quote(e->out, wide->target->name);
  spec_buf_printf(e->out, " %.16s%s)\n", wide->digest, spec_buf_text(&dirs));
  if (behind) {
    spec_buf_str(e->out, "_spec_put_generated_first(");
    spec_cmake_quote(e->out, wide->target->name);
    spec_buf_printf(e->out, " %zu%s)\n", wide->target->sources.count + wide->unit_count,
                    spec_buf_text(&dirs));
  }
  e->out->failed |= spec_buf_failed(&dirs);
  spec_buf_dispose(&dirs);
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
  int rc = spec_map_new(&e.firsts, p->arena, err);
  if (rc == 0)
    rc = spec_map_new(&e.different, p->arena, err);
  spec_buf_str(out, "# Made by triton-spec.  Swapped sources, then the affected units.\n");
  emit_swaps(&e);
  if (rc == 0)
    rc = emit_moves(&e);
  if (rc == 0)
    rc = emit_units(&e);
  for (size_t i = 0; rc == 0 && i < p->targets.count; i++)
    if (p->wides[i].digest[0] != '\0')
      emit_wide(&e, &p->wides[i]);
  spec_map_free(e.firsts);
  spec_map_free(e.different);
  return rc == 0 && spec_buf_failed(out) ? spec_fail_memory(err) : rc;
}
