/* wide.c: what holds for whole targets.
 *
 * A precompiled header and a unity batch are compiled with the target's own include path and
 * definitions; when one of them reaches an override, those change.  Which source CMake puts into
 * which batch is not looked into: a target's batches count as one. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include "digest_overrides.h"
#include "usage.h"

const char *spec_place_unit_key(const spec_placing *p, const spec_unit *unit) {
  return spec_arena_printf(p->arena, "%s\n%s", unit->target->dir, unit->id);
}

int spec_place_load_precompiled(spec_placing *p, spec_wide *wide, spec_context *context,
                                spec_err *err) {
  spec_list headers;
  int rc = spec_usage_precompiled(p->arena, &headers, &p->targets, wide->target, err);
  if (rc != 0 || headers.count == 0)
    return rc;
  const char *name = spec_arena_printf(p->arena, "<precompiled>/%s", wide->target->name);
  if (name == NULL)
    return spec_fail_memory(err);
  return spec_graph_load_forced(p->graph, &wide->precompiled, context, name, headers.items,
                                headers.count, err);
}

/* CMake keeps a source out of its batch when it has properties of its own, and those hold for all
 * targets of the folder: where one target has it in a batch, no other may set them. */
static int share_batched(spec_placing *p, spec_map *batched, spec_err *err) {
  int rc = 0;
  for (size_t pass = 0; pass < 2; pass++)
    for (size_t i = 0; rc == 0 && i < p->unit_count; i++) {
      spec_unit *u = &p->units[i];
      const char *key = spec_place_unit_key(p, u);
      if (key == NULL)
        return spec_fail_memory(err);
      if (pass == 0 && u->batched)
        rc = spec_map_set(batched, key, u, err);
      else if (pass == 1)
        u->batched = spec_map_get(batched, key, NULL) != NULL;
    }
  return rc;
}

static int find_batched(spec_placing *p, spec_err *err) {
  bool any = false;
  for (size_t i = 0; i < p->unit_count; i++)
    any |= p->units[i].batched;
  if (!any)
    return SPEC_OK;
  spec_map *batched = NULL;
  int rc = spec_map_new(&batched, p->arena, err);
  if (rc == 0)
    rc = share_batched(p, batched, err);
  spec_map_free(batched);
  return rc;
}

/* Who compiles the target's precompiled header gets the same definition as all who use it: a
 * compiler takes such a header only where its definitions are the same. */
static spec_wide *head_of(const spec_placing *p, const spec_wide *wide) {
  return &p->wides[spec_usage_precompiler(&p->targets, wide->target) - p->targets.items];
}

static int add_reach(const spec_placing *p, spec_wide *head, const spec_reach *reach,
                     spec_err *err) {
  if (reach->override_count > 0 && head->reached == NULL) {
    head->reached = spec_arena_array(p->arena, p->plan->override_count, sizeof *head->reached);
    if (head->reached == NULL)
      return spec_fail_memory(err);
  }
  for (size_t i = 0; i < reach->override_count; i++)
    head->reached[reach->overrides[i] - p->plan->overrides] = true;
  return SPEC_OK;
}

/* What the header and the batches reach, told to the head. */
static int add_reaches(const spec_placing *p, const spec_wide *wide, spec_reach *precompiled,
                       spec_err *err) {
  spec_wide *head = head_of(p, wide);
  int rc = 0;
  if (wide->precompiled != NULL)
    rc = spec_graph_reach(p->graph, precompiled, wide->precompiled, err);
  if (rc == 0)
    rc = add_reach(p, head, precompiled, err);
  for (size_t i = 0; rc == 0 && i < wide->unit_count; i++) {
    const spec_unit *u = &p->units[wide->first_unit + i];
    if (u->batched)
      rc = add_reach(p, head, &u->reach, err);
  }
  return rc;
}

static int digest_of(const spec_placing *p, spec_wide *wide, const spec_wide *head, spec_err *err) {
  const spec_override **found = spec_arena_array(p->arena, p->plan->override_count, sizeof *found);
  size_t count = 0;
  if (found == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < p->plan->override_count; i++)
    if (head->reached[i])
      found[count++] = &p->plan->overrides[i];
  return spec_digest_overrides(p->arena, wide->digest, p->plan, found, count, err);
}

static int add_names(spec_map *names, const spec_reach *reach, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < reach->dir_count; i++)
    rc = spec_map_set(names, reach->dirs[i], names, err);
  return rc;
}

/* Every unit of the target sees these folders, also one that reaches nothing: all count. */
static int find_dirs(const spec_placing *p, spec_wide *wide, const spec_reach *precompiled,
                     spec_map *names, spec_err *err) {
  int rc = add_names(names, precompiled, err);
  for (size_t i = 0; rc == 0 && i < wide->unit_count; i++)
    rc = add_names(names, &p->units[wide->first_unit + i].reach, err);
  wide->dirs = spec_arena_array(p->arena, wide->path_count, sizeof *wide->dirs);
  if (rc == 0 && wide->dirs == NULL)
    rc = spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < wide->path_count; i++)
    if (spec_map_get(names, wide->path[i], NULL) != NULL)
      wide->dirs[wide->dir_count++] = wide->path[i];
  return rc;
}

static int finish(const spec_placing *p, spec_wide *wide, const spec_reach *precompiled,
                  spec_err *err) {
  const spec_wide *head = head_of(p, wide);
  if (head->reached == NULL)
    return SPEC_OK;
  int rc = digest_of(p, wide, head, err);
  spec_map *names = NULL;
  if (rc == 0)
    rc = spec_map_new(&names, p->arena, err);
  if (rc == 0)
    rc = find_dirs(p, wide, precompiled, names, err);
  spec_map_free(names);
  return rc;
}

int spec_place_wides(spec_placing *p, spec_err *err) {
  spec_reach *precompiled = spec_arena_array(p->arena, p->targets.count, sizeof *precompiled);
  int rc = precompiled == NULL ? spec_fail_memory(err) : find_batched(p, err);
  for (size_t i = 0; rc == 0 && i < p->targets.count; i++)
    if (p->wides[i].target != NULL)
      rc = add_reaches(p, &p->wides[i], &precompiled[i], err);
  for (size_t i = 0; rc == 0 && i < p->targets.count; i++)
    if (p->wides[i].target != NULL)
      rc = finish(p, &p->wides[i], &precompiled[i], err);
  return rc;
}
