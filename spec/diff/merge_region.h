/* merge_region.h: what is tried with a region that both sides changed, once git's merge of lines
 * has given it up.  The rules are in docs/reference/upgrade.md; whatever comes out wants review. */
#ifndef SPEC_DIFF_MERGE_REGION_H
#define SPEC_DIFF_MERGE_REGION_H

#include "diff/lines.h"

/* By what a piece of the result was settled. */
typedef enum spec_merge_how {
  SPEC_MERGE_LINES,     /* git's merge of lines: safe.  All below want review */
  SPEC_MERGE_HISTOGRAM, /* a finer comparison of lines: the changes touch but do not overlap */
  SPEC_MERGE_UNITED,    /* both added here what can stand side by side */
  SPEC_MERGE_TOKENS,    /* token by token */
  SPEC_MERGE_MOVED,     /* the trunk moved the block, and the vendor's change went with it */
  SPEC_MERGE_CONFLICT   /* not settled */
} spec_merge_how;

/* "lines", "histogram", ... */
const char *spec_merge_how_name(spec_merge_how how);

/* A piece of the result. */
typedef struct spec_merge_piece {
  spec_merge_how how;
  spec_line text;               /* unless it is a conflict */
  spec_line base, ours, theirs; /* of a conflict; of others what they were made from */
} spec_merge_piece;

typedef struct spec_merge_pieces {
  spec_merge_piece *items;
  size_t count, cap;
  size_t reviews, conflicts; /* pieces not merged by lines, and those not merged */
} spec_merge_pieces;

/* A region and where it stands.  Texts end at line ends, or where their files end. */
typedef struct spec_merge_region {
  spec_line base, ours, theirs;
  spec_line before, after; /* what stands around it in the result, as far as it is settled */
  const char *path;        /* of the trunk: its ending tells the language where that matters */
} spec_merge_region;

/* Appends the region's pieces, which hold all of it, in order.  SPEC_ENOMEM, SPEC_EREFUSED. */
int spec_merge_region_resolve(spec_merge_pieces *out, spec_arena *arena,
                              const spec_merge_region *region, spec_err *err);

/* Appends a piece; an empty text is left out. */
int spec_merge_pieces_add(spec_merge_pieces *out, spec_arena *arena, const spec_merge_piece *piece,
                          spec_err *err);

#endif
