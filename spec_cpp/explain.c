/* explain.c: the overlay placed again in memory, and asked about one path. */
#include "explain.h"

#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include "explaining.h"
#include <string.h>

static int read_manifest(json_t **out, spec_arena *arena, const char *build, spec_err *err) {
  const char *path = spec_path_join(arena, build, "spec/manifest.json"), *text = NULL;
  size_t len = 0;
  spec_ftype type;
  int rc = path == NULL ? spec_fail_memory(err) : spec_fs_type(&type, path, err);
  if (rc == 0 && type != SPEC_FT_FILE) {
    spec_fail(err, SPEC_ENOTFOUND, "'%s' is not a build with an overlay", build);
    spec_fail_where(err, "%s", path);
    return spec_fail_mend(err, "configure it with the arguments that 'triton-spec cmake-args' "
                               "prints");
  }
  if (rc == 0)
    rc = spec_fs_read(arena, &text, &len, path, err);
  return rc != 0 ? rc : spec_json_parse(out, text, len, path, err);
}

int spec_build_is_one(bool *out, const char *build, spec_err *err) {
  spec_arena *arena;
  spec_ftype type = SPEC_FT_NONE;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  const char *path = spec_path_join(arena, build, "spec/targets.txt");
  rc = path == NULL ? spec_fail_memory(err) : spec_fs_type(&type, path, err);
  spec_arena_free(arena);
  *out = type == SPEC_FT_FILE;
  return rc;
}

/* --- the plan --- */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : "";
}

static int plan_again(spec_plan **out, spec_arena *arena, const json_t *manifest,
                      spec_event_fn *on_event, void *user, spec_err *err) {
  const json_t *layers = json_object_get(manifest, "layers");
  size_t count = json_array_size(layers), root_count = 0;
  const char **roots = spec_arena_array(arena, count, sizeof *roots);
  if (roots == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < count; i++) {
    const char *root = spec_path_dirname(arena, text_of(json_array_get(layers, i), "dir"));
    bool known = false;
    for (size_t k = 0; root != NULL && k < root_count; k++)
      known |= strcmp(roots[k], root) == 0;
    if (root == NULL)
      return spec_fail_memory(err);
    if (!known)
      roots[root_count++] = root;
  }
  const spec_options options = {
      .trunk = text_of(manifest, "trunk"),
      .backend = text_of(manifest, "backend"),
      .roots = roots,
      .root_count = root_count,
      .on_event = on_event,
      .user = user,
  };
  return spec_plan_new(out, &options, err);
}

int spec_build_plan(spec_plan **out, const char *build, spec_event_fn *on_event, void *user,
                    spec_err *err) {
  spec_arena *arena;
  json_t *manifest = NULL;
  int rc = spec_arena_new(&arena, err);
  if (rc != 0)
    return rc;
  rc = read_manifest(&manifest, arena, build, err);
  if (rc == 0)
    rc = plan_again(out, arena, manifest, on_event, user, err);
  json_decref(manifest);
  spec_arena_free(arena);
  return rc;
}

/* --- steps --- */

/* The line of a step's include. */
static int line_of(spec_explaining *x, size_t *out, const spec_step *step, spec_err *err) {
  const char *text = spec_map_get(x->texts, step->from, NULL);
  if (text == NULL) {
    size_t len;
    int rc = spec_merged_read(&x->p.view, x->p.arena, &text, &len, step->from, err);
    if (rc == 0)
      rc = spec_map_set(x->texts, step->from, (void *)text, err);
    if (rc != 0)
      return rc;
  }
  *out = spec_scan_line(text, step->include->offset);
  return SPEC_OK;
}

static const char *how_found(const spec_step *step) {
  if (step->include == NULL)
    return "forced";
  if (step->include->form == SPEC_INCLUDE_MACRO)
    return "macro";
  return step->dir == NULL ? "beside" : "search";
}

static int push_step(spec_explaining *x, json_t *list, const spec_step *step, spec_err *err) {
  size_t line = 0;
  int rc = step->include == NULL ? 0 : line_of(x, &line, step, err);
  if (rc != 0)
    return rc;
  json_t *item = json_object();
  rc |= spec_json_put(item, "file", spec_json_text(step->from, NULL));
  if (step->include != NULL)
    rc |= spec_json_put(item, "line", json_integer((json_int_t)line));
  rc |= spec_json_put(item, "found", json_string(how_found(step)));
  if (step->dir != NULL)
    rc |= spec_json_put(item, "dir", spec_json_text(step->dir, NULL));
  rc |= spec_json_put(item, "includes", spec_json_text(step->to, NULL));
  if (rc != 0)
    json_decref(item);
  else
    rc = spec_json_push(list, item);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

json_t *spec_explain_steps(spec_explaining *x, const spec_chain *chain, spec_err *err) {
  json_t *list = json_array();
  int rc = list == NULL ? spec_fail_memory(err) : 0;
  for (size_t i = 0; rc == 0 && i < chain->count; i++)
    rc = push_step(x, list, &chain->steps[i], err);
  if (rc == 0)
    return list;
  json_decref(list);
  return NULL;
}

/* --- parts of the answer --- */

/* Whether the file is staged for an overridden CMake file's sake, as spec_stage_overrides() does.
 */
static bool is_near_cmake(const spec_plan *plan, const char *path) {
  for (size_t i = 0; i < plan->override_count; i++) {
    const spec_override *o = &plan->overrides[i];
    const char *name = spec_path_basename(o->trunk);
    size_t dir = (size_t)(name - o->trunk); /* the last slash included */
    if (spec_stage_is_twin(o) && strncmp(path, o->trunk, dir) == 0 &&
        (strcmp(name, "CMakeLists.txt") == 0 || strchr(path + dir, '/') == NULL))
      return true;
  }
  return false;
}

static int add_staged(spec_explaining *x, spec_err *err) {
  static const char *const names[] = {
      [SPEC_STAGING_NONE] = "",
      [SPEC_STAGING_OVERRIDDEN] = "overridden",
      [SPEC_STAGING_INCLUDES] = "includes-staged",
      [SPEC_STAGING_MACRO] = "macro-include",
      [SPEC_STAGING_BESIDE] = "beside-staged",
      [SPEC_STAGING_NEIGHBOUR] = "beside-macro",
      [SPEC_STAGING_NAMESAKE] = "same-name",
  };
  spec_staging why;
  spec_chain chain;
  if (!spec_stage_has(x->p.stage, x->path))
    return SPEC_OK;
  int rc = spec_graph_staging(x->p.graph, &why, &chain, x->path, err);
  if (rc != 0)
    return rc;
  bool overridden = spec_merged_override(&x->p.view, x->path) != NULL;
  const char *because = overridden ? names[SPEC_STAGING_OVERRIDDEN] : names[why];
  if (!overridden && chain.count == 0 && is_near_cmake(x->p.plan, x->path))
    because = "cmake-twin";
  const char *path = spec_path_join(x->p.arena, x->p.view.stage, x->path);
  json_t *steps = path == NULL ? NULL : spec_explain_steps(x, &chain, err);
  if (steps == NULL)
    return err->code != 0 ? err->code : spec_fail_memory(err);
  json_t *staged = json_object();
  rc |= spec_json_put(staged, "path", path == NULL ? NULL : spec_json_text(path, NULL));
  rc |= spec_json_put(staged, "because", json_string(because));
  rc |= spec_json_put(staged, "chain", steps);
  rc |= spec_json_put(x->root, "staged", staged);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

static json_t *words_json(const char *const *words, size_t count) {
  json_t *list = json_array();
  int rc = 0;
  for (size_t i = 0; i < count; i++)
    rc |= spec_json_push(list, spec_json_text(words[i], NULL));
  if (rc == 0)
    return list;
  json_decref(list);
  return NULL;
}

/* What a unit gets since its target has unity batches or a precompiled header. */
static int put_wide(const spec_explaining *x, json_t *item, const spec_unit *u) {
  const spec_wide *wide = &x->p.wides[u->target - x->p.targets.items];
  if (*wide->digest == '\0')
    return 0;
  int rc = spec_json_put(item, "target_digest", json_stringn(wide->digest, 16));
  return rc | spec_json_put(item, "target_include_dirs", words_json(wide->dirs, wide->dir_count));
}

/* What both the unit itself and one that reaches the path are told by. */
static json_t *unit_json(const spec_explaining *x, const spec_unit *u) {
  json_t *item = json_object(), *reached = json_array();
  const char *file = u->relocated ? spec_path_join(x->p.arena, x->p.view.stage, u->id) : u->listed;
  int rc = spec_json_put(item, "target", spec_json_text(u->target->name, NULL));
  rc |= spec_json_put(item, "source", spec_json_text(u->id, NULL));
  rc |= spec_json_put(item, "staged", json_boolean(u->relocated));
  rc |= spec_json_put(item, "file", file == NULL ? NULL : spec_json_text(file, NULL));
  rc |= spec_json_put(item, "digest", json_stringn(u->digest, *u->digest == '\0' ? 0 : 16));
  for (size_t i = 0; i < u->reach.override_count; i++)
    rc |= spec_json_push(reached, spec_json_text(u->reach.overrides[i]->trunk, NULL));
  rc |= spec_json_put(item, "overrides", reached);
  rc |= spec_json_put(item, "include_dirs", words_json(u->reach.dirs, u->reach.dir_count));
  rc |= put_wide(x, item, u);
  if (rc == 0)
    return item;
  json_decref(item);
  return NULL;
}

/* The units that are compiled from the path. */
static int add_units(spec_explaining *x, spec_err *err) {
  json_t *units = json_array();
  int rc = units == NULL ? -1 : 0;
  for (size_t i = 0; rc == 0 && i < x->p.unit_count; i++)
    if (strcmp(x->p.units[i].id, x->path) == 0)
      rc = spec_json_push(units, unit_json(x, &x->p.units[i]));
  rc |= spec_json_put(x->root, "units", units);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

/* One unit that includes the path, with the way. */
static int push_reaching(spec_explaining *x, json_t *list, const spec_unit *u, spec_err *err) {
  spec_chain chain;
  int rc = spec_graph_chain(x->p.graph, &chain, u->node, x->path, err);
  if (rc != 0 || chain.count == 0)
    return rc;
  json_t *steps = spec_explain_steps(x, &chain, err);
  if (steps == NULL)
    return err->code != 0 ? err->code : spec_fail_memory(err);
  json_t *item = unit_json(x, u);
  rc = spec_json_put(item, "chain", steps);
  if (rc != 0)
    json_decref(item);
  else
    rc = spec_json_push(list, item);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

static int add_reached_by(spec_explaining *x, spec_err *err) {
  json_t *list = json_array();
  int rc = list == NULL ? spec_fail_memory(err) : 0;
  for (size_t i = 0; rc == 0 && i < x->p.unit_count; i++)
    if (strcmp(x->p.units[i].id, x->path) != 0)
      rc = push_reaching(x, list, &x->p.units[i], err);
  if (rc != 0) {
    json_decref(list);
    return rc;
  }
  return spec_json_put(x->root, "reached_by", list) != 0 ? spec_fail_memory(err) : SPEC_OK;
}

/* What the last verify proved: the record of the manifest. */
static int add_proof(spec_explaining *x, spec_err *err) {
  json_t *item, *used;
  size_t i;
  json_array_foreach (json_object_get(x->manifest, "overrides"), i, item) {
    used = json_object_get(item, "used_by");
    if (used == NULL || strcmp(text_of(item, "trunk"), x->path) != 0)
      continue;
    if (spec_json_put(x->root, "used_by", json_incref(used)) != 0)
      return spec_fail_memory(err);
  }
  return SPEC_OK;
}

static int add_owners(spec_explaining *x, spec_err *err) {
  const spec_override *o = spec_merged_override(&x->p.view, x->path);
  json_t *owners = json_array();
  int rc = 0;
  for (const char *name = o == NULL ? "" : o->owners; *name != '\0';) {
    size_t len = strcspn(name, ";");
    rc |= spec_json_push(owners, json_stringn(name, len));
    name += len + (name[len] == ';');
  }
  rc |= spec_json_put(x->root, "owners", owners);
  return rc != 0 ? spec_fail_memory(err) : SPEC_OK;
}

/* --- whether the build was configured with what is there today --- */

/* Without what verify adds. */
static bool same_override(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"trunk", "kind", "action", "layer", "vendor", "owners"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
      return false;
  return true;
}

static bool same_manifest(const json_t *a, const json_t *b) {
  const json_t *left = json_object_get(a, "overrides"), *right = json_object_get(b, "overrides");
  bool same = json_array_size(left) == json_array_size(right) &&
              json_equal(json_object_get(a, "units"), json_object_get(b, "units"));
  for (size_t i = 0; same && i < json_array_size(left); i++)
    same = same_override(json_array_get(left, i), json_array_get(right, i));
  return same;
}

static int add_changed(spec_explaining *x, spec_err *err) {
  spec_buf text = {0};
  json_t *today = NULL;
  int rc = spec_place_manifest(&x->p, &text, err);
  if (rc == 0)
    rc = spec_json_parse(&today, spec_buf_text(&text), text.len, "manifest", err);
  spec_buf_dispose(&text);
  bool changed = rc == 0 && !same_manifest(x->manifest, today);
  json_decref(today);
  if (rc == 0 && spec_json_put(x->root, "changed", json_boolean(changed)) != 0)
    rc = spec_fail_memory(err);
  return rc;
}

/* --- the answer --- */

static int place(spec_explaining *x, const char *build, spec_err *err) {
  spec_placing *p = &x->p;
  const char *targets = spec_path_join(p->arena, build, "spec/targets.txt");
  p->out = spec_path_join(p->arena, build, "spec");
  p->view = (spec_merged){.arena = p->arena, .plan = p->plan, .build = ""};
  p->view.stage = p->out == NULL ? NULL : spec_path_join(p->arena, p->out, "stage");
  if (targets == NULL || p->view.stage == NULL)
    return spec_fail_memory(err);
  int rc = spec_tree_new(&p->view.tree, p->arena, "/", err);
  return rc != 0 ? rc : spec_place_step(p, targets, false, err);
}

static int answer(spec_explaining *x, const char *build, spec_err *err) {
  static int (*const parts[])(spec_explaining *, spec_err *) = {
      add_changed, add_owners, add_staged, add_units, add_reached_by, spec_explain_tds, add_proof,
  };
  int rc = read_manifest(&x->manifest, x->p.arena, build, err);
  if (rc == 0)
    rc = spec_map_new(&x->texts, x->p.arena, err);
  if (rc == 0)
    rc = place(x, build, err);
  x->root = json_object();
  if (rc == 0 && spec_json_put(x->root, "folder", spec_json_text(build, NULL)) != 0)
    rc = spec_fail_memory(err);
  for (size_t i = 0; rc == 0 && i < sizeof parts / sizeof *parts; i++)
    rc = parts[i](x, err);
  return rc;
}

int spec_build_explain(json_t **out, spec_plan *plan, const char *build, const char *path,
                       spec_err *err) {
  spec_explaining x = {.p = {.arena = plan->arena, .plan = plan}, .path = path};
  spec_err inner = {0};
  const char *cwd = NULL, *full = NULL;
  int rc = spec_fs_cwd(plan->arena, &cwd, &inner);
  if (rc == 0)
    full = spec_path_resolve(plan->arena, cwd, build);
  if (rc == 0)
    rc = full == NULL ? spec_fail_memory(&inner) : answer(&x, full, &inner);
  spec_place_dispose(&x.p);
  spec_map_free(x.texts);
  json_decref(x.manifest);
  if (rc == 0) {
    *out = x.root;
    return SPEC_OK;
  }
  json_decref(x.root);
  if (err != NULL)
    *err = inner;
  return rc;
}
