/* match.h: the files of one layer, each matched against the trunk. */
#ifndef SPEC_CORE_MATCH_H
#define SPEC_CORE_MATCH_H

#include "core/backend.h"
#include "core/tree.h"

/* The trunk that overrides are matched against. */
typedef struct spec_trunk {
  const char *root; /* absolute, normal, as the user spells it */
  const char *real; /* without links */
  spec_tree *tree;
} spec_trunk;

typedef struct spec_match {
  spec_arena *arena;
  const spec_trunk *trunk;
  const spec_backend *layer;
  size_t layer_index;
  bool strict_redundant;
  bool installed;               /* the trunk holds the package itself; only spec/ is walked */
  const struct spec_map *lower; /* trunk path -> whatever: those that layers below override */
  spec_reporter *report;
} spec_match;

/* Called once for each override that passed its rules; `override` is the callee's to copy. */
typedef int spec_match_fn(void *user, const spec_override *override, spec_err *err);

/* Walks spec_cpp/, python/src/ and spec/ of the layer.  Broken rules are
 * reported and skipped; a negative code means that the walk itself failed. */
int spec_match_layer(const spec_match *match, spec_match_fn *fn, void *user, spec_err *err);

#endif
