/* check.c: whether what CMake was told still holds.
 *
 * Ninja runs this before every build.  It asks each look of the record again; when one sees
 * something else, both steps are thought through anew, and only if CMake would be told something
 * else must it run again. */
#include "backdated.h"
#include "core/results.h"
#include "package/package.h"
#include "spec_build.h"
#include "steps.h"

#include "base/err.h"
#include "base/map.h"
#include "base/path.h"
#include <string.h>

typedef struct checker {
  spec_arena *arena;
  const char *build, *out; /* out: <build>/spec */
  spec_record then;
  spec_looks *now; /* the same looks, made again */
  size_t changed, touched;
  spec_map *told; /* paths given to on_changed */
  spec_changed_fn *on_changed;
  void *user;
  spec_err *err;
} checker;

/* --- looking again --- */

/* A path that was looked at in several ways is told once, and by its own name, not the stage's. */
static int tell(checker *c, const char *path) {
  c->changed++;
  if (c->on_changed == NULL || spec_path_below(path, c->out) != NULL ||
      spec_map_get(c->told, path, NULL) != NULL)
    return SPEC_OK;
  c->on_changed(c->user, path);
  return spec_map_set(c->told, path, c, c->err);
}

static int look_again(void *user, spec_look_kind kind, const char *path, const spec_look *then) {
  checker *c = user;
  spec_look now;
  bool touched;
  if (kind == SPEC_LOOK_PAST) {
    spec_looks_add(c->now, kind, path, then);
    return SPEC_OK;
  }
  int rc = spec_fs_look_again(&now, &touched, (int)kind, path, then, spec_looks_time(c->then.looks),
                              c->err);
  if (rc != 0)
    return rc;
  if (!spec_look_is_same(kind, then, &now))
    rc = tell(c, path);
  c->touched += touched;
  spec_looks_add(c->now, kind, path, &now);
  return rc;
}

static int look_at_all(checker *c) {
  int rc = spec_looks_new(&c->now, c->arena, c->err);
  if (rc == 0)
    rc = spec_map_new(&c->told, c->arena, c->err);
  if (rc == 0)
    rc = spec_looks_each(c->then.looks, look_again, c);
  return rc == 0 && spec_looks_failed(c->now) ? spec_fail_memory(c->err) : rc;
}

/* --- thinking again --- */

/* What has drifted is part of it: nothing is built anew for that, but it has to be said. */
static bool is_equal(const spec_record *then, const spec_plan *plan, const char stage[33],
                     const char place[33]) {
  return strcmp(then->stage, stage) == 0 && strcmp(then->place, place) == 0 &&
         strcmp(then->drifted, plan->drifted) == 0;
}

/* Whether the steps would still tell CMake the same; then `out` is the record of today. A plan
 * that is refused is none: CMake runs again to say why. */
static int think(checker *c, bool *stale, spec_plan **plan, spec_record *out) {
  const spec_options options = {.trunk = c->then.trunk,
                                .backend = c->then.backend,
                                .roots = c->then.roots,
                                .root_count = c->then.root_count,
                                .trace = true,
                                .strict_redundant = c->then.strict_redundant,
                                .drift = c->then.drift};
  char stage[33] = "", place[33] = "";
  int rc = spec_plan_new(plan, &options, c->err);
  if (rc == 0)
    rc = spec_step_stage(*plan, c->out, false, stage, c->err);
  if (rc == 0)
    rc = spec_step_place(*plan, c->out, c->then.targets, c->then.strict_unused, false, place,
                         c->err);
  *stale = rc != 0 || !is_equal(&c->then, *plan, stage, place);
  if (rc == SPEC_ENOMEM)
    return rc;
  if (*stale)
    return SPEC_OK;
  rc = spec_record_new(out, *plan, c->out, c->err);
  if (rc != 0)
    return rc;
  out->strict_unused = c->then.strict_unused;
  out->targets = c->then.targets;
  memcpy(out->stage, stage, sizeof stage);
  memcpy(out->place, place, sizeof place);
  return SPEC_OK;
}

/* Copies of Python overrides are made anew: no build rule looks after them. */
static int refresh_package(const checker *c, spec_plan *plan) {
  const char *package = spec_path_join(c->arena, c->out, "python");
  return package == NULL ? spec_fail_memory(c->err)
                         : spec_package_update(plan, package, true, c->err);
}

/* The build goes on, by the record of today; plan is NULL when no byte changed. */
static int go_on(const checker *c, spec_plan *plan, const spec_record *record) {
  int rc = plan == NULL ? SPEC_OK : refresh_package(c, plan);
  if (rc == 0 && plan != NULL)
    rc = spec_step_refresh(plan, c->out, record->looks, c->err);
  if (rc == 0)
    rc = spec_backdated_drop(c->arena, c->out, c->then.looks, record->looks, c->err);
  return rc != 0 ? rc : spec_record_write(c->arena, record, c->out, SPEC_RECORD, c->err);
}

static int renew(checker *c, bool *stale) {
  spec_plan *plan = NULL;
  spec_record record = c->then;
  record.looks = c->now;
  int rc = c->changed == 0 ? SPEC_OK : think(c, stale, &plan, &record);
  if (rc == 0 && !*stale)
    rc = go_on(c, plan, &record);
  if (record.looks != c->now)
    spec_looks_free(record.looks);
  spec_plan_free(plan);
  return rc;
}

/* --- the file that makes Ninja run CMake --- */

static int mark(const checker *c, bool stale) {
  const char *path = spec_path_join(c->arena, c->out, SPEC_STALE);
  spec_ftype type;
  if (path == NULL)
    return spec_fail_memory(c->err);
  int rc = spec_fs_type(&type, path, c->err);
  if (rc == 0 && stale) /* a new date, whatever it held */
    rc = spec_fs_remove(path, c->err);
  if (rc != 0 || (!stale && type == SPEC_FT_FILE))
    return rc;
  const char *text = stale ? "stale\n" : "";
  return spec_fs_write(path, text, strlen(text), false, NULL, c->err);
}

static int check_alone(checker *c, bool *stale) {
  int rc = spec_record_read(c->arena, &c->then, c->out, SPEC_RECORD, c->err);
  if (rc == SPEC_ENOTFOUND || rc == SPEC_EPARSE) { /* a run was killed, or another version ran */
    *stale = true;
    return mark(c, true);
  }
  if (rc == 0)
    rc = look_at_all(c);
  if (rc == 0 && c->changed + c->touched > 0)
    rc = renew(c, stale);
  return rc != 0 ? rc : mark(c, *stale);
}

/* Sees a whole configure run or none. */
static int check(checker *c, spec_event_fn *on_event, bool *stale) {
  const spec_reporter report = {c->arena, on_event, c->user, 0, false, 0};
  spec_run_lock configuring = {-1}, writing = {-1};
  int rc =
      spec_run_lock_take(&configuring, SPEC_RUN_CONFIGURE, c->build, on_event, c->user, c->err);
  if (rc == 0)
    rc = spec_results_open(&writing, &report, c->out, c->err);
  if (rc == 0)
    rc = check_alone(c, stale);
  spec_run_lock_release(&writing);
  spec_run_lock_release(&configuring);
  return rc;
}

int spec_build_check(bool *stale, const char *build, spec_changed_fn *on_changed,
                     spec_event_fn *on_event, void *user, spec_err *err) {
  checker c = {.on_changed = on_changed, .user = user, .err = err};
  const char *cwd;
  bool result = false;
  int rc = spec_arena_new(&c.arena, err);
  if (rc != 0)
    return rc;
  rc = spec_fs_cwd(c.arena, &cwd, err);
  if (rc == 0) {
    c.build = spec_path_resolve(c.arena, cwd, build);
    c.out = c.build == NULL ? NULL : spec_path_join(c.arena, c.build, "spec");
    rc = c.out == NULL ? spec_fail_memory(err) : check(&c, on_event, &result);
  }
  if (rc == 0)
    *stale = result;
  spec_looks_free(c.then.looks);
  spec_looks_free(c.now);
  spec_map_free(c.told);
  spec_arena_free(c.arena);
  return rc;
}

/* --- keeping what a run went by --- */

int spec_step_record_stage(spec_plan *plan, const char *out, const char outcome[33],
                           spec_err *err) {
  spec_record record;
  int rc = spec_record_new(&record, plan, out, err);
  if (rc != 0)
    return rc;
  memcpy(record.stage, outcome, sizeof record.stage);
  rc = spec_step_note_stage(&record, plan, out, err);
  if (rc == 0)
    rc = spec_record_write(plan->arena, &record, out, SPEC_RECORD_STAGE, err);
  spec_looks_free(record.looks);
  return rc;
}

static int add_look(void *looks, spec_look_kind kind, const char *path, const spec_look *look) {
  spec_looks_add(looks, kind, path, look);
  return 0;
}

/* The looks of both steps; where both looked, what the first saw. */
static int join(spec_record *record, const spec_record *stage, spec_err *err) {
  (void)spec_looks_each(record->looks, add_look, stage->looks);
  spec_looks *merged = stage->looks;
  memcpy(record->stage, stage->stage, sizeof record->stage);
  spec_looks_free(record->looks);
  record->looks = merged;
  return spec_looks_failed(merged) ? spec_fail_memory(err) : SPEC_OK;
}

static int drop_backdated(spec_plan *plan, const char *out, const spec_record *record,
                          spec_err *err) {
  spec_record then = {0};
  int rc = spec_record_read(plan->arena, &then, out, SPEC_RECORD, err);
  if (rc == SPEC_ENOTFOUND || rc == SPEC_EPARSE)
    return SPEC_OK; /* the first run, or the first of this version */
  if (rc == 0)
    rc = spec_backdated_drop(plan->arena, out, then.looks, record->looks, err);
  spec_looks_free(then.looks);
  return rc;
}

int spec_step_record(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                     const char outcome[33], spec_err *err) {
  spec_record record = {0}, stage = {0};
  int rc = spec_record_read(plan->arena, &stage, out, SPEC_RECORD_STAGE, err);
  if (rc == SPEC_ENOTFOUND) /* the first step kept none: nothing whole can be kept */
    return SPEC_OK;
  if (rc == 0)
    rc = spec_record_new(&record, plan, out, err);
  if (rc == 0)
    rc = join(&record, &stage, err);
  record.targets = targets;
  record.strict_unused = strict_unused;
  memcpy(record.place, outcome, sizeof record.place);
  if (rc == 0)
    rc = spec_step_note_place(&record, plan, out, err);
  if (rc == 0)
    rc = drop_backdated(plan, out, &record, err);
  if (rc == 0)
    rc = spec_record_write(plan->arena, &record, out, SPEC_RECORD, err);
  if (record.looks != stage.looks)
    spec_looks_free(record.looks);
  spec_looks_free(stage.looks);
  const checker c = {.arena = plan->arena, .out = out, .err = err};
  return rc != 0 ? rc : mark(&c, false);
}
