/* edit.h: an override made of what somebody has edited. */
#ifndef SPEC_GIT_EDIT_H
#define SPEC_GIT_EDIT_H

#include "core/counterpart.h"
#include "git/override_base.h"

/* What is edited. */
typedef struct spec_edit {
  const spec_base_from *from;
  const spec_backend *backend;
  const char *trunk;            /* path */
  const spec_vendor_file *file; /* the override that is there; NULL: none */
  spec_counterpart place;
  spec_override_base base;
  spec_file_text present; /* what one edits: the file with the override in it; of a module that
                             holds definitions to be merged, the vendor's own */
} spec_edit;

/* Looks for the file of a trunk path, or of an override's path in the backend's folder.
 * SPEC_ENOTFOUND: neither the trunk nor the overlay has it; SPEC_EINVAL: an overlay cannot hold it;
 * else as spec_override_base_of() and spec_override_outcome(). */
int spec_edit_open(spec_edit *out, const spec_base_from *from, const spec_backend *backend,
                   const spec_vendor_file *files, size_t count, const char *word, spec_err *err);

typedef enum spec_edited_form {
  SPEC_EDITED_NOTHING, /* it is as it was */
  SPEC_EDITED_DROP,    /* it is the trunk's file again: the override goes */
  SPEC_EDITED_COPY,
  SPEC_EDITED_PATCH
} spec_edited_form;

typedef struct spec_edited {
  spec_edited_form form;
  const char *path; /* of the override's file, absolute */
  const char *text; /* what is written */
  size_t len;
  size_t removed, added, hunks; /* of a patch */
} spec_edited;

/* What the text becomes: a copy stays one, and so does a patch; what is new is a patch, or a copy
 * where that would have more than half of the file's bytes.  A patch is checked to make the text.
 */
int spec_edit_make(spec_edited *out, const spec_edit *edit, const char *text, size_t len,
                   spec_err *err);
/* Writes it, unless the override has changed since it was opened: SPEC_EBUSY. */
int spec_edit_write(const spec_edited *made, const spec_edit *edit, spec_err *err);

#endif
