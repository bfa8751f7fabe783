/* merged.h: the trunk as a build sees it once the overlay lies over it.
 *
 * A file of that view has an id: its path below the trunk, or an absolute path
 * when it lies in the build folder or in one outside that the build compiles too (a plugin). */
#ifndef SPEC_CPP_MERGED_H
#define SPEC_CPP_MERGED_H

#include "core/plan.h"

typedef struct spec_merged {
  spec_arena *arena;
  const spec_plan *plan;
  const char *stage;    /* <build>/spec/stage */
  const char *build;    /* the build folder; "" when unknown */
  const char **outside; /* folders outside the trunk whose files have ids */
  size_t outside_count;
  spec_tree *tree; /* of "/", for those */
} spec_merged;

/* The id of an absolute, normal path, or NULL: none of ours.
 * Points into path or is path itself. */
const char *spec_merged_id(const spec_merged *view, const char *path);
/* The id of `name` seen from the folder with id `dir`, or NULL as above. */
int spec_merged_resolve(const spec_merged *view, const char **out, const char *dir,
                        const char *name, spec_err *err);
/* Whether the view has a regular file of that id. */
int spec_merged_has(const spec_merged *view, bool *out, const char *id, spec_err *err);
/* The file of an id: the vendor's where it is overridden, that of the stage where it is patched. */
const char *spec_merged_file(const spec_merged *view, const char *id);
/* Its text, with a NUL behind it, in the arena or the plan: patches are applied in memory, so that
 * nothing depends on what the stage holds yet. */
int spec_merged_read(const spec_merged *view, spec_arena *arena, const char **text, size_t *len,
                     const char *id, spec_err *err);
/* The override that stands for an id (removals too), or NULL. */
const spec_override *spec_merged_override(const spec_merged *view, const char *id);

#endif
