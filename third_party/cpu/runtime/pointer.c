/* pointer.c: where the data of an argument lies. */
#include "extension.h"

/* The beginning of DLPack's structures, as its specification (version 0 of the ABI) has them. */
typedef struct dl_tensor {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t rank;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } element;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;

enum { DL_CPU = 1 };

/* An attribute: 1 and a new reference, 0 when there is none, -1 on another error. */
static int attr_get(PyObject *object, PyObject *name, PyObject **out) {
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

static int keep(ext_pack *pack, PyObject *object) {
  if (pack->kept == NULL)
    pack->kept = PyList_New(0);
  return pack->kept == NULL ? -1 : PyList_Append(pack->kept, object);
}

static int address_of(PyObject *number, void **out) {
  *out = PyLong_AsVoidPtr(number);
  return *out == NULL && PyErr_Occurred() != NULL ? -1 : 0;
}

/* Refuses a tensor that says that it lies elsewhere. */
static int check_device(ext_pack *pack, PyObject *tensor) {
  PyObject *is_cpu;
  int found = attr_get(tensor, pack->state->is_cpu, &is_cpu);
  if (found <= 0)
    return found;
  int here = PyObject_IsTrue(is_cpu);
  Py_DECREF(is_cpu);
  if (here == 0)
    PyErr_Format(PyExc_ValueError,
                 "the %s is not in the CPU's memory: move it there, with .cpu() or .to('cpu')",
                 Py_TYPE(tensor)->tp_name);
  return here == 1 ? 0 : -1;
}

/* 1 when it has data_ptr(), 0, or -1. It is called without being looked for first: nearly every
 * pointer is found here. */
static int of_data_ptr(ext_pack *pack, PyObject *tensor, void **out) {
  PyObject *number = PyObject_CallMethodNoArgs(tensor, pack->state->data_ptr);
  if (number == NULL) {
    PyObject *method;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      return -1;
    PyErr_Clear();
    int found = attr_get(tensor, pack->state->data_ptr, &method);
    number = found == 1 ? PyObject_CallNoArgs(method) : NULL; /* it raised that error itself */
    Py_XDECREF(method);
    if (number == NULL)
      return found == 0 ? 0 : -1;
  }
  int result = address_of(number, out);
  Py_DECREF(number);
  return result == 0 && check_device(pack, tensor) == 0 ? 1 : -1;
}

static int of_interface(ext_pack *pack, PyObject *interface, void **out) {
  PyObject *data = PyObject_GetItem(interface, pack->state->data);
  PyObject *number = data == NULL ? NULL : PySequence_GetItem(data, 0);
  int result = number == NULL ? -1 : address_of(number, out);
  Py_XDECREF(data);
  Py_XDECREF(number);
  return result;
}

static int of_buffer(ext_pack *pack, PyObject *object, void **out) {
  PyObject *view = PyMemoryView_FromObject(object);
  if (view == NULL)
    return -1;
  *out = PyMemoryView_GET_BUFFER(view)->buf;
  int result = keep(pack, view);
  Py_DECREF(view);
  return result;
}

static int of_dlpack(ext_pack *pack, PyObject *object, void **out) {
  PyObject *device = PyObject_CallMethodNoArgs(object, pack->state->dlpack_device);
  PyObject *type = device == NULL ? NULL : PySequence_GetItem(device, 0);
  long number = type == NULL ? -1 : PyLong_AsLong(type);
  Py_XDECREF(device);
  Py_XDECREF(type);
  if (PyErr_Occurred() != NULL)
    return -1;
  if (number != DL_CPU) {
    PyErr_Format(PyExc_ValueError, "the %s lies on DLPack's device type %ld, not on the CPU (1)",
                 Py_TYPE(object)->tp_name, number);
    return -1;
  }
  PyObject *capsule = PyObject_CallMethodNoArgs(object, pack->state->dlpack);
  if (capsule == NULL)
    return -1;
  const dl_tensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
  int result = tensor == NULL ? -1 : keep(pack, capsule);
  if (result == 0)
    *out = (char *)tensor->data + tensor->byte_offset;
  Py_DECREF(capsule);
  return result;
}

int ext_pointer_of(ext_pack *pack, PyObject *argument, void **out) {
  if (argument == Py_None) {
    *out = NULL;
    return 0;
  }
  if (PyLong_Check(argument))
    return address_of(argument, out);
  PyObject *attribute;
  int found = of_data_ptr(pack, argument, out);
  if (found != 0)
    return found < 0 ? -1 : 0;
  found = attr_get(argument, pack->state->array_interface, &attribute);
  if (found != 0) {
    int result = found < 0 ? -1 : of_interface(pack, attribute, out);
    Py_XDECREF(attribute);
    return result;
  }
  if (PyObject_CheckBuffer(argument))
    return of_buffer(pack, argument, out);
  found = attr_get(argument, pack->state->dlpack_device, &attribute);
  if (found != 0) {
    Py_XDECREF(attribute);
    return found < 0 ? -1 : of_dlpack(pack, argument, out);
  }
  PyErr_Format(PyExc_TypeError,
               "a pointer is wanted: an object with data_ptr(), __array_interface__, a buffer or "
               "__dlpack__(), an address, or None; not %s",
               Py_TYPE(argument)->tp_name);
  return -1;
}
