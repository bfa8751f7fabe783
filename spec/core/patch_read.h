/* patch_read.h: what the reader of headers and the reader of hunks share. */
#ifndef SPEC_CORE_PATCH_READ_H
#define SPEC_CORE_PATCH_READ_H

#include "core/patch.h"

typedef struct spec_patch_reader {
  spec_arena *arena;
  const char *at, *end; /* what is left of the text */
  const char *line;     /* the current line, without LF */
  size_t len, bare;     /* its bytes; those without a CR before the LF */
  bool cr;
  size_t number; /* of the current line, from 1 */
  const char *path, *target;
  spec_patch *out;
  spec_patch_hunk *hunks;
  size_t hunk_count, hunk_cap;
  spec_patch_line *lines; /* of the current hunk */
  size_t line_count, line_cap;
  size_t old_left, new_left;     /* lines that the current hunk still lacks */
  bool old_unended, new_unended; /* the last line of a text was met */
} spec_patch_reader;

/* Goes to the next line; false at the end. */
bool spec_patch_next(spec_patch_reader *r);
/* Whether the current line starts so. */
bool spec_patch_starts(const spec_patch_reader *r, const char *with);
/* Whether the current line and the next are "---" and "+++". */
bool spec_patch_at_names(const spec_patch_reader *r);
/* Adds the place, and the mend (NULL: to make the patch anew), to the error just made. */
int spec_patch_bad(const spec_patch_reader *r, size_t number, const char *mend, spec_err *err);
int spec_patch_second_file(const spec_patch_reader *r, spec_err *err);

/* All hunks and what follows them; the current line is the last of the header. */
int spec_patch_hunks(spec_patch_reader *r, spec_err *err);
/* Whether the current line begins a mail's signature, as behind the patches of git format-patch. */
bool spec_patch_is_signature(const spec_patch_reader *r);
/* The current line and what follows must be empty, or a mail's signature. */
int spec_patch_tail(spec_patch_reader *r, spec_err *err);

#endif
