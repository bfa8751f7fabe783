/* merge_moved.c */
#include "diff/merge_moved.h"

#include <string.h>

/* A block with fewer lines that say something may be there by chance. */
enum { LINES_MIN = 3 };

static bool says_something(const char *line, size_t len) {
  size_t marks = 0;
  for (size_t i = 0; i < len; i++)
    marks += strchr(" \t\r\n{}()[];,", line[i]) == NULL;
  return marks > 0;
}

static size_t count_lines(spec_line text) {
  size_t count = 0;
  for (size_t at = 0; at < text.len;) {
    const char *lf = memchr(text.text + at, '\n', text.len - at);
    size_t len = lf == NULL ? text.len - at : (size_t)(lf - (text.text + at)) + 1;
    count += says_something(text.text + at, len);
    at += len;
  }
  return count;
}

/* How often a block of whole lines is in a text; *at: where last. */
static size_t find(spec_line text, spec_line block, size_t *at) {
  size_t count = 0;
  for (size_t i = 0; i + block.len <= text.len;) {
    if (memcmp(text.text + i, block.text, block.len) == 0) {
      *at = i;
      count++;
    }
    const char *lf = memchr(text.text + i, '\n', text.len - i);
    if (lf == NULL)
      break;
    i = (size_t)(lf - text.text) + 1;
  }
  return count;
}

/* Whether a piece is a conflict in which one side took the block away; *changed: the other side's
 * version. */
static bool is_taken_away(const spec_merge_piece *piece, spec_line *changed) {
  const bool theirs = count_lines(piece->theirs) == 0;
  *changed = theirs ? piece->ours : piece->theirs;
  return piece->how == SPEC_MERGE_CONFLICT && piece->base.len > 0 &&
         piece->base.text[piece->base.len - 1] == '\n' && changed->len > 0 &&
         changed->text[changed->len - 1] == '\n' && count_lines(piece->base) >= LINES_MIN &&
         (theirs || count_lines(piece->ours) == 0);
}

/* The piece of merged lines that alone has the block, and where; count of all when there is none.
 */
static size_t find_home(const spec_merge_pieces *pieces, spec_line block, size_t *at) {
  size_t found = 0, home = pieces->count, place;
  for (size_t i = 0; i < pieces->count; i++) {
    const spec_merge_piece *piece = &pieces->items[i];
    size_t here = piece->how == SPEC_MERGE_LINES ? find(piece->text, block, &place) : 0;
    found += here;
    if (here > 0) {
      home = i;
      *at = place;
    }
  }
  return found == 1 ? home : pieces->count;
}

/* All pieces, with that of the block's new home in three. */
static int move(spec_merge_pieces *pieces, spec_arena *arena, size_t from, size_t home, size_t at,
                spec_line changed, spec_err *err) {
  spec_merge_pieces made = {0};
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < pieces->count; i++) {
    spec_merge_piece piece = pieces->items[i];
    const spec_line block = pieces->items[from].base, text = piece.text;
    if (i == from) {
      piece.how = SPEC_MERGE_MOVED;
      piece.text = count_lines(piece.theirs) == 0 ? piece.theirs : piece.ours;
    } else if (i == home) {
      const size_t end = at + block.len;
      const spec_merge_piece moved = {SPEC_MERGE_MOVED, changed, block, changed, changed};
      piece.text.len = at;
      rc = spec_merge_pieces_add(&made, arena, &piece, err);
      if (rc == 0)
        rc = spec_merge_pieces_add(&made, arena, &moved, err);
      piece.text = (spec_line){text.text + end, text.len - end};
    }
    if (rc == 0)
      rc = spec_merge_pieces_add(&made, arena, &piece, err);
  }
  if (rc == 0)
    *pieces = made;
  return rc;
}

int spec_merge_follow_moves(spec_merge_pieces *pieces, spec_arena *arena, spec_line base,
                            spec_err *err) {
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < pieces->count; i++) {
    const spec_line block = pieces->items[i].base;
    spec_line changed;
    size_t at = 0;
    if (!is_taken_away(&pieces->items[i], &changed) || find(base, block, &at) != 1)
      continue;
    size_t home = find_home(pieces, block, &at);
    if (home == pieces->count)
      continue;
    rc = move(pieces, arena, i, home, at, changed, err);
  }
  return rc;
}
