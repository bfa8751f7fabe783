/* kernel.c: loads what the compiler made. The bytes become a file of this process's own, which is
 * gone again once the loader has mapped it, so that no other process can remove or change it. */
#define _GNU_SOURCE
#include "extension.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static bool write_all(int file, const char *data, size_t len) {
  while (len > 0) {
    ssize_t n = write(file, data, len);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    len -= (size_t)n;
  }
  return true;
}

/* The library, or NULL with an exception. path is a template of mkstemp. */
static void *open_library(char *path, const char *data, size_t len) {
  int file = mkstemp(path);
  if (file < 0)
    return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
  bool written = write_all(file, data, len);
  int error = errno;
  (void)close(file);
  void *library = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!written) {
    errno = error;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
  } else if (library == NULL) {
    const char *why = dlerror();
    PyErr_Format(PyExc_ImportError, "a compiled kernel cannot be loaded: %s",
                 why != NULL ? why : path);
  }
  (void)unlink(path);
  return library;
}

/* Whether the library is one that this version can call; else an exception is set. */
static bool check(const tt_kernel *kernel) {
  if (kernel == NULL)
    PyErr_SetString(
        PyExc_ImportError,
        "a compiled kernel has no symbol 'ttcpu_kernel': the cpu backend did not make it");
  else if (kernel->abi != TT_ABI)
    PyErr_Format(PyExc_ImportError,
                 "a compiled kernel is of ABI %u and this backend of %d: remove it from the cache",
                 kernel->abi, TT_ABI);
  return kernel != NULL && kernel->abi == TT_ABI;
}

static PyObject *load(PyObject *module, PyObject *args) {
  const char *data;
  Py_ssize_t len;
  PyObject *folder;
  if (!PyArg_ParseTuple(args, "y#O&:load", &data, &len, PyUnicode_FSConverter, &folder))
    return NULL;
  PyObject *path = PyBytes_FromFormat("%s/kernel-XXXXXX", PyBytes_AS_STRING(folder));
  Py_DECREF(folder);
  if (path == NULL)
    return NULL;
  void *library = open_library(PyBytes_AS_STRING(path), data, (size_t)len);
  Py_DECREF(path);
  if (library == NULL)
    return NULL;
  const tt_kernel *kernel = dlsym(library, "ttcpu_kernel");
  PyTypeObject *type = ext_state_of(module)->kernel_type;
  ext_kernel *self = check(kernel) ? (ext_kernel *)type->tp_alloc(type, 0) : NULL;
  if (self == NULL) {
    (void)dlclose(library);
    return NULL;
  }
  self->library = library;
  self->kernel = kernel;
  return (PyObject *)self;
}

PyMethodDef ext_kernel_methods[] = {
    {"load", load, METH_VARARGS,
     "load($module, binary, folder, /)\n--\n\n"
     "Load a compiled kernel from its bytes, by a file that is in folder for a moment.\n\n"
     "Raises OSError where it cannot be written, ImportError where it is no kernel of this "
     "backend's."},
    {NULL, NULL, 0, NULL},
};

static void dealloc(ext_kernel *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (self->library != NULL)
    (void)dlclose(self->library);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject *get_name(ext_kernel *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(self->kernel->name);
}

static PyObject *get_params(ext_kernel *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(self->kernel->params);
}

static PyObject *get_frame(ext_kernel *self, void *unused) {
  (void)unused;
  return PyLong_FromSize_t(self->kernel->frame);
}

static PyObject *repr(ext_kernel *self) {
  return PyUnicode_FromFormat("<triton_cpu kernel '%s' (%s)>", self->kernel->name,
                              self->kernel->params);
}

static PyGetSetDef attributes[] = {
    {"name", (getter)(void (*)(void))get_name, NULL, "The kernel's name.", NULL},
    {"params", (getter)(void (*)(void))get_params, NULL,
     "A letter for each parameter, as rt/ttabi.h has them.", NULL},
    {"frame", (getter)(void (*)(void))get_frame, NULL, "Bytes that one program needs.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A compiled kernel that is loaded; it is unloaded when the object goes."},
    {Py_tp_dealloc, EXT_FUNCTION(dealloc)},
    {Py_tp_repr, EXT_FUNCTION(repr)},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec ext_kernel_spec = {
    .name = "triton_cpu._ttcpu.Kernel",
    .basicsize = sizeof(ext_kernel),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
