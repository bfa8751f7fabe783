/* merge_file.h: three texts of one file into one, by lines as `git merge-file` does, and where that
 * conflicts by what spec/diff/merge_region.h knows. */
#ifndef SPEC_GIT_MERGE_FILE_H
#define SPEC_GIT_MERGE_FILE_H

#include "diff/merge_region.h"

typedef struct spec_merge_file_input {
  spec_line base, ours, theirs;
  const char *path; /* of the trunk: its ending tells the language where that matters */
  /* What stands behind the markers of a conflict, one line each. */
  const char *base_label, *our_label, *their_label;
  bool lines_only; /* what lines conflict in stays a conflict */
} spec_merge_file_input;

typedef struct spec_merged_file {
  spec_line text;           /* with conflict markers, git's diff3 style, where pieces conflict */
  spec_merge_pieces pieces; /* all of the result, in order */
} spec_merged_file;

/* Merges.  libgit2 must have been started.  Texts with a NUL are not merged: one conflict of all.
 * SPEC_ENOMEM, SPEC_EREFUSED: too long; SPEC_EIO: libgit2 failed. */
int spec_merge_file(spec_merged_file *out, spec_arena *arena, const spec_merge_file_input *input,
                    spec_err *err);

/* The stage of lines alone: what `git merge-file -p` prints, with the same labels.
 * *conflicts: there are markers in it. */
int spec_merge_file_lines(spec_line *out, bool *conflicts, spec_arena *arena,
                          const spec_merge_file_input *input, spec_err *err);

/* Line `line` (from 1) of the result at which a piece begins. */
size_t spec_merged_line(const spec_merged_file *merged, size_t piece);

#endif
