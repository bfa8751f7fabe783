/* repository_parts.h: the inside of a repository, shared by the files that read one. */
#ifndef SPEC_GIT_REPOSITORY_PARTS_H
#define SPEC_GIT_REPOSITORY_PARTS_H

#include "base/map.h"
#include "git/repository.h"
#include <git2.h>

struct spec_repository {
  spec_arena *arena;
  git_repository *git;
  const char *path;   /* of the object store */
  const char *root;   /* of the work tree, or NULL */
  const char *prefix; /* the trunk below it */
  spec_map *trees;    /* id -> git_tree *, kept until the end */
};

/* Turns libgit2's last error into ours: "<what>: <libgit2's reason>", at the repository. */
int spec_repository_fail(const spec_repository *repository, int code, const char *what,
                         spec_err *err);
/* An object that some other object names is not here. */
int spec_repository_fail_missing(const spec_repository *repository, const char *id, spec_err *err);
/* A tree by its id, kept; the repository's to free. */
int spec_repository_tree(spec_repository *repository, const git_tree **out, const git_oid *id,
                         spec_err *err);

#endif
