/* backend.h: finding a backend in the overlay roots, its layers and spec.ini. */
#ifndef SPEC_CORE_BACKEND_H
#define SPEC_CORE_BACKEND_H

#include "core/finding.h"

/* One "key = value" of spec.ini, in the order of the file. */
typedef struct spec_setting {
  const char *section, *key, *value;
} spec_setting;

typedef struct spec_backend {
  const char *name;
  const char *dir;  /* absolute, links not resolved */
  const char *base; /* name of the base backend, or NULL */
  spec_setting *settings;
  size_t setting_count;
} spec_backend;

/* Finds the backend and its bases; (*out)[0] is the outermost base.
 * SPEC_EINVAL: the name is no [a-z0-9_]+ (the mend lists the backends found);
 * SPEC_ENOTFOUND; SPEC_EAMBIGUOUS: two roots hold it; SPEC_EPARSE: spec.ini. */
int spec_backend_layers(spec_arena *arena, spec_backend **out, size_t *count, const char *name,
                        const char *const *roots, size_t root_count, spec_err *err);

/* Reads the text of a spec.ini into backend->settings and ->base; `file` is
 * for messages.  Unknown sections and keys are errors. */
int spec_backend_parse(spec_arena *arena, spec_backend *backend, const char *text, size_t len,
                       const char *file, spec_err *err);

#endif
