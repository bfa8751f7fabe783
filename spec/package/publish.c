/* publish.c: a package in the user's cache, made once and never changed again.
 *
 * <cache>/stages/.lock       held, shared, while a stage is made: who gets it alone knows that
 *                            half-made folders are nobody's
 * <cache>/stages/<key>/      a stage; its own .lock is held by who uses it, and dated by the last
 * use
 */
#include "base/err.h"
#include "base/path.h"
#include "package/bytecode.h"
#include "package/key.h"
#include "package/recall.h"
#include <string.h>

#define LOCK_NAME ".lock"

typedef struct publisher {
  spec_plan *plan;
  spec_texts texts;
  const char *stages; /* folder */
  const char *stage;  /* the one wanted */
  const char *key;
} publisher;

/* --- one stage --- */

/* Takes hold of the stage if it is there. SPEC_ENOTFOUND: it is not; err is of no use then. */
static int hold_stage(spec_arena *arena, int *lock, const char *stage, spec_err *err) {
  const char *path = spec_path_join(arena, stage, LOCK_NAME);
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_hold(lock, path, SPEC_HOLD_WAIT, err);
  if (rc == 0)
    (void)spec_fs_touch(path, NULL); /* a cache that can only be read serves too */
  return rc;
}

/* Fills a folder of its own and gives it the stage's name, unless another process was faster. */
static int build(const publisher *p, const spec_package *package, const char *folder, int *lock,
                 bool *taken, spec_err *err) {
  const char *path = spec_path_join(p->plan->arena, folder, LOCK_NAME);
  int rc = path == NULL ? spec_fail_memory(err) : spec_package_fill(package, folder, err);
  if (rc == 0)
    rc = spec_bytecode_copy(package, folder, err);
  if (rc == 0)
    rc = spec_records_write(package, p->key, folder, err);
  if (rc == 0)
    rc = spec_fs_hold(lock, path, SPEC_HOLD_CREATE, err);
  if (rc != 0)
    return rc;
  rc = spec_fs_rename_folder(folder, p->stage, taken, err);
  if (rc != 0 || *taken) {
    spec_fs_unlock(*lock);
    *lock = -1;
  }
  return rc;
}

static int build_beside(const publisher *p, const spec_package *package, int *lock, bool *taken,
                        spec_err *err) {
  const char *folder;
  *taken = false;
  int rc = spec_fs_temporary_folder(p->plan->arena, &folder, p->stage, err);
  if (rc != 0)
    return rc;
  rc = build(p, package, folder, lock, taken, err);
  if (rc != 0 || *taken)
    (void)spec_fs_remove_tree(folder, NULL);
  return rc;
}

/* What the user can do about a cache that cannot be written. */
static int explain(int rc, const publisher *p, spec_err *err) {
  const char *cache = spec_path_dirname(p->plan->arena, p->stages);
  if (rc == SPEC_EIO && err != NULL && cache != NULL && spec_path_below(err->where, cache) != NULL)
    (void)spec_fail_mend(err, "set TRITON_SPEC_CACHE to a folder that can be written and has room "
                              "for some MiB");
  return rc;
}

/* A stage among what it is made of would be a part of the next one. */
static int check_place(const publisher *p, spec_err *err) {
  const spec_plan *plan = p->plan;
  const char *package = spec_path_join(plan->arena, plan->trunk.root, spec_plan_package(plan));
  const char *real = spec_path_join(plan->arena, plan->trunk.real, spec_plan_package(plan));
  if (package == NULL || real == NULL)
    return spec_fail_memory(err);
  bool inside =
      spec_path_below(p->stages, package) != NULL || spec_path_below(p->stages, real) != NULL;
  for (size_t i = 0; i < plan->layer_count; i++)
    inside |= spec_path_below(p->stages, plan->layers[i].dir) != NULL;
  if (!inside)
    return SPEC_OK;
  spec_fail(err, SPEC_EINVAL, "the cache lies in the trunk's package or in the overlay");
  spec_fail_where(err, "%s", p->stages);
  return spec_fail_mend(err, "set TRITON_SPEC_CACHE to a folder elsewhere");
}

static int make_stage(publisher *p, int *lock, bool *taken, spec_err *err) {
  spec_package package;
  int making;
  const char *path = spec_path_join(p->plan->arena, p->stages, LOCK_NAME);
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = check_place(p, err);
  if (rc == 0)
    rc = spec_package_of(&package, &p->texts, p->plan, SPEC_PACKAGE_LIVE, err);
  if (rc == 0)
    rc = spec_fs_mkdirs(p->stages, err);
  if (rc == 0)
    rc = spec_fs_hold(&making, path, SPEC_HOLD_WAIT | SPEC_HOLD_CREATE, err);
  if (rc != 0)
    return explain(rc, p, err);
  rc = explain(build_beside(p, &package, lock, taken, err), p, err);
  spec_fs_unlock(making);
  return rc;
}

/* Makes the stage, or takes hold of the one that another process has made meanwhile. */
static int make_or_hold(publisher *p, int *lock, bool *made, spec_err *err) {
  bool taken = false;
  int rc;
  do {
    rc = make_stage(p, lock, &taken, err);
    if (rc == 0 && taken)
      rc = hold_stage(p->plan->arena, lock, p->stage, err);
  } while (rc == SPEC_ENOTFOUND && taken); /* and it is gone again */
  *made = !taken;
  return rc;
}

static int publish(spec_stage_hold *out, publisher *p, spec_err *err) {
  spec_err ignored;
  bool made = false;
  int lock = -1;
  int rc = hold_stage(p->plan->arena, &lock, p->stage, &ignored);
  if (rc == SPEC_ENOMEM)
    return spec_fail_memory(err);
  if (rc != 0)
    rc = make_or_hold(p, &lock, &made, err);
  if (rc == 0 && made)
    rc = spec_cache_clean(p->plan->arena, p->stages, err);
  if (rc != 0) {
    spec_fs_unlock(lock);
    return rc;
  }
  *out = (spec_stage_hold){.path = p->stage, .fresh = made, .lock = lock};
  memcpy(out->key, p->key, sizeof out->key);
  return SPEC_OK;
}

int spec_package_publish(spec_stage_hold *out, spec_plan *plan, const char *cache, spec_err *err) {
  publisher p = {.plan = plan, .stages = spec_path_join(plan->arena, cache, "stages")};
  char key[33];
  int rc = p.stages == NULL ? spec_fail_memory(err) : spec_texts_new(&p.texts, plan->arena, err);
  if (rc == 0) {
    spec_looks *before = spec_plan_begin_trace(plan);
    rc = spec_plan_end_trace(plan, before, spec_key_of(key, &p.texts, plan, err), err);
  }
  if (rc == 0) {
    p.key = key;
    p.stage = spec_path_join(plan->arena, p.stages, key);
    rc = p.stage == NULL ? spec_fail_memory(err) : publish(out, &p, err);
  }
  spec_texts_free(&p.texts);
  return rc;
}

void spec_stage_release(spec_stage_hold *hold) {
  spec_fs_unlock(hold->lock);
  hold->lock = -1;
}

/* --- from options --- */

/* The stage as the last plan of these options has left it; *found false: it must be planned. */
static int reopen(spec_stage_hold *out, bool *found, spec_arena *arena, const char *kept,
                  const spec_options *options, const char *cache, spec_err *err) {
  spec_err ignored;
  spec_kept_events events = {.arena = arena};
  int rc = spec_recall(found, out->key, &events, kept, err);
  if (rc != 0 || !*found)
    return rc;
  out->path = spec_arena_printf(arena, "%s/stages/%s", cache, out->key);
  if (out->path == NULL)
    return spec_fail_memory(err);
  rc = hold_stage(arena, &out->lock, out->path, &ignored);
  *found = rc == 0;
  if (*found)
    spec_recall_tell(&events, options);
  return rc == SPEC_ENOMEM ? spec_fail_memory(err) : SPEC_OK;
}

static int plan_and_publish(spec_stage_hold *out, spec_arena *arena, const char *kept,
                            const spec_options *options, const char *cache, spec_err *err) {
  spec_kept_events events = {arena, options->on_event, options->user, NULL, NULL, false};
  spec_options wanted = *options;
  spec_plan *plan = NULL;
  wanted.on_event = spec_keep_event;
  wanted.user = &events;
  wanted.trace = true;
  int rc = spec_plan_new(&plan, &wanted, err);
  if (rc == 0)
    rc = spec_package_publish(out, plan, cache, err);
  if (rc == 0) {
    (void)spec_recall_keep(arena, kept, out->key, &events, plan->looks, NULL); /* or plan again */
    out->path = spec_arena_strdup(arena, out->path);
    if (out->path == NULL) {
      spec_stage_release(out);
      rc = spec_fail_memory(err);
    }
  }
  spec_plan_free(plan);
  return rc;
}

int spec_stage_open(spec_stage_hold *out, spec_arena *arena, const spec_options *options,
                    const char *cache, spec_err *err) {
  spec_stage_hold stage = {.lock = -1};
  char name[33];
  bool found;
  int rc = spec_recall_name(arena, name, options, err);
  const char *kept = spec_arena_printf(arena, "%s/plans/%s", cache, name);
  if (rc == 0)
    rc = kept == NULL ? spec_fail_memory(err)
                      : reopen(&stage, &found, arena, kept, options, cache, err);
  if (rc == 0 && !found)
    rc = plan_and_publish(&stage, arena, kept, options, cache, err);
  if (rc == 0)
    *out = stage;
  return rc;
}
