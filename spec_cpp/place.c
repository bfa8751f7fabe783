/* place.c: which units are affected and which sources are swapped. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "digest_overrides.h"
#include "usage.h"
#include <string.h>

/* Where a listed file really lies: a path that climbs out of a staged folder leads back
 * into the trunk. */
static const char *listed_path(const spec_placing *p, const char *dir, const char *text) {
  const char *path = text == NULL ? NULL : spec_path_resolve(p->arena, dir, text);
  const char *id = path == NULL ? NULL : spec_path_below(path, p->view.stage);
  if (id == NULL || *id == '\0' || spec_stage_is_made(p->plan, id))
    return path;
  return spec_path_join(p->arena, p->plan->trunk.root, id);
}

/* --- units --- */

typedef struct unit_adder {
  spec_placing *p;
  const spec_target *target; /* the one that compiles */
  const char *dir;           /* what relative sources are relative to */
  spec_context *context;
  spec_list forced;
} unit_adder;

/* Ids of an include path's folders, those without one left out. */
static int to_ids(spec_placing *p, const char ***out, size_t *count, const spec_list *dirs,
                  spec_err *err) {
  const char **ids = spec_arena_array(p->arena, dirs->count, sizeof *ids);
  if (ids == NULL)
    return spec_fail_memory(err);
  size_t n = 0;
  for (size_t i = 0; i < dirs->count; i++) {
    const char *id = spec_merged_id(&p->view, dirs->items[i]);
    if (id != NULL)
      ids[n++] = id;
  }
  *out = ids;
  *count = n;
  return SPEC_OK;
}

/* The context of a source that has include folders of its own: they come first. */
static int own_context(unit_adder *a, spec_context **out, const spec_list *own, spec_err *err) {
  spec_placing *p = a->p;
  spec_list path, all = {0};
  const char **ids;
  size_t count;
  int rc = spec_usage_includes(p->arena, &path, &p->targets, a->target, err);
  if (rc != 0)
    return rc;
  all.items = spec_arena_array(p->arena, own->count + path.count, sizeof *all.items);
  if (all.items == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < own->count; i++) {
    const char *dir = spec_path_resolve(p->arena, a->target->dir, own->items[i]);
    if (dir == NULL)
      return spec_fail_memory(err);
    all.items[all.count++] = dir;
  }
  for (size_t i = 0; i < path.count; i++)
    all.items[all.count++] = path.items[i];
  rc = to_ids(p, &ids, &count, &all, err);
  return rc != 0 ? rc : spec_graph_context(p->graph, out, ids, count, err);
}

static int add_unit(void *user, const char *part, size_t len, spec_err *err) {
  unit_adder *a = user;
  spec_placing *p = a->p;
  const char *text = spec_arena_strndup(p->arena, part, len);
  const char *path = listed_path(p, a->dir, text);
  if (path == NULL)
    return spec_fail_memory(err);
  const char *id = spec_merged_id(&p->view, path);
  spec_kind kind = spec_kind_of(path);
  if (id == NULL || *id == '\0' || kind != SPEC_KIND_SOURCE)
    return SPEC_OK;
  const spec_override *o = spec_merged_override(&p->view, id);
  bool has;
  int rc = spec_merged_has(&p->view, &has, id, err);
  if (rc != 0 || !has || (o != NULL && o->action == SPEC_REMOVE))
    return rc;
  const spec_list *own = a->target->source_includes == NULL
                             ? NULL
                             : spec_map_get(a->target->source_includes, text, NULL);
  spec_context *context = a->context;
  if (own != NULL)
    rc = own_context(a, &context, own, err);
  if (rc == 0)
    rc =
        spec_arena_reserve(p->arena, &p->units, p->unit_count, &p->unit_cap, sizeof *p->units, err);
  if (rc != 0)
    return rc;
  spec_unit *u = &p->units[p->unit_count];
  *u = (spec_unit){.target = a->target, .id = id, .listed = path};
  u->batched = a->target->unity &&
               (a->target->solo == NULL || spec_map_get(a->target->solo, text, NULL) == NULL);
  rc = spec_graph_load(p->graph, &u->node, context, id, a->forced.items, a->forced.count, err);
  p->unit_count += rc == 0;
  return rc;
}

static int add_target_units(spec_placing *p, const spec_target *target, spec_wide *wide,
                            spec_err *err) {
  spec_source *sources = NULL;
  size_t source_count = 0;
  spec_list path = {0};
  *wide = (spec_wide){.target = target, .first_unit = p->unit_count};
  unit_adder a = {.p = p, .target = target};
  int rc = spec_usage_sources(p->arena, &sources, &source_count, &p->targets, target, err);
  if (rc != 0 || source_count == 0)
    return rc;
  rc = spec_usage_includes(p->arena, &path, &p->targets, target, err);
  if (rc == 0)
    rc = spec_usage_forced(p->arena, &a.forced, &p->targets, target, err);
  if (rc == 0)
    rc = to_ids(p, &wide->path, &wide->path_count, &path, err);
  if (rc == 0)
    rc = spec_graph_context(p->graph, &a.context, wide->path, wide->path_count, err);
  if (rc == 0)
    rc = spec_place_load_precompiled(p, wide, a.context, err);
  for (size_t i = 0; rc == 0 && i < source_count; i++) {
    spec_list each = {0};
    a.dir = sources[i].from->dir;
    rc = spec_usage_configs(p->arena, &each, &p->targets, sources[i].text, err);
    for (size_t k = 0; rc == 0 && k < each.count; k++)
      rc = spec_usage_parts(each.items[k], add_unit, &a, err);
  }
  wide->unit_count = p->unit_count - wide->first_unit;
  return rc;
}

static bool compiles(const spec_target *target) {
  return strcmp(target->type, "UTILITY") != 0 && strcmp(target->type, "INTERFACE_LIBRARY") != 0;
}

int spec_place_units(spec_placing *p, spec_err *err) {
  int rc = 0;
  p->wides = spec_arena_array(p->arena, p->targets.count, sizeof *p->wides);
  if (p->wides == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < p->targets.count; i++)
    if (compiles(&p->targets.items[i]))
      rc = add_target_units(p, &p->targets.items[i], &p->wides[i], err);
  if (rc == 0)
    rc = spec_graph_close(p->graph, p->stage, &p->plan->report, err);
  for (size_t i = 0; rc == 0 && i < p->unit_count; i++) {
    spec_unit *u = &p->units[i];
    u->relocated = spec_graph_is_staged(p->graph, u->id);
    rc = spec_graph_reach(p->graph, &u->reach, u->node, err);
    if (rc == 0 && u->reach.override_count > 0)
      rc = spec_digest_overrides(p->arena, u->digest, p->plan, u->reach.overrides,
                                 u->reach.override_count, err);
  }
  return rc != 0 ? rc : spec_place_wides(p, err);
}

/* --- swaps --- */

typedef struct swapper {
  spec_placing *p;
  const spec_target *target;
  spec_buf text; /* the item being rewritten */
  bool changed;
} swapper;

/* An override that the target lists by the vendor's own path. */
static const spec_override *listed_directly(const spec_placing *p, const char *path) {
  for (size_t l = 0; l < p->plan->layer_count; l++) {
    const char *below = spec_path_below(path, p->plan->layers[l].dir);
    for (size_t i = 0; below != NULL && i < p->plan->override_count; i++)
      if (p->plan->overrides[i].layer == l && strcmp(p->plan->overrides[i].overlay, below) == 0)
        return &p->plan->overrides[i];
  }
  return NULL;
}

/* A file that the build compiles from another root, at an overridden path. */
static void check_roots(const spec_placing *p, const char *path) {
  const char *rel = *p->project == '\0' ? NULL : spec_path_below(path, p->project);
  if (rel == NULL || spec_path_below(path, p->plan->trunk.root) != NULL)
    return;
  const spec_override *o = spec_plan_find(p->plan, rel);
  if (o == NULL || !o->in_trunk || o->action == SPEC_REMOVE)
    return;
  const char *first = spec_path_join(p->arena, p->plan->trunk.root, o->trunk);
  p->plan->report.failed |= first == NULL;
  spec_report(&p->plan->report, SPEC_F_TWO_ROOTS, o->vendor, o->overlay, first, path);
}

static int swap_part(void *user, const char *part, size_t len, spec_err *err) {
  swapper *s = user;
  spec_placing *p = s->p;
  const char *text = spec_arena_strndup(p->arena, part, len);
  const char *path = listed_path(p, s->target->dir, text);
  if (path == NULL)
    return spec_fail_memory(err);
  check_roots(p, path);
  const spec_override *direct = listed_directly(p, path);
  const char *id = spec_merged_id(&p->view, path);
  const spec_override *o = id == NULL ? NULL : spec_merged_override(&p->view, id);
  int rc = 0;
  if (direct != NULL && direct->kind == SPEC_KIND_SOURCE) {
    rc = spec_place_own(p, direct, s->target->name, err);
  } else if (o != NULL && o->kind == SPEC_KIND_SOURCE) {
    rc = spec_place_own(p, o, s->target->name, err);
    if (rc == 0 && o->action == SPEC_REMOVE) { /* its place stays empty, what is beside it stays */
      s->changed = true;
      return SPEC_OK;
    }
  }
  if (rc != 0)
    return rc;
  bool stays = id == NULL || *id == '\0' || spec_kind_of(path) != SPEC_KIND_SOURCE ||
               !spec_graph_is_staged(p->graph, id) || spec_path_below(path, p->view.stage) != NULL;
  const char *as_listed = spec_path_resolve(p->arena, s->target->dir, text);
  if (as_listed == NULL)
    return spec_fail_memory(err);
  if (stays && strcmp(path, as_listed) == 0) {
    spec_buf_add(&s->text, part, len);
    return SPEC_OK;
  }
  s->changed = true;
  if (stays)
    spec_buf_str(&s->text, path);
  else
    spec_buf_printf(&s->text, "%s/%s", p->view.stage, id);
  return SPEC_OK;
}

/* Rewrites one item, its punctuation kept. */
static int swap_item(swapper *s, const char **out, const char *item, spec_err *err) {
  spec_buf_clear(&s->text);
  int rc = 0;
  if (strstr(item, "$<") == NULL) {
    rc = swap_part(s, item, strlen(item), err);
  } else {
    for (const char *q = item; rc == 0 && *q != '\0';) {
      size_t len = strcspn(q, "$<>,:;");
      if (len > 0)
        rc = swap_part(s, q, len, err);
      q += len;
      if (*q != '\0')
        spec_buf_char(&s->text, *q++);
    }
  }
  if (rc != 0)
    return rc;
  *out = spec_buf_failed(&s->text) ? NULL : spec_arena_strdup(s->p->arena, spec_buf_text(&s->text));
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static int swap_list(spec_placing *p, const spec_target *target, const char *property,
                     const spec_list *items, spec_err *err) {
  spec_swap swap = {target, property, {0}};
  swapper s = {.p = p, .target = target};
  bool any = false;
  int rc = 0;
  swap.items.items = spec_arena_array(p->arena, items->count, sizeof *swap.items.items);
  if (swap.items.items == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < items->count; i++) {
    s.changed = false;
    const char *item = "";
    rc = swap_item(&s, &item, items->items[i], err);
    any |= s.changed;
    if (rc == 0 && *item != '\0')
      swap.items.items[swap.items.count++] = item;
  }
  spec_buf_dispose(&s.text);
  if (rc != 0 || !any)
    return rc;
  rc = spec_arena_reserve(p->arena, &p->swaps, p->swap_count, &p->swap_cap, sizeof *p->swaps, err);
  if (rc == 0)
    p->swaps[p->swap_count++] = swap;
  return rc;
}

/* The vendor's file and the trunk's in one target would both be compiled. */
static int check_listed_twice(spec_placing *p, const spec_target *target, spec_err *err) {
  for (size_t i = 0; i < target->sources.count; i++) {
    const char *path = spec_path_resolve(p->arena, target->dir, target->sources.items[i]);
    if (path == NULL)
      return spec_fail_memory(err);
    const spec_override *o = listed_directly(p, path);
    if (o == NULL || o->kind != SPEC_KIND_SOURCE || o->action != SPEC_REPLACE)
      continue;
    for (size_t k = 0; k < target->sources.count; k++) {
      const char *other = spec_path_resolve(p->arena, target->dir, target->sources.items[k]);
      const char *id = other == NULL ? NULL : spec_merged_id(&p->view, other);
      if (id != NULL && strcmp(id, o->trunk) == 0)
        spec_report(&p->plan->report, SPEC_F_ALREADY_LISTED, o->vendor, o->overlay, target->name,
                    o->trunk);
    }
  }
  return SPEC_OK;
}

int spec_place_swaps(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->targets.count; i++) {
    const spec_target *t = &p->targets.items[i];
    if (strcmp(t->type, "UTILITY") == 0)
      continue;
    rc = check_listed_twice(p, t, err);
    if (rc == 0)
      rc = swap_list(p, t, "SOURCES", &t->sources, err);
    if (rc == 0)
      rc = swap_list(p, t, "INTERFACE_SOURCES", &t->isources, err);
    if (rc == 0)
      rc = spec_place_swap_forced(p, t, err);
  }
  return rc;
}
