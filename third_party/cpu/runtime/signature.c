/* signature.c: types as Triton spells them in a kernel's signature. */
#include "extension.h"

#include <string.h>

typedef struct type_row {
  const char *name;
  ext_kind kind;
  unsigned bits;
  char letter;
  const char *format; /* FLOAT: MLIR's name */
} type_row;

static const type_row types[] = {
    {"constexpr", EXT_NONE, 0, 0, NULL},
    {"i1", EXT_BOOL, 8, 'b', NULL},
    {"u1", EXT_BOOL, 8, 'b', NULL},
    {"i8", EXT_SIGNED, 8, 'b', NULL},
    {"i16", EXT_SIGNED, 16, 'h', NULL},
    {"i32", EXT_SIGNED, 32, 'w', NULL},
    {"i64", EXT_SIGNED, 64, 'q', NULL},
    {"u8", EXT_UNSIGNED, 8, 'b', NULL},
    {"u16", EXT_UNSIGNED, 16, 'h', NULL},
    {"u32", EXT_UNSIGNED, 32, 'w', NULL},
    {"u64", EXT_UNSIGNED, 64, 'q', NULL},
    {"fp16", EXT_FLOAT, 16, 'H', "f16"},
    {"bf16", EXT_FLOAT, 16, 'B', "bf16"},
    {"fp32", EXT_FLOAT, 32, 'f', "f32"},
    {"f32", EXT_FLOAT, 32, 'f', "f32"},
    {"fp64", EXT_FLOAT, 64, 'd', "f64"},
    {"fp8e5", EXT_FLOAT, 8, 'e', "f8E5M2"},
    {"fp8e4nv", EXT_FLOAT, 8, 'e', "f8E4M3FN"},
    {"fp8e4b8", EXT_FLOAT, 8, 'e', "f8E4M3FNUZ"},
    {"fp8e4b15", EXT_FLOAT, 8, 'e', "f8E4M3B11FNUZ"},
    {"fp8e5b16", EXT_FLOAT, 8, 'e', "f8E5M2FNUZ"},
};

/* The entry of a type that is no tuple. */
static int entry_of(ext_entry *entry, PyObject *type) {
  if (!PyUnicode_Check(type)) {
    PyErr_Format(PyExc_TypeError, "a type is a text or a tuple of types, not %R", type);
    return -1;
  }
  const char *name = PyUnicode_AsUTF8(type);
  if (name == NULL)
    return -1;
  *entry = (ext_entry){.kind = EXT_NONE};
  if (name[0] == '*') {
    *entry = (ext_entry){.kind = EXT_POINTER, .bits = 64, .letter = 'p'};
    return 0;
  }
  if (strncmp(name, "tensordesc", 10) == 0) {
    entry->kind = EXT_DESCRIPTOR;
    return 0;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const type_row *row = &types[i];
    if (strcmp(row->name, name) != 0)
      continue;
    *entry = (ext_entry){.kind = row->kind, .bits = row->bits, .letter = row->letter};
    if (row->format != NULL)
      entry->format = tc_float_format_of(row->format, strlen(row->format));
    return 0;
  }
  PyErr_Format(PyExc_TypeError, "the cpu backend knows no arguments of type '%s'", name);
  return -1;
}

int ext_signature_add(ext_entry **entries, size_t *count, PyObject *type) {
  ext_entry *grown = PyMem_Resize(*entries, ext_entry, *count + 1);
  if (grown == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  *entries = grown;
  if (!PyTuple_Check(type)) {
    if (entry_of(&grown[*count], type) != 0)
      return -1;
    *count += 1;
    return 0;
  }
  size_t items = (size_t)PyTuple_GET_SIZE(type);
  grown[(*count)++] = (ext_entry){.kind = EXT_TUPLE, .count = items};
  if (Py_EnterRecursiveCall(" in the types of a kernel's arguments") != 0)
    return -1;
  int result = 0;
  for (size_t i = 0; result == 0 && i < items; i++)
    result = ext_signature_add(entries, count, PyTuple_GET_ITEM(type, (Py_ssize_t)i));
  Py_LeaveRecursiveCall();
  return result;
}
