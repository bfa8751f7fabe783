/* match.c: which trunk file a vendor file stands for, and the rules it must keep. */
#include "core/match.h"

#include "base/err.h"
#include "base/map.h"
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
static int look_up(const spec_match *m, bool *ok, spec_override *o, spec_err *err) {
  spec_ftype type;
  int rc = spec_tree_type(m->trunk->tree, &type, o->trunk, err);
  if (rc != 0)
    return rc;
  *ok = true;
  o->in_trunk = type == SPEC_FT_FILE;
  if (o->in_trunk)
    return check_trunk_file(m, ok, o, err);
  if (type != SPEC_FT_NONE) {
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

/* Sets in_trunk, and the action unless it is a patch, from what the trunk has at o->trunk; *ok
 * false: refused. */
static int match_trunk(const spec_match *m, bool *ok, spec_override *o, spec_err *err) {
  int rc = look_up(m, ok, o, err);
  if (rc != 0 || !*ok || o->action == SPEC_PATCH)
    return rc;
  o->action = o->in_trunk ? SPEC_REPLACE : SPEC_ADD;
  return o->in_trunk ? check_redundant(m, o, err) : SPEC_OK;
}

static bool check_policy(const spec_match *m, spec_override *o, const char *package_path) {
  o->policy = spec_policy_of_file(spec_policy_for(m->layer, package_path), package_path);
  spec_policy usual = spec_policy_of_file(spec_policy_default(package_path), package_path);
  if (o->policy == SPEC_POLICY_CLOSED) {
    report(m, SPEC_F_CLOSED, o, package_path, NULL);
    return false;
  }
  if (o->policy != usual)
    spec_report(m->report, SPEC_F_POLICY_LOOSENED, o->vendor, package_path,
                spec_policy_name(o->policy), spec_policy_name(usual));
  return true;
}

/* patched: how much of the path names the file that a patch changes; 0: it is no patch. */
static int fill(const place *p, spec_override *o, const char *path, size_t patched, spec_err *err) {
  const spec_match *m = p->match;
  const char *name = patched == 0 ? path : spec_arena_strndup(m->arena, path, patched);
  if (name == NULL)
    return spec_fail_memory(err);
  *o = (spec_override){.kind = spec_kind_of(name), .policy = SPEC_POLICY_NONE, .owners = ""};
  o->layer = m->layer_index;
  o->overlay = spec_path_join(m->arena, p->overlay_dir, path);
  o->trunk = spec_path_join(m->arena, p->trunk_dir, name);
  o->vendor = o->overlay == NULL ? NULL : spec_path_join(m->arena, m->layer->dir, o->overlay);
  if (patched > 0)
    o->action = SPEC_PATCH; /* of what, the layers below decide too */
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
  int rc = fill(p, &o, path, spec_kind_patched(path), err);
  if (rc != 0)
    return rc;
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
  spec_override o;
  bool ok;
  int rc = fill(p, &o, path, spec_kind_patched(path), err);
  if (rc != 0 || (o.kind != SPEC_KIND_SOURCE && o.kind != SPEC_KIND_HEADER))
    return rc;
  rc = match_trunk(p->match, &ok, &o, err);
  return rc != 0 || !ok ? rc : p->fn(p->user, &o, err);
}

static bool ends_with(const char *text, const char *end) {
  size_t len = strlen(text), end_len = strlen(end);
  return len > end_len && strcmp(text + len - end_len, end) == 0;
}

/* How much of a path below spec/ names the file that is patched; 0: it is none of a patch. A patch
 * of anything but a module is data of the vendor's, unless the trunk or a layer below has the file.
 */
static int patched_part(const place *p, size_t *out, const char *path, spec_err *err) {
  const spec_match *m = p->match;
  size_t len = spec_kind_patched(path);
  *out = len;
  if (len == 0 || ends_with(path, ".py.patch"))
    return SPEC_OK;
  char *name = spec_arena_strndup(m->arena, path, len);
  const char *trunk = name == NULL ? NULL : spec_path_join(m->arena, p->trunk_dir, name);
  bool exists = false;
  if (trunk == NULL)
    return spec_fail_memory(err);
  if (spec_map_get(m->lower, trunk, NULL) != NULL)
    return SPEC_OK;
  int rc = spec_tree_has_file(m->trunk->tree, &exists, trunk, err);
  if (!exists)
    *out = 0;
  return rc;
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

/* The registry of the backend's hooks. */
static int on_hooks(const place *p, spec_override *o, const char *path, spec_err *err) {
  const spec_match *m = p->match;
  o->action = SPEC_HOOKS;
  o->trunk = spec_arena_printf(m->arena, "%striton/spec/%s/%s", m->installed ? "" : "python/",
                               m->layer->name, path);
  return o->trunk == NULL ? spec_fail_memory(err) : p->fn(p->user, o, err);
}

/* A file below spec/: the package's modules and data lie in spec/triton/. */
static int on_spec(void *user, const char *path, spec_err *err) {
  const place *p = user;
  const spec_match *m = p->match;
  spec_override o;
  bool ok;
  size_t patched;
  if (spec_kind_is_ignored(path))
    return SPEC_OK;
  int rc = patched_part(p, &patched, path, err);
  if (rc == 0)
    rc = fill(p, &o, path, patched, err);
  if (rc != 0)
    return rc;
  o.kind = SPEC_KIND_PYTHON; /* data files of the package too */
  if (spec_path_below(path, "triton") == NULL) {
    report(m, SPEC_F_MISPLACED, &o, "spec/triton/", NULL);
    return SPEC_OK;
  }
  if (strcmp(path, "triton/__init__.py") == 0)
    return on_hooks(p, &o, path, err);
  rc = match_trunk(m, &ok, &o, err);
  if (rc == 0 && ok)
    rc = check_module_twin(m, &ok, &o, err);
  if (rc != 0 || !ok)
    return rc;
  const char *package_path = patched == 0 ? path : spec_arena_strndup(m->arena, path, patched);
  if (package_path == NULL)
    return spec_fail_memory(err);
  return check_policy(m, &o, package_path) ? p->fn(p->user, &o, err) : SPEC_OK;
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
