/* merge_steps.h: the steps of spec_merge_region_resolve(), for it and for tests. */
#ifndef SPEC_DIFF_MERGE_STEPS_H
#define SPEC_DIFF_MERGE_STEPS_H

#include "diff/merge_region.h"

/* Both sides added lines at one place (base is empty): puts them side by side where their order
 * does not matter, or where it shows.  *text stays empty when there is no sound order. */
int spec_merge_unite(spec_line *text, spec_arena *arena, const spec_merge_region *region,
                     spec_err *err);

/* Merges token by token.  text->text stays NULL when that conflicts or makes no sense. */
int spec_merge_tokens(spec_line *text, spec_arena *arena, const spec_merge_region *region,
                      spec_err *err);

/* Whether the last statement of the text that is open or ends there brings in names, so that what
 * it lists may stand in any order. */
bool spec_merge_in_import(spec_line before);

#endif
