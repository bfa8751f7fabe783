/* new_backend.h: a new backend's folder, made of templates and held against a trunk. */
#ifndef SPEC_CORE_NEW_BACKEND_H
#define SPEC_CORE_NEW_BACKEND_H

#include "base/arena.h"

typedef struct spec_new_backend {
  const char *templates; /* folder of the templates, absolute */
  const char *trunk;     /* what the templates' overrides are held against, absolute */
  const char *parent;    /* folder that gets <parent>/<name>, absolute; made if need be */
  const char *name;
  spec_event_fn *on_event; /* of what a plan finds; may be NULL */
  void *user;
} spec_new_backend;

/* Writes the folder at once or not at all: its overrides stand against this trunk, its spec.lock
 * says so. *files: how many it has.
 * SPEC_EINVAL: the name is no [a-z][a-z0-9_]*, is a word of Python or that of a backend which
 * Triton has, or <parent>/<name> is there; SPEC_EREFUSED: the overrides do not stand against this
 * trunk. */
int spec_new_backend_write(spec_arena *arena, size_t *files, const spec_new_backend *what,
                           spec_err *err);

#endif
