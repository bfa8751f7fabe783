/* imports.h: importing what need not be there. */
#ifndef SPEC_PYTHON_IMPORTS_H
#define SPEC_PYTHON_IMPORTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Imports a module: 1 and a new reference in *out, 0 when there is no module of that name, -1 with
 * whatever error the import raises.  A module that lacks something else does not count as absent.
 */
int spec_import_optional(PyObject *name, PyObject **out);
/* Whether the module's own code still runs, in this thread or another: 1, 0 or -1. */
int spec_import_unfinished(PyObject *module);
/* The text of an attribute such as __file__, "" when there is none or it is no text: a new
 * reference or NULL. */
PyObject *spec_import_text(PyObject *module, const char *name);
/* Calls a function of triton_spec/_spec_init.py with arguments as Py_BuildValue() makes a tuple of
 * them: a new reference or NULL. */
PyObject *spec_call_shared(const char *function, const char *format, ...);

#endif
