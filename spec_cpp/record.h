/* record.h: what a configured build went by: its options, what came out, and all that was looked
 * at on the way. */
#ifndef SPEC_CPP_RECORD_H
#define SPEC_CPP_RECORD_H

#include "base/looks.h"
#include "core/plan.h"

typedef struct spec_record {
  const char *trunk, *backend;
  const char **roots;
  size_t root_count;
  bool strict_redundant, strict_unused;
  spec_drift drift;
  char drifted[33];          /* of the plan; "" when nothing has */
  const char *targets;       /* file, or "" while only the stage is made */
  char stage[33], place[33]; /* digests of what the two steps gave to CMake */
  spec_looks *looks;         /* spec_looks_free() */
} spec_record;

/* Files of <build>/spec: of both steps, and of the first until the second is done. */
#define SPEC_RECORD       "looks"
#define SPEC_RECORD_STAGE "looks.stage"
/* build.ninja depends on this one: newer means that CMake must run. */
#define SPEC_STALE "changed"

/* Fills what the plan knows; looks are those of the plan, but for what lies in out, where only
 * files seen through the stage count: the rest is written by the run itself. */
int spec_record_new(spec_record *out, const spec_plan *plan, const char *dir, spec_err *err);
/* Writes dir/name, atomically. */
int spec_record_write(spec_arena *arena, const spec_record *record, const char *dir,
                      const char *name, spec_err *err);
/* SPEC_ENOTFOUND when there is none, SPEC_EPARSE when it is damaged or of another version. */
int spec_record_read(spec_arena *arena, spec_record *out, const char *dir, const char *name,
                     spec_err *err);
/* The same for a text; path is for messages. */
int spec_record_parse(spec_arena *arena, spec_record *out, const char *text, size_t len,
                      const char *path, spec_err *err);

#endif
