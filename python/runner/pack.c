/* pack.c: Python's values as a kernel's parameters, with the guards that keep a kernel from values
 * that it was not compiled for. */
#include "launch.h"

#include "compat.h"
#include <string.h>

/* Raises SignatureMismatch by Python's _refuse(index, value, why); -1. `why`: a template of
 * str.format, with {value} and {type}. */
static int refuse(launcher *self, const launch_param *param, PyObject *value, const char *why) {
  PyErr_Clear();
  Py_XDECREF(
      PyObject_CallMethod((PyObject *)self, "_refuse", "nOs", param - self->params, value, why));
  return -1;
}

/* The address of a tensor whose data type was accepted: 1, 0 when Python must look at it, or -1. */
static int ask_tensor(launcher *self, const launch_param *param, PyObject *value, bool guarded,
                      uint64_t *out) {
  if (guarded) {
    PyObject *dtype = PyObject_GetAttr(value, PyTuple_GET_ITEM(self->objects, LAUNCH_DTYPE));
    if (dtype == NULL)
      return -1;
    Py_DECREF(dtype);
    if (dtype != param->mark)
      return 0;
  }
  if (guarded && self->driver.launch == NULL) { /* a GPU's pointers are looked up by the driver */
    PyObject *on_gpu;
    int known = spec_attr_get(value, PyTuple_GET_ITEM(self->objects, LAUNCH_IS_CUDA), &on_gpu);
    int truth = known > 0 ? PyObject_IsTrue(on_gpu) : known;
    Py_XDECREF(on_gpu);
    if (truth != 0)
      return truth < 0 ? -1 : 0;
  }
  PyObject *address =
      PyObject_CallMethodNoArgs(value, PyTuple_GET_ITEM(self->objects, LAUNCH_DATA_PTR));
  if (address == NULL)
    return -1;
  *out = PyLong_AsUnsignedLongLong(address);
  Py_DECREF(address);
  return PyErr_Occurred() ? -1 : 1;
}

/* The same of an array with a buffer, which is quicker to be had than its interface. */
static int ask_array(const launch_param *param, PyObject *value, bool guarded, uint64_t *out) {
  Py_buffer view;
  if (PyObject_GetBuffer(value, &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return 0;
  }
  *out = (uint64_t)(uintptr_t)view.buf;
  int same =
      !guarded || (param->mark != NULL && PyUnicode_Check(param->mark) && view.format != NULL &&
                   PyUnicode_CompareWithASCIIString(param->mark, view.format) == 0);
  PyBuffer_Release(&view);
  return same;
}

/* Notes how the next value of a type is asked that Python has accepted: a tensor by its data type,
 * an array by its buffer, where that begins at the address that Python found. */
static void note(launcher *self, launch_param *param, PyObject *value, PyObject *dtype,
                 uint64_t address) {
  Py_buffer view;
  PyObject *mark = NULL, **type = &self->tensor;
  if (dtype != Py_None) {
    mark = Py_NewRef(dtype);
  } else if (PyObject_GetBuffer(value, &view, PyBUF_RECORDS_RO) == 0) {
    type = &self->array;
    if ((uint64_t)(uintptr_t)view.buf == address && view.format != NULL)
      mark = PyUnicode_FromString(view.format);
    PyBuffer_Release(&view);
  }
  if (mark != NULL) {
    Py_XSETREF(param->mark, mark);
    Py_XSETREF(*type, Py_NewRef((PyObject *)Py_TYPE(value)));
  }
  PyErr_Clear(); /* what has no buffer is looked at in Python each time */
}

/* Python's _address(index, value): (address, data type of a tensor or None), or it raises. */
static int ask_python(launcher *self, launch_param *param, PyObject *value, uint64_t *out) {
  PyObject *found =
      PyObject_CallMethod((PyObject *)self, "_address", "nO", param - self->params, value);
  PyObject *dtype;
  unsigned long long address = 0;
  if (found == NULL)
    return -1;
  int ok = PyArg_ParseTuple(found, "KO", &address, &dtype);
  if (ok)
    note(self, param, value, dtype, address);
  Py_DECREF(found);
  *out = address;
  return ok ? 0 : -1;
}

static int pack_pointer(launcher *self, launch_param *param, PyObject *value, bool guarded,
                        uint64_t *out) {
  if (PyLong_CheckExact(value)) {
    *out = PyLong_AsUnsignedLongLong(value);
    if (PyErr_Occurred())
      return refuse(self, param, value, "not an address");
  } else {
    PyObject *type = (PyObject *)Py_TYPE(value);
    int known = type == self->tensor  ? ask_tensor(self, param, value, guarded, out)
                : type == self->array ? ask_array(param, value, guarded, out)
                                      : 0;
    if (known < 0 || (known == 0 && ask_python(self, param, value, out) != 0))
      return -1;
  }
  if (guarded && *out != 0 && self->driver.launch != NULL && !launch_reaches(self, *out))
    return refuse(self, param, value, "it is not in the GPU's memory");
  return 0;
}

static int pack_integer(launcher *self, launch_param *param, PyObject *value, bool guarded,
                        uint64_t *out) {
  PyObject *number = PyLong_CheckExact(value) ? Py_NewRef(value) : PyNumber_Index(value);
  if (number == NULL)
    return refuse(self, param, value, "not an integer");
  int over = 0;
  long long is = PyLong_AsLongLongAndOverflow(number, &over);
  bool fits = over == 0 && is >= param->least && is <= param->most;
  *out = (uint64_t)is;
  if (over > 0 && param->kind == 'Q') {
    *out = PyLong_AsUnsignedLongLong(number);
    fits = !PyErr_Occurred();
    PyErr_Clear();
  }
  Py_DECREF(number);
  return fits || !guarded ? 0 : refuse(self, param, value, "{value!r} does not fit in {type}");
}

static int pack_float(launcher *self, launch_param *param, PyObject *value, uint64_t *out) {
  double is = PyFloat_AsDouble(value);
  if (is == -1.0 && PyErr_Occurred())
    return refuse(self, param, value, "not a number");
  float single = (float)is;
  uint32_t bits;
  *out = 0;
  switch (param->kind) {
  case 'd':
    memcpy(out, &is, sizeof is);
    return 0;
  case 'f':
    memcpy(out, &single, sizeof single);
    return 0;
  case 'b': /* to the nearest, ties to even */
    memcpy(&bits, &single, sizeof bits);
    *out = is != is ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return 0;
  default:
    if (spec_float_pack2(is, out) != 0)
      return refuse(self, param, value, "does not fit in {type}");
    return 0;
  }
}

int launch_pack(launcher *self, PyObject *const *values, bool guarded,
                uint64_t slots[LAUNCH_MOST_PARAMS], void *params[LAUNCH_MOST_PARAMS]) {
  Py_ssize_t at;
  for (at = 0; at < self->count; at++) {
    launch_param *param = &self->params[at];
    int rc = param->kind == 'P' ? pack_pointer(self, param, values[at], guarded, &slots[at])
             : param->kind == 'i' || param->kind == 'Q'
                 ? pack_integer(self, param, values[at], guarded, &slots[at])
                 : pack_float(self, param, values[at], &slots[at]);
    if (rc != 0)
      return -1;
    if (guarded && param->div16 && (slots[at] & 15) != 0)
      return refuse(self, param, values[at],
                    param->kind == 'P' ? "the kernel was compiled for an address divisible by 16"
                                       : "the kernel was compiled for a value divisible by 16");
    params[at] = &slots[at];
  }
  for (; at < self->count + (Py_ssize_t)self->hidden; at++) {
    slots[at] = 0; /* scratch memory of no bytes */
    params[at] = &slots[at];
  }
  return 0;
}
