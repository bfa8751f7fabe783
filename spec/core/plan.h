/* plan.h: the inside of a plan, for the build side and reports. */
#ifndef SPEC_CORE_PLAN_H
#define SPEC_CORE_PLAN_H

#include "core/match.h"

struct spec_plan {
  spec_arena *arena;
  spec_trunk trunk;
  const char *backend;
  spec_backend *backends; /* one a layer, base first */
  spec_layer *layers;
  size_t layer_count;
  spec_override *overrides; /* sorted by trunk path */
  size_t override_count, override_cap;
  spec_map *by_trunk; /* trunk path -> spec_override * (valid once sorted) */
  spec_map *by_case;  /* lower-cased trunk path -> overlay path, in the layer being read */
  spec_reporter report;
  bool strict_redundant;
};

#endif
