/* build.c: the two steps of a configure run, and what they would give today. */
#include "spec_build.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "core/plan_patch.h"
#include "core/results.h"
#include "package/package.h"
#include "place.h"
#include "plan_cmake.h"
#include "steps.h"
#include <string.h>

static int write_file(spec_arena *arena, const char *dir, const char *name, const spec_buf *text,
                      spec_err *err) {
  const char *path = spec_path_join(arena, dir, name);
  if (path == NULL || spec_buf_failed(text))
    return spec_fail_memory(err);
  return spec_fs_write(path, spec_buf_text(text), text->len, false, NULL, err);
}

/* The folder for results is there and locked then, unless this fails. */
static int open_results(spec_run_lock *lock, spec_plan *plan, const char *out, spec_err *err) {
  int rc = spec_results_check(plan, out, err);
  if (rc == 0)
    rc = spec_fs_mkdirs(out, err);
  return rc != 0 ? rc : spec_results_open(lock, &plan->report, out, err);
}

static int open_view(spec_merged *out, spec_plan *plan, const char *dir, spec_err *err) {
  *out = (spec_merged){.arena = plan->arena, .plan = plan, .build = ""};
  out->stage = spec_path_join(plan->arena, dir, "stage");
  return out->stage == NULL ? spec_fail_memory(err)
                            : spec_tree_new(&out->tree, plan->arena, "/", err);
}

/* --- stage --- */

/* Of what patches make, only the text of a CMake file counts: CMake must read it again. All else
 * is written before each build, and Ninja sees to what depends on it. */
static int add_entry(void *user, const char *path, const spec_staged *file) {
  const spec_override *patched_by = file->patched_by;
  spec_digest_str(user, path);
  spec_digest_str(user, file->target);
  if (patched_by != NULL && patched_by->kind == SPEC_KIND_CMAKE)
    spec_digest_add(user, patched_by->patched->text, patched_by->patched->len);
  return 0;
}

/* What CMake is told and what the stage holds. */
static int stage_outcome(char out[33], const spec_stage *stage, spec_arena *arena,
                         const spec_buf *text, spec_err *err) {
  spec_digest *digest = spec_digest_new(arena);
  if (digest == NULL || spec_buf_failed(text))
    return spec_fail_memory(err);
  spec_digest_add(digest, spec_buf_text(text), text->len);
  int rc = spec_stage_each(stage, add_entry, digest);
  spec_digest_hex(digest, out);
  return rc;
}

static int write_stage(spec_plan *plan, const spec_merged *view, const spec_tds *tds,
                       spec_stage *stage, const char *out, spec_buf *text, spec_err *err) {
  int rc = spec_stage_write(stage, false, err);
  if (rc == 0)
    rc = spec_tblgen_write_wrappers(plan->arena, tds, view, out, err);
  return rc != 0 ? rc : write_file(plan->arena, out, "plan.cmake", text, err);
}

static int stage_step(spec_plan *plan, const spec_merged *view, const char *out, bool write,
                      char outcome[33], spec_stage **stage, spec_err *err) {
  spec_arena *arena = plan->arena;
  spec_tds tds;
  spec_buf text = {0};
  const char *package = spec_path_join(arena, out, "python");
  int rc = package == NULL ? spec_fail_memory(err) : spec_stage_new(stage, arena, view->stage, err);
  if (rc == 0)
    rc = spec_stage_overrides(*stage, plan, err);
  if (rc == 0)
    rc = spec_tblgen_scan(arena, &tds, view, err);
  if (rc == 0)
    rc = spec_plan_cmake(arena, &text, view, &tds, *stage, out, err);
  if (rc == 0)
    rc = stage_outcome(outcome, *stage, arena, &text, err);
  if (rc == 0)
    rc = spec_package_update(plan, package, write, err);
  if (rc == 0 && write)
    rc = write_stage(plan, view, &tds, *stage, out, &text, err);
  spec_buf_dispose(&text);
  return rc;
}

int spec_step_stage(spec_plan *plan, const char *out, bool write, char outcome[33], spec_err *err) {
  spec_merged view;
  spec_stage *stage = NULL;
  spec_looks *before = spec_plan_begin_trace(plan);
  int rc = open_view(&view, plan, out, err);
  if (rc == 0)
    rc = stage_step(plan, &view, out, write, outcome, &stage, err);
  spec_stage_free(stage);
  spec_tree_free(view.tree);
  return spec_plan_end_trace(plan, before, rc, err);
}

int spec_build_stage(spec_plan *plan, const char *out, spec_err *err) {
  char outcome[33];
  spec_run_lock lock = {-1};
  int rc = open_results(&lock, plan, out, err);
  if (rc == 0)
    rc = spec_step_stage(plan, out, true, outcome, err);
  if (rc == 0 && plan->looks != NULL)
    rc = spec_step_record_stage(plan, out, outcome, err);
  spec_run_lock_release(&lock);
  return rc;
}

/* --- place --- */

static int anchor(const spec_merged *view, const char *dir, spec_err *err) {
  return *dir == '\0' ? SPEC_OK : spec_tree_anchor(view->tree, dir + 1, err);
}

/* Folders outside the trunk whose files are compiled: plugins, and overlays. */
static int find_outside(spec_placing *p, spec_err *err) {
  spec_merged *view = &p->view;
  view->build = p->targets.build;
  view->outside =
      spec_arena_array(p->arena, p->targets.count + p->plan->layer_count, sizeof *view->outside);
  if (view->outside == NULL)
    return spec_fail_memory(err);
  const char *last = NULL;
  int rc = anchor(view, view->build, err);
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
  for (size_t i = 0; rc == 0 && i < view->outside_count; i++)
    rc = anchor(view, view->outside[i], err);
  return rc;
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

static int write_results(spec_placing *p, const spec_buf *cmake, const spec_buf *log,
                         const spec_buf *manifest, spec_err *err) {
  int rc = spec_stage_write(p->stage, true, err);
  if (rc == 0)
    rc = write_file(p->arena, p->out, "place.cmake", cmake, err);
  if (rc == 0)
    rc = write_file(p->arena, p->out, "log.txt", log, err);
  return rc != 0 ? rc : write_file(p->arena, p->out, "manifest.json", manifest, err);
}

/* Makes the texts and their digest, and writes them. */
static int render(spec_placing *p, bool write, char outcome[33], spec_err *err) {
  spec_buf cmake = {0}, log = {0}, manifest = {0};
  const spec_buf *const texts[] = {&cmake, &log, &manifest};
  spec_digest *digest = spec_digest_new(p->arena);
  int rc = digest == NULL ? spec_fail_memory(err) : spec_place_cmake(p, &cmake, err);
  if (rc == 0)
    rc = spec_place_log(p, &log, err);
  if (rc == 0)
    rc = spec_place_manifest(p, &manifest, err);
  for (size_t i = 0; rc == 0 && i < sizeof texts / sizeof *texts; i++)
    spec_digest_add(digest, spec_buf_text(texts[i]), texts[i]->len);
  if (rc == 0)
    rc = spec_stage_each(p->stage, add_entry, digest);
  if (rc == 0)
    spec_digest_hex(digest, outcome);
  if (rc == 0 && write)
    rc = write_results(p, &cmake, &log, &manifest, err);
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
  return rc != 0 ? rc : spec_reporter_result(&p->plan->report, err);
}

void spec_place_dispose(spec_placing *p) {
  for (size_t i = 0; p->owners != NULL && i < p->plan->override_count; i++)
    spec_map_free(p->owners[i]);
  spec_targets_dispose(&p->targets);
  spec_graph_free(p->graph);
  spec_stage_free(p->stage);
  spec_tree_free(p->view.tree);
}

/* Adds to the looks one at a file of the stage, by its path there: that is how compilers name it.
 */
typedef struct stage_looker {
  spec_arena *arena;
  const char *stage;
  spec_looks *looks;
  bool patched; /* at what patches make, too */
  spec_err *err;
} stage_looker;

static int look_at_staged(void *user, const char *path, const spec_staged *file) {
  const stage_looker *l = user;
  const char *full = spec_path_join(l->arena, l->stage, path);
  spec_look unread; /* part of a CMake file's twin: only its date matters */
  if (full == NULL)
    return spec_fail_memory(l->err);
  if (file->patched_by != NULL) {
    int rc = l->patched ? spec_fs_look(&unread, SPEC_LOOK_INSIDE, full, l->err) : SPEC_OK;
    if (rc == 0 && l->patched)
      spec_looks_add(l->looks, SPEC_LOOK_INSIDE, full, &unread);
    return rc;
  }
  const spec_look *look = spec_looks_get(l->looks, SPEC_LOOK_INSIDE, file->target);
  if (look == NULL && spec_fs_glance(&unread, SPEC_LOOK_INSIDE, file->target, NULL) == 0)
    look = &unread;
  if (look != NULL)
    spec_looks_add(l->looks, SPEC_LOOK_INSIDE, full, look);
  return SPEC_OK;
}

int spec_step_refresh(spec_plan *plan, const char *out, spec_looks *looks, spec_err *err) {
  stage_looker looker = {plan->arena, spec_path_join(plan->arena, out, "stage"), looks, true, err};
  spec_stage *stage = NULL;
  int rc = looker.stage == NULL ? spec_fail_memory(err)
                                : spec_stage_new(&stage, plan->arena, looker.stage, err);
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].patched != NULL)
      rc = spec_stage_add_override(stage, &plan->overrides[i], err);
  if (rc == 0)
    rc = spec_stage_write(stage, false, err);
  if (rc == 0)
    rc = spec_stage_each(stage, look_at_staged, &looker);
  spec_stage_free(stage);
  return rc;
}

int spec_step_place(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                    bool write, char outcome[33], spec_err *err) {
  spec_placing p = {.arena = plan->arena, .plan = plan, .out = out};
  spec_looks *before = spec_plan_begin_trace(plan);
  int rc = open_view(&p.view, plan, out, err);
  if (rc == 0)
    rc = spec_place_step(&p, targets, strict_unused, err);
  if (rc == 0)
    rc = render(&p, write, outcome, err);
  rc = spec_plan_end_trace(plan, before, rc, err);
  stage_looker looker = {p.arena, p.view.stage, plan->looks, write, err};
  if (rc == 0 && plan->looks != NULL)
    rc = spec_stage_each(p.stage, look_at_staged, &looker);
  spec_place_dispose(&p);
  return rc;
}

int spec_build_place(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                     spec_err *err) {
  char outcome[33];
  spec_run_lock lock = {-1};
  int rc = open_results(&lock, plan, out, err);
  if (rc == 0)
    rc = spec_step_place(plan, out, targets, strict_unused, true, outcome, err);
  if (rc == 0 && plan->looks != NULL)
    rc = spec_step_record(plan, out, targets, strict_unused, outcome, err);
  spec_run_lock_release(&lock);
  return rc;
}
