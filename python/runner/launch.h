/* launch.h: what the files of the extension triton_spec.runner._launch share. */
#ifndef LAUNCH_H
#define LAUNCH_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAUNCH_MOST_PARAMS 128
#define LAUNCH_REASON      512 /* bytes of a reason, with its end */
#define LAUNCH_RANGES      16

/* One launch, as a device takes it. */
typedef struct launch_call {
  void *function;
  unsigned grid[3]; /* each at least 1 */
  unsigned threads; /* of a block */
  unsigned shared;  /* bytes */
  void *stream;
  void **params; /* each points to a parameter in its own size */
} launch_call;

/* The device's allocations that a kernel's pointers were last found in. */
typedef struct launch_range {
  uint64_t start, size; /* in bytes; size 0: none */
} launch_range;

typedef struct launch_ranges {
  launch_range rows[LAUNCH_RANGES];
  unsigned next; /* the row to write next, modulo their number */
} launch_ranges;

/* A kind of device. Functions return 0, or another number with the reason in `why`. */
typedef struct launch_device {
  const char *name;
  bool is_host; /* its pointers are the process's own */
  int (*launch)(const launch_call *call, char why[LAUNCH_REASON]);
  void (*release)(void *module); /* what load() of the device gave */
  /* Whether a kernel can read the address; NULL where only a tensor itself can tell. */
  bool (*reaches)(launch_ranges *known, uint64_t address);
} launch_device;

extern const launch_device launch_cuda, launch_host;

/* How an argument is packed. */
typedef enum launch_kind {
  LAUNCH_POINTER,
  LAUNCH_SIGNED,
  LAUNCH_UNSIGNED,
  LAUNCH_HALF,
  LAUNCH_BRAIN, /* bfloat16 */
  LAUNCH_FLOAT,
  LAUNCH_DOUBLE,
} launch_kind;

/* A parameter of the kernel's function. Objects are owned. */
typedef struct launch_param {
  PyObject *name, *type; /* type as Triton writes it */
  PyObject *constant;    /* the value compiled in; NULL for what a launch passes */
  PyObject *dtype;       /* that was last accepted; NULL before */
  launch_kind kind;
  unsigned bits; /* of an integer */
  bool div16;    /* the code relies on a value that 16 divides */
} launch_param;

/* Python's side of the checks; all owned. */
typedef struct launch_helpers {
  PyObject *bound_type;
  PyObject *mismatch, *failed; /* the classes SignatureMismatch and LaunchFailed */
  PyObject *address;           /* address(value, type, on host): an int, or raises */
  PyObject *accept;            /* accept(dtype, type): raises unless it fits */
  PyObject *same;              /* same(recorded constant, value) */
} launch_helpers;

/* A kernel that can be launched. */
typedef struct launcher {
  PyObject_HEAD const launch_device *device;
  void *module, *function; /* function is NULL until prepare() has been called */
  unsigned threads, shared, hidden;
  Py_ssize_t count, passed; /* parameters, and those that a launch passes */
  launch_param *params;
  launch_ranges ranges;
  launch_helpers helpers;
  PyObject *get_stream, *ordinal; /* get_stream(ordinal) is the current stream; or NULL */
  PyObject *tensor_type;          /* type of values with data_ptr() that was met last */
  PyObject *names[5];             /* data_ptr, dtype, is_cuda, prepare, grid */
} launcher;

/* A launcher with a grid. */
typedef struct launch_bound {
  PyObject_HEAD vectorcallfunc vectorcall;
  launcher *of;
  unsigned grid[3];
  bool is_fixed; /* _bind() made it: its stream is given, and arguments are not guarded */
  void *stream;
} launch_bound;

extern PyType_Spec launch_launcher_spec, launch_bound_spec;

/* Packs the values of the parameters that a launch passes, `values[i]` for the i-th of them, and
 * points params[i] to slots[i]. Returns 0, or -1 with an exception. */
int launch_pack(launcher *self, PyObject *const *values, bool guarded,
                uint64_t slots[LAUNCH_MOST_PARAMS], void *params[LAUNCH_MOST_PARAMS]);
/* Takes a parameter's type apart; 0, or -1 with an exception for one that cannot be packed. */
int launch_param_kind(launch_param *param);

/* Functions of the module for devices. */
PyObject *launch_cuda_load(PyObject *module, PyObject *args);
PyObject *launch_cuda_device(PyObject *module, PyObject *none);
PyObject *launch_cuda_synchronize(PyObject *module, PyObject *none);
PyObject *launch_host_load(PyObject *module, PyObject *path);

#endif
