/* bytecode.c: <folder>/__pycache__/<stem>.<tag>.pyc (PEP 552). */
#include "package/bytecode.h"

#include "base/err.h"
#include "base/looks.h"
#include "base/path.h"
#include <string.h>

enum { HEADER = 16, SECOND = 1000000000 };

typedef struct copier {
  const spec_package *package;
  spec_arena *arena;
  const char *folder;
} copier;

static uint32_t word_at(const char *data) {
  uint32_t word = 0;
  for (size_t i = 4; i-- > 0;)
    word = word << 8 | (unsigned char)data[i];
  return word;
}

/* Whether the header says that it is of this source, by date and size. */
static bool is_of(const spec_fs_file *code, const spec_member *m) {
  return code->len > HEADER && word_at(code->data + 4) == 0 &&
         word_at(code->data + 8) == (uint32_t)(m->modified / SECOND) &&
         word_at(code->data + 12) == (uint32_t)m->len;
}

/* Whether nothing has touched the source since it was compiled: whoever sets a date back cannot set
 * back the moment at which it was done. */
static int is_younger(bool *out, const spec_fs_file *code, const spec_member *m, spec_err *err) {
  spec_look source;
  int rc = spec_fs_glance(&source, SPEC_LOOK_INSIDE, m->file, err);
  if (rc == 0)
    *out = source.changed < code->modified;
  return rc;
}

static int copy_one(const copier *c, const spec_member *m, const char *from, const char *dir,
                    spec_err *err) {
  spec_fs_file code;
  bool younger = false;
  if (spec_fs_load(c->arena, &code, from, NULL) != SPEC_OK || !is_of(&code, m))
    return SPEC_OK;
  int rc = is_younger(&younger, &code, m, err);
  if (rc != 0 || !younger)
    return rc;
  const char *cache = spec_arena_printf(c->arena, "%s/%s/__pycache__", c->folder, dir);
  const char *to = cache == NULL ? NULL : spec_path_join(c->arena, cache, spec_path_basename(from));
  if (to == NULL)
    return spec_fail_memory(err);
  rc = spec_fs_mkdirs(cache, err);
  return rc != 0 ? rc : spec_fs_create(to, &code, err);
}

/* Those for all versions of Python, and all levels of optimization. */
static int copy_all(const copier *c, const spec_member *m, spec_err *err) {
  const spec_plan *plan = c->package->plan;
  const char *dir = spec_path_dirname(c->arena, m->path), *name = spec_path_basename(m->path);
  const char *cache = spec_path_dirname(c->arena, m->file);
  if (dir == NULL || cache == NULL ||
      (cache = spec_path_join(c->arena, cache, "__pycache__")) == NULL)
    return spec_fail_memory(err);
  const spec_dirent *entries;
  size_t count, stem = strlen(name) - 2; /* its dot, too */
  int rc = spec_tree_list(plan->trunk.tree, &entries, &count,
                          spec_path_below(cache, plan->trunk.root), err);
  for (size_t i = 0; rc == 0 && i < count; i++) {
    if (strncmp(entries[i].name, name, stem) != 0 ||
        strcmp(spec_path_ext(entries[i].name), ".pyc") != 0)
      continue;
    const char *from = spec_path_join(c->arena, cache, entries[i].name);
    rc = from == NULL ? spec_fail_memory(err) : copy_one(c, m, from, dir, err);
  }
  return rc;
}

int spec_bytecode_copy(const spec_package *package, const char *folder, spec_err *err) {
  const copier c = {package, package->plan->arena, folder};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < package->count; i++)
    if (package->members[i].origin == SPEC_FROM_TRUNK && package->members[i].text != NULL)
      rc = copy_all(&c, &package->members[i], err);
  return rc;
}
