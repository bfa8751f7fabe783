/* repository.h: a trunk's history, read from git's object store. Nothing is ever written to it, no
 * `git` process runs, and neither hooks, filters nor the user's own git settings are looked at. */
#ifndef SPEC_GIT_REPOSITORY_H
#define SPEC_GIT_REPOSITORY_H

#include "base/arena.h"
#include <stdint.h>

struct git_repository;

/* Starts libgit2 for this process, and ends it. Once, in main; all else needs it. */
int spec_repository_begin(spec_err *err);
void spec_repository_end(void);

typedef struct spec_repository spec_repository;

/* Digits of an object's id, and a NUL. */
enum { SPEC_OBJECT_ID_SIZE = 41 };

/* A revision: a commit, and the tree of the trunk in it; or the files of a folder as they lie. */
typedef struct spec_revision {
  char commit[SPEC_OBJECT_ID_SIZE]; /* "" when a bare tree or a folder was named */
  char tree[SPEC_OBJECT_ID_SIZE];   /* of the trunk's folder in the commit; "" when it has none */
  const char *folder;               /* absolute; NULL: a revision of the repository */
  bool installed;                   /* the folder holds triton/ itself, without python/ */
  const char *without;              /* a path that walks pass over: not the trunk's; or NULL */
} spec_revision;

typedef enum spec_entry_type {
  SPEC_ENTRY_NONE, /* no such path */
  SPEC_ENTRY_FILE,
  SPEC_ENTRY_FOLDER,
  SPEC_ENTRY_LINK,     /* its text is the blob */
  SPEC_ENTRY_SUBMODULE /* the path is one, or lies in one: its files are another repository's */
} spec_entry_type;

/* What a tree has at a path. */
typedef struct spec_entry {
  const char *name; /* path below the listed folder; NULL from spec_repository_entry() */
  spec_entry_type type;
  bool executable;
  char id[SPEC_OBJECT_ID_SIZE]; /* "" for SPEC_ENTRY_NONE */
} spec_entry;

/* Opens the repository that holds `folder`: a work tree, one of `git worktree`, a folder inside of
 * either (the trunk is then that folder of each commit), or a bare repository.
 * SPEC_ENOTFOUND: none is there; SPEC_EINVAL: of a kind that cannot be read, as with SHA-256 ids;
 * SPEC_EIO. Everything that is handed out lives in the arena, or as long as the repository. */
int spec_repository_open(spec_repository **out, spec_arena *arena, const char *folder,
                         spec_err *err);
/* One without git, for trunks that have none: it knows folders only. */
int spec_repository_without(spec_repository **out, spec_arena *arena, spec_err *err);
void spec_repository_free(spec_repository *repository); /* NULL is allowed */
/* False: it is one without git. */
bool spec_repository_is_git(const spec_repository *repository);
/* Where its objects are, for messages. */
const char *spec_repository_path(const spec_repository *repository);
/* The trunk's folder below the root of the work tree; "" as a rule. */
const char *spec_repository_prefix(const spec_repository *repository);
/* The work tree's root, absolute; NULL when it is bare. */
const char *spec_repository_root(const spec_repository *repository);
/* libgit2's own, for the other files of this folder. */
struct git_repository *spec_repository_raw(const spec_repository *repository);

/* What `git rev-parse` takes: a branch, tag, id, HEAD~3, a merge^2. SPEC_ENOTFOUND: there is no
 * such revision; SPEC_EAMBIGUOUS: a short id of several; SPEC_EINVAL: of a blob. */
int spec_repository_resolve(spec_repository *repository, spec_revision *out, const char *rev,
                            spec_err *err);
/* The same of a commit's id. */
int spec_repository_commit(spec_repository *repository, spec_revision *out, const char *commit,
                           spec_err *err);

/* The files of a trunk's folder as a revision: they are read when they are asked for, and can be
 * had by their ids from then on. `installed`: the folder holds triton/ itself; the paths are those
 * of the source tree nevertheless. */
void spec_repository_folder(spec_revision *out, const char *folder, bool installed);
/* Looks whether a file of some other folder has that id; if so it can be had by it, though git's
 * store has it not. */
int spec_repository_lend(spec_repository *repository, const char *id, const char *file,
                         spec_err *err);
/* The same of a path of the trunk in the folder of an older trunk, a source tree or an installed
 * package; nothing when older is NULL, or id is "-". */
int spec_repository_lend_older(spec_repository *repository, const char *id, const char *older,
                               const char *path, spec_err *err);

/* What a revision has at a path of the trunk; trees are kept, so that asking for many paths of many
 * revisions reads each tree once. */
int spec_repository_entry(spec_repository *repository, spec_entry *out,
                          const spec_revision *revision, const char *path, spec_err *err);
/* A blob's bytes and a NUL behind them. SPEC_ENOTFOUND: it is not here, and the mend says why that
 * may be (a shallow or partial clone); SPEC_EINVAL: the id is not a blob's. `id` may be short. */
int spec_repository_read(spec_repository *repository, spec_arena *arena, const char **data,
                         size_t *len, const char *id, spec_err *err);
/* Whether an object is here. */
bool spec_repository_has(const spec_repository *repository, const char *id);

/* The entries of a folder ("" is the trunk's root) of a revision that is none itself, in git's
 * order; none when it is no folder. */
int spec_repository_list(spec_repository *repository, spec_arena *arena, spec_entry **out,
                         size_t *count, const spec_revision *revision, const char *folder,
                         spec_err *err);
/* Calls fn for each entry below a folder that is not a folder itself, with its path below the trunk
 * as the name, until fn fails. Of a folder's files ids are not known (""), since that would read
 * them all: spec_repository_entry() tells. */
typedef int spec_entry_fn(void *user, const spec_entry *entry, spec_err *err);
int spec_repository_walk(spec_repository *repository, const spec_revision *revision,
                         const char *folder, spec_entry_fn *fn, void *user, spec_err *err);

/* A commit as a report names it. */
typedef struct spec_commit {
  char id[SPEC_OBJECT_ID_SIZE];
  const char *author;  /* name alone */
  const char *subject; /* first line */
  int64_t date;        /* of the author, seconds since 1970 */
  int offset;          /* minutes east of UTC */
} spec_commit;
int spec_repository_describe(spec_repository *repository, spec_arena *arena, spec_commit *out,
                             const char *commit, spec_err *err);

#endif
