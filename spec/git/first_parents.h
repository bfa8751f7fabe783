/* first_parents.h: the line of commits that first parents make, and what each has at a path. */
#ifndef SPEC_GIT_FIRST_PARENTS_H
#define SPEC_GIT_FIRST_PARENTS_H

#include "base/map.h"
#include "git/repository.h"
#include <stdint.h>

#define SPEC_NO_COMMIT SIZE_MAX

typedef struct spec_parent_commit {
  char id[SPEC_OBJECT_ID_SIZE];
  char tree[SPEC_OBJECT_ID_SIZE]; /* of the commit, not of a trunk in a folder of it */
} spec_parent_commit;

typedef struct spec_first_parents {
  spec_repository *repository;
  spec_arena *arena;
  spec_parent_commit *commits; /* oldest first */
  size_t count;
  spec_map *by_id;    /* id -> index + 1 */
} spec_first_parents; /* zero-initialise, and set the first two */

/* Reads from `to` back until each of `until` was met, to the first commit, or to where a shallow
 * clone ends. What is no id ("-") is never met. SPEC_EINVAL: `to` is no commit. The history is to
 * be freed. */
int spec_first_parents_read(spec_first_parents *out, const spec_revision *to,
                            const char *const *until, size_t until_count, spec_err *err);
void spec_first_parents_free(spec_first_parents *history);

/* The index of a commit, or of its latest ancestor on the line; SPEC_NO_COMMIT: it has none, or is
 * not in the repository. */
int spec_first_parents_since(size_t *out, const spec_first_parents *history, const char *commit,
                             spec_err *err);

/* A path, and its ids at the commit that was asked for last: of each folder on the way and of the
 * file. Only where they differ is a tree looked into. */
typedef struct spec_path_ids {
  const char **parts;
  size_t depth;
  char (*ids)[SPEC_OBJECT_ID_SIZE]; /* of the tree that parts[i] is looked up in */
  spec_entry entry;
} spec_path_ids;

/* `path` is below the trunk. */
int spec_path_ids_new(spec_path_ids *out, const spec_first_parents *history, const char *path,
                      spec_err *err);
/* What a commit has there. */
int spec_first_parents_entry(const spec_first_parents *history, spec_entry *out,
                             spec_path_ids *path, size_t index, spec_err *err);

#endif
