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

/* What a launch needs of NVIDIA's driver; all NULL for a kernel of the host. */
typedef struct launch_driver {
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*pointer)(void *, int, uint64_t);
  int (*error)(int, const char **);
} launch_driver;

/* An allocation of the device that a kernel's pointer was found in. */
typedef struct launch_range {
  uint64_t start, size; /* in bytes; size 0: none */
} launch_range;

/* A parameter that a launch passes. */
typedef struct launch_param {
  int kind;              /* P pointer, i integer, Q one of 64 bits without a sign, e f d floating
                            point of 2, 4, 8 bytes, b bfloat16 */
  long long least, most; /* of an integer */
  bool div16;            /* the code relies on a value that 16 divides */
  PyObject *mark; /* data type, or format of the buffer, that was accepted last; owned, or NULL */
} launch_param;

/* Places in launcher.objects. */
enum { LAUNCH_BOUND, LAUNCH_DATA_PTR, LAUNCH_DTYPE, LAUNCH_IS_CUDA, LAUNCH_STREAM, LAUNCH_ORDINAL };

/* A kernel that can be launched. Its Python subclass has the methods prepare, grid, _arrange,
 * _address, _refuse and _failed, which are called where a launch is not an everyday one. */
typedef struct launcher {
  PyObject_HEAD void *function; /* NULL until prepare() has been called */
  launch_driver driver;
  unsigned threads, shared, hidden;
  Py_ssize_t count;
  launch_param *params;
  launch_range ranges[LAUNCH_RANGES]; /* in which pointers were found last */
  unsigned next_range;                /* the row to write next, modulo their number */
  PyObject *objects;                  /* a tuple, see above; owned */
  PyObject *tensor, *array; /* types last met with data_ptr(), with a buffer; owned, or NULL */
} launcher;

/* A launcher with a grid. */
typedef struct launch_bound {
  PyObject_HEAD vectorcallfunc vectorcall;
  launcher *of;
  unsigned grid[3];
  bool is_fixed; /* _bind() made it: its stream is given, and arguments are not guarded */
  void *stream;
} launch_bound;

/* Packs the values of the parameters and points params[i] to slots[i]. Returns 0, or -1 with an
 * exception. */
int launch_pack(launcher *self, PyObject *const *values, bool guarded,
                uint64_t slots[LAUNCH_MOST_PARAMS], void *params[LAUNCH_MOST_PARAMS]);

/* Launch; return 0, or another number with the reason in `why`. */
int launch_on_cuda(const launch_driver *driver, const launch_call *call, char why[LAUNCH_REASON]);
int launch_on_host(const launch_call *call, char why[LAUNCH_REASON]);

/* Whether the device can read the address. */
bool launch_reaches(launcher *self, uint64_t address);

#endif
