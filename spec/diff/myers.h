/* myers.h: the smallest set of lines that differ between two texts. */
#ifndef SPEC_DIFF_MYERS_H
#define SPEC_DIFF_MYERS_H

#include "diff/lines.h"

/* Compares two texts that were numbered together.  As few lines as possible are added and removed,
 * unless thousands of them are scattered over a part of the texts: there the search is cut short,
 * and the outcome, though correct, may have more than the fewest.
 * Time grows with the texts' lines times the lines that differ, and is bounded where it is cut;
 * memory grows with the texts' lines.  SPEC_ENOMEM. */
int spec_diff_myers(spec_changes *out, spec_arena *arena, const spec_lines *old,
                    const spec_lines *new, spec_err *err);

/* Makes changes of the lines that are marked as removed or added, for who compares otherwise:
 * old_gone has a byte for each old line, new_come for each new one.  SPEC_ENOMEM. */
int spec_changes_of_marks(spec_changes *out, spec_arena *arena, const char *old_gone,
                          size_t old_count, const char *new_come, size_t new_count, spec_err *err);

#endif
