/* patch_write.h: the smallest patch that makes one text of another.
 *
 * What it writes, the engine's reader (core/patch.h) applies to exactly the old text, and to an old
 * text that has drifted elsewhere, since each hunk shows enough of it to have only one place.
 * `git apply` and `patch` read it too. */
#ifndef SPEC_DIFF_PATCH_WRITE_H
#define SPEC_DIFF_PATCH_WRITE_H

#include "base/arena.h"

/* What is compared: bytes, of any encoding. */
typedef struct spec_patch_side {
  const char *text; /* NULL: there is no such file */
  size_t len;
  bool executable;
} spec_patch_side;

typedef struct spec_patch_make_options {
  const char *path;    /* the trunk's, for the headers */
  size_t context;      /* lines on each side of a change; 0: 3 */
  size_t context_most; /* of a hunk whose lines the old text repeats; 0: 30 */
} spec_patch_make_options;

typedef struct spec_patch_made {
  const char *text; /* NUL-terminated; len 0: the two are equal, or differ in their mode alone */
  size_t len;
  size_t hunks, removed, added; /* removed, added: lines */
  size_t ambiguous;  /* hunks with old lines that the old text repeats, however much is shown: they
                        apply to exactly that text alone */
  bool mode_changed; /* with len > 0 the patch says so */
} spec_patch_made;

/* Makes the patch, with git's headers.  Both sides absent: equal.  Text is compared as lines, NULs
 * and all.  SPEC_EREFUSED: more lines than can be compared; SPEC_ENOMEM. */
int spec_patch_make(spec_patch_made *out, spec_arena *arena, const spec_patch_make_options *options,
                    const spec_patch_side *old, const spec_patch_side *new, spec_err *err);

#endif
