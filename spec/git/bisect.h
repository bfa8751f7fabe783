/* bisect.h: which commit of the trunk changed an override's file first, and which one first in a
 * way that the override does not merge with.  History is read from the object store alone: a commit
 * is looked into only where its trees differ from those of the commit before. */
#ifndef SPEC_GIT_BISECT_H
#define SPEC_GIT_BISECT_H

#include "git/standing.h"

/* What became of one override. */
typedef struct spec_bisected {
  const spec_vendor_file *file;
  const spec_lock_line *line; /* NULL: it is not locked, so nothing is known */
  const char *why;            /* what could not be found out, or "" */
  size_t changes;             /* commits that changed the file, up to the first break */
  const char *change;         /* id of the first of them; NULL: there is none */
  const char *broken;         /* id of the first that breaks it; NULL: none does */
  spec_standing standing;     /* towards that one */
} spec_bisected;

typedef struct spec_bisect_input {
  spec_repository *repository; /* with git */
  spec_arena *arena;
  const spec_revision *to;
  const char *without; /* path in the trunk that is not the trunk's, or NULL */
} spec_bisect_input;

/* Walks from `to` back along first parents to the commits that the lock names, or where those are
 * not on that line, to the latest ancestor of theirs that is; a line without a commit counts from
 * the last commit that has its blob.  items[i].file and .line are set, the rest is filled in.
 * SPEC_EINVAL: `to` is no commit. */
int spec_bisect(spec_bisected *items, size_t count, const spec_bisect_input *input, spec_err *err);

#endif
