/* path.h: path strings, without a look at the file system. */
#ifndef SPEC_BASE_PATH_H
#define SPEC_BASE_PATH_H

#include "base/arena.h"

/* dir/name, with exactly one '/' between; name alone when dir is "", dir alone when name is. */
char *spec_path_join(spec_arena *arena, const char *dir, const char *name);
/* Without ".", "..", doubled or trailing '/'; ".." beyond "/" is dropped, a
 * leading ".." of a relative path stays.  "" becomes ".". */
char *spec_path_normal(spec_arena *arena, const char *path);
/* normal(dir/path), or normal(path) when path is absolute. */
char *spec_path_resolve(spec_arena *arena, const char *dir, const char *path);
/* The folder part: "a/b/c" -> "a/b", "c" -> "", "/c" -> "/". */
char *spec_path_dirname(spec_arena *arena, const char *path);
/* The last component, inside path; "" when path ends in '/'. */
const char *spec_path_basename(const char *path);
/* The suffix from the last '.' of the last component, "" when there is none
 * (".bashrc" has none); points inside path. */
const char *spec_path_ext(const char *path);
/* The part of path below root when path lies in it ("" when they are equal), else NULL.
 * Both normal; points inside path.  "/a/bc" does not lie below "/a/b", nor "../a" below "." */
const char *spec_path_below(const char *path, const char *root);
bool spec_path_is_absolute(const char *path);
/* Equal but for ASCII case. */
bool spec_path_case_equal(const char *a, const char *b);
/* Edits between two names (insert, delete, replace of a byte), or `limit` when there are as many or
 * more.  Parts that differ over more than SPEC_PATH_DISTANCE_MAX bytes count as wholly different.
 */
#define SPEC_PATH_DISTANCE_MAX 4096
size_t spec_path_distance(const char *a, const char *b, size_t limit);
/* Whether every byte sequence is valid UTF-8. */
bool spec_text_is_utf8(const char *text, size_t len);

#endif
