/* lock_from.h: the line of spec.lock that a trunk gives an override. */
#ifndef SPEC_GIT_LOCK_FROM_H
#define SPEC_GIT_LOCK_FROM_H

#include "core/lock.h"
#include "git/repository.h"

/* Where the trunk's files are: in a folder, or in a revision. */
typedef struct spec_lock_from {
  spec_arena *arena;
  const char *folder;            /* of the trunk, absolute; NULL: `revision` alone counts */
  bool installed;                /* that folder holds triton/ itself */
  spec_repository *repository;   /* NULL: not known; then no line has a commit */
  const spec_revision *revision; /* taken from, or what the folder is compared with (its HEAD);
                                    NULL: none */
} spec_lock_from;

/* The line of a path of the source tree. The commit is that of the revision when the file is its
 * file, else "-". SPEC_EINVAL: the path is a folder, a link or in a submodule. */
int spec_lock_line_from(const spec_lock_from *from, spec_lock_line *out, const char *trunk,
                        spec_err *err);

#endif
