/* merge3.h: what two texts made of one, put together where they did not touch the same.
 *
 * Works on lines, tokens or whatever else was numbered: see lines.h.  "Ours" is the vendor's text,
 * "theirs" the new trunk's, "base" the trunk's that the vendor's was made from. */
#ifndef SPEC_DIFF_MERGE3_H
#define SPEC_DIFF_MERGE3_H

#include "diff/lines.h"

/* When two changes that do not overlap are kept apart. */
typedef enum spec_touching {
  SPEC_TOUCHING_CONFLICTS, /* one unchanged item must lie between them, as for git */
  SPEC_TOUCHING_INSERTS,   /* what is added may touch what the other side changed */
  SPEC_TOUCHING_MERGES     /* two changes may touch */
} spec_touching;

typedef enum spec_chunk_kind {
  SPEC_CHUNK_SAME,    /* neither side changed it */
  SPEC_CHUNK_OURS,    /* ours alone did */
  SPEC_CHUNK_THEIRS,  /* theirs alone did */
  SPEC_CHUNK_BOTH,    /* both did the same */
  SPEC_CHUNK_CONFLICT /* both did, each its own */
} spec_chunk_kind;

/* Items count from 0. */
typedef struct spec_chunk {
  spec_chunk_kind kind;
  size_t base, base_count, ours, ours_count, theirs, theirs_count;
} spec_chunk;

typedef struct spec_chunks {
  spec_chunk *items;
  size_t count;
  size_t conflicts;
} spec_chunks;

/* The three texts were numbered together, and the changes lead from base to each side.
 * Two additions at one place always conflict, unless they are the same.  SPEC_ENOMEM. */
typedef struct spec_merge3_input {
  const spec_lines *base, *ours, *theirs;
  const spec_changes *to_ours, *to_theirs;
  spec_touching touching;
} spec_merge3_input;

int spec_merge3(spec_chunks *out, spec_arena *arena, const spec_merge3_input *input, spec_err *err);

#endif
