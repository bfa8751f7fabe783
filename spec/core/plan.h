/* plan.h: the inside of a plan, for the build side and reports. */
#ifndef SPEC_CORE_PLAN_H
#define SPEC_CORE_PLAN_H

#include "core/match.h"

struct spec_plan {
  spec_arena *arena;
  spec_trunk trunk;
  bool installed; /* the trunk is an installed package */
  const char *backend;
  spec_backend *backends; /* one a layer, base first */
  spec_layer *layers;
  size_t layer_count;
  spec_override *overrides; /* sorted by trunk path */
  size_t override_count, override_cap;
  spec_map *by_trunk;       /* trunk path -> spec_override * (valid once sorted) */
  spec_map *by_case;        /* lower-cased trunk path -> overlay path, in the layer being read */
  const char *const *roots; /* absolute */
  size_t root_count;
  struct spec_looks *looks; /* all that was looked at, or NULL: not kept */
  spec_reporter report;
  bool strict_redundant, strict_signatures;
  struct spec_plan_lock **locks; /* plan_lock.h; of each layer, once it was asked for */
  spec_drift drift;              /* as asked for */
  char drifted[33];              /* digest of what has drifted and how; "": nothing */
};

/* The package's folder below the trunk's root: "python/triton", or "triton" where it is installed.
 */
const char *spec_plan_package(const spec_plan *plan);
/* The part of a path of the trunk below the package's parent, "triton/x.py"; NULL when it lies
 * elsewhere. */
const char *spec_plan_in_package(const spec_plan *plan, const char *trunk_path);

/* What is looked at from now on is added to the plan's looks, when it keeps them; the answer is
 * for spec_plan_end_trace(), which gives rc, or SPEC_ENOMEM when a look was lost. */
struct spec_looks *spec_plan_begin_trace(const spec_plan *plan);
int spec_plan_end_trace(const spec_plan *plan, struct spec_looks *before, int rc, spec_err *err);

#endif
