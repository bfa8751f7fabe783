/* upgrade.h: all overrides of a backend, carried to another revision of the trunk.
 *
 *   spec_upgrade_plan()    merges everything, and writes nothing
 *   spec_upgrade_begin()   makes the journal of it and puts the new files into their places
 *   spec_upgrade_finish()  what waits for conflicts to be resolved, then spec.lock */
#ifndef SPEC_GIT_UPGRADE_H
#define SPEC_GIT_UPGRADE_H

#include "core/journal.h"
#include "git/override_merge.h"

typedef struct spec_upgrade_input {
  spec_repository *repository;
  spec_arena *arena;
  const spec_backend *backend;
  const spec_revision *to;
  const char *rev; /* as it was named */
  const char
      *older; /* a folder with an older trunk, for texts that the repository lacks, or NULL */
} spec_upgrade_input;

/* What becomes of one override. */
typedef struct spec_upgrade_item {
  const spec_vendor_file *file;
  spec_override_merge merge;
  const char *overlay;   /* its path below the backend's folder from now on; NULL: it is dropped */
  const char *note;      /* what its owner should know or do; NULL: nothing */
  spec_journal_text new; /* its bytes from now on; text NULL: they stay, or it is dropped */
  bool review;           /* it is marked in the lock, from before or from now on */
} spec_upgrade_item;

typedef struct spec_upgrade {
  spec_upgrade_item *items; /* in order of the trunk's paths */
  size_t count;
  size_t blocked; /* in conflict, to be done by hand, or orphaned */
  size_t reviews; /* merged by more than lines now */
  spec_journal journal;
} spec_upgrade;

/* Merges every override of the backend.  SPEC_ENOTFOUND: an override has no line in spec.lock, or
 * the text that it was made against is not in the repository; SPEC_EAMBIGUOUS: two overrides of one
 * file; SPEC_EPARSE and others: a patch that does not fit its base. */
int spec_upgrade_plan(spec_upgrade *out, const spec_upgrade_input *input, spec_err *err);

/* Makes the journal, and puts the files into their places. */
int spec_upgrade_begin(spec_upgrade *upgrade, spec_arena *arena, spec_err *err);

/* Files that a journal still waits for. */
typedef struct spec_unresolved {
  const char **paths; /* below the backend's folder */
  size_t count, cap;
} spec_unresolved;

/* Goes on with a journal: puts files into their places if that was cut short, makes patches of what
 * was resolved, writes the lock and removes the journal; or, when files still have conflict
 * markers, lists those and stops there, which is no failure. */
int spec_upgrade_finish(spec_unresolved *out, spec_journal *journal, const spec_backend *backend,
                        spec_arena *arena, spec_err *err);

#endif
