/* plan.c: all overrides of a backend against a trunk, resolved and checked. */
#include "core/plan.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/looks.h"
#include "base/path.h"
#include "core/drift.h"
#include "core/journal.h"
#include "core/kind.h"
#include "core/plan_patch.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Nothing but the package belongs to the trunk then. */
static int limit_to_package(spec_plan *plan, spec_err *err) {
  static const char package[] = "triton";
  spec_ftype type;
  int rc = spec_tree_limit(plan->trunk.tree, package, err);
  const char *full = spec_path_join(plan->arena, plan->trunk.root, package);
  if (rc == 0)
    rc = full == NULL ? spec_fail_memory(err) : spec_fs_type(&type, full, err);
  if (rc != 0 || type == SPEC_FT_DIR)
    return rc;
  spec_fail(err, SPEC_ENOTFOUND, "'%s' holds no package 'triton'", plan->trunk.root);
  spec_fail_where(err, "%s", full);
  return spec_fail_mend(err, "name the folder that holds triton/, as site-packages does");
}

static int open_trunk(spec_plan *plan, const char *path, spec_err *err) {
  const char *cwd;
  int rc = spec_fs_cwd(plan->arena, &cwd, err);
  if (rc != 0)
    return rc;
  plan->trunk.root = spec_path_resolve(plan->arena, cwd, path);
  if (plan->trunk.root == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  rc = spec_fs_type(&type, plan->trunk.root, err);
  if (rc != 0)
    return rc;
  if (type != SPEC_FT_DIR) {
    spec_fail(err, SPEC_ENOTFOUND, "the trunk '%s' is not a folder", plan->trunk.root);
    return plan->installed
               ? spec_fail_mend(err, "name the folder that holds triton/, as site-packages does")
               : spec_fail_mend(err, "name the root of the Triton source tree with --trunk");
  }
  rc = spec_fs_real(plan->arena, &plan->trunk.real, plan->trunk.root, err);
  if (rc == 0)
    rc = spec_tree_new(&plan->trunk.tree, plan->arena, plan->trunk.root, err);
  return rc != 0 || !plan->installed ? rc : limit_to_package(plan, err);
}

/* Overlay roots, absolute; <trunk>/third_party when none is given. */
static int resolve_roots(spec_plan *plan, const spec_options *options, const char ***out,
                         size_t *count, spec_err *err) {
  size_t n = options->root_count == 0 && !plan->installed ? 1 : options->root_count;
  const char **roots = spec_arena_array(plan->arena, n, sizeof *roots);
  const char *cwd;
  if (n == 0) {
    spec_fail(err, SPEC_ENOTFOUND, "no overlay root is named, so backend '%s' cannot be found",
              plan->backend);
    return spec_fail_mend(err,
                          "name the folder that holds it: --root DIR, roots=[...] in Python, or "
                          "SPEC_PATH in the environment");
  }
  int rc = spec_fs_cwd(plan->arena, &cwd, err);
  if (rc != 0)
    return rc;
  if (roots == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < n; i++) {
    roots[i] = options->root_count == 0
                   ? spec_path_join(plan->arena, plan->trunk.root, "third_party")
                   : spec_path_resolve(plan->arena, cwd, options->roots[i]);
    if (roots[i] == NULL)
      return spec_fail_memory(err);
  }
  *out = roots;
  *count = n;
  return SPEC_OK;
}

/* Puts an override in the place of a lower layer's. */
static int replace(spec_plan *plan, spec_override *old, const spec_override *o, spec_err *err) {
  spec_override *below = spec_arena_alloc(plan->arena, sizeof *below);
  if (below == NULL)
    return spec_fail_memory(err);
  *below = *old;
  *old = *o;
  old->below = below;
  return SPEC_OK;
}

static int append(spec_plan *plan, const spec_override *o, spec_err *err) {
  int rc = spec_arena_reserve(plan->arena, &plan->overrides, plan->override_count,
                              &plan->override_cap, sizeof *plan->overrides, err);
  if (rc == 0)
    plan->overrides[plan->override_count++] = *o;
  return rc;
}

/* While layers are read, by_trunk holds index + 1: the array may still move. */
static int remember(spec_plan *plan, const char *trunk, size_t index, spec_err *err) {
  return spec_map_set(plan->by_trunk, trunk, (void *)(uintptr_t)(index + 1), err);
}

/* A second file in the same layer whose trunk path differs only in case. */
static int check_case(spec_plan *plan, bool *ok, const spec_override *o, spec_err *err) {
  char *lower = spec_arena_strdup(plan->arena, o->trunk);
  if (lower == NULL)
    return spec_fail_memory(err);
  for (char *p = lower; *p != '\0'; p++)
    *p = (char)tolower((unsigned char)*p);
  const spec_override *other = spec_map_get(plan->by_case, lower, NULL);
  *ok = other == NULL || other->layer != o->layer || strcmp(other->trunk, o->trunk) == 0;
  if (!*ok)
    spec_report(&plan->report, SPEC_F_CASE_CLASH, o->vendor, o->overlay, other->overlay, NULL);
  spec_override *copy = spec_arena_alloc(plan->arena, sizeof *copy);
  if (copy == NULL)
    return spec_fail_memory(err);
  *copy = *o;
  return spec_map_set(plan->by_case, lower, copy, err);
}

/* What an override does to that of a lower layer. */
static spec_finding said_of_layers(const spec_override *o, const spec_override *old) {
  if (o->action == SPEC_PATCH)
    return SPEC_F_LAYER_PATCHES;
  bool merges = o->policy == SPEC_POLICY_MERGE && old->action != SPEC_REMOVE;
  return merges ? SPEC_F_LAYER_MERGES : SPEC_F_LAYER_WINS;
}

static int on_override(void *user, const spec_override *o, spec_err *err) {
  spec_plan *plan = user;
  bool ok = false;
  int rc = check_case(plan, &ok, o, err);
  if (rc != 0 || !ok)
    return rc;
  size_t at = (size_t)(uintptr_t)spec_map_get(plan->by_trunk, o->trunk, NULL);
  spec_override *old = at == 0 ? NULL : &plan->overrides[at - 1];
  if (old != NULL && old->layer == o->layer) {
    spec_report(&plan->report, SPEC_F_DUPLICATE, o->vendor, o->overlay, old->overlay, o->trunk);
    return SPEC_OK;
  }
  if (o->action == SPEC_PATCH)
    rc = spec_plan_check_patch(plan, &ok, o, old, err);
  if (rc == 0)
    rc = spec_plan_check_conflict(plan, o, err);
  if (rc != 0 || !ok)
    return rc;
  if (old == NULL) {
    rc = remember(plan, o->trunk, plan->override_count, err);
    return rc != 0 ? rc : append(plan, o, err);
  }
  spec_report(&plan->report, said_of_layers(o, old), o->vendor, o->trunk,
              plan->layers[o->layer].name, plan->layers[old->layer].name);
  return replace(plan, old, o, err);
}

/* spec.ini names paths of the source tree; its package may lie here without the folder above. NULL:
 * it is of the part that is not here. */
static const char *removed_path(const spec_plan *plan, const char *path) {
  if (!plan->installed)
    return path;
  const char *inner = spec_path_below(path, "python");
  if (inner == NULL)
    inner = path;
  return spec_path_below(inner, "triton") == NULL ? NULL : inner;
}

static int remove_path(spec_plan *plan, size_t layer, const char *named, spec_err *err) {
  const char *ini = spec_path_join(plan->arena, plan->layers[layer].dir, "spec.ini");
  if (ini == NULL)
    return spec_fail_memory(err);
  const char *path = removed_path(plan, named);
  if (path == NULL) {
    spec_report(&plan->report, SPEC_F_REMOVE_ELSEWHERE, ini, named, NULL, NULL);
    return SPEC_OK;
  }
  size_t at = (size_t)(uintptr_t)spec_map_get(plan->by_trunk, path, NULL);
  if (at != 0 && plan->overrides[at - 1].layer == layer) {
    spec_report(&plan->report, SPEC_F_REMOVE_OVERRIDDEN, ini, path, NULL, NULL);
    return SPEC_OK;
  }
  bool there;
  int rc = spec_tree_has_file(plan->trunk.tree, &there, path, err);
  if (rc != 0)
    return rc;
  if (!there) {
    const char *near;
    rc = spec_tree_nearest(plan->trunk.tree, &near, path, err);
    if (rc == 0)
      spec_report(&plan->report, SPEC_F_REMOVE_MISSING, ini, path, near, NULL);
    return rc;
  }
  spec_override o = {.kind = spec_kind_of(path), .action = SPEC_REMOVE, .policy = SPEC_POLICY_NONE};
  if (spec_plan_in_package(plan, path) != NULL) /* data files too */
    o.kind = SPEC_KIND_PYTHON;
  o.trunk = path;
  o.vendor = ini;
  o.overlay = "spec.ini";
  o.layer = layer;
  o.owners = "";
  o.in_trunk = true;
  if (at == 0) {
    rc = remember(plan, path, plan->override_count, err);
    return rc != 0 ? rc : append(plan, &o, err);
  }
  spec_report(&plan->report, SPEC_F_LAYER_WINS, ini, path, plan->layers[layer].name,
              plan->layers[plan->overrides[at - 1].layer].name);
  return replace(plan, &plan->overrides[at - 1], &o, err);
}

/* The trunk paths of the layers read so far. */
static int collect_lower(spec_map **out, const spec_plan *plan, spec_err *err) {
  int rc = spec_map_new(out, plan->arena, err);
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    rc = spec_map_set(*out, plan->overrides[i].trunk, *out, err);
  return rc;
}

static int read_layer(spec_plan *plan, size_t layer, spec_err *err) {
  const spec_backend *backend = &plan->backends[layer];
  spec_map *lower = NULL;
  int rc = collect_lower(&lower, plan, err);
  const spec_match match = {.arena = plan->arena,
                            .trunk = &plan->trunk,
                            .layer = backend,
                            .layer_index = layer,
                            .strict_redundant = plan->strict_redundant,
                            .installed = plan->installed,
                            .lower = lower,
                            .report = &plan->report};
  if (rc == 0)
    rc = spec_match_layer(&match, on_override, plan, err);
  spec_map_free(lower);
  for (size_t i = 0; rc == 0 && i < backend->setting_count; i++)
    if (strcmp(backend->settings[i].section, "remove") == 0)
      rc = remove_path(plan, layer, backend->settings[i].value, err);
  return rc;
}

static int compare_overrides(const void *a, const void *b) {
  return strcmp(((const spec_override *)a)->trunk, ((const spec_override *)b)->trunk);
}

static int index_overrides(spec_plan *plan, spec_err *err) {
  if (plan->override_count > 0)
    qsort(plan->overrides, plan->override_count, sizeof *plan->overrides, compare_overrides);
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    rc = spec_map_set(plan->by_trunk, plan->overrides[i].trunk, &plan->overrides[i], err);
  return rc;
}

static int read_layers(spec_plan *plan, const spec_options *options, spec_err *err) {
  const char **roots = NULL;
  size_t root_count = 0;
  int rc = resolve_roots(plan, options, &roots, &root_count, err);
  if (rc == 0)
    rc = spec_backend_layers(plan->arena, &plan->backends, &plan->layer_count, options->backend,
                             roots, root_count, err);
  if (rc != 0)
    return rc;
  plan->roots = roots;
  plan->root_count = root_count;
  plan->layers = spec_arena_array(plan->arena, plan->layer_count, sizeof *plan->layers);
  if (plan->layers == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < plan->layer_count; i++)
    plan->layers[i] = (spec_layer){plan->backends[i].name, plan->backends[i].dir};
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++)
    rc = read_layer(plan, i, err);
  return rc;
}

/* Whether a layer has the journal of an upgrade, which waits for its owner or was killed. */
static int check_upgrades(spec_plan *plan, spec_err *err) {
  int rc = SPEC_OK;
  for (size_t i = 0; rc == 0 && i < plan->layer_count; i++) {
    spec_ftype type;
    const char *path = spec_path_join(plan->arena, plan->layers[i].dir, SPEC_JOURNAL_DIR);
    rc = path == NULL ? spec_fail_memory(err) : spec_fs_link_type(&type, path, err);
    if (rc == 0 && type != SPEC_FT_NONE)
      spec_report(&plan->report, SPEC_F_UPGRADE_UNFINISHED, path, plan->layers[i].name, NULL, NULL);
  }
  return rc;
}

static int build(spec_plan *plan, const spec_options *options, spec_err *err) {
  int rc = spec_map_new(&plan->by_trunk, plan->arena, err);
  if (rc == 0)
    rc = spec_map_new(&plan->by_case, plan->arena, err);
  if (rc == 0)
    rc = open_trunk(plan, options->trunk, err);
  if (rc == 0)
    rc = read_layers(plan, options, err);
  if (rc == 0)
    rc = index_overrides(plan, err);
  if (rc == 0)
    rc = check_upgrades(plan, err);
  if (rc == 0)
    rc = spec_drift_check(plan, options, err);
  if (rc == 0)
    rc = spec_plan_apply_patches(plan, err);
  if (rc == 0 && plan->override_count == 0 && plan->report.errors == 0) {
    const char *dir = plan->layers[plan->layer_count - 1].dir;
    spec_report(&plan->report, SPEC_F_EMPTY_OVERLAY, dir, dir, NULL, NULL);
  }
  return rc;
}

spec_looks *spec_plan_begin_trace(const spec_plan *plan) {
  return spec_fs_trace(plan->looks);
}

int spec_plan_end_trace(const spec_plan *plan, spec_looks *before, int rc, spec_err *err) {
  (void)spec_fs_trace(before);
  return plan->looks != NULL && spec_looks_failed(plan->looks) ? spec_fail_memory(err) : rc;
}

/* The same, with all looks kept when they are wanted. */
static int build_traced(spec_plan *plan, const spec_options *options, spec_err *err) {
  if (!options->trace)
    return build(plan, options, err);
  int rc = spec_looks_new(&plan->looks, plan->arena, err);
  if (rc != 0)
    return rc;
  spec_looks *before = spec_plan_begin_trace(plan);
  rc = build(plan, options, err);
  return spec_plan_end_trace(plan, before, rc, err);
}

int spec_plan_new(spec_plan **out, const spec_options *options, spec_err *err) {
  if (options->trunk == NULL || options->backend == NULL)
    return spec_fail(err, SPEC_EINVAL, "a plan needs a trunk and a backend");
  spec_arena *arena;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  spec_plan *plan = spec_arena_alloc(arena, sizeof *plan);
  if (plan == NULL) {
    spec_arena_free(arena);
    return spec_fail_memory(err);
  }
  plan->arena = arena;
  plan->strict_redundant = options->strict_redundant;
  plan->strict_signatures = options->strict_signatures;
  plan->installed = options->installed;
  plan->drift = options->drift;
  plan->report = (spec_reporter){arena, options->on_event, options->user, 0, false, 0};
  plan->backend = spec_arena_strdup(arena, options->backend);
  rc = plan->backend == NULL ? spec_fail_memory(err) : build_traced(plan, options, err);
  if (rc != 0) {
    spec_plan_free(plan);
    return rc;
  }
  rc = spec_reporter_result(&plan->report, err);
  if (rc != 0 && rc != SPEC_EREFUSED) {
    spec_plan_free(plan);
    return rc;
  }
  *out = plan;
  return rc;
}

void spec_plan_free(spec_plan *plan) {
  if (plan == NULL)
    return;
  spec_map_free(plan->by_trunk);
  spec_map_free(plan->by_case);
  spec_looks_free(plan->looks);
  spec_tree_free(plan->trunk.tree);
  spec_arena_free(plan->arena);
}

const char *spec_plan_package(const spec_plan *plan) {
  return plan->installed ? "triton" : "python/triton";
}

const char *spec_plan_in_package(const spec_plan *plan, const char *trunk_path) {
  const char *inner = plan->installed ? trunk_path : spec_path_below(trunk_path, "python");
  return inner == NULL || spec_path_below(inner, "triton") == NULL ? NULL : inner;
}

const char *spec_plan_trunk(const spec_plan *plan) {
  return plan->trunk.root;
}
const char *spec_plan_backend(const spec_plan *plan) {
  return plan->backend;
}

const spec_layer *spec_plan_layers(const spec_plan *plan, size_t *count) {
  *count = plan->layer_count;
  return plan->layers;
}

const spec_override *spec_plan_overrides(const spec_plan *plan, size_t *count) {
  *count = plan->override_count;
  return plan->overrides;
}

const spec_override *spec_plan_find(const spec_plan *plan, const char *trunk_path) {
  return spec_map_get(plan->by_trunk, trunk_path, NULL);
}
