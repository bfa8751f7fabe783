/* patch_text.h: the lines of the text that a patch is applied to. */
#ifndef SPEC_CORE_PATCH_TEXT_H
#define SPEC_CORE_PATCH_TEXT_H

#include "core/patch.h"

typedef struct spec_patch_text_line {
  const char *text;
  size_t len;   /* without LF, and without the CR before it when line ends are adopted */
  size_t whole; /* with its line end */
  bool unended; /* the last line, without newline */
} spec_patch_text_line;

typedef struct spec_patch_text {
  spec_patch_text_line *lines;
  size_t count;
  const char *eol; /* what ends the lines that the patch adds */
  bool eol_adopted;
} spec_patch_text;

/* Splits the base at LF, and settles whose line ends count.  SPEC_EREFUSED: the patch takes them
 * from the base, which mixes them. */
int spec_patch_text_read(spec_patch_text *out, spec_arena *arena, const spec_patch *patch,
                         const spec_patch_base *base, spec_err *err);

/* Whether the patch, which creates the file, makes exactly this text. */
bool spec_patch_makes(const spec_patch *patch, const spec_patch_base *base);

#endif
