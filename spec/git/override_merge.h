/* override_merge.h: one override, carried from the trunk's file it was made against to the file of
 * a revision.  Nothing is written. */
#ifndef SPEC_GIT_OVERRIDE_MERGE_H
#define SPEC_GIT_OVERRIDE_MERGE_H

#include "core/lock.h"
#include "core/vendor_files.h"
#include "git/merge_file.h"
#include "git/renames.h"

typedef enum spec_carried {
  SPEC_CARRIED_SAME,       /* the trunk's file is the one that is locked: nothing to do */
  SPEC_CARRIED_MERGED,     /* by lines alone */
  SPEC_CARRIED_REVIEW,     /* by more than lines, or where the trunk's file seems to have gone */
  SPEC_CARRIED_UPSTREAMED, /* the trunk does by itself what the override did: drop it */
  SPEC_CARRIED_CONFLICT,   /* `merged` has markers */
  SPEC_CARRIED_BY_HAND,    /* cannot be merged: `why` says it */
  SPEC_CARRIED_ORPHANED    /* the trunk's file is gone, and no file is like it */
} spec_carried;

/* "same", "merged", ... */
const char *spec_carried_name(spec_carried carried);

typedef struct spec_override_merge {
  spec_carried carried;
  const char *why;   /* BY_HAND: what keeps it from being merged; NULL otherwise */
  const char *trunk; /* path of the trunk's file in the revision: the override's own, or where it
                        was moved */
  unsigned likeness; /* percent, when it was moved; else 0 */
  char blob[SPEC_OBJECT_ID_SIZE]; /* of the trunk's file there; "-": there is none */
  spec_line base, ours, theirs;   /* ours: the file as the override makes it; text NULL: no file */
  spec_merged_file merged;        /* set where something was merged */
  bool executable;                /* of the override's file */
  unsigned mode;                  /* that a patch states (0100755); 0: none */
  size_t upstreamed_hunks;        /* of a patch: those that the trunk has by now */
} spec_override_merge;

typedef struct spec_override_merge_input {
  spec_repository *repository;
  spec_arena *arena;
  const spec_revision *to;
  spec_renames *renames;
  const char *base_label, *our_label, *their_label; /* behind conflict markers */
  spec_line base; /* the locked text, when the caller has it; text NULL: read it by its id */
} spec_override_merge_input;

/* Carries one override over.  SPEC_ENOTFOUND: the locked text is not in the repository; SPEC_EPARSE
 * and others of spec_patch_apply(): the override is a patch that does not fit its own base. */
int spec_override_merge_to(spec_override_merge *out, const spec_override_merge_input *input,
                           const spec_vendor_file *file, const spec_lock_line *line, spec_err *err);

#endif
