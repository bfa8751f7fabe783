/* marker.h: which backend the triton package in use was made for. */
#ifndef SPEC_PYTHON_MARKER_H
#define SPEC_PYTHON_MARKER_H

#include "spec_python.h"

#include <stdbool.h>

typedef struct spec_marker {
  PyObject *layers; /* a tuple of names, the backend first and its bases after it; empty: none */
  bool staged;      /* the package is a stage or was baked: every override is in its place */
} spec_marker;

/* Reads triton._flagtree_backend, or the file FLAGTREE_BACKEND beside the package where there is no
 * such module.  Raises SpecInvalid for a name that is no [a-z0-9_]+, and SpecNotFound when the
 * package knows of no backend but the environment asks for one.  0 or -1; clear it after 0. */
int spec_marker_read(spec_marker *out, spec_state *state);
void spec_marker_clear(spec_marker *marker);

#endif
