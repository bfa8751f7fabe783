/* compat.h: what Python 3.10 to 3.14 name differently, under one name. */
#ifndef SPEC_PYTHON_COMPAT_H
#define SPEC_PYTHON_COMPAT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Looks a key up: 1 and a new reference in *out, 0 and NULL when absent, -1 and NULL on an error.
 * A new reference, since another thread may drop the dict's own at any time. */
static inline int spec_dict_get(PyObject *dict, PyObject *key, PyObject **out) {
#ifdef Py_GIL_DISABLED
  return PyDict_GetItemRef(dict, key, out);
#else
  *out = PyDict_GetItemWithError(dict, key);
  if (*out == NULL)
    return PyErr_Occurred() != NULL ? -1 : 0;
  Py_INCREF(*out);
  return 1;
#endif
}

/* Python kept a number for each dict that no two states of any dicts share, until 3.12. */
#if PY_VERSION_HEX < 0x030C0000
#define SPEC_DICT_VERSION(dict) (((PyDictObject *)(dict))->ma_version_tag)
#endif

/* An attribute: 1 and a new reference in *out, 0 and NULL when there is none (AttributeError is
 * cleared), -1 and NULL on any other error. */
static inline int spec_attr_get(PyObject *object, PyObject *name, PyObject **out) {
#if PY_VERSION_HEX >= 0x030D0000
  return PyObject_GetOptionalAttr(object, name, out);
#else
  *out = PyObject_GetAttr(object, name);
  if (*out != NULL)
    return 1;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError))
    return -1;
  PyErr_Clear();
  return 0;
#endif
}

/* Makes the first character of a text readable: 3.10 and 3.11 may keep it in an older form. */
static inline int spec_text_ready(PyObject *text) {
#if PY_VERSION_HEX >= 0x030C0000
  (void)text;
  return 0;
#else
  return PyUnicode_READY(text);
#endif
}

/* Writes a number as IEEE's binary16, of two bytes, the lower first; 0, or -1 with an error. */
static inline int spec_float_pack2(double value, void *out) {
#if PY_VERSION_HEX >= 0x030B0000
  return PyFloat_Pack2(value, out, 1);
#else
  return _PyFloat_Pack2(value, out, 1);
#endif
}

/* The raised exception, with its traceback, which then is raised no more; NULL when there is none.
 */
static inline PyObject *spec_take_exception(void) {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *kind, *value, *trace;
  PyErr_Fetch(&kind, &value, &trace);
  if (kind == NULL)
    return NULL;
  PyErr_NormalizeException(&kind, &value, &trace);
  if (trace != NULL)
    (void)PyException_SetTraceback(value, trace);
  Py_XDECREF(trace);
  Py_DECREF(kind);
  return value;
#endif
}

/* Raises an exception again; takes over the reference. */
static inline void spec_give_exception(PyObject *error) {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(error);
#else
  PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(error)), error, PyException_GetTraceback(error));
#endif
}

/* The globals of a frame, a new reference; NULL with an error. */
static inline PyObject *spec_frame_globals(PyFrameObject *frame) {
#if PY_VERSION_HEX >= 0x030B0000
  return PyFrame_GetGlobals(frame);
#else
  return PyObject_GetAttrString((PyObject *)frame, "f_globals");
#endif
}

#endif
