/* pack.c: Python's values as a kernel's parameters, with the guards that keep a kernel from values
 * that it was not compiled for. */
#include "launch.h"

#include "compat.h"
#include <string.h>

static const struct type_row {
  const char *name;
  launch_kind kind;
  unsigned bits;
} types[] = {
    {"i1", LAUNCH_UNSIGNED, 1},   {"u1", LAUNCH_UNSIGNED, 1},   {"i8", LAUNCH_SIGNED, 8},
    {"i16", LAUNCH_SIGNED, 16},   {"i32", LAUNCH_SIGNED, 32},   {"i64", LAUNCH_SIGNED, 64},
    {"u8", LAUNCH_UNSIGNED, 8},   {"u16", LAUNCH_UNSIGNED, 16}, {"u32", LAUNCH_UNSIGNED, 32},
    {"u64", LAUNCH_UNSIGNED, 64}, {"fp16", LAUNCH_HALF, 16},    {"bf16", LAUNCH_BRAIN, 16},
    {"fp32", LAUNCH_FLOAT, 32},   {"f32", LAUNCH_FLOAT, 32},    {"fp64", LAUNCH_DOUBLE, 64},
};

int launch_param_kind(launch_param *param) {
  const char *name = PyUnicode_AsUTF8(param->type);
  if (name == NULL)
    return -1;
  if (*name == '*') {
    param->kind = LAUNCH_POINTER;
    return 0;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0) {
      param->kind = types[i].kind;
      param->bits = types[i].bits;
      return 0;
    }
  PyErr_Format(PyExc_ValueError, "argument %R has a type that is not packed: %s", param->name,
               name);
  return -1;
}

static int mismatch(const launcher *self, const launch_param *param, const char *what) {
  PyErr_Format(self->helpers.mismatch, "argument %R: %s", param->name, what);
  return -1;
}

/* Whether a value of the type that has data_ptr() is fit; 0 or -1. */
static int check_tensor(launcher *self, launch_param *param, PyObject *value) {
  PyObject *dtype = PyObject_GetAttr(value, self->names[1]);
  if (dtype == NULL)
    return -1;
  if (dtype != param->dtype) {
    PyObject *none =
        PyObject_CallFunctionObjArgs(self->helpers.accept, dtype, param->type, param->name, NULL);
    if (none == NULL) {
      Py_DECREF(dtype);
      return -1;
    }
    Py_DECREF(none);
    Py_INCREF(dtype);
    Py_XSETREF(param->dtype, dtype);
  }
  Py_DECREF(dtype);
  if (self->device->reaches != NULL)
    return 0;
  PyObject *on_gpu;
  int known = spec_attr_get(value, self->names[2], &on_gpu);
  if (known <= 0)
    return known; /* what knows of no GPU is on none */
  int truth = PyObject_IsTrue(on_gpu);
  Py_DECREF(on_gpu);
  if (truth > 0)
    return mismatch(self, param, "the tensor is on a GPU, the kernel runs on the host");
  return truth;
}

static int take_address(PyObject *number, uint64_t *out) {
  if (number == NULL)
    return -1;
  *out = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  return PyErr_Occurred() ? -1 : 0;
}

static int pack_pointer(launcher *self, launch_param *param, PyObject *value, bool guarded,
                        uint64_t *out) {
  if (PyLong_CheckExact(value)) {
    *out = PyLong_AsUnsignedLongLong(value);
    return PyErr_Occurred() ? mismatch(self, param, "not an address") : 0;
  }
  if ((PyObject *)Py_TYPE(value) != self->tensor_type) {
    /* Its first argument of this type: Python finds out what it is. */
    PyObject *known =
        PyObject_CallFunctionObjArgs(self->helpers.address, value, param->type, param->name,
                                     self->device->is_host ? Py_True : Py_False, NULL);
    if (known == NULL || known != Py_None)
      return take_address(known, out);
    Py_DECREF(known);
    PyObject *type = (PyObject *)Py_TYPE(value);
    Py_INCREF(type);
    Py_XSETREF(self->tensor_type, type);
  }
  if (guarded && check_tensor(self, param, value) != 0)
    return -1;
  return take_address(PyObject_CallMethodNoArgs(value, self->names[0]), out);
}

static int pack_integer(launcher *self, launch_param *param, PyObject *value, bool guarded,
                        uint64_t *out) {
  PyObject *number = value;
  if (PyLong_CheckExact(value))
    Py_INCREF(number);
  else if ((number = PyNumber_Index(value)) == NULL)
    return mismatch(self, param, "not an integer");
  int over = 0;
  long long is = PyLong_AsLongLongAndOverflow(number, &over);
  bool fits = over == 0;
  if (param->kind == LAUNCH_UNSIGNED && over > 0 && param->bits == 64) {
    *out = PyLong_AsUnsignedLongLong(number);
    fits = !PyErr_Occurred();
    PyErr_Clear();
  } else {
    *out = (uint64_t)is;
  }
  Py_DECREF(number);
  if (!guarded)
    return 0;
  if (fits && param->kind == LAUNCH_UNSIGNED)
    fits = over > 0 || (is >= 0 && (param->bits == 64 || (uint64_t)is >> param->bits == 0));
  else if (fits && param->bits < 64)
    fits = is >= -(1LL << (param->bits - 1)) && is < 1LL << (param->bits - 1);
  if (!fits) {
    PyErr_Format(self->helpers.mismatch, "argument %R: %R does not fit in %U", param->name, value,
                 param->type);
    return -1;
  }
  return 0;
}

static int pack_float(launcher *self, launch_param *param, PyObject *value, uint64_t *out) {
  double is = PyFloat_AsDouble(value);
  if (is == -1.0 && PyErr_Occurred())
    return mismatch(self, param, "not a number");
  float single = (float)is;
  uint32_t bits;
  *out = 0;
  switch (param->kind) {
  case LAUNCH_DOUBLE:
    memcpy(out, &is, sizeof is);
    return 0;
  case LAUNCH_FLOAT:
    memcpy(out, &single, sizeof single);
    return 0;
  case LAUNCH_BRAIN: /* to the nearest, ties to even */
    memcpy(&bits, &single, sizeof bits);
    *out = is != is ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return 0;
  default:
    if (spec_float_pack2(is, out) != 0)
      return mismatch(self, param, "does not fit in fp16");
    return 0;
  }
}

static int pack_one(launcher *self, launch_param *param, PyObject *value, bool guarded,
                    uint64_t *out) {
  int rc;
  switch (param->kind) {
  case LAUNCH_POINTER:
    rc = pack_pointer(self, param, value, guarded, out);
    break;
  case LAUNCH_SIGNED:
  case LAUNCH_UNSIGNED:
    rc = pack_integer(self, param, value, guarded, out);
    break;
  default:
    return pack_float(self, param, value, out);
  }
  if (rc == 0 && guarded && param->kind == LAUNCH_POINTER && *out != 0 &&
      self->device->reaches != NULL && !self->device->reaches(&self->ranges, *out))
    return mismatch(self, param, "it is not in the GPU's memory");
  if (rc == 0 && guarded && param->div16 && (*out & 15) != 0) {
    PyErr_Format(self->helpers.mismatch,
                 "argument %R: the kernel was compiled for %s divisible by 16", param->name,
                 param->kind == LAUNCH_POINTER ? "an address" : "a value");
    return -1;
  }
  return rc;
}

int launch_pack(launcher *self, PyObject *const *values, bool guarded,
                uint64_t slots[LAUNCH_MOST_PARAMS], void *params[LAUNCH_MOST_PARAMS]) {
  Py_ssize_t at = 0;
  for (Py_ssize_t i = 0; i < self->count; i++) {
    if (self->params[i].constant != NULL)
      continue;
    if (pack_one(self, &self->params[i], values[at], guarded, &slots[at]) != 0)
      return -1;
    params[at] = &slots[at];
    at++;
  }
  for (unsigned i = 0; i < self->hidden; i++, at++) {
    slots[at] = 0; /* scratch memory of no bytes */
    params[at] = &slots[at];
  }
  return 0;
}
