/* match.c: which trunk file a vendor file stands for, and the rules it must keep. */
#include "core/match.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "core/module_twin.h"
#include "core/overlay.h"
#include "core/policy.h"
#include <string.h>

/* One walk: a folder of the layer and the place of its files in the trunk. */
typedef struct place {
  const spec_match *match;
  const char *overlay_dir; /* below the layer, e.g. "spec_cpp" */
  const char *trunk_dir;   /* below the trunk, e.g. "" or "python" */
  spec_match_fn *fn;
  void *user;
} place;

static void report(const spec_match *m, spec_finding finding, const spec_override *o, const char *b,
                   const char *c) {
  spec_report(m->report, finding, o->vendor, o->overlay, b, c);
}

/* Whether the trunk's file may be stood for: it must really lie in the trunk. */
static int check_trunk_file(const spec_match *m, bool *ok, const spec_override *o, spec_err *err) {
  bool crosses;
  *ok = true;
  if (m->installed) /* its parts may be links to where they are developed */
    return SPEC_OK;
  int rc = spec_tree_crosses_link(m->trunk->tree, &crosses, o->trunk, err);
  if (rc != 0 || !crosses)
    return rc;
  const char *full = spec_path_join(m->arena, m->trunk->root, o->trunk), *real;
  if (full == NULL)
    return spec_fail_memory(err);
  rc = spec_fs_real(m->arena, &real, full, err);
  if (rc == 0 && spec_path_below(real, m->trunk->real) == NULL) {
    *ok = false;
    spec_report(m->report, SPEC_F_TRUNK_ESCAPE, o->vendor, o->trunk, real, NULL);
  }
  return rc;
}

static int check_redundant(const spec_match *m, const spec_override *o, spec_err *err) {
  const char *full = spec_path_join(m->arena, m->trunk->root, o->trunk);
  if (full == NULL)
    return spec_fail_memory(err);
  bool same;
  int rc = spec_fs_same(&same, full, o->vendor, err);
  if (rc == 0 && same)
    (m->strict_redundant ? spec_report : spec_report_soft)(m->report, SPEC_F_REDUNDANT, o->vendor,
                                                           o->overlay, NULL, NULL);
  return rc;
}

/* Looks what the trunk has at o->trunk; *ok false: refused. */
static int look_up(const spec_match *m, bool *ok, bool *exists, const spec_override *o,
                   spec_err *err) {
  spec_ftype type;
  int rc = spec_tree_type(m->trunk->tree, &type, o->trunk, err);
  if (rc != 0)
    return rc;
  *ok = true;
  *exists = type != SPEC_FT_NONE;
  if (type == SPEC_FT_FILE)
    return check_trunk_file(m, ok, o, err);
  if (*exists) {
    *ok = false;
    report(m, SPEC_F_TRUNK_NOT_FILE, o, o->trunk, NULL);
    return SPEC_OK;
  }
  const char *twin;
  rc = spec_tree_case_twin(m->trunk->tree, &twin, o->trunk, err);
  if (rc == 0 && twin != NULL) {
    *ok = false;
    report(m, SPEC_F_CASE_CLASH, o, twin, NULL);
  }
  return rc;
}

/* Sets o->action from what the trunk has at o->trunk; *ok false: refused. */
static int match_trunk(const spec_match *m, bool *ok, spec_override *o, spec_err *err) {
  bool exists;
  int rc = look_up(m, ok, &exists, o, err);
  if (rc != 0 || !*ok)
    return rc;
  o->action = exists ? SPEC_REPLACE : SPEC_ADD;
  return exists ? check_redundant(m, o, err) : SPEC_OK;
}

/* What a policy means for a file: one without definitions cannot be merged. */
static spec_policy for_file(spec_policy policy, const char *path) {
  bool is_data = strcmp(spec_path_ext(path), ".py") != 0;
  return policy == SPEC_POLICY_MERGE && is_data ? SPEC_POLICY_WHOLE : policy;
}

static bool check_policy(const spec_match *m, spec_override *o, const char *package_path) {
  o->policy = for_file(spec_policy_for(m->layer, package_path), package_path);
  spec_policy usual = for_file(spec_policy_default(package_path), package_path);
  if (o->policy == SPEC_POLICY_CLOSED) {
    report(m, SPEC_F_CLOSED, o, package_path, NULL);
    return false;
  }
  if (o->policy != usual)
    spec_report(m->report, SPEC_F_POLICY_LOOSENED, o->vendor, package_path,
                spec_policy_name(o->policy), spec_policy_name(usual));
  return true;
}

static int fill(const place *p, spec_override *o, const char *path, spec_err *err) {
  const spec_match *m = p->match;
  *o = (spec_override){.kind = spec_kind_of(path), .policy = SPEC_POLICY_NONE, .owners = ""};
  o->layer = m->layer_index;
  o->overlay = spec_path_join(m->arena, p->overlay_dir, path);
  o->trunk = spec_path_join(m->arena, p->trunk_dir, path);
  o->vendor = o->overlay == NULL ? NULL : spec_path_join(m->arena, m->layer->dir, o->overlay);
  return o->trunk == NULL || o->vendor == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* A file below spec_cpp/. */
static int on_spec_cpp(void *user, const char *path, spec_err *err) {
  const place *p = user;
  const spec_match *m = p->match;
  spec_override o;
  bool ok;
  if (spec_kind_is_ignored(path))
    return SPEC_OK;
  int rc = fill(p, &o, path, err);
  if (rc != 0)
    return rc;
  if (spec_kind_patched(path) > 0) {
    report(m, SPEC_F_PATCH_KIND, &o, NULL, NULL);
    return SPEC_OK;
  }
  if (o.kind == SPEC_KIND_PYTHON) {
    report(m, SPEC_F_MISPLACED, &o, "spec/triton/, which mirrors the trunk's python/triton/", NULL);
    return SPEC_OK;
  }
  if (o.kind == SPEC_KIND_OTHER) {
    report(m, SPEC_F_UNKNOWN_KIND, &o, NULL, NULL);
    return SPEC_OK;
  }
  if (strcmp(o.trunk, "CMakeLists.txt") == 0) {
    report(m, SPEC_F_TOP_CMAKE, &o, NULL, NULL);
    return SPEC_OK;
  }
  rc = match_trunk(m, &ok, &o, err);
  return rc != 0 || !ok ? rc : p->fn(p->user, &o, err);
}

/* A file below the backend's python/src/: FlagTree's place for sources and
 * headers of the extension; anything else there is the vendor's own. */
static int on_python_src(void *user, const char *path, spec_err *err) {
  const place *p = user;
  size_t patched = spec_kind_patched(path);
  const char *name = patched == 0 ? path : spec_arena_strndup(p->match->arena, path, patched);
  if (name == NULL)
    return spec_fail_memory(err);
  spec_kind kind = spec_kind_of(name);
  spec_override o;
  bool ok;
  if (kind != SPEC_KIND_SOURCE && kind != SPEC_KIND_HEADER)
    return SPEC_OK;
  int rc = fill(p, &o, path, err);
  if (rc == 0 && patched > 0) {
    report(p->match, SPEC_F_PATCH_KIND, &o, NULL, NULL);
    return SPEC_OK;
  }
  if (rc == 0)
    rc = match_trunk(p->match, &ok, &o, err);
  return rc != 0 || !ok ? rc : p->fn(p->user, &o, err);
}

/* A Python override with its place in the trunk and its action: the policy decides. */
static int hand_on(const place *p, spec_override *o, const char *package_path, spec_err *err) {
  return check_policy(p->match, o, package_path) ? p->fn(p->user, o, err) : SPEC_OK;
}

/* X.py.patch below spec/triton.  Whether there is an X.py, the layers below decide too. */
static int on_patch(const place *p, spec_override *o, const char *package_path, spec_err *err) {
  const spec_match *m = p->match;
  bool ok, exists;
  const char *patched = spec_arena_strndup(m->arena, package_path, spec_kind_patched(package_path));
  o->trunk = spec_arena_strndup(m->arena, o->trunk, spec_kind_patched(o->trunk));
  if (patched == NULL || o->trunk == NULL)
    return spec_fail_memory(err);
  o->action = SPEC_PATCH;
  int rc = look_up(m, &ok, &exists, o, err);
  return rc != 0 || !ok ? rc : hand_on(p, o, patched, err);
}

/* A patch of anything but a module: data of the vendor's, unless the trunk has what it names. */
static int check_data_patch(const spec_match *m, bool *ok, const spec_override *o, spec_err *err) {
  size_t len = spec_kind_patched(o->trunk);
  const char *patched = spec_arena_strndup(m->arena, o->trunk, len);
  bool exists = false;
  int rc = patched == NULL ? spec_fail_memory(err)
           : len == 0      ? SPEC_OK
                           : spec_tree_has_file(m->trunk->tree, &exists, patched, err);
  *ok = !exists;
  if (exists)
    report(m, SPEC_F_PATCH_KIND, o, NULL, NULL);
  return rc;
}

static bool ends_with(const char *text, const char *end) {
  size_t len = strlen(text), end_len = strlen(end);
  return len > end_len && strcmp(text + len - end_len, end) == 0;
}

/* A module that the trunk has under the same name, but in another form. */
static int check_module_twin(const spec_match *m, bool *ok, const spec_override *o, spec_err *err) {
  const char *twin = NULL;
  int rc = o->action == SPEC_ADD
               ? spec_module_twin(m->arena, &twin, m->trunk->tree, m->layer, o->trunk, err)
               : SPEC_OK;
  *ok = twin == NULL;
  if (rc == 0 && twin != NULL)
    report(m, SPEC_F_MODULE_CLASH, o, twin, NULL);
  return rc;
}

/* A file below spec/: the package's modules and data lie in spec/triton/. */
static int on_spec(void *user, const char *path, spec_err *err) {
  const place *p = user;
  const spec_match *m = p->match;
  spec_override o;
  bool ok;
  if (spec_kind_is_ignored(path))
    return SPEC_OK;
  int rc = fill(p, &o, path, err);
  if (rc != 0)
    return rc;
  o.kind = SPEC_KIND_PYTHON; /* data files of the package too */
  if (spec_path_below(path, "triton") == NULL) {
    report(m, SPEC_F_MISPLACED, &o, "spec/triton/", NULL);
    return SPEC_OK;
  }
  if (strcmp(path, "triton/__init__.py") == 0) {
    o.action = SPEC_HOOKS;
    o.trunk = spec_arena_printf(m->arena, "%striton/spec/%s/%s", m->installed ? "" : "python/",
                                m->layer->name, path);
    return o.trunk == NULL ? spec_fail_memory(err) : p->fn(p->user, &o, err);
  }
  if (ends_with(path, ".py.patch"))
    return on_patch(p, &o, path, err);
  rc = check_data_patch(m, &ok, &o, err);
  if (rc == 0 && ok)
    rc = match_trunk(m, &ok, &o, err);
  if (rc == 0 && ok)
    rc = check_module_twin(m, &ok, &o, err);
  return rc != 0 || !ok ? rc : hand_on(p, &o, path, err);
}

static int check_old_layout(const spec_match *m, spec_err *err) {
  const char *old = spec_path_join(m->arena, m->layer->dir, "backend/spec");
  if (old == NULL)
    return spec_fail_memory(err);
  spec_ftype type;
  int rc = spec_fs_type(&type, old, err);
  if (rc == 0 && type == SPEC_FT_DIR)
    spec_report(m->report, SPEC_F_OLD_LAYOUT, old, "backend/spec", NULL, NULL);
  return rc;
}

int spec_match_layer(const spec_match *match, spec_match_fn *fn, void *user, spec_err *err) {
  const struct {
    const char *overlay_dir, *trunk_dir;
    spec_overlay_fn *on_file;
  } places[] = {
      {"spec_cpp", "", on_spec_cpp},
      {"python/src", "python/src", on_python_src},
      {"spec", match->installed ? "" : "python", on_spec},
  };
  int rc = check_old_layout(match, err);
  for (size_t i = match->installed ? 2 : 0; rc == 0 && i < sizeof places / sizeof *places; i++) {
    place p = {match, places[i].overlay_dir, places[i].trunk_dir, fn, user};
    rc = spec_overlay_walk(match->arena, match->layer->dir, p.overlay_dir, match->report,
                           places[i].on_file, &p, err);
  }
  return rc;
}
