/* members.c: which files the package holds. */
#include "package/package.h"

#include "base/digest.h"
#include "base/err.h"
#include "base/path.h"
#include "package/cache_key.h"
#include "package/compose.h"
#include "package/hooks.h"
#include "package/imports.h"
#include "package/made.h"
#include "package/trunk_files.h"
#include <stdlib.h>
#include <string.h>

typedef struct builder {
  spec_plan *plan;
  spec_texts *texts;
  spec_map *at; /* path -> its index in members, plus one */
  spec_member *members;
  size_t count, cap;
  const char **removed;
  size_t removed_count, removed_cap;
} builder;

/* Adds a member, or puts it in the place of the one at that path. */
static int put(builder *b, const spec_member *member, spec_err *err) {
  size_t at = (size_t)(uintptr_t)spec_map_get(b->at, member->path, NULL);
  if (at > 0) {
    b->members[at - 1] = *member;
    return SPEC_OK;
  }
  int rc =
      spec_arena_reserve(b->plan->arena, &b->members, b->count, &b->cap, sizeof *b->members, err);
  if (rc == 0) {
    b->members[b->count++] = *member;
    rc = spec_map_set(b->at, member->path, (void *)(uintptr_t)b->count, err);
  }
  return rc;
}

static bool has(const builder *b, const char *path) {
  return spec_map_get(b->at, path, NULL) != NULL;
}

static int leave_out(builder *b, const char *path, spec_err *err) {
  int rc = spec_arena_reserve(b->plan->arena, &b->removed, b->removed_count, &b->removed_cap,
                              sizeof *b->removed, err);
  if (rc == 0)
    b->removed[b->removed_count++] = path;
  return rc;
}

static bool is_module(const char *path) {
  return strcmp(spec_path_ext(path), ".py") == 0;
}

/* --- the trunk's files --- */

static const char *trunk_path(const spec_plan *plan, const char *path) {
  return plan->installed ? path : spec_path_join(plan->arena, "python", path);
}

static int on_trunk_file(void *user, const char *path, spec_err *err) {
  builder *b = user;
  const char *below = trunk_path(b->plan, path);
  if (below == NULL)
    return spec_fail_memory(err);
  const spec_override *o = spec_plan_find(b->plan, below);
  if ((o != NULL && o->action == SPEC_REMOVE) || spec_made_shadows(b->plan, path))
    return leave_out(b, path, err);
  if (o != NULL)
    return SPEC_OK;
  spec_member member = {.path = path, .origin = SPEC_FROM_TRUNK};
  member.file = spec_path_join(b->plan->arena, b->plan->trunk.root, below);
  if (member.file == NULL)
    return spec_fail_memory(err);
  int rc = is_module(path) ? spec_texts_fill(b->texts, &member, err) : SPEC_OK;
  return rc != 0 ? rc : put(b, &member, err);
}

/* --- what the overlay brings --- */

static int add_overrides(builder *b, spec_package_mode mode, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < b->plan->override_count; i++) {
    const spec_override *o = &b->plan->overrides[i];
    spec_member member;
    if (o->kind != SPEC_KIND_PYTHON || o->action == SPEC_REMOVE)
      continue;
    rc = spec_compose(&member, b->texts, b->plan, o, err);
    if (rc == 0)
      rc = spec_imports_check(b->plan, &member, mode, err);
    if (rc == 0)
      rc = put(b, &member, err);
  }
  return rc;
}

static int on_made(void *user, const char *path, const char *text, spec_err *err) {
  builder *b = user;
  if (text == NULL) /* not part of this program */
    return SPEC_OK;
  const spec_member member = {.path = path,
                              .origin = SPEC_MADE,
                              .text = text,
                              .len = strlen(text),
                              .modified = SPEC_MADE_DATE};
  size_t at = (size_t)(uintptr_t)spec_map_get(b->at, path, NULL);
  bool is_override = at > 0 && b->members[at - 1].override != NULL; /* the hooks of a layer */
  return is_override ? SPEC_OK : put(b, &member, err);
}

/* Whether the trunk has a folder at that path of the package. */
static int is_of_trunk(const builder *b, bool *out, const char *dir, spec_err *err) {
  spec_ftype type;
  const char *below = trunk_path(b->plan, dir);
  int rc = below == NULL ? spec_fail_memory(err)
                         : spec_tree_type(b->plan->trunk.tree, &type, below, err);
  if (rc == 0)
    *out = type == SPEC_FT_DIR;
  return rc;
}

/* Marks the folder of a module, and those above it, as packages, as far as they are the overlay's
 * own: without an __init__.py, tools that look for packages pass them over. */
static int mark_packages(builder *b, const char *module, spec_err *err) {
  for (const char *dir = module;;) {
    dir = spec_path_dirname(b->plan->arena, dir);
    const char *init = dir == NULL ? NULL : spec_path_join(b->plan->arena, dir, "__init__.py");
    bool is_trunks;
    if (init == NULL)
      return spec_fail_memory(err);
    if (spec_path_below("triton", dir) != NULL) /* the package itself */
      return SPEC_OK;
    int rc = is_of_trunk(b, &is_trunks, dir, err);
    const spec_member mark = {
        .path = init, .origin = SPEC_MADE, .text = "", .modified = SPEC_MADE_DATE};
    if (rc == 0 && !is_trunks && !has(b, init))
      rc = put(b, &mark, err);
    if (rc != 0 || is_trunks)
      return rc;
  }
}

static int add_package_marks(builder *b, spec_err *err) {
  int rc = 0;
  for (size_t i = 0, count = b->count; rc == 0 && i < count; i++)
    if (b->members[i].override != NULL && is_module(b->members[i].path))
      rc = mark_packages(b, b->members[i].path, err);
  return rc;
}

/* --- the whole --- */

static int compare_members(const void *a, const void *b) {
  return strcmp(((const spec_member *)a)->path, ((const spec_member *)b)->path);
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What another member takes the place of is not left out. */
static void forget_replaced(builder *b) {
  size_t kept = 0;
  for (size_t i = 0; i < b->removed_count; i++)
    if (!has(b, b->removed[i]))
      b->removed[kept++] = b->removed[i];
  b->removed_count = kept;
}

static void sort(builder *b) {
  if (b->count > 0)
    qsort(b->members, b->count, sizeof *b->members, compare_members);
  if (b->removed_count > 0)
    qsort(b->removed, b->removed_count, sizeof *b->removed, compare_paths);
}

/* No path of this machine, so that two machines agree. */
static int digest_overlay(char out[33], const builder *b, spec_err *err) {
  spec_digest *digest = spec_digest_new(b->plan->arena);
  if (digest == NULL)
    return spec_fail_memory(err);
  for (size_t i = 0; i < b->plan->layer_count; i++)
    spec_digest_str(digest, b->plan->layers[i].name);
  spec_digest_str(digest, "members");
  for (size_t i = 0; i < b->count; i++) {
    if (b->members[i].override == NULL)
      continue;
    spec_digest_str(digest, b->members[i].path);
    spec_digest_add(digest, b->members[i].text, b->members[i].len);
  }
  spec_digest_str(digest, "removed");
  for (size_t i = 0; i < b->removed_count; i++)
    spec_digest_str(digest, b->removed[i]);
  spec_digest_hex(digest, out);
  return SPEC_OK;
}

/* Makes the overlay a part of Triton's key for what it compiles. */
static int add_cache_key(builder *b, const char digest[33], spec_err *err) {
  spec_plan *plan = b->plan;
  bool any = false;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < b->count; i++) {
    bool added = false;
    if (b->members[i].text != NULL)
      rc = spec_cache_key_add(&b->members[i], &added, plan->arena, digest, err);
    any |= added;
  }
  if (rc != 0 || any || !has(b, SPEC_COMPILER))
    return rc;
  const char *compiler =
      spec_path_join(plan->arena, plan->trunk.root, trunk_path(plan, SPEC_COMPILER));
  if (compiler == NULL)
    return spec_fail_memory(err);
  spec_report(&plan->report, SPEC_F_NO_CACHE_KEY, compiler, SPEC_COMPILER, SPEC_CACHE, NULL);
  return SPEC_OK;
}

static int gather(builder *b, spec_package_mode mode, spec_err *err) {
  int rc = spec_trunk_files(b->plan, on_trunk_file, b, err);
  if (rc == 0)
    rc = add_overrides(b, mode, err);
  if (rc == 0)
    rc = add_package_marks(b, err);
  if (rc == 0)
    rc = spec_made_members(b->plan, mode, on_made, b, err);
  if (rc == 0)
    rc = spec_hooks_connect(b->plan, b->members, b->count, err);
  if (rc == 0) {
    forget_replaced(b);
    sort(b);
  }
  return rc;
}

int spec_package_of(spec_package *out, spec_texts *texts, spec_plan *plan, spec_package_mode mode,
                    spec_err *err) {
  builder b = {.plan = plan, .texts = texts};
  char digest[33];
  int rc = spec_map_new(&b.at, plan->arena, err);
  if (rc == 0)
    rc = gather(&b, mode, err);
  if (rc == 0)
    rc = digest_overlay(digest, &b, err);
  if (rc == 0)
    rc = add_cache_key(&b, digest, err);
  if (rc == 0)
    rc = spec_reporter_result(&plan->report, err);
  if (rc == 0) {
    *out = (spec_package){plan, mode, b.members, b.count, b.removed, b.removed_count, ""};
    memcpy(out->digest, digest, sizeof digest);
  }
  spec_map_free(b.at);
  return rc;
}

int spec_package_new(spec_package *out, spec_plan *plan, spec_package_mode mode, spec_err *err) {
  spec_texts texts;
  int rc = spec_texts_new(&texts, plan->arena, err);
  if (rc != 0)
    return rc;
  rc = spec_package_of(out, &texts, plan, mode, err);
  spec_texts_free(&texts);
  return rc;
}

const spec_member *spec_package_find(const spec_package *package, const char *path) {
  const spec_member key = {.path = path};
  return package->count == 0 ? NULL
                             : bsearch(&key, package->members, package->count,
                                       sizeof *package->members, compare_members);
}

const char *spec_origin_name(spec_origin origin) {
  static const char *const names[] = {"trunk", "vendor", "made"};
  return names[origin];
}
