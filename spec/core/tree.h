/* tree.h: a folder tree that is listed lazily, one system call a folder, so
 * that asking for thousands of paths costs hash look-ups only. */
#ifndef SPEC_CORE_TREE_H
#define SPEC_CORE_TREE_H

#include "base/fs.h"
#include "base/map.h"

typedef struct spec_tree spec_tree;

/* root is absolute and normal; nothing is read yet. */
int spec_tree_new(spec_tree **out, spec_arena *arena, const char *root, spec_err *err);
void spec_tree_free(spec_tree *tree); /* NULL is allowed */

/* Says that path is worth a look of its own: whether it and what lies below it are folders is not
 * asked of the folders above, which may be full of what others make (the system's temporary
 * folder). */
int spec_tree_anchor(spec_tree *tree, const char *path, spec_err *err);
/* Anchors path, and says that nothing outside it belongs to the tree: no neighbour of its is listed
 * for a twin or a suggestion. The path must outlive the tree. */
int spec_tree_limit(spec_tree *tree, const char *path, spec_err *err);

/* Type of the path below root ("" is the root), links followed; SPEC_FT_NONE
 * when it is absent or lies below a file.  Folders that cannot be read are an
 * error. */
int spec_tree_type(spec_tree *tree, spec_ftype *out, const char *path, spec_err *err);
/* Whether a regular file is there. */
int spec_tree_has_file(spec_tree *tree, bool *out, const char *path, spec_err *err);
/* Whether some component of path is a symbolic link. */
int spec_tree_crosses_link(spec_tree *tree, bool *out, const char *path, spec_err *err);
/* The spelling in the tree that differs from path only in case (of its first
 * component that is absent as spelled), or NULL. */
int spec_tree_case_twin(spec_tree *tree, const char **out, const char *path, spec_err *err);

/* Entries of a folder, sorted bytewise; none when path is no folder. */
int spec_tree_list(spec_tree *tree, const spec_dirent **out, size_t *count, const char *path,
                   spec_err *err);

/* Walks all regular files below `dir` (links to folders are not followed; ".git",
 * "__pycache__" and folders
 * of CMake builds, with CMakeCache.txt and CMakeFiles/, are skipped), in bytewise order. */
typedef int spec_tree_fn(void *user, const char *path, spec_err *err);
int spec_tree_walk(spec_tree *tree, const char *dir, spec_tree_fn *fn, void *user, spec_err *err);

/* Whether that walk passes a folder over. */
int spec_tree_skips(spec_tree *tree, bool *out, const char *dir, spec_err *err);

/* Up to three paths of the tree that resemble path most, for error messages:
 * "; did you mean 'a', 'b'?" or "" (allocated in the tree's arena); "" too after many answers. */
int spec_tree_nearest(spec_tree *tree, const char **out, const char *path, spec_err *err);

#endif
