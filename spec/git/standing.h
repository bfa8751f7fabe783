/* standing.h: how an override stands towards a trunk that may have moved on. It says beforehand
 * what an upgrade to that trunk would do, by the same merge. */
#ifndef SPEC_GIT_STANDING_H
#define SPEC_GIT_STANDING_H

#include "base/map.h"
#include "git/override_merge.h"

typedef enum spec_state {
  SPEC_STATE_CLEAN,       /* the trunk's file is the one it was made against */
  SPEC_STATE_DRIFTED,     /* that has changed, and the override merges with it */
  SPEC_STATE_CONFLICTING, /* it does not */
  SPEC_STATE_ORPHANED,    /* the file is gone, or the folder of an addition is */
  SPEC_STATE_UPSTREAMED,  /* the trunk does what the override did: drop it */
  SPEC_STATE_REDUNDANT,   /* it is the trunk's own file */
  SPEC_STATE_UNLOCKED,    /* the lock has no line for it */
  SPEC_STATE_REVIEW,      /* an upgrade merged it by more than lines, and nobody accepted it yet */
  SPEC_STATE_BROKEN,      /* a patch that does not fit the very text it was made for */
  SPEC_STATE_STALE,       /* a line of the lock without an override */
  SPEC_STATES
} spec_state;

/* "clean", "drifted", ... */
const char *spec_state_name(spec_state state);

/* Lines of the override's file as a user sees it (of a patch: of what it makes), from 1. */
typedef struct spec_lines_range {
  size_t first, last;
} spec_lines_range;

typedef struct spec_standing {
  spec_state state;
  const spec_vendor_file *file; /* NULL: the line is stale */
  const spec_lock_line *line;   /* NULL: there is none */
  const char *why;              /* a sentence, or "" */
  const char *moved_to;         /* where an orphan's file may be now; NULL: nowhere */
  unsigned likeness;            /* of the two, in percent */
  long added, removed;          /* lines of the trunk's file since; negative: not known */
  size_t reviews;               /* regions that an upgrade would mark for review */
  size_t upstreamed_hunks;      /* of a patch that also has others */
  spec_lines_range *regions;    /* that conflict */
  size_t region_count;
} spec_standing;

/* What the overrides are held against. */
typedef struct spec_standing_input {
  spec_repository *repository; /* one without git will do for a folder */
  spec_arena *arena;
  const spec_revision *now;
  const char
      *older; /* a folder with an older trunk, for texts that the repository lacks, or NULL */
  spec_map *renames; /* commit -> spec_renames *; empty at first */
} spec_standing_input;

/* Judges one override; line is NULL when it is not locked. */
int spec_standing_of(spec_standing *out, const spec_standing_input *input,
                     const spec_vendor_file *file, const spec_lock_line *line, spec_err *err);

#endif
