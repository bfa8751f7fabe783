/* verify_units.c: which objects read an override or, wrongly, what it shadows. */
#include "verify.h"

#include "base/err.h"
#include "base/path.h"
#include "scan.h"
#include <string.h>

/* What each path of the deps log means, found out once: headers are read by
 * thousands of objects. */
typedef struct meaning {
  bool known;
  spec_touch touch;
  spec_proof *proof;
  const char *path; /* absolute */
} meaning;

typedef struct units {
  spec_verifying *v;
  meaning *meanings; /* by path id */
  bool *matters;     /* by path id: whether reading it means anything */
} units;

static int mean(units *u, meaning **out, unsigned id, spec_err *err) {
  meaning *m = &u->meanings[id];
  if (!m->known) {
    m->path = spec_path_resolve(u->v->arena, u->v->build, u->v->deps.paths[id]);
    if (m->path == NULL)
      return spec_fail_memory(err);
    m->touch = spec_verify_touch(u->v, &m->proof, m->path);
    m->known = true;
  }
  *out = m;
  return SPEC_OK;
}

static int find_meanings(units *u, spec_err *err) {
  size_t count = u->v->deps.path_count;
  u->meanings = spec_arena_array(u->v->arena, count, sizeof *u->meanings);
  u->matters = spec_arena_array(u->v->arena, count, sizeof *u->matters);
  if (u->meanings == NULL || u->matters == NULL)
    return spec_fail_memory(err);
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < count; i++) {
    meaning *m;
    rc = mean(u, &m, (unsigned)i, err);
    u->matters[i] = rc == 0 && m->touch != SPEC_TOUCH_NONE;
  }
  return rc;
}

/* Whether an include of `file` can mean the shadowed path; sure when it names it
 * relative to the file. */
static bool can_mean(const spec_verifying *v, bool *sure, const char *file,
                     const spec_include *include, const char *shadow) {
  const char *dir = spec_path_dirname(v->arena, file);
  const char *beside = dir == NULL ? NULL : spec_path_resolve(v->arena, dir, include->name);
  *sure = beside != NULL && strcmp(beside, shadow) == 0;
  if (*sure)
    return true;
  const char *name = spec_path_normal(v->arena, include->name);
  size_t len = name == NULL ? 0 : strlen(name), have = strlen(shadow);
  return len > 0 && have > len && shadow[have - len - 1] == '/' &&
         strcmp(shadow + have - len, name) == 0;
}

/* "file:line" of the include that brought the shadowed file in, or "". */
static int find_includer(units *u, const char **out, size_t output, const char *shadow,
                         spec_err *err) {
  spec_verifying *v = u->v;
  *out = "";
  for (size_t i = 0; i < v->deps.input_counts[output]; i++) {
    meaning *m = NULL;
    spec_includes includes;
    const char *text;
    size_t len;
    spec_ftype type = SPEC_FT_NONE;
    int rc = mean(u, &m, v->deps.inputs[output][i], err);
    /* Only files of the project can include the trunk's. */
    bool ours =
        rc == 0 && (spec_path_below(m->path, v->trunk) != NULL ||
                    spec_path_below(m->path, v->build) != NULL || m->touch != SPEC_TOUCH_NONE);
    if (ours)
      rc = spec_fs_type(&type, m->path, err);
    if (rc != 0)
      return rc;
    if (type != SPEC_FT_FILE)
      continue;
    rc = spec_fs_read(v->arena, &text, &len, m->path, err);
    if (rc == 0)
      rc = spec_scan_c(v->arena, &includes, text, len, err);
    for (size_t k = 0; rc == 0 && k < includes.count; k++) {
      bool sure;
      if (!can_mean(v, &sure, m->path, &includes.items[k], shadow) || (!sure && **out != '\0'))
        continue;
      *out = spec_arena_printf(v->arena, "%s:%zu", m->path,
                               spec_scan_line(text, includes.items[k].offset));
      if (*out == NULL)
        return spec_fail_memory(err);
      if (sure)
        return SPEC_OK;
    }
    if (rc != 0)
      return rc;
  }
  return SPEC_OK;
}

/* An override may include what it stands for, to add to it: then its unit reads both. */
static int wraps(units *u, bool *out, size_t output, const meaning *shadowed, spec_err *err) {
  spec_verifying *v = u->v;
  *out = false;
  for (size_t i = 0; !*out && i < v->deps.input_counts[output]; i++) {
    meaning *m = NULL;
    spec_includes includes = {0};
    const char *text;
    size_t len;
    int rc = mean(u, &m, v->deps.inputs[output][i], err);
    if (rc == 0 && m->touch == SPEC_TOUCH_USED && m->proof == shadowed->proof) {
      rc = spec_fs_read(v->arena, &text, &len, m->path, err);
      if (rc == 0)
        rc = spec_scan_c(v->arena, &includes, text, len, err);
    }
    if (rc != 0)
      return rc;
    for (size_t k = 0; !*out && k < includes.count; k++) {
      bool sure;
      *out = can_mean(v, &sure, m->path, &includes.items[k], shadowed->path);
    }
  }
  return SPEC_OK;
}

static int judge(units *u, size_t output, spec_err *err) {
  spec_verifying *v = u->v;
  const char *name = v->deps.paths[output];
  for (size_t i = 0; i < v->deps.input_counts[output]; i++) {
    meaning *m = NULL;
    const char *includer;
    bool wrapped = false;
    if (!u->matters[v->deps.inputs[output][i]]) /* nearly all of millions */
      continue;
    int rc = mean(u, &m, v->deps.inputs[output][i], err);
    if (rc == 0 && m->touch == SPEC_TOUCH_USED)
      rc = spec_verify_use(v, m->proof, name, err);
    if (rc == 0 && m->touch == SPEC_TOUCH_SHADOWED)
      rc = wraps(u, &wrapped, output, m, err);
    if (rc == 0 && m->touch == SPEC_TOUCH_SHADOWED && !wrapped) {
      rc = find_includer(u, &includer, output, m->path, err);
      if (rc == 0)
        rc = spec_verify_shadow(v, m->proof, name, includer, err);
    }
    if (rc != 0)
      return rc;
  }
  return SPEC_OK;
}

/* --- what is not built yet --- */

typedef struct building {
  spec_verifying *v;
  spec_map *recorded; /* outputs with a record */
  spec_map *unbuilt;  /* targets with an object that has none */
  spec_err *err;
} building;

/* CMake names a compile rule <language>_COMPILER__<target>_<config>; the part
 * behind "__" stands in for the target's name. */
static int on_edge(void *user, const char *output, void *value) {
  building *b = user;
  const spec_ninja_edge *edge = value;
  const char *target = strstr(edge->rule, "_COMPILER__");
  if (target == NULL || spec_map_get(b->recorded, output, NULL) != NULL)
    return SPEC_OK;
  return spec_map_set(b->unbuilt, target + strlen("_COMPILER__"), b, b->err);
}

typedef struct owner_search {
  const char *owner;
  size_t len;
} owner_search;

static int is_rule_of(void *user, const char *rule, void *value) {
  (void)value;
  const owner_search *s = user;
  return strncmp(rule, s->owner, s->len) == 0 && (rule[s->len] == '_' || rule[s->len] == '\0');
}

/* Whether a target that shall use the override still has something to build. */
static bool waits_for(const building *b, const spec_proof *proof) {
  size_t i;
  json_t *owner;
  json_array_foreach (json_object_get(proof->record, "owners"), i, owner) {
    owner_search s = {json_string_value(owner), json_string_length(owner)};
    if (spec_map_each(b->unbuilt, is_rule_of, &s) != 0)
      return true;
  }
  return false;
}

static int find_pending(units *u, spec_map *recorded, spec_err *err) {
  building b = {.v = u->v, .recorded = recorded, .err = err};
  int rc = spec_map_new(&b.unbuilt, u->v->arena, err);
  if (rc == 0)
    rc = spec_map_each(u->v->edges, on_edge, &b);
  for (size_t i = 0; rc == 0 && i < u->v->proof_count; i++)
    u->v->proofs[i].pending |= waits_for(&b, &u->v->proofs[i]);
  spec_map_free(b.unbuilt);
  return rc;
}

int spec_verify_units(spec_verifying *v, spec_err *err) {
  units u = {.v = v};
  spec_map *recorded = NULL;
  int rc = find_meanings(&u, err);
  if (rc == 0)
    rc = spec_map_new(&recorded, v->arena, err);
  for (size_t i = 0; rc == 0 && i < v->deps.path_count; i++) {
    /* Records of outputs that nothing makes any more say nothing. */
    if (v->deps.inputs[i] == NULL || spec_map_get(v->edges, v->deps.paths[i], NULL) == NULL)
      continue;
    rc = spec_map_set(recorded, v->deps.paths[i], v, err);
    if (rc == 0)
      rc = judge(&u, i, err);
  }
  if (rc == 0)
    rc = find_pending(&u, recorded, err);
  spec_map_free(recorded);
  return rc;
}
