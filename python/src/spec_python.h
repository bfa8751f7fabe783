/* spec_python.h: what the files of the extension share. */
#ifndef SPEC_PYTHON_H
#define SPEC_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "errors.h"

#include <stdatomic.h>

struct spec_registries;

/* One a module object, so that every interpreter has its own. After the module's execution only
 * `registries` changes, once. */
typedef struct spec_state {
  PyObject *errors[SPEC_ERROR_COUNT]; /* classes, by spec_error_class */
  PyObject *text_all;                 /* "__all__" and so on, interned */
  PyObject *text_getattr;
  PyObject *outcomes;                           /* dict, see registry.c */
  _Atomic(struct spec_registries *) registries; /* NULL until all are imported */
} spec_state;

static inline spec_state *spec_state_of(PyObject *module) {
  return PyModule_GetState(module);
}

/* The functions of each file, ended by an empty entry. */
extern PyMethodDef spec_dispatch_methods[];
extern PyMethodDef spec_engine_methods[];
extern PyMethodDef spec_search_path_methods[];

#endif
