/* errors.h: how a function of the extension raises. */
#ifndef SPEC_PYTHON_ERRORS_H
#define SPEC_PYTHON_ERRORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <spec.h>

/* The classes of triton_spec/errors.py. */
typedef enum spec_error_class {
  SPEC_ERROR_PLAIN,   /* SpecError */
  SPEC_ERROR_REFUSED, /* SpecRefused: findings */
  SPEC_ERROR_ABSENT,  /* SpecNotFound */
  SPEC_ERROR_INVALID, /* SpecInvalid: a wrong call, name or file */
  SPEC_ERROR_BUSY,    /* SpecBusy */
  SPEC_ERROR_SYSTEM,  /* SpecSystemError */
  SPEC_ERROR_HOOK,    /* SpecHookError */
  SPEC_ERROR_COUNT
} spec_error_class;

struct spec_state;

/* Fetches the classes and puts them into the module too. */
int spec_errors_init(struct spec_state *state, PyObject *module);
/* A finding as a dict of texts: severity, code, where, message, mend. */
PyObject *spec_finding_new(const spec_event *event);
/* Raises what the engine's error says, MemoryError for SPEC_ENOMEM, and returns NULL.
 * findings: a list of spec_finding_new() dicts, borrowed, or NULL. */
PyObject *spec_raise(struct spec_state *state, const spec_err *err, PyObject *findings);
/* Raises an error of a class with its texts and returns NULL. Takes over the references to what and
 * where; one of them NULL: the error that made it so stays. */
PyObject *spec_raise_new(struct spec_state *state, spec_error_class kind, PyObject *what,
                         PyObject *where, const char *mend);

#endif
