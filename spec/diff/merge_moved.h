/* merge_moved.h: a block that one side moved within the file while the other changed it. */
#ifndef SPEC_DIFF_MERGE_MOVED_H
#define SPEC_DIFF_MERGE_MOVED_H

#include "diff/merge_region.h"

/* Follows such blocks: where a side has taken all of a conflict's base away, and the same lines
 * stand once elsewhere in what was merged by lines, the other side's version takes their place
 * there, and the conflict is settled as taken away.  `base` is the whole text that both were made
 * of: a block that it has more than once is left alone.  SPEC_ENOMEM. */
int spec_merge_follow_moves(spec_merge_pieces *pieces, spec_arena *arena, spec_line base,
                            spec_err *err);

#endif
