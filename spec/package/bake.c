/* bake.c: from a stock wheel and an overlay to the new wheel. */
#include "package/bake.h"

#include "base/err.h"
#include "base/path.h"

#include <string.h>

typedef struct baker {
  const spec_bake_options *options;
  spec_arena *arena;
  spec_wheel wheel;
  const char *trunk; /* the unpacked wheel */
  spec_plan *plan;
  spec_wheel_change *changes;
  size_t change_count, change_cap;
} baker;

/* --- places ---------------------------------------------------------------------------------- */

/* The text with the unpacked wheel's folder replaced by the wheel; NULL when memory is out. */
static const char *name_wheel(const baker *b, const char *text) {
  size_t len = strlen(b->trunk);
  const char *at = strstr(text, b->trunk);
  while (at != NULL && at[len] != '/')
    at = strstr(at + 1, b->trunk);
  if (at == NULL)
    return text;
  const char *rest = name_wheel(b, at + len + 1);
  return rest == NULL ? NULL
                      : spec_arena_printf(b->arena, "%.*s%s:%s", (int)(at - text), text,
                                          b->options->wheel, rest);
}

/* A spec_event_fn: the reader knows the wheel, not the folder. */
static void relay(void *user, const spec_event *event) {
  baker *b = user;
  spec_event named = *event;
  named.where = name_wheel(b, event->where);
  named.message = name_wheel(b, event->message);
  named.mend = name_wheel(b, event->mend);
  bool whole = named.where != NULL && named.message != NULL && named.mend != NULL;
  b->options->plan.on_event(b->options->plan.user, whole ? &named : event);
}

static int name_wheel_in(const baker *b, int rc, spec_err *err) {
  if (rc == SPEC_OK || err == NULL)
    return rc;
  const char *where = name_wheel(b, err->where), *mend = name_wheel(b, err->mend),
             *what = name_wheel(b, err->what);
  const spec_err old = *err;
  (void)spec_fail(err, rc, "%s", what != NULL ? what : old.what);
  (void)spec_fail_where(err, "%s", where != NULL && where != err->where ? where : old.where);
  (void)spec_fail_mend(err, "%s", mend != NULL && mend != err->mend ? mend : old.mend);
  return rc;
}

/* --- the wheel ------------------------------------------------------------------------------- */

static int refuse(const baker *b, const char *what, const char *mend, spec_err *err) {
  (void)spec_fail(err, SPEC_EINVAL, "%s", what);
  (void)spec_fail_where(err, "%s", b->options->wheel);
  (void)spec_fail_mend(err, "%s", mend);
  return SPEC_EINVAL;
}

/* Whether something of the package would be installed from the data folder, where a plan does not
 * see it. */
static bool has_scattered_package(const spec_wheel *wheel) {
  for (size_t i = 0; i < wheel->count; i++) {
    const char *name = wheel->members[i].entry->name, *data = strstr(name, ".data/");
    if (data == NULL || strchr(name, '/') != data + 5)
      continue;
    if (spec_path_below(data + 6, "purelib/triton") != NULL ||
        spec_path_below(data + 6, "platlib/triton") != NULL)
      return true;
  }
  return false;
}

static int check_wheel(const baker *b, spec_err *err) {
  const spec_wheel *wheel = &b->wheel;
  if (!spec_project_equal(wheel->project, "triton") ||
      spec_wheel_find(wheel, "triton/__init__.py") == NULL)
    return refuse(b, "this is not a wheel of triton, with the package triton in it",
                  "give the wheel of the project 'triton' that the backend is for", err);
  if (spec_wheel_info(wheel, SPEC_BAKE_MANIFEST) != NULL ||
      spec_wheel_find(wheel, "triton/FLAGTREE_BACKEND") != NULL)
    return refuse(
        b, "a backend has been baked into this wheel already",
        "bake the stock wheel; a backend over another one is a layer: '[backend] base' in "
        "spec.ini",
        err);
  if (has_scattered_package(wheel))
    return refuse(b,
                  "part of triton lies in the wheel's data folder, where an overlay has no effect",
                  "build the wheel so that its package lies in one folder", err);
  return SPEC_OK;
}

/* --- the plan -------------------------------------------------------------------------------- */

/* Plans twice: what the first plan replaces is unpacked before the second, which everybody hears,
 * compares it. */
static int make_plan(baker *b, spec_err *err) {
  spec_options options = b->options->plan;
  options.trunk = b->trunk;
  options.installed = true;
  options.on_event = NULL;
  int rc = spec_plan_new(&b->plan, &options, err);
  if (rc < 0 && rc != SPEC_EREFUSED)
    return rc;
  rc = spec_bake_unpack_replaced(&b->wheel, b->trunk, b->plan, err);
  if (rc != SPEC_OK)
    return rc;
  spec_plan_free(b->plan);
  b->plan = NULL;
  if (b->options->plan.on_event != NULL) {
    options.on_event = relay;
    options.user = b;
  }
  return spec_plan_new(&b->plan, &options, err);
}

/* --- changes --------------------------------------------------------------------------------- */

static int add_change(baker *b, const spec_wheel_change *change, spec_err *err) {
  int rc = spec_arena_reserve(b->arena, &b->changes, b->change_count, &b->change_cap,
                              sizeof *b->changes, err);
  if (rc == SPEC_OK)
    b->changes[b->change_count++] = *change;
  return rc;
}

/* Leaves out the bytecode of a module that is another one now: Python may be told not to compare
 * the two. */
static int drop_bytecode(baker *b, const char *module, spec_err *err) {
  const char *file = spec_path_basename(module), *ext = spec_path_ext(module);
  int dir = (int)(file - module), stem = (int)(ext - file), rc = SPEC_OK;
  const char *start = spec_arena_printf(b->arena, "%.*s__pycache__/%.*s.", dir, module, stem, file);
  if (start == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < b->wheel.count && rc == SPEC_OK; i++) {
    const char *name = b->wheel.members[i].entry->name;
    if (strncmp(name, start, strlen(start)) == 0)
      rc = add_change(b, &(spec_wheel_change){.name = name}, err);
  }
  return rc;
}

static int change_module(baker *b, const spec_wheel_change *change, spec_err *err) {
  int rc = add_change(b, change, err);
  if (rc != SPEC_OK || strcmp(spec_path_ext(change->name), ".py") != 0 ||
      spec_wheel_find(&b->wheel, change->name) == NULL)
    return rc;
  return drop_bytecode(b, change->name, err);
}

static int list_changes(baker *b, const spec_package *package, spec_err *err) {
  spec_wheel_change manifest = {0};
  int rc = SPEC_OK;
  for (size_t i = 0; i < package->count && rc == SPEC_OK; i++) {
    const spec_member *m = &package->members[i];
    if (m->origin != SPEC_FROM_TRUNK)
      rc = change_module(b, &(spec_wheel_change){m->path, m->text, m->len, m->executable}, err);
  }
  for (size_t i = 0; i < package->removed_count && rc == SPEC_OK; i++)
    rc = change_module(b, &(spec_wheel_change){.name = package->removed[i]}, err);
  if (rc == SPEC_OK)
    rc = spec_bake_manifest(b->arena, &manifest.data, &manifest.len, package,
                            spec_path_basename(b->wheel.path), err);
  manifest.name = spec_path_join(b->arena, b->wheel.dist_info, SPEC_BAKE_MANIFEST);
  if (rc == SPEC_OK && manifest.name == NULL)
    rc = spec_fail_memory(err);
  return rc != SPEC_OK ? rc : add_change(b, &manifest, err);
}

static void count_changes(spec_baked *out, const baker *b) {
  size_t known = 0;
  for (size_t i = 0; i < b->change_count; i++) {
    bool is_known = spec_wheel_find(&b->wheel, b->changes[i].name) != NULL;
    known += is_known;
    out->added += !is_known && b->changes[i].data != NULL;
    out->replaced += is_known && b->changes[i].data != NULL;
    out->removed += is_known && b->changes[i].data == NULL;
  }
  out->kept = b->wheel.count - known;
}

/* --- the new wheel -----------------------------------------------------------------------------
 */

static int write_wheel(spec_baked *out, const baker *b, spec_err *err) {
  const spec_bake_options *o = b->options;
  const spec_wheel_edit edit = {out->version, b->changes, b->change_count, o->date};
  const char *name = spec_wheel_file_name(&b->wheel, out->version);
  out->path = name == NULL ? NULL : spec_path_join(b->arena, o->folder, name);
  if (out->path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_mkdirs(o->folder, err);
  return rc != SPEC_OK ? rc : spec_wheel_write(&out->changed, &b->wheel, out->path, &edit, err);
}

/* All that looks at the unpacked wheel. */
static int plan_changes(baker *b, spec_err *err) {
  spec_package package;
  int rc = spec_bake_unpack(&b->wheel, b->trunk, err);
  if (rc == SPEC_OK)
    rc = make_plan(b, err);
  if (rc == SPEC_OK)
    rc = spec_package_new(&package, b->plan, SPEC_PACKAGE_BAKED, err);
  if (rc == SPEC_OK)
    rc = list_changes(b, &package, err);
  return name_wheel_in(b, rc, err);
}

static int bake(spec_baked *out, baker *b, spec_err *err) {
  const spec_bake_options *o = b->options;
  const char *scratch = spec_path_join(b->arena, o->scratch, "triton-spec-bake");
  int rc = check_wheel(b, err);
  if (rc == SPEC_OK)
    rc = spec_version_with_label(&out->version, b->arena, b->wheel.version,
                                 o->label != NULL ? o->label : o->plan.backend, err);
  if (rc == SPEC_OK && scratch == NULL)
    rc = spec_fail_memory(err);
  if (rc == SPEC_OK)
    rc = spec_fs_temporary_folder(b->arena, &b->trunk, scratch, err);
  if (rc != SPEC_OK)
    return rc;
  rc = plan_changes(b, err);
  (void)spec_fs_remove_tree(b->trunk, NULL);
  if (rc == SPEC_OK)
    rc = write_wheel(out, b, err);
  count_changes(out, b);
  return rc;
}

int spec_bake_wheel(spec_baked *out, spec_arena *arena, const spec_bake_options *options,
                    spec_err *err) {
  baker b = {.options = options, .arena = arena};
  spec_baked baked = {0};
  int rc = spec_wheel_open(&b.wheel, arena, options->wheel, err);
  if (rc != SPEC_OK)
    return rc;
  rc = bake(&baked, &b, err);
  spec_wheel_close(&b.wheel);
  baked.plan = b.plan;
  if (rc == SPEC_OK)
    *out = baked;
  else
    spec_plan_free(b.plan);
  return rc;
}

void spec_baked_dispose(spec_baked *baked) {
  spec_plan_free(baked->plan);
  baked->plan = NULL;
}
