/*
 * spec_build.h: the build side's interface.
 *
 * A build configures in two steps.  When the trunk's project begins,
 * spec_build_stage() writes the stage and plan.cmake; when every target exists,
 * spec_build_place() reads the list of targets and writes place.cmake, which
 * swaps sources and puts the stage before the trunk for exactly the units that
 * reach an overridden header.  cmake/SpecOverlay.cmake runs both.
 *
 * Files of the output folder (<build>/spec)
 *   stage/         the trunk's paths, as links to vendor and trunk files; what patches make
 *   python/        the merged Python package, when the overlay has one
 *   tblgen/        wrappers that put the stage first on tblgen's search path
 *   plan.cmake     facts for the CMake side, made by spec_build_stage()
 *   place.cmake    the swaps, made by spec_build_place()
 *   log.txt        the SPEC lines
 *   manifest.json  docs/reference/manifest.schema.json
 *   targets.txt    the target list, written by CMake
 *   compile_commands.json, .digest   for editors, and what it was made from: compile_commands.h
 *   .lock          held by what writes the folder
 *   looks          what the run went by: options, digests, all that it looked at
 *   changed        its date tells Ninja when CMake must run again
 * Both steps refuse a folder that holds anything else, the trunk or an overlay, or lies in an
 * overlay: SPEC_EINVAL.
 *
 * One run at a time.  Each function below takes the locks that it needs (core/run_lock.h), waits
 * for a run that has them, and fails with SPEC_EBUSY when that takes too long.  What Ninja runs
 * before a build must see a whole configure run or none: it takes SPEC_RUN_CONFIGURE on the build
 * folder, then, if it writes results, SPEC_RUN_WRITE on <build>/spec (spec_results_open()), and
 * lets both go before Ninja starts CMake.  CMake itself must never run it: CMake has
 * SPEC_RUN_CONFIGURE already.
 */
#ifndef SPEC_BUILD_H
#define SPEC_BUILD_H

#include "spec.h"

/* Writes stage, Python package, wrappers and plan.cmake below out (absolute).
 * Files that already hold the right bytes are left alone. */
int spec_build_stage(spec_plan *plan, const char *out, spec_err *err);

/* Reads the target list (format: spec_cpp/targets.h) and writes place.cmake,
 * log.txt and manifest.json; completes the stage and removes what it no longer needs.
 * strict_unused: an override that nothing uses is an error, not a warning.
 * SPEC_EREFUSED when the overlay cannot be placed; findings go to the plan's on_event. */
int spec_build_place(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                     spec_err *err);

/* Whether a step of a configure run can be left out: the last run that did both steps had the same
 * options, program and target list and no findings, and nothing that it looked at or wrote has
 * changed since.  `targets` is NULL for the first step; else as for spec_build_place(), with
 * strict_unused.  Waits for a run that writes `out`. */
int spec_build_stands(bool *stands, const spec_options *options, const char *out,
                      const char *targets, bool strict_unused, spec_err *err);

/* Whether CMake must configure the build again because of what became of trunk and overlay since
 * it did (plans with `trace`); Ninja asks before every build.  When CMake would be told the same as
 * last time, which most edits leave so, the results of patches and the Python package are written,
 * the build goes on and the record is renewed.  Else writes <build>/spec/changed, on which
 * build.ninja depends.  Removes what was made of a file that changed to an older date: Ninja would
 * keep it.
 * on_changed (may be NULL) gets each path whose content or presence changed, whether or not that
 * matters; on_event (may be NULL) the note that this run waits for another. */
typedef void spec_changed_fn(void *user, const char *path);
int spec_build_check(bool *stale, const char *build, spec_changed_fn *on_changed,
                     spec_event_fn *on_event, void *user, spec_err *err);

/* What spec_build_verify() found; counts of overrides. */
typedef struct spec_verification {
  size_t overrides;  /* all */
  size_t proved;     /* read by an output that was built */
  size_t configured; /* CMake and Python files and removals: nothing compiled reads them */
  size_t pending;    /* an owner is not fully built, so nothing can be said yet */
} spec_verification;

/* Waits until no run configures or proves the build folder. */
int spec_build_wait(const char *build, spec_event_fn *on_event, void *user, spec_err *err);

/* Reads the records that Ninja and CMake left in a build folder and proves, for each override,
 * which outputs read it; reports each that read the trunk's file in its place (with the include
 * that brought it in), and each that nothing read though all its owners are built.  Adds
 * `used_by` to the manifest.
 * SPEC_ENOTFOUND: no build folder of Ninja, or none with an overlay; SPEC_EREFUSED: findings. */
int spec_build_verify(spec_verification *out, const char *build, spec_event_fn *on_event,
                      void *user, spec_err *err);

#endif
