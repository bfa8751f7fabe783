/* tree.c: lazily listed folders. */
#include "core/tree.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "core/kind.h"
#include <string.h>

typedef struct tree_dir {
  spec_dirent *entries;
  size_t count;
  bool folded; /* its entries are in the tree's map of lower-cased names */
} tree_dir;

struct spec_tree {
  spec_arena *arena;
  const char *root;
  spec_map *dirs;   /* path -> tree_dir, or NULL for "not a folder" */
  spec_map *types;  /* path -> (spec_dirent *), for entries of listed folders */
  spec_map *folded; /* folder/lower-cased name -> (spec_dirent *), of folders asked about */
  spec_map *anchors;
  const char *limit; /* what is outside is not looked at, or "" */
  size_t searches;   /* for the nearest path, so far */
};

int spec_tree_new(spec_tree **out, spec_arena *arena, const char *root, spec_err *err) {
  spec_tree *tree = spec_arena_alloc(arena, sizeof *tree);
  if (tree == NULL)
    return spec_fail_memory(err);
  tree->arena = arena;
  tree->root = root;
  tree->limit = "";
  int rc = spec_map_new(&tree->dirs, arena, err);
  if (rc == 0)
    rc = spec_map_new(&tree->types, arena, err);
  if (rc == 0)
    rc = spec_map_new(&tree->folded, arena, err);
  if (rc == 0)
    rc = spec_map_new(&tree->anchors, arena, err);
  if (rc != 0) {
    spec_tree_free(tree);
    return rc;
  }
  *out = tree;
  return SPEC_OK;
}

void spec_tree_free(spec_tree *tree) {
  if (tree == NULL)
    return;
  spec_map_free(tree->dirs);
  spec_map_free(tree->types);
  spec_map_free(tree->folded);
  spec_map_free(tree->anchors);
}

int spec_tree_anchor(spec_tree *tree, const char *path, spec_err *err) {
  return spec_map_set(tree->anchors, path, tree, err);
}

int spec_tree_limit(spec_tree *tree, const char *path, spec_err *err) {
  tree->limit = path;
  return spec_tree_anchor(tree, path, err);
}

/* Type of a folder that is to be listed. */
static int type_of_dir(spec_tree *tree, spec_ftype *out, const char *path, spec_err *err) {
  *out = SPEC_FT_DIR;
  if (*path == '\0')
    return SPEC_OK;
  if (spec_map_get(tree->anchors, path, NULL) == NULL)
    return spec_tree_type(tree, out, path, err);
  char *full = spec_path_join(tree->arena, tree->root, path);
  return full == NULL ? spec_fail_memory(err) : spec_fs_type(out, full, err);
}

static int list_dir(spec_tree *tree, tree_dir **out, const char *path, spec_err *err) {
  char *full = spec_path_join(tree->arena, tree->root, path);
  tree_dir *dir = spec_arena_alloc(tree->arena, sizeof *dir);
  if (full == NULL || dir == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_list(tree->arena, &dir->entries, &dir->count, full, err);
  for (size_t i = 0; rc == 0 && i < dir->count; i++) {
    char *child = *path == '\0' ? (char *)dir->entries[i].name
                                : spec_path_join(tree->arena, path, dir->entries[i].name);
    rc = child == NULL ? spec_fail_memory(err)
                       : spec_map_set(tree->types, child, &dir->entries[i], err);
  }
  if (rc == 0)
    *out = dir;
  return rc;
}

/* The listing of a folder, or NULL when path is no folder. */
static int open_dir(spec_tree *tree, tree_dir **out, const char *path, spec_err *err) {
  bool found;
  tree_dir *dir = spec_map_get(tree->dirs, path, &found);
  if (!found) {
    spec_ftype type;
    int rc = type_of_dir(tree, &type, path, err);
    if (rc == 0 && type == SPEC_FT_DIR)
      rc = list_dir(tree, &dir, path, err);
    if (rc == 0)
      rc = spec_map_set(tree->dirs, path, dir, err);
    if (rc != 0)
      return rc;
  }
  *out = dir;
  return SPEC_OK;
}

/* The entry of path in its folder's listing, or NULL. */
static int find_entry(spec_tree *tree, spec_dirent **out, const char *path, spec_err *err) {
  spec_dirent *entry = spec_map_get(tree->types, path, NULL);
  if (entry == NULL) {
    char *parent = spec_path_dirname(tree->arena, path);
    tree_dir *dir = NULL;
    if (parent == NULL)
      return spec_fail_memory(err);
    bool listed;
    spec_map_get(tree->dirs, parent, &listed);
    int rc = listed ? 0 : open_dir(tree, &dir, parent, err);
    if (rc != 0)
      return rc;
    entry = listed ? NULL : spec_map_get(tree->types, path, NULL);
  }
  *out = entry;
  return SPEC_OK;
}

int spec_tree_type(spec_tree *tree, spec_ftype *out, const char *path, spec_err *err) {
  if (*path == '\0') {
    *out = SPEC_FT_DIR;
    return SPEC_OK;
  }
  spec_dirent *entry = NULL;
  int rc = find_entry(tree, &entry, path, err);
  if (rc != 0)
    return rc;
  spec_ftype type = entry == NULL ? SPEC_FT_NONE : entry->type;
  if (type == SPEC_FT_LINK) {
    char *full = spec_path_join(tree->arena, tree->root, path);
    rc = full == NULL ? spec_fail_memory(err) : spec_fs_type(&type, full, err);
  }
  if (rc == 0)
    *out = type;
  return rc;
}

int spec_tree_has_file(spec_tree *tree, bool *out, const char *path, spec_err *err) {
  spec_ftype type;
  int rc = spec_tree_type(tree, &type, path, err);
  if (rc == 0)
    *out = type == SPEC_FT_FILE;
  return rc;
}

int spec_tree_crosses_link(spec_tree *tree, bool *out, const char *path, spec_err *err) {
  bool crosses = false;
  for (const char *slash = path; !crosses && slash != NULL;) {
    slash = strchr(slash, '/');
    size_t len = slash != NULL ? (size_t)(slash - path) : strlen(path);
    char *part = spec_arena_strndup(tree->arena, path, len);
    spec_dirent *entry;
    if (part == NULL)
      return spec_fail_memory(err);
    int rc = find_entry(tree, &entry, part, err);
    if (rc != 0)
      return rc;
    crosses = entry != NULL && entry->type == SPEC_FT_LINK;
    slash = slash != NULL ? slash + 1 : NULL;
  }
  *out = crosses;
  return SPEC_OK;
}

/* path/name, the name in lower case; NULL when memory is out. */
static char *folded_path(const spec_tree *tree, const char *path, const char *name) {
  char *folded = spec_path_join(tree->arena, path, name);
  if (folded == NULL)
    return NULL;
  for (char *p = folded + strlen(folded) - strlen(name); *p != '\0'; p++)
    if (*p >= 'A' && *p <= 'Z')
      *p = (char)(*p - 'A' + 'a');
  return folded;
}

static int fold_dir(spec_tree *tree, tree_dir *dir, const char *path, spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < dir->count; i++) {
    const char *key = folded_path(tree, path, dir->entries[i].name);
    rc = key == NULL ? spec_fail_memory(err)
                     : spec_map_set(tree->folded, key, &dir->entries[i], err);
  }
  dir->folded = rc == 0;
  return rc;
}

/* The entry of `dir`, which has no such name, that equals it but for case; or NULL. */
static int twin_in(spec_tree *tree, const char **out, tree_dir *dir, const char *path,
                   const char *name, spec_err *err) {
  const char *key = folded_path(tree, path, name);
  int rc = key == NULL ? spec_fail_memory(err) : 0;
  if (rc == 0 && !dir->folded)
    rc = fold_dir(tree, dir, path, err);
  if (rc != 0)
    return rc;
  const spec_dirent *entry = spec_map_get(tree->folded, key, NULL);
  *out = entry != NULL ? entry->name : NULL;
  return SPEC_OK;
}

int spec_tree_case_twin(spec_tree *tree, const char **out, const char *path, spec_err *err) {
  const char *parent = "";
  *out = NULL;
  for (const char *start = path; start != NULL;) {
    const char *slash = strchr(start, '/');
    size_t len = slash != NULL ? (size_t)(slash - start) : strlen(start);
    char *name = spec_arena_strndup(tree->arena, start, len);
    char *here = name == NULL ? NULL : spec_path_join(tree->arena, parent, name);
    tree_dir *dir = NULL;
    spec_dirent *entry = NULL;
    if (here == NULL)
      return spec_fail_memory(err);
    if (spec_path_below(tree->limit, here) != NULL && *tree->limit != '\0') {
      parent = here;
      start = slash != NULL ? slash + 1 : NULL;
      continue;
    }
    int rc = open_dir(tree, &dir, parent, err);
    if (rc == 0)
      rc = find_entry(tree, &entry, here, err);
    if (rc != 0)
      return rc;
    if (entry == NULL) {
      const char *twin = NULL;
      rc = dir == NULL ? 0 : twin_in(tree, &twin, dir, parent, name, err);
      if (rc == 0 && twin != NULL && (*out = spec_path_join(tree->arena, parent, twin)) == NULL)
        rc = spec_fail_memory(err);
      return rc;
    }
    parent = here;
    start = slash != NULL ? slash + 1 : NULL;
  }
  return SPEC_OK;
}

/* A folder that holds another build, or bookkeeping: no part of the source.
 * Upstream Triton has a stray CMakeCache.txt among its sources, so that file
 * alone proves nothing. */
int spec_tree_skips(spec_tree *tree, bool *out, const char *dir, spec_err *err) {
  *out = spec_kind_is_ignored_dir(spec_path_basename(dir));
  char *cache = spec_path_join(tree->arena, dir, "CMakeCache.txt");
  char *files = spec_path_join(tree->arena, dir, "CMakeFiles");
  if (cache == NULL || files == NULL)
    return spec_fail_memory(err);
  bool has_cache = false;
  spec_ftype type = SPEC_FT_NONE;
  int rc = *out ? 0 : spec_tree_has_file(tree, &has_cache, cache, err);
  if (rc == 0 && has_cache)
    rc = spec_tree_type(tree, &type, files, err);
  *out |= type == SPEC_FT_DIR;
  return rc;
}

int spec_tree_list(spec_tree *tree, const spec_dirent **out, size_t *count, const char *path,
                   spec_err *err) {
  tree_dir *dir;
  int rc = open_dir(tree, &dir, path, err);
  if (rc != 0)
    return rc;
  *out = dir == NULL ? NULL : dir->entries;
  *count = dir == NULL ? 0 : dir->count;
  return SPEC_OK;
}

int spec_tree_walk(spec_tree *tree, const char *path, spec_tree_fn *fn, void *user, spec_err *err) {
  tree_dir *dir;
  int rc = open_dir(tree, &dir, path, err);
  for (size_t i = 0; rc == 0 && dir != NULL && i < dir->count; i++) {
    spec_dirent *entry = &dir->entries[i];
    char *child = spec_path_join(tree->arena, path, entry->name);
    if (child == NULL)
      return spec_fail_memory(err);
    if (entry->type == SPEC_FT_FILE) {
      rc = fn(user, child, err);
    } else if (entry->type == SPEC_FT_DIR) {
      bool skipped;
      rc = spec_tree_skips(tree, &skipped, child, err);
      if (rc == 0 && !skipped)
        rc = spec_tree_walk(tree, child, fn, user, err);
    }
  }
  return rc;
}

/* Paths in an answer; and answers: each looks at every file, and after so many mistakes one more
 * suggestion helps nobody. */
enum { NEAREST = 3, MOST_SEARCHES = 32 };

typedef struct nearest {
  const char *wanted;
  size_t limit;
  const char *paths[NEAREST];
  size_t scores[NEAREST];
  size_t count;
} nearest;

/* Smaller is closer; SIZE_MAX is "not alike".  A file of the same name in
 * another folder is the likeliest mistake after a typo. */
static size_t likeness(const nearest *search, const char *path) {
  size_t whole = spec_path_distance(search->wanted, path, search->limit);
  if (whole < search->limit)
    return whole;
  const char *a = spec_path_basename(search->wanted), *b = spec_path_basename(path);
  return strcmp(a, b) == 0 ? search->limit : (size_t)-1;
}

/* Overlays inside the trunk mirror its paths; none of their files is an answer. */
static bool is_of_overlay(const char *path) {
  return strstr(path, "/spec_cpp/") != NULL || strstr(path, "/spec/triton/") != NULL;
}

static int consider(void *user, const char *path, spec_err *err) {
  (void)err;
  nearest *search = user;
  if (is_of_overlay(path))
    return SPEC_OK;
  size_t score = likeness(search, path);
  if (score == (size_t)-1)
    return SPEC_OK;
  size_t at = search->count;
  while (at > 0 && search->scores[at - 1] > score)
    at--;
  if (at == NEAREST)
    return SPEC_OK;
  size_t last = search->count < NEAREST ? search->count++ : NEAREST - 1;
  for (size_t i = last; i > at; i--) {
    search->paths[i] = search->paths[i - 1];
    search->scores[i] = search->scores[i - 1];
  }
  search->paths[at] = path;
  search->scores[at] = score;
  return SPEC_OK;
}

int spec_tree_nearest(spec_tree *tree, const char **out, const char *path, spec_err *err) {
  nearest search = {.wanted = path, .limit = strlen(path) / 5 + 2};
  if (tree->searches++ >= MOST_SEARCHES) {
    *out = "";
    return SPEC_OK;
  }
  int rc = spec_tree_walk(tree, tree->limit, consider, &search, err);
  if (rc != 0)
    return rc;
  spec_buf text = {0};
  for (size_t i = 0; i < search.count; i++)
    spec_buf_printf(&text, "%s'%s'", i == 0 ? "; did you mean " : ", ", search.paths[i]);
  if (search.count > 0)
    spec_buf_char(&text, '?');
  *out = spec_buf_failed(&text) ? NULL : spec_arena_strdup(tree->arena, spec_buf_text(&text));
  spec_buf_dispose(&text);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}
