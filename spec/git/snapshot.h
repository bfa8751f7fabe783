/* snapshot.h: all files of a trunk at one moment, as a folder has them or a revision. */
#ifndef SPEC_GIT_SNAPSHOT_H
#define SPEC_GIT_SNAPSHOT_H

#include "git/repository.h"

typedef struct spec_snapshot_file {
  const char *path; /* below the trunk */
  spec_entry_type type;
  bool executable;
  char id[SPEC_OBJECT_ID_SIZE]; /* git's id of its bytes (of a link: of its target's text); "" for
                                   a submodule in a folder */
} spec_snapshot_file;

typedef struct spec_snapshot {
  spec_arena *arena;
  const char *name;            /* as the user named it */
  const char *folder;          /* absolute; NULL: a revision */
  spec_repository *repository; /* NULL for a folder */
  spec_revision revision;
  spec_snapshot_file *files; /* sorted bytewise by path; folders are none */
  size_t count;
} spec_snapshot;

/* Takes `name` for a folder if there is one, relative to `cwd`; else for a revision of the
 * repository (NULL: there is none to look in).  In a folder ".git", "__pycache__" and folders of
 * CMake builds are passed over, what else lies there counts; a folder with a ".git" of its own is a
 * submodule.
 * SPEC_ENOTFOUND: neither; else as spec_repository_resolve(). */
int spec_snapshot_take(spec_snapshot *out, spec_arena *arena, const char *name, const char *cwd,
                       spec_repository *repository, spec_err *err);
/* The file at a path, or NULL. */
const spec_snapshot_file *spec_snapshot_find(const spec_snapshot *from, const char *path);
/* Its bytes, into `arena`.  SPEC_ENOTFOUND: the object is not here, or the file is gone. */
int spec_snapshot_read(const spec_snapshot *from, spec_arena *arena, const char **data, size_t *len,
                       const spec_snapshot_file *file, spec_err *err);

#endif
