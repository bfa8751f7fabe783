/* context.h: how much of the old text each hunk of a patch shows. */
#ifndef SPEC_DIFF_CONTEXT_H
#define SPEC_DIFF_CONTEXT_H

#include "diff/lines.h"

/* Changes [first, first + count) with the unchanged lines around them. */
typedef struct spec_hunk_range {
  size_t first, count;
  size_t old, old_end; /* lines of the old text, from 0 */
  bool is_unique;      /* the old text has these lines nowhere else */
} spec_hunk_range;

/* Lines of context on each side of a hunk. */
typedef struct spec_hunk_width {
  size_t least, most; /* least: 1 at least */
} spec_hunk_width;

/* Puts changes into hunks.  Each shows the least context, and as much more as it takes until its
 * old lines are in the old text only once; one for which the most does not suffice shows the least
 * again, and is not unique.  Hunks that would meet become one.  SPEC_ENOMEM. */
int spec_hunk_ranges(spec_hunk_range **out, size_t *count, spec_arena *arena,
                     const spec_changes *changes, const spec_lines *old, spec_hunk_width width,
                     spec_err *err);

#endif
