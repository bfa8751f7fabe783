/* drift.c */
#include "core/drift.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "core/blob_id.h"
#include "core/plan_lock.h"
#include <string.h>

/* An override whose trunk file is another one than its line says. */
typedef struct drifted {
  const spec_override *override;
  const char *what; /* for the message; NULL: the file has changed */
  size_t count;     /* index into the changed files then */
} drifted;

typedef struct checking {
  spec_plan *plan;
  const spec_options *options;
  spec_drift mode;
  const spec_lock *lock;
  spec_changed *changed; /* for options->count_lines */
  size_t changed_count, changed_cap;
  drifted *found;
  size_t found_count, found_cap;
  spec_digest *digest; /* of what was found */
} checking;

static const char *const mode_names[] = {"default", "ignore", "warn", "error"};

spec_drift spec_drift_named(const char *name) {
  for (spec_drift mode = SPEC_DRIFT_IGNORE; mode <= SPEC_DRIFT_ERROR; mode++)
    if (strcmp(name, mode_names[mode]) == 0)
      return mode;
  return SPEC_DRIFT_DEFAULT;
}

const char *spec_drift_name(spec_drift mode) {
  return mode_names[mode];
}

/* The layer that was asked for: the last one. */
static const spec_backend *own_layer(const spec_plan *plan) {
  return &plan->backends[plan->layer_count - 1];
}

spec_drift spec_drift_mode(const spec_plan *plan, spec_drift option) {
  const spec_backend *layer = own_layer(plan);
  if (option != SPEC_DRIFT_DEFAULT)
    return option;
  for (size_t i = 0; i < layer->setting_count; i++)
    if (strcmp(layer->settings[i].section, "drift") == 0)
      return spec_drift_named(layer->settings[i].value);
  return SPEC_DRIFT_WARN;
}

/* The blob id of a trunk file; "-" when there is none. The bytes are needed no longer then. */
static int id_of(const checking *c, char out[static SPEC_BLOB_ID_SIZE], const char *path,
                 spec_err *err) {
  spec_arena *arena = NULL;
  spec_ftype type;
  int rc = spec_tree_type(c->plan->trunk.tree, &type, path, err);
  const char *full = spec_path_join(c->plan->arena, c->plan->trunk.root, path);
  memcpy(out, "-", 2);
  if (rc == 0 && full == NULL)
    rc = spec_fail_memory(err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_arena_new(&arena, err);
  if (rc == 0)
    rc = spec_blob_id_of_file(arena, out, full, err);
  spec_arena_free(arena);
  return rc;
}

static int add_found(checking *c, const spec_override *o, const char *what, spec_err *err) {
  int rc = spec_arena_reserve(c->plan->arena, &c->found, c->found_count, &c->found_cap,
                              sizeof *c->found, err);
  if (rc == 0)
    c->found[c->found_count++] = (drifted){o, what, c->changed_count};
  return rc;
}

static int add_changed(checking *c, const spec_override *o, const char *blob, spec_err *err) {
  int rc = add_found(c, o, NULL, err);
  if (rc == 0)
    rc = spec_arena_reserve(c->plan->arena, &c->changed, c->changed_count, &c->changed_cap,
                            sizeof *c->changed, err);
  if (rc == 0)
    c->changed[c->changed_count++] = (spec_changed){o->trunk, blob, -1, -1};
  return rc;
}

static int check_override(checking *c, const spec_override *o, spec_err *err) {
  spec_plan *plan = c->plan;
  char id[SPEC_BLOB_ID_SIZE];
  const char *path = spec_plan_locked_path(plan, o);
  if (path == NULL)
    return spec_fail_memory(err);
  const spec_lock_line *line = spec_lock_find(c->lock, path);
  if (line == NULL) {
    spec_report(&plan->report, SPEC_F_UNLOCKED, o->vendor, o->overlay, NULL, NULL);
    return SPEC_OK;
  }
  int rc = id_of(c, id, o->trunk, err);
  if (rc != 0 || strcmp(id, line->blob) == 0)
    return rc;
  spec_digest_str(c->digest, o->trunk);
  spec_digest_str(c->digest, line->blob);
  spec_digest_str(c->digest, id);
  if (strcmp(line->blob, "-") != 0 && strcmp(id, "-") != 0)
    return add_changed(c, o, line->blob, err);
  const char *what = spec_arena_printf(plan->arena, "'%s' is %s", o->trunk,
                                       strcmp(id, "-") == 0 ? "gone" : "new there");
  return what == NULL ? spec_fail_memory(err) : add_found(c, o, what, err);
}

static int check_overrides(checking *c, spec_err *err) {
  const spec_plan *plan = c->plan;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < plan->override_count; i++)
    if (plan->overrides[i].layer + 1 == plan->layer_count &&
        plan->overrides[i].action != SPEC_HOOKS)
      rc = check_override(c, &plan->overrides[i], err);
  return rc;
}

/* Lines of overrides that are gone; those of what is not here cannot be judged. */
static int check_lines(const checking *c, spec_err *err) {
  spec_plan *plan = c->plan;
  const char *path = spec_path_join(plan->arena, own_layer(plan)->dir, SPEC_LOCK_FILE);
  for (size_t i = 0; path != NULL && i < c->lock->count; i++) {
    const spec_lock_line *line = &c->lock->lines[i];
    const char *trunk = plan->installed ? spec_path_below(line->trunk, "python") : line->trunk;
    if (trunk == NULL || (plan->installed && spec_plan_in_package(plan, trunk) == NULL))
      continue;
    const spec_override *o = spec_plan_find(plan, trunk);
    if (o != NULL && o->layer + 1 == plan->layer_count)
      continue;
    const char *where = spec_arena_printf(plan->arena, "%s:%zu", path, line->line);
    if (where == NULL)
      return spec_fail_memory(err);
    spec_report(&plan->report, SPEC_F_LOCK_STALE, where, trunk, NULL, NULL);
  }
  return path == NULL ? spec_fail_memory(err) : SPEC_OK;
}

static const char *lines_text(const checking *c, const spec_changed *changed, const char *reason) {
  if (changed->added >= 0 && changed->removed >= 0)
    return spec_arena_printf(c->plan->arena, "'%s' has changed since, by +%ld -%ld lines",
                             changed->trunk, changed->added, changed->removed);
  return spec_arena_printf(c->plan->arena, "'%s' has changed since%s%s", changed->trunk,
                           *reason == '\0' ? "" : "; lines were not counted: ", reason);
}

static int report_found(const checking *c, spec_err *err) {
  const spec_options *options = c->options;
  const char *reason = "";
  int rc = 0;
  if (c->changed_count > 0 && options->count_lines != NULL)
    rc = options->count_lines(options->count_user, c->changed, c->changed_count, &reason, err);
  for (size_t i = 0; rc == 0 && i < c->found_count; i++) {
    const drifted *d = &c->found[i];
    const char *what = d->what != NULL ? d->what : lines_text(c, &c->changed[d->count], reason);
    if (what == NULL)
      return spec_fail_memory(err);
    (c->mode == SPEC_DRIFT_ERROR ? spec_report : spec_report_soft)(
        &c->plan->report, SPEC_F_DRIFT, d->override->vendor, d->override->overlay, what, NULL);
  }
  return rc;
}

int spec_drift_check(spec_plan *plan, const spec_options *options, spec_err *err) {
  checking c = {.plan = plan, .options = options};
  const spec_plan_lock *own;
  c.mode = spec_drift_mode(plan, options->drift);
  if (c.mode == SPEC_DRIFT_IGNORE)
    return SPEC_OK;
  int rc = spec_plan_lock_of(&own, plan, plan->layer_count - 1, err);
  if (rc != 0)
    return rc;
  if (own->rc == SPEC_EPARSE) {
    spec_report(&plan->report, SPEC_F_LOCK_BROKEN, own->error.where, own->error.what, NULL, NULL);
    return SPEC_OK;
  }
  if (own->rc != 0 && err != NULL)
    *err = own->error;
  if (own->rc != 0 || !own->exists)
    return own->rc;
  c.lock = &own->lock;
  c.digest = spec_digest_new(plan->arena);
  rc = c.digest == NULL ? spec_fail_memory(err) : check_overrides(&c, err);
  if (rc == 0)
    rc = check_lines(&c, err);
  if (rc == 0 && c.found_count > 0)
    spec_digest_hex(c.digest, plan->drifted);
  return rc == 0 ? report_found(&c, err) : rc;
}
