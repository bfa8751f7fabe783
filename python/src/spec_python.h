/* spec_python.h: what the files of the extension share. */
#ifndef SPEC_PYTHON_H
#define SPEC_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "errors.h"

/* One a module object, so that every interpreter has its own. */
typedef struct spec_state {
  PyObject *errors[SPEC_ERROR_COUNT]; /* classes, by spec_error_class */
} spec_state;

static inline spec_state *spec_state_of(PyObject *module) {
  return PyModule_GetState(module);
}

/* The functions of each file, ended by an empty entry. */
extern PyMethodDef spec_engine_methods[];

#endif
