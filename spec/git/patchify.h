/* patchify.h: a copy of a trunk's file, made a patch of it. */
#ifndef SPEC_GIT_PATCHIFY_H
#define SPEC_GIT_PATCHIFY_H

#include "git/override_base.h"

typedef struct spec_patchified {
  const char *stays; /* why the copy is left as it is; NULL: `text` is its patch */
  const char *text;
  size_t len;
  size_t lines_before, lines_after, bytes_before; /* of the copy, of the patch */
  spec_override_base base;
} spec_patchified;

/* Makes the patch of an override that is a copy, and checks that it gives the copy again, byte for
 * byte. Nothing is written.  Errors as of spec_override_base_of(). */
int spec_patchify(spec_patchified *out, const spec_base_from *from, const spec_backend *backend,
                  const spec_vendor_file *file, spec_err *err);

/* Puts the patch in the copy's place: the patch is there before the copy goes. */
int spec_patchify_replace(const spec_patchified *made, spec_arena *arena,
                          const spec_vendor_file *file, spec_err *err);

#endif
