/* errors.c: the engine's errors as the exceptions of triton_spec/errors.py. */
#include "errors.h"

#include "spec_python.h"

#include <string.h>

static const char *const names[SPEC_ERROR_COUNT] = {
    [SPEC_ERROR_PLAIN] = "SpecError",     [SPEC_ERROR_REFUSED] = "SpecRefused",
    [SPEC_ERROR_ABSENT] = "SpecNotFound", [SPEC_ERROR_INVALID] = "SpecInvalid",
    [SPEC_ERROR_BUSY] = "SpecBusy",       [SPEC_ERROR_SYSTEM] = "SpecSystemError",
    [SPEC_ERROR_HOOK] = "SpecHookError",
};

int spec_errors_init(spec_state *state, PyObject *module) {
  PyObject *errors = PyImport_ImportModule("triton_spec.errors");
  if (errors == NULL)
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < SPEC_ERROR_COUNT; i++) {
    state->errors[i] = PyObject_GetAttrString(errors, names[i]);
    rc = state->errors[i] == NULL ? -1 : PyModule_AddObjectRef(module, names[i], state->errors[i]);
  }
  Py_DECREF(errors);
  return rc;
}

static spec_error_class class_of(int code) {
  switch (code) {
  case SPEC_EREFUSED:
    return SPEC_ERROR_REFUSED;
  case SPEC_ENOTFOUND:
    return SPEC_ERROR_ABSENT;
  case SPEC_EINVAL:
  case SPEC_EAMBIGUOUS:
  case SPEC_EPARSE:
    return SPEC_ERROR_INVALID;
  case SPEC_EBUSY:
    return SPEC_ERROR_BUSY;
  case SPEC_EIO:
    return SPEC_ERROR_SYSTEM;
  default:
    return SPEC_ERROR_PLAIN;
  }
}

/* Texts of the engine hold file names, whose bytes need not be UTF-8; NULL counts as "". */
static PyObject *text_of(const char *text) {
  return PyUnicode_DecodeFSDefault(text != NULL ? text : "");
}

PyObject *spec_finding_new(const spec_event *event) {
  const struct {
    const char *key;
    const char *text;
  } members[] = {
      {"severity", spec_severity_name(event->severity)},
      {"code", event->code},
      {"where", event->where},
      {"message", event->message},
      {"mend", event->mend},
  };
  PyObject *finding = PyDict_New();
  for (size_t i = 0; finding != NULL && i < sizeof members / sizeof *members; i++) {
    PyObject *text = text_of(members[i].text);
    if (text == NULL || PyDict_SetItemString(finding, members[i].key, text) != 0)
      Py_CLEAR(finding);
    Py_XDECREF(text);
  }
  return finding;
}

/* The keywords of SpecError: its code, and the findings when there are any. */
static PyObject *keywords_of(const char *code, PyObject *findings) {
  return findings == NULL ? Py_BuildValue("{s:s}", "code", code)
                          : Py_BuildValue("{s:s,s:O}", "code", code, "findings", findings);
}

PyObject *spec_raise(spec_state *state, const spec_err *err, PyObject *findings) {
  if (err->code == SPEC_ENOMEM)
    return PyErr_NoMemory();
  PyObject *kind = state->errors[class_of(err->code)];
  PyObject *args =
      Py_BuildValue("(NNN)", text_of(err->what), text_of(err->where), text_of(err->mend));
  PyObject *keywords = args == NULL ? NULL : keywords_of(spec_code_name(err->code), findings);
  PyObject *error = keywords == NULL ? NULL : PyObject_Call(kind, args, keywords);
  if (error != NULL)
    PyErr_SetObject(kind, error);
  Py_XDECREF(error);
  Py_XDECREF(keywords);
  Py_XDECREF(args);
  return NULL;
}

PyObject *spec_raise_new(spec_state *state, spec_error_class kind, PyObject *what, PyObject *where,
                         const char *mend) {
  PyObject *text = mend == NULL ? NULL : PyUnicode_FromString(mend);
  PyObject *error = NULL;
  if (what != NULL && where != NULL && text != NULL)
    error = PyObject_CallFunctionObjArgs(state->errors[kind], what, where, text, NULL);
  if (error != NULL)
    PyErr_SetObject(state->errors[kind], error);
  Py_XDECREF(error);
  Py_XDECREF(text);
  Py_XDECREF(what);
  Py_XDECREF(where);
  return NULL;
}
