/* argument.c: packs numbers, pointers, tuples and descriptors into slots of the kernel's sizes. */
#include "extension.h"

/* The next slot, which must be of that letter. NULL with an exception. */
static ext_slot *next_slot(ext_pack *pack, char letter) {
  const tt_kernel *kernel = pack->kernel;
  if (pack->used >= kernel->param_count) {
    PyErr_Format(PyExc_TypeError, "kernel '%s' takes %u parameters, and the signature has more",
                 kernel->name, kernel->param_count);
    return NULL;
  }
  char want = kernel->params[pack->used];
  if (want != letter) {
    PyErr_Format(PyExc_TypeError,
                 "parameter %zu of kernel '%s' is of kind '%c', the signature says '%c'",
                 pack->used, kernel->name, want, letter);
    return NULL;
  }
  return &pack->slots[pack->used++];
}

static void put_bits(ext_slot *slot, unsigned bits, uint64_t value) {
  switch (bits) {
  case 8:
    slot->b = (uint8_t)value;
    break;
  case 16:
    slot->h = (uint16_t)value;
    break;
  case 32:
    slot->w = (uint32_t)value;
    break;
  default:
    slot->q = value;
    break;
  }
}

static int does_not_fit(PyObject *number, bool is_signed, unsigned bits) {
  uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
  if (is_signed)
    PyErr_Format(PyExc_OverflowError, "%R does not fit i%u: it must be from %lld to %llu", number,
                 bits, -(long long)most - 1, (unsigned long long)most);
  else
    PyErr_Format(PyExc_OverflowError, "%R does not fit u%u: it must be from 0 to %llu", number,
                 bits, (unsigned long long)most);
  return -1;
}

static int put_signed(ext_slot *slot, unsigned bits, PyObject *number) {
  int overflow;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (value == -1 && overflow == 0 && PyErr_Occurred() != NULL)
    return -1;
  long long most = (long long)(UINT64_MAX >> (65 - bits));
  if (overflow != 0 || value > most || value < -most - 1)
    return does_not_fit(number, true, bits);
  put_bits(slot, bits, (uint64_t)value);
  return 0;
}

static int put_unsigned(ext_slot *slot, unsigned bits, PyObject *number) {
  unsigned long long value = PyLong_AsUnsignedLongLong(number);
  if (value == (unsigned long long)-1 && PyErr_Occurred() != NULL) {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError))
      return -1;
    PyErr_Clear();
    return does_not_fit(number, false, bits);
  }
  if (value > UINT64_MAX >> (64 - bits))
    return does_not_fit(number, false, bits);
  put_bits(slot, bits, value);
  return 0;
}

static int put_integer(ext_slot *slot, const ext_entry *entry, PyObject *argument) {
  PyObject *number = PyNumber_Index(argument);
  if (number == NULL)
    return -1;
  int result = entry->kind == EXT_SIGNED ? put_signed(slot, entry->bits, number)
                                         : put_unsigned(slot, entry->bits, number);
  Py_DECREF(number);
  return result;
}

static int put_float(ext_slot *slot, const ext_entry *entry, PyObject *argument) {
  double value = PyFloat_AsDouble(argument);
  if (value == -1.0 && PyErr_Occurred() != NULL)
    return -1;
  if (entry->letter == 'f')
    slot->f = (float)value;
  else if (entry->letter == 'd')
    slot->d = value;
  else
    put_bits(slot, entry->bits, tc_float_encode(entry->format, value));
  return 0;
}

static int put_bool(ext_slot *slot, PyObject *argument) {
  int truth = PyObject_IsTrue(argument);
  slot->b = truth > 0;
  return truth < 0 ? -1 : 0;
}

static int put(ext_pack *pack, const ext_entry *entry, PyObject *argument) {
  ext_slot *slot = next_slot(pack, entry->letter);
  if (slot == NULL)
    return -1;
  switch (entry->kind) {
  case EXT_POINTER:
    return ext_pointer_of(pack, argument, &slot->pointer);
  case EXT_SIGNED:
  case EXT_UNSIGNED:
    return put_integer(slot, entry, argument);
  case EXT_FLOAT:
    return put_float(slot, entry, argument);
  default:
    return put_bool(slot, argument);
  }
}

/* A descriptor's parts, in the order in which Triton's pass makes parameters of them: the kernel
 * says what each is. */
static int put_descriptor(ext_pack *pack, PyObject *descriptor) {
  static const ext_entry kinds[] = {
      {.kind = EXT_POINTER, .letter = 'p'},
      {.kind = EXT_SIGNED, .bits = 32, .letter = 'w'},
      {.kind = EXT_SIGNED, .bits = 64, .letter = 'q'},
      {.kind = EXT_BOOL, .letter = 'b'},
  };
  PyObject *parts = pack->decompose == NULL
                        ? PyErr_Format(PyExc_TypeError, "this launcher takes no descriptors")
                        : PyObject_CallOneArg(pack->decompose, descriptor);
  PyObject *fast = parts == NULL ? NULL : PySequence_Tuple(parts);
  Py_XDECREF(parts);
  int result = fast == NULL ? -1 : 0;
  for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(fast); i++) {
    char want = pack->used < pack->kernel->param_count ? pack->kernel->params[pack->used] : 0;
    const ext_entry *kind = &kinds[0];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      kind = kinds[k].letter == want ? &kinds[k] : kind;
    result = put(pack, kind, PyTuple_GET_ITEM(fast, i));
  }
  Py_XDECREF(fast);
  return result;
}

static int put_tuple(ext_pack *pack, const ext_entry **entry, size_t count, PyObject *argument) {
  PyObject *items = PySequence_Tuple(argument);
  if (items == NULL)
    return -1;
  int result = 0;
  if ((size_t)PyTuple_GET_SIZE(items) != count) {
    PyErr_Format(PyExc_TypeError, "a tuple of %zu is wanted, not of %zd", count,
                 PyTuple_GET_SIZE(items));
    result = -1;
  }
  for (size_t i = 0; result == 0 && i < count; i++)
    result = ext_pack_add(pack, entry, PyTuple_GET_ITEM(items, (Py_ssize_t)i));
  Py_DECREF(items);
  return result;
}

int ext_pack_add(ext_pack *pack, const ext_entry **entry, PyObject *argument) {
  const ext_entry *first = (*entry)++;
  switch (first->kind) {
  case EXT_NONE:
    return 0;
  case EXT_DESCRIPTOR:
    return put_descriptor(pack, argument);
  case EXT_TUPLE:
    return put_tuple(pack, entry, first->count, argument);
  default:
    return put(pack, first, argument);
  }
}
