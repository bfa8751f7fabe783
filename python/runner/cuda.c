/* cuda.c: kernels on NVIDIA's driver, which is looked up when it is first needed. */
#include "launch.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 0, LOCAL_BYTES = 3, REGISTERS = 4, DYNAMIC_SHARED = 8 }; /* of a function */
enum { CLOCK_KHZ = 13, L2_BYTES = 38, MAJOR = 75, MINOR = 76, MOST_SHARED = 97 }; /* of a device */
enum { RANGE_START = 11, RANGE_SIZE = 12 };                                       /* of a pointer */
enum { SHARED_BY_DEFAULT = 48 * 1024 };

/* The driver's functions, of which there is one for all interpreters of a process; all are there or
 * none. */
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;
static struct cuda_driver {
  int (*init)(unsigned);
  int (*error)(int, const char **);
  int (*current)(void **);
  int (*set_current)(void *);
  int (*retain)(void **, int);
  int (*device)(int *);
  int (*attribute)(int *, int, int);
  int (*load)(void **, const void *);
  int (*unload)(void *);
  int (*function)(void **, void *, const char *);
  int (*get)(int *, int, void *);
  int (*set)(void *, int, int);
  int (*synchronize)(void);
  int (*pointer)(void *, int, uint64_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
} driver;

/* A loaded module, and the process whose it is: a forked child must leave it alone. */
typedef struct loaded {
  void *module;
  pid_t process;
} loaded;

static void find_driver(void) {
  static const char *const names[] = {"cuInit",
                                      "cuGetErrorString",
                                      "cuCtxGetCurrent",
                                      "cuCtxSetCurrent",
                                      "cuDevicePrimaryCtxRetain",
                                      "cuCtxGetDevice",
                                      "cuDeviceGetAttribute",
                                      "cuModuleLoadData",
                                      "cuModuleUnload",
                                      "cuModuleGetFunction",
                                      "cuFuncGetAttribute",
                                      "cuFuncSetAttribute",
                                      "cuCtxSynchronize",
                                      "cuPointerGetAttribute",
                                      "cuLaunchKernel"};
  void *symbols[sizeof names / sizeof *names];
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if ((symbols[i] = dlsym(library, names[i])) == NULL)
      return;
  static_assert(sizeof symbols == sizeof driver, "a symbol for each function");
  memcpy(&driver, symbols, sizeof driver);
}

static const char *reason(int code) {
  const char *text = NULL;
  return driver.error(code, &text) == 0 && text != NULL ? text : "unknown error";
}

static int fail(const char *what, int code) {
  PyErr_Format(PyExc_RuntimeError, "%s: %s", what, reason(code));
  return -1;
}

/* The driver, with a context that is current: the thread's own, else the primary one. */
static int ready(void) {
  pthread_once(&looked_up, find_driver);
  if (driver.init == NULL) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* again, for what it says */
    PyErr_Format(PyExc_RuntimeError, "no CUDA driver: %s",
                 library == NULL ? dlerror() : "it lacks functions");
    return -1;
  }
  void *context = NULL;
  int rc = driver.init(0);
  if (rc != 0 || (rc = driver.current(&context)) != 0)
    return fail("the CUDA driver does not start", rc);
  if (context != NULL)
    return 0;
  if ((rc = driver.retain(&context, 0)) != 0 || (rc = driver.set_current(context)) != 0)
    return fail("no CUDA context", rc);
  return 0;
}

/* Asking the driver takes longer than all other guards: a known allocation is not asked for. */
static bool reaches(launch_ranges *known, uint64_t address) {
  for (size_t i = 0; i < LAUNCH_RANGES; i++)
    if (address - known->rows[i].start < known->rows[i].size)
      return true;
  launch_range found = {0};
  size_t size = 0;
  if (driver.pointer(&found.start, RANGE_START, address) != 0 ||
      driver.pointer(&size, RANGE_SIZE, address) != 0)
    return false;
  found.size = size;
  known->rows[known->next++ % LAUNCH_RANGES] = found;
  return true;
}

static int launch(const launch_call *c, char why[LAUNCH_REASON]) {
  int rc = driver.launch(c->function, c->grid[0], c->grid[1], c->grid[2], c->threads, 1, 1,
                         c->shared, c->stream, c->params, NULL);
  if (rc != 0)
    snprintf(why, LAUNCH_REASON, "%s (CUDA error %d)", reason(rc), rc);
  return rc;
}

static void release(void *module) {
  loaded *is = module;
  if (is->process == getpid())
    driver.unload(is->module); /* its failure: the context is gone, and the module with it */
  PyMem_Free(is);
}

const launch_device launch_cuda = {"cuda", false, launch, release, reaches};

PyObject *launch_cuda_device(PyObject *module, PyObject *none) {
  (void)module, (void)none;
  int device = 0, major = 0, minor = 0, shared = 0, cache = 0, clock = 0;
  if (ready() != 0)
    return NULL;
  int rc = driver.device(&device);
  if (rc == 0)
    rc = driver.attribute(&major, MAJOR, device);
  if (rc == 0)
    rc = driver.attribute(&minor, MINOR, device);
  if (rc == 0)
    rc = driver.attribute(&shared, MOST_SHARED, device);
  if (rc == 0)
    rc = driver.attribute(&cache, L2_BYTES, device);
  if (rc == 0)
    rc = driver.attribute(&clock, CLOCK_KHZ, device);
  if (rc != 0) {
    fail("the CUDA device does not answer", rc);
    return NULL;
  }
  return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i}", "ordinal", device, "arch", 10 * major + minor,
                       "shared", shared, "l2", cache, "khz", clock);
}

static int get_function(void *module, const char *name, unsigned shared, void **out, int found[3]) {
  int rc = driver.function(out, module, name);
  if (rc == 0 && shared > SHARED_BY_DEFAULT)
    rc = driver.set(*out, DYNAMIC_SHARED, (int)shared);
  if (rc == 0)
    rc = driver.get(&found[0], REGISTERS, *out);
  if (rc == 0)
    rc = driver.get(&found[1], LOCAL_BYTES, *out);
  if (rc == 0)
    rc = driver.get(&found[2], MOST_THREADS, *out);
  return rc;
}

PyObject *launch_cuda_load(PyObject *self, PyObject *args) {
  (void)self;
  const char *data, *name;
  Py_ssize_t length;
  unsigned shared;
  if (!PyArg_ParseTuple(args, "y#sI", &data, &length, &name, &shared) || ready() != 0)
    return NULL;
  void *module = NULL, *function = NULL;
  int found[3] = {0}, rc = driver.load(&module, data);
  if (rc != 0) {
    fail("the driver does not load the binary", rc);
    return NULL;
  }
  loaded *is = PyMem_Malloc(sizeof *is);
  rc = is == NULL ? 2 : get_function(module, name, shared, &function, found);
  if (rc != 0) {
    driver.unload(module);
    PyMem_Free(is);
    fail("the driver does not take the kernel", rc);
    return NULL;
  }
  *is = (loaded){module, getpid()};
  return Py_BuildValue("KKiii", (unsigned long long)(uintptr_t)is,
                       (unsigned long long)(uintptr_t)function, found[0], found[1], found[2]);
}

PyObject *launch_cuda_synchronize(PyObject *module, PyObject *none) {
  (void)module, (void)none;
  if (ready() != 0)
    return NULL;
  int rc;
  Py_BEGIN_ALLOW_THREADS rc = driver.synchronize();
  Py_END_ALLOW_THREADS if (rc != 0) {
    fail("a kernel failed", rc);
    return NULL;
  }
  Py_RETURN_NONE;
}
