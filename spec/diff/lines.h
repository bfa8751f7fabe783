/* lines.h: texts as lines that can be compared at once.
 *
 * Lines are told apart by their bytes alone, line ends included: LF ends a line, a CR before it is
 * one of its bytes, and a last line without LF equals none that has it. */
#ifndef SPEC_DIFF_LINES_H
#define SPEC_DIFF_LINES_H

#include "base/arena.h"
#include <stdint.h>

typedef struct spec_line {
  const char *text; /* points into the text that was split */
  size_t len;       /* with its LF */
} spec_line;

typedef struct spec_lines {
  spec_line *lines;
  size_t count;
  uint32_t *ids; /* equal for equal lines of all texts of one spec_lines_number() */
} spec_lines;

/* How many lines a text has; `text` may be NULL when len is 0. */
size_t spec_lines_count(const char *text, size_t len);
/* Splits a text; `text` may be NULL when len is 0.  Ids are still 0.
 * SPEC_EREFUSED: more lines than can be numbered; SPEC_ENOMEM. */
int spec_lines_split(spec_lines *out, spec_arena *arena, const char *text, size_t len,
                     spec_err *err);
/* Gives the lines of `count` texts their ids, from 0 upwards in order of first appearance.
 * *ids (may be NULL): how many different ones there are. */
int spec_lines_number(size_t *ids, spec_arena *arena, spec_lines *const *texts, size_t count,
                      spec_err *err);

/* Whether two lines, or other parts of texts, have the same bytes. */
bool spec_line_equal(spec_line a, spec_line b);
/* One more than the greatest id of two texts. */
size_t spec_lines_ids(const spec_lines *a, const spec_lines *b);

/* Lines [old, old + old_count) of one text stand where [new, new + new_count) of the other do;
 * lines count from 0, and one of the two counts may be 0. */
typedef struct spec_change {
  size_t old, old_count, new, new_count;
} spec_change;

/* All differences of two texts, in order; between two of them is at least one common line. */
typedef struct spec_changes {
  spec_change *items;
  size_t count;
  size_t removed, added; /* sums of old_count and new_count */
} spec_changes;

#endif
