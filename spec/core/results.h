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

/* Makes <root>/path and the folders above it, root too, each a real folder: a link or file in the
 * way is removed, so that nothing is written through a link. */
int spec_results_folder(spec_arena *arena, const char *root, const char *path, spec_err *err);

/* Makes `path` a link to target, or a copy of it (that shares its blocks); a folder in the way is
 * removed. */
int spec_results_link(const char *target, const char *path, spec_err *err);
int spec_results_copy(const char *target, const char *path, spec_err *err);
int spec_results_clone(const char *target, const char *path, spec_err *err);

#endif
