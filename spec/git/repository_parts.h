/* repository_parts.h: the inside of a repository, shared by the files that read one. */
#ifndef SPEC_GIT_REPOSITORY_PARTS_H
#define SPEC_GIT_REPOSITORY_PARTS_H

#include "base/map.h"
#include "git/repository.h"
#include <git2.h>

struct spec_repository {
  spec_arena *arena;
  git_repository *git; /* NULL: there is none */
  const char *path;    /* of the object store */
  const char *root;    /* of the work tree, or NULL */
  const char *prefix;  /* the trunk below it */
  spec_map *trees;     /* id -> git_tree *, kept until the end */
  spec_map *lent;      /* id -> path of a file that had it when it was looked at */
};

/* Turns libgit2's last error into ours: "<what>: <libgit2's reason>", at the repository. */
int spec_repository_fail(const spec_repository *repository, int code, const char *what,
                         spec_err *err);
/* An object that some other object names is not here. */
int spec_repository_fail_missing(const spec_repository *repository, const char *id, spec_err *err);
/* A tree by its id, kept; the repository's to free. */
int spec_repository_tree(spec_repository *repository, const git_tree **out, const git_oid *id,
                         spec_err *err);

/* folder.c: the same of a folder's files. */
int spec_folder_entry(spec_repository *repository, spec_entry *out, const spec_revision *revision,
                      const char *path, spec_err *err);
int spec_folder_walk(spec_repository *repository, const spec_revision *revision, const char *folder,
                     spec_entry_fn *fn, void *user, spec_err *err);
/* A lent file's bytes; *data NULL: none has that id, or it has it no longer. */
int spec_lent_read(spec_repository *repository, spec_arena *arena, const char **data, size_t *len,
                   const char *id, spec_err *err);

#endif
