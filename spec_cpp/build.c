/* build.c: the two steps of a configure run. */
#include "spec_build.h"

#include "base/err.h"
#include "base/path.h"
#include "core/package.h"
#include "core/results.h"
#include "place.h"
#include "plan_cmake.h"
#include <string.h>

static int write_file(spec_arena *arena, const char *dir, const char *name, spec_buf *text,
                      spec_err *err) {
  const char *path = spec_path_join(arena, dir, name);
  if (path == NULL || spec_buf_failed(text))
    return spec_fail_memory(err);
  return spec_fs_write(path, spec_buf_text(text), text->len, false, NULL, err);
}

/* The folder is locked then, unless this fails. */
static int open_view(spec_merged *out, spec_run_lock *lock, spec_plan *plan, const char *dir,
                     spec_err *err) {
  *out = (spec_merged){.arena = plan->arena, .plan = plan, .build = ""};
  int rc = spec_results_check(plan, dir, err);
  if (rc == 0)
    rc = spec_fs_mkdirs(dir, err);
  if (rc == 0)
    rc = spec_results_open(lock, &plan->report, dir, err);
  if (rc != 0)
    return rc;
  out->stage = spec_path_join(plan->arena, dir, "stage");
  return out->stage == NULL ? spec_fail_memory(err)
                            : spec_tree_new(&out->tree, plan->arena, "/", err);
}

static int stage_step(spec_plan *plan, const spec_merged *view, const char *out, spec_stage **stage,
                      spec_err *err) {
  spec_arena *arena = plan->arena;
  spec_tds tds;
  spec_buf text = {0};
  const char *package = spec_path_join(arena, out, "python");
  int rc = package == NULL ? spec_fail_memory(err) : spec_stage_new(stage, arena, view->stage, err);
  if (rc == 0)
    rc = spec_stage_overrides(*stage, plan, err);
  if (rc == 0)
    rc = spec_stage_write(*stage, false, err);
  if (rc == 0)
    rc = spec_package_write(plan, package, err);
  if (rc == 0)
    rc = spec_tblgen_scan(arena, &tds, view, err);
  if (rc == 0)
    rc = spec_tblgen_write_wrappers(arena, &tds, view, out, err);
  if (rc == 0)
    rc = spec_plan_cmake(arena, &text, view, &tds, *stage, out, err);
  if (rc == 0)
    rc = write_file(arena, out, "plan.cmake", &text, err);
  spec_buf_dispose(&text);
  return rc;
}

int spec_build_stage(spec_plan *plan, const char *out, spec_err *err) {
  spec_merged view;
  spec_stage *stage = NULL;
  spec_run_lock lock = {-1};
  int rc = open_view(&view, &lock, plan, out, err);
  if (rc == 0)
    rc = stage_step(plan, &view, out, &stage, err);
  spec_run_lock_release(&lock);
  spec_stage_free(stage);
  spec_tree_free(view.tree);
  return rc;
}

/* --- place --- */

/* Folders outside the trunk whose files are compiled: plugins, and overlays. */
static int find_outside(spec_placing *p, spec_err *err) {
  spec_merged *view = &p->view;
  view->build = p->targets.build;
  view->outside =
      spec_arena_array(p->arena, p->targets.count + p->plan->layer_count, sizeof *view->outside);
  if (view->outside == NULL)
    return spec_fail_memory(err);
  const char *last = NULL;
  for (size_t i = 0; i < p->plan->layer_count; i++)
    if (spec_path_below(p->plan->layers[i].dir, p->plan->trunk.root) == NULL)
      view->outside[view->outside_count++] = p->plan->layers[i].dir;
  for (size_t i = 0; i < p->targets.count; i++) {
    const char *dir = p->targets.items[i].dir;
    if (last != NULL && strcmp(dir, last) == 0)
      continue;
    last = dir;
    if (*dir != '\0' && spec_merged_id(view, dir) == NULL &&
        spec_path_below(dir, view->build) == NULL)
      view->outside[view->outside_count++] = dir;
  }
  return SPEC_OK;
}

static int read_targets(spec_placing *p, const char *file, spec_err *err) {
  const char *text;
  size_t len;
  int rc = spec_fs_read(p->arena, &text, &len, file, err);
  if (rc == 0)
    rc = spec_targets_parse(p->arena, &p->targets, text, len, file, err);
  if (rc != 0)
    return rc;
  p->project = p->targets.project;
  return find_outside(p, err);
}

static int write_results(spec_placing *p, spec_err *err) {
  spec_buf cmake = {0}, log = {0}, manifest = {0};
  int rc = spec_stage_write(p->stage, true, err);
  if (rc == 0)
    rc = spec_place_cmake(p, &cmake, err);
  if (rc == 0)
    rc = spec_place_log(p, &log, err);
  if (rc == 0)
    rc = spec_place_manifest(p, &manifest, err);
  if (rc == 0)
    rc = write_file(p->arena, p->out, "place.cmake", &cmake, err);
  if (rc == 0)
    rc = write_file(p->arena, p->out, "log.txt", &log, err);
  if (rc == 0)
    rc = write_file(p->arena, p->out, "manifest.json", &manifest, err);
  spec_buf_dispose(&cmake);
  spec_buf_dispose(&log);
  spec_buf_dispose(&manifest);
  return rc;
}

int spec_place_step(spec_placing *p, const char *targets, bool strict_unused, spec_err *err) {
  p->owners = spec_arena_array(p->arena, p->plan->override_count, sizeof(spec_map *));
  if (p->owners == NULL)
    return spec_fail_memory(err);
  int rc = read_targets(p, targets, err);
  if (rc == 0)
    rc = spec_stage_new(&p->stage, p->arena, p->view.stage, err);
  if (rc == 0)
    rc = spec_stage_overrides(p->stage, p->plan, err);
  if (rc == 0)
    rc = spec_graph_new(&p->graph, p->arena, &p->view, err);
  if (rc == 0)
    rc = spec_place_units(p, err);
  if (rc == 0)
    rc = spec_place_swaps(p, err);
  if (rc == 0)
    rc = spec_place_owners(p, strict_unused, err);
  if (rc == 0)
    rc = spec_reporter_result(&p->plan->report, err);
  return rc;
}

void spec_place_dispose(spec_placing *p) {
  for (size_t i = 0; p->owners != NULL && i < p->plan->override_count; i++)
    spec_map_free(p->owners[i]);
  spec_targets_dispose(&p->targets);
  spec_graph_free(p->graph);
  spec_stage_free(p->stage);
  spec_tree_free(p->view.tree);
}

int spec_build_place(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                     spec_err *err) {
  spec_placing p = {.arena = plan->arena, .plan = plan, .out = out};
  spec_run_lock lock = {-1};
  int rc = open_view(&p.view, &lock, plan, out, err);
  if (rc == 0)
    rc = spec_place_step(&p, targets, strict_unused, err);
  if (rc == 0)
    rc = write_results(&p, err);
  spec_run_lock_release(&lock);
  spec_place_dispose(&p);
  return rc;
}
