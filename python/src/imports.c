/* imports.c: importing what need not be there. */
#include "imports.h"

#include "compat.h"

/* Whether the raised exception says that just this module is missing: 1, 0 or -1. */
static int is_absence(PyObject *name) {
  if (!PyErr_ExceptionMatches(PyExc_ModuleNotFoundError))
    return 0;
  PyObject *error = spec_take_exception();
  PyObject *missing = PyObject_GetAttrString(error, "name");
  int same = missing == NULL ? -1 : PyObject_RichCompareBool(missing, name, Py_EQ);
  Py_XDECREF(missing);
  if (same == 0)
    spec_give_exception(error);
  else
    Py_DECREF(error);
  return same;
}

int spec_import_optional(PyObject *name, PyObject **out) {
  *out = PyImport_Import(name);
  if (*out != NULL)
    return 1;
  return is_absence(name) == 1 ? 0 : -1;
}

/* An attribute, None when there is none. */
static PyObject *optional_attr(PyObject *object, const char *name) {
  PyObject *value = NULL;
  PyObject *text = PyUnicode_InternFromString(name);
  int rc = text == NULL ? -1 : spec_attr_get(object, text, &value);
  Py_XDECREF(text);
  return rc == 0 ? Py_NewRef(Py_None) : value;
}

int spec_import_unfinished(PyObject *module) {
  PyObject *spec = optional_attr(module, "__spec__");
  PyObject *unfinished = spec == NULL ? NULL : optional_attr(spec, "_initializing");
  int rc = unfinished == NULL ? -1 : PyObject_IsTrue(unfinished);
  Py_XDECREF(unfinished);
  Py_XDECREF(spec);
  return rc;
}

PyObject *spec_import_text(PyObject *module, const char *name) {
  PyObject *value = optional_attr(module, name);
  if (value == NULL || PyUnicode_Check(value))
    return value;
  Py_DECREF(value);
  return PyUnicode_FromString("");
}

PyObject *spec_call_shared(const char *function, const char *format, ...) {
  va_list values;
  va_start(values, format);
  PyObject *args = Py_VaBuildValue(format, values);
  va_end(values);
  PyObject *shared = args == NULL ? NULL : PyImport_ImportModule("triton_spec._spec_init");
  PyObject *callee = shared == NULL ? NULL : PyObject_GetAttrString(shared, function);
  PyObject *result = callee == NULL ? NULL : PyObject_Call(callee, args, NULL);
  Py_XDECREF(callee);
  Py_XDECREF(shared);
  Py_XDECREF(args);
  return result;
}
