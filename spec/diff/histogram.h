/* histogram.h: differences as a reader sees them: by the lines that are rare in the old text. */
#ifndef SPEC_DIFF_HISTOGRAM_H
#define SPEC_DIFF_HISTOGRAM_H

#include "diff/lines.h"

/* Compares two texts that were numbered together: the run of common lines whose rarest one occurs
 * least often divides both, and each half is divided likewise.  Where all common lines are frequent
 * the part is compared by spec_diff_myers().  SPEC_ENOMEM. */
int spec_diff_histogram(spec_changes *out, spec_arena *arena, const spec_lines *old,
                        const spec_lines *new, spec_err *err);

/* Moves changes that only add or only remove to where they end as their reader expects: of the
 * places that mean the same, behind the line whose rank is highest, or else the last.
 * `ranks` has one byte for each id of the numbering. */
void spec_changes_slide(spec_changes *changes, const spec_lines *old, const spec_lines *new,
                        const unsigned char *ranks);

#endif
