/* arrange.h: where changes read best.
 *
 * Added lines that begin like what follows them can as well be said to stand one line lower: a
 * function that was added may be shown from its own first line to its last, or from the brace of
 * the one ahead to the line before its own.  Both are the same change. */
#ifndef SPEC_DIFF_ARRANGE_H
#define SPEC_DIFF_ARRANGE_H

#include "diff/lines.h"

/* Moves each change that only adds or only removes lines to where a reader would put it: between
 * functions and paragraphs if it can be, else as low as possible.  Changes that come to touch
 * become one.  The lines that are added and removed stay as many. */
void spec_changes_arrange(spec_changes *changes, const spec_lines *old, const spec_lines *new);

#endif
