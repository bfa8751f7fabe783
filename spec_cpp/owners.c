/* owners.c: who uses each override, and which ones nothing uses. */
#include "place.h"

#include "base/err.h"
#include "base/path.h"
#include <stdlib.h>
#include <string.h>

int spec_place_own(spec_placing *p, const spec_override *override, const char *owner,
                   spec_err *err) {
  size_t index = (size_t)(override - p->plan->overrides);
  if (p->owners[index] == NULL) {
    int rc = spec_map_new(&p->owners[index], p->arena, err);
    if (rc != 0)
      return rc;
  }
  return spec_map_set(p->owners[index], owner, p, err);
}

static int own_reached(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; i < p->unit_count; i++) {
    const spec_unit *u = &p->units[i];
    for (size_t k = 0; rc == 0 && k < u->reach.override_count; k++)
      rc = spec_place_own(p, u->reach.overrides[k], u->target->name, err);
  }
  return rc;
}

/* The files that a rule reads were found when the overlay was staged; CMake hands them on. */
static int own_tds(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && p->targets.td_reads != NULL && i < p->targets.td_count; i++) {
    const spec_pair *td = &p->targets.tds[i];
    const spec_list *reads = spec_map_get(p->targets.td_reads, td->first, NULL);
    for (size_t k = 0; rc == 0 && reads != NULL && k < reads->count; k++) {
      const char *id = spec_path_below(reads->items[k], p->view.stage);
      const spec_override *o = id == NULL ? NULL : spec_merged_override(&p->view, id);
      if (o != NULL)
        rc = spec_place_own(p, o, td->second, err);
    }
  }
  return rc;
}

static int own_cmakes(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->targets.cmakes.count; i++) {
    const char *id = spec_merged_id(&p->view, p->targets.cmakes.items[i]);
    const spec_override *o = id == NULL ? NULL : spec_merged_override(&p->view, id);
    if (o != NULL)
      rc = spec_place_own(p, o, "CMake", err);
  }
  return rc;
}

/* A removed source that no target lists, since the overlay brings the CMakeLists.txt along from
 * which it is gone: that of its folder, or the next above. */
static int own_unlisted(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->plan->override_count; i++) {
    const spec_override *o = &p->plan->overrides[i], *list = NULL;
    if (o->action != SPEC_REMOVE || o->kind != SPEC_KIND_SOURCE || p->owners[i] != NULL)
      continue;
    const char *folder = o->trunk;
    while (list == NULL && folder != NULL && *folder != '\0') {
      folder = spec_path_dirname(p->arena, folder);
      const char *path = folder == NULL ? NULL : spec_path_join(p->arena, folder, "CMakeLists.txt");
      if (path == NULL)
        return spec_fail_memory(err);
      list = spec_plan_find(p->plan, path);
    }
    if (list != NULL && p->owners[list - p->plan->overrides] != NULL)
      rc = spec_place_own(p, o, "CMake", err);
  }
  return rc;
}

static int own_package(spec_placing *p, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->plan->override_count; i++)
    if (p->plan->overrides[i].kind == SPEC_KIND_PYTHON)
      rc = spec_place_own(p, &p->plan->overrides[i], "python package", err);
  return rc;
}

/* "; did you mean 'X'?" among the build's targets. */
static int nearest_target(spec_placing *p, const char **out, const char *name, spec_err *err) {
  size_t best = strlen(name) / 3 + 2;
  const char *found = NULL;
  for (size_t i = 0; i < p->targets.count; i++) {
    size_t distance = spec_path_distance(name, p->targets.items[i].name, best);
    if (distance < best) {
      best = distance;
      found = p->targets.items[i].name;
    }
  }
  *out = found == NULL ? "" : spec_arena_printf(p->arena, "; did you mean '%s'?", found);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* What spec.cmake asks for must exist. */
static int check_requests(spec_placing *p, spec_err *err) {
  const char *file =
      spec_path_join(p->arena, p->plan->layers[p->plan->layer_count - 1].dir, "spec.cmake");
  if (file == NULL)
    return spec_fail_memory(err);
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < p->targets.needs.count; i++) {
    const char *name = p->targets.needs.items[i], *near;
    if (spec_map_get(p->targets.by_name, name, NULL) != NULL)
      continue;
    rc = nearest_target(p, &near, name, err);
    if (rc == 0)
      spec_report(&p->plan->report, SPEC_F_NO_TARGET, file, name, near, NULL);
  }
  for (size_t i = 0; rc == 0 && i < p->targets.addition_count; i++) {
    const spec_pair *a = &p->targets.additions[i];
    const char *id;
    rc = spec_merged_resolve(&p->view, &id, "", a->second, err);
    if (rc != 0)
      continue;
    const spec_override *o = id == NULL ? NULL : spec_merged_override(&p->view, id);
    if (o == NULL || o->in_trunk)
      spec_report(&p->plan->report, SPEC_F_NO_ADDITION, file, a->second, a->first, NULL);
  }
  return rc;
}

static int report_unused(spec_placing *p, const spec_override *o, bool strict, spec_err *err) {
  spec_reporter *report = &p->plan->report;
  const char *near = NULL;
  if (!o->in_trunk) {
    int rc = spec_tree_nearest(p->plan->trunk.tree, &near, o->trunk, err);
    if (rc == 0)
      (strict ? spec_report : spec_report_soft)(report, SPEC_F_UNOWNED, o->vendor, o->overlay, near,
                                                NULL);
    return rc;
  }
  (strict ? spec_report : spec_report_soft)(report, SPEC_F_UNUSED, o->vendor, o->overlay, o->trunk,
                                            NULL);
  return SPEC_OK;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef struct name_list {
  const char **items;
  size_t count;
} name_list;

static int collect_name(void *user, const char *key, void *value) {
  (void)value;
  name_list *names = user;
  names->items[names->count++] = key;
  return 0;
}

/* Sorted and joined by ';', into the override itself. */
static int join_owners(spec_placing *p, size_t index, spec_err *err) {
  spec_map *set = p->owners[index];
  name_list names = {spec_arena_array(p->arena, spec_map_count(set), sizeof(char *)), 0};
  if (names.items == NULL)
    return spec_fail_memory(err);
  spec_map_each(set, collect_name, &names);
  qsort(names.items, names.count, sizeof *names.items, compare_names);
  spec_buf text = {0};
  for (size_t i = 0; i < names.count; i++)
    spec_buf_printf(&text, "%s%s", i == 0 ? "" : ";", names.items[i]);
  char *joined = spec_buf_failed(&text) ? NULL : spec_arena_strdup(p->arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  if (joined == NULL)
    return spec_fail_memory(err);
  p->plan->overrides[index].owners = joined;
  return SPEC_OK;
}

int spec_place_owners(spec_placing *p, bool strict_unused, spec_err *err) {
  int rc = own_reached(p, err);
  if (rc == 0)
    rc = own_tds(p, err);
  if (rc == 0)
    rc = own_cmakes(p, err);
  if (rc == 0)
    rc = own_unlisted(p, err);
  if (rc == 0)
    rc = own_package(p, err);
  if (rc == 0)
    rc = check_requests(p, err);
  for (size_t i = 0; rc == 0 && i < p->plan->override_count; i++)
    rc = p->owners[i] != NULL ? join_owners(p, i, err)
                              : report_unused(p, &p->plan->overrides[i], strict_unused, err);
  return rc;
}
