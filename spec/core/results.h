/* results.h: the folder that a run writes, kept apart from what it may only read. */
#ifndef SPEC_CORE_RESULTS_H
#define SPEC_CORE_RESULTS_H

#include "core/plan.h"
#include "core/run_lock.h"

/* Whether `out` (absolute) may be written and pruned: SPEC_EINVAL when it holds the trunk or a
 * layer, lies among a layer's overrides, or holds anything that no run of ours makes; and when a
 * build could not carry its path, the trunk's or a layer's. */
int spec_results_check(const spec_plan *plan, const char *out, spec_err *err);

/* Whether `out` (absolute) shares nothing with what may only be read: SPEC_EINVAL when it holds, or
 * lies in, the trunk or a layer. */
int spec_results_apart(const spec_plan *plan, const char *out, spec_err *err);

/* Begins to write the folder, which must exist: takes its lock, waiting for a run that has it, and
 * removes what killed runs left half-written. As spec_run_lock_take(); without the lock nothing is
 * changed. */
int spec_results_open(spec_run_lock *lock, const spec_reporter *to, const char *out, spec_err *err);

/* Removes from the folder itself, not from those below, what killed runs left half-written. The
 * lock is held. */
int spec_results_clean(spec_arena *arena, const char *folder, spec_err *err);

/* What reads the records of a build and writes results holds these. */
typedef struct spec_results_locks {
  spec_run_lock records; /* SPEC_RUN_CONFIGURE of <build>: records and manifest are of one run */
  spec_run_lock results; /* SPEC_RUN_WRITE of <build>/spec */
} spec_results_locks;

/* Takes both, as spec_results_open() does. A folder without an overlay's manifest is not touched,
 * nor locked. Close it in any case. */
int spec_results_open_build(spec_results_locks *out, const spec_reporter *to, const char *build,
                            spec_err *err);
void spec_results_close_build(spec_results_locks *locks);

/* Makes <root>/path and the folders above it, root too, each a real folder: a link or file in the
 * way is removed, so that nothing is written through a link. */
int spec_results_folder(spec_arena *arena, const char *root, const char *path, spec_err *err);

/* Makes `path` a link to target, or a copy of it (that shares its blocks); a folder in the way is
 * removed. */
int spec_results_link(const char *target, const char *path, spec_err *err);
int spec_results_copy(const char *target, const char *path, spec_err *err);
/* The same for a text. */
int spec_results_write(const char *path, const char *text, size_t len, bool executable,
                       spec_err *err);
int spec_results_clone(const char *target, const char *path, spec_err *err);

#endif
