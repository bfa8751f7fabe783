/* extension.h: what the files of the Python extension triton_cpu._ttcpu share. */
#ifndef TTCPU_EXTENSION_H
#define TTCPU_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "compiler/read/number.h"
#include "rt/ttabi.h"

/* A function as a slot's value, which ISO C has no conversion for. */
#define EXT_FUNCTION(function) (__extension__(void *)(function))

/* One a module object, so that every interpreter has its own. Written by the module's execution
 * only. */
typedef struct ext_state {
  PyTypeObject *kernel_type, *launcher_type;
  PyObject *compile_error;                                                       /* a ValueError */
  PyObject *data_ptr, *is_cpu, *array_interface, *data, *dlpack, *dlpack_device; /* interned */
} ext_state;

ext_state *ext_state_of(PyObject *module);
/* The state of the module that made type, one of its own types. */
ext_state *ext_state_of_type(PyTypeObject *type);

/* compile.c */
extern PyMethodDef ext_compile_methods[];
/* kernel.c */
extern PyMethodDef ext_kernel_methods[];
extern PyType_Spec ext_kernel_spec;
/* launcher.c */
extern PyType_Spec ext_launcher_spec;

/* A compiled kernel that is loaded, until the object goes. */
typedef struct ext_kernel {
  PyObject_HEAD void *library;
  const tt_kernel *kernel;
} ext_kernel;

/* signature.c: the types of a kernel's arguments. */

typedef enum ext_kind {
  EXT_NONE, /* a constexpr: no parameter of the kernel */
  EXT_POINTER,
  EXT_SIGNED,
  EXT_UNSIGNED,
  EXT_BOOL,
  EXT_FLOAT,
  EXT_DESCRIPTOR, /* several parameters, as `decompose` says */
  EXT_TUPLE       /* of the count entries that follow, with theirs */
} ext_kind;

typedef struct ext_entry {
  ext_kind kind;
  unsigned bits;                 /* SIGNED, UNSIGNED, FLOAT */
  char letter;                   /* of tt_kernel.params */
  const tc_float_format *format; /* FLOAT */
  size_t count;                  /* TUPLE */
} ext_entry;

/* Adds the entries of a type ("*fp32", "i32", "constexpr", a tuple of such) behind the first *count
 * of *entries, which PyMem allocates. 0, or -1 with an exception. */
int ext_signature_add(ext_entry **entries, size_t *count, PyObject *type);

/* argument.c: arguments to what a kernel takes. */

typedef union ext_slot {
  void *pointer;
  uint8_t b;
  uint16_t h;
  uint32_t w;
  uint64_t q;
  float f;
  double d;
} ext_slot;

/* Packs one launch's arguments. */
typedef struct ext_pack {
  const ext_state *state;
  const tt_kernel *kernel;
  PyObject *decompose;
  ext_slot *slots; /* kernel->param_count */
  size_t used;
  PyObject *kept; /* a list of what must live as long as the launch; NULL for nothing */
} ext_pack;

/* Packs an argument as its entries say; *entry moves behind them. 0, or -1 with an exception that
 * does not name the argument. */
int ext_pack_add(ext_pack *pack, const ext_entry **entry, PyObject *argument);

/* pointer.c: the address of what may be an address, a tensor, an array, a buffer or None. 0, or -1
 * with an exception. */
int ext_pointer_of(ext_pack *pack, PyObject *argument, void **out);

#endif
