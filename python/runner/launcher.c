/* launcher.c: the types Launcher and Bound. kernel[grid] makes a Bound, whose call packs and
 * launches. */
#include "launch.h"

#include <structmember.h>
#include <time.h>

static const char *const known_names[] = {"data_ptr", "dtype", "is_cuda", "prepare", "grid"};

static int fill_param(launch_param *param, PyObject *row) {
  int div16, constant;
  PyObject *name, *type, *value;
  if (!PyArg_ParseTuple(row, "UUppO", &name, &type, &div16, &constant, &value))
    return -1;
  param->name = Py_NewRef(name);
  param->type = Py_NewRef(type);
  param->div16 = div16 != 0;
  if (constant) {
    param->constant = Py_NewRef(value);
    return 0;
  }
  return launch_param_kind(param);
}

static int fill_params(launcher *self, PyObject *rows) {
  self->params = PyMem_Calloc((size_t)PyTuple_GET_SIZE(rows) + 1, sizeof *self->params);
  if (self->params == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rows); i++) {
    self->count = i + 1;
    if (fill_param(&self->params[i], PyTuple_GET_ITEM(rows, i)) != 0)
      return -1;
    self->passed += self->params[i].constant == NULL;
  }
  if (self->passed + self->hidden > LAUNCH_MOST_PARAMS) {
    PyErr_Format(PyExc_ValueError, "more than %d parameters", LAUNCH_MOST_PARAMS);
    return -1;
  }
  return 0;
}

static int launcher_init(PyObject *object, PyObject *args, PyObject *named) {
  launcher *self = (launcher *)object;
  launch_helpers *h = &self->helpers;
  PyObject *rows;
  if (named != NULL && PyDict_GET_SIZE(named) > 0) {
    PyErr_SetString(PyExc_TypeError, "Launcher takes no keywords");
    return -1;
  }
  if (self->params != NULL) {
    PyErr_SetString(PyExc_TypeError, "a Launcher is made once");
    return -1;
  }
  if (!PyArg_ParseTuple(args, "O!I(OOOOOO)", &PyTuple_Type, &rows, &self->hidden, &h->bound_type,
                        &h->mismatch, &h->failed, &h->address, &h->accept, &h->same))
    return -1;
  Py_INCREF(h->bound_type);
  Py_INCREF(h->mismatch);
  Py_INCREF(h->failed);
  Py_INCREF(h->address);
  Py_INCREF(h->accept);
  Py_INCREF(h->same);
  for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
    if ((self->names[i] = PyUnicode_InternFromString(known_names[i])) == NULL)
      return -1;
  return fill_params(self, rows);
}

static int launcher_traverse(PyObject *object, visitproc visit, void *arg) {
  launcher *self = (launcher *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->get_stream);
  Py_VISIT(self->helpers.address);
  Py_VISIT(self->tensor_type);
  return 0;
}

static int launcher_clear(PyObject *object) {
  launcher *self = (launcher *)object;
  launch_helpers *h = &self->helpers;
  PyObject **owned[] = {&h->bound_type,     &h->mismatch,    &h->failed,        &h->address,
                        &h->accept,         &h->same,        &self->get_stream, &self->ordinal,
                        &self->tensor_type, &self->names[0], &self->names[1],   &self->names[2],
                        &self->names[3],    &self->names[4]};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    Py_CLEAR(*owned[i]);
  for (Py_ssize_t i = 0; i < self->count; i++) {
    Py_CLEAR(self->params[i].name);
    Py_CLEAR(self->params[i].type);
    Py_CLEAR(self->params[i].constant);
    Py_CLEAR(self->params[i].dtype);
  }
  self->count = 0;
  return 0;
}

static void launcher_dealloc(PyObject *object) {
  launcher *self = (launcher *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (self->module != NULL)
    self->device->release(self->module);
  launcher_clear(object);
  PyMem_Free(self->params);
  type->tp_free(object);
  Py_DECREF(type);
}

/* ready(device, module, function, threads, shared, get_stream, ordinal): prepare() calls it. */
static PyObject *launcher_ready(PyObject *object, PyObject *args) {
  launcher *self = (launcher *)object;
  const char *device;
  unsigned long long module, function;
  PyObject *get_stream, *ordinal;
  if (!PyArg_ParseTuple(args, "sKKIIOO", &device, &module, &function, &self->threads, &self->shared,
                        &get_stream, &ordinal))
    return NULL;
  self->device = *device == 'c' ? &launch_cuda : &launch_host;
  self->module = (void *)(uintptr_t)module;
  self->function = (void *)(uintptr_t)function;
  Py_INCREF(ordinal);
  Py_XSETREF(self->ordinal, ordinal);
  if (get_stream != Py_None)
    Py_INCREF(get_stream);
  Py_XSETREF(self->get_stream, get_stream == Py_None ? NULL : get_stream);
  Py_RETURN_NONE;
}

static int extent(PyObject *value, unsigned *out) {
  long is = PyLong_AsLong(value);
  if (is == -1 && PyErr_Occurred())
    return -1;
  if (is < 0 || is > INT32_MAX) {
    PyErr_Format(PyExc_ValueError, "a grid has no extent of %ld", is);
    return -1;
  }
  *out = (unsigned)is;
  return 0;
}

static int read_grid(PyObject *grid, unsigned out[3]) {
  out[0] = out[1] = out[2] = 1;
  if (PyLong_Check(grid))
    return extent(grid, &out[0]);
  if (!PyTuple_Check(grid) || PyTuple_GET_SIZE(grid) < 1 || PyTuple_GET_SIZE(grid) > 3) {
    PyErr_SetString(PyExc_TypeError, "a grid is an int, or a tuple of one to three");
    return -1;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(grid); i++)
    if (extent(PyTuple_GET_ITEM(grid, i), &out[i]) != 0)
      return -1;
  return 0;
}

static PyObject *bound_call(PyObject *object, PyObject *const *values, size_t flags,
                            PyObject *names);

static PyObject *make_bound(launcher *self, PyObject *grid, PyObject *stream) {
  if (self->function == NULL) {
    PyObject *none = PyObject_CallMethodNoArgs((PyObject *)self, self->names[3]);
    if (none == NULL)
      return NULL;
    if (none != Py_None) { /* another launcher, for what this one cannot pass */
      PyObject *bound = PyObject_GetItem(none, grid);
      Py_DECREF(none);
      return bound;
    }
    Py_DECREF(none);
  }
  launch_bound *bound = PyObject_New(launch_bound, (PyTypeObject *)self->helpers.bound_type);
  if (bound == NULL)
    return NULL;
  bound->vectorcall = bound_call;
  bound->of = self;
  Py_INCREF(self);
  bound->is_fixed = stream != NULL;
  bound->stream = NULL;
  if (stream != NULL)
    bound->stream = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(stream);
  if (read_grid(grid, bound->grid) != 0 || PyErr_Occurred()) {
    Py_DECREF(bound);
    return NULL;
  }
  return (PyObject *)bound;
}

static PyObject *launcher_item(PyObject *self, PyObject *grid) {
  launcher *is = (launcher *)self;
  if (!PyCallable_Check(grid))
    return make_bound(is, grid, NULL);
  PyObject *made = PyObject_CallMethodOneArg(self, is->names[4], grid);
  if (made == NULL)
    return NULL;
  PyObject *bound = make_bound(is, made, NULL);
  Py_DECREF(made);
  return bound;
}

static PyObject *launcher_bind(PyObject *self, PyObject *args) {
  PyObject *grid, *stream;
  return PyArg_ParseTuple(args, "OO", &grid, &stream) ? make_bound((launcher *)self, grid, stream)
                                                      : NULL;
}

static PyMethodDef launcher_methods[] = {
    {"ready", launcher_ready, METH_VARARGS,
     "ready(device, module, function, threads, shared, get_stream, ordinal)"},
    {"_bind", launcher_bind, METH_VARARGS, "_bind(grid, stream)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot launcher_slots[] = {
    {Py_tp_doc, "Launcher(params, hidden, helpers): a kernel's parameters, packed in C."},
    {Py_tp_init, launcher_init},
    {Py_tp_dealloc, launcher_dealloc},
    {Py_tp_traverse, launcher_traverse},
    {Py_tp_clear, launcher_clear},
    {Py_tp_methods, launcher_methods},
    {Py_mp_subscript, launcher_item},
    {0, NULL},
};

PyType_Spec launch_launcher_spec = {"triton_spec.runner._launch.Launcher", sizeof(launcher), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                    launcher_slots};

static int put_named(launcher *self, PyObject *name, PyObject *value, PyObject **all) {
  for (Py_ssize_t i = 0; i < self->count; i++) {
    int equal = PyObject_RichCompareBool(self->params[i].name, name, Py_EQ);
    if (equal < 0)
      return -1;
    if (equal == 0)
      continue;
    if (all[i] != NULL) {
      PyErr_Format(self->helpers.mismatch, "argument %R is given twice", name);
      return -1;
    }
    all[i] = value;
    return 0;
  }
  PyErr_Format(self->helpers.mismatch, "the kernel has no argument %R", name);
  return -1;
}

static int check_constant(launcher *self, const launch_param *param, PyObject *value) {
  PyObject *same = PyObject_CallFunctionObjArgs(self->helpers.same, param->constant, value, NULL);
  if (same == NULL)
    return -1;
  int truth = PyObject_IsTrue(same);
  Py_DECREF(same);
  if (truth == 0)
    PyErr_Format(self->helpers.mismatch, "argument %R: the kernel was compiled for %R, not %R",
                 param->name, param->constant, value);
  return truth == 1 ? 0 : -1;
}

/* All parameters, some by name, as those that a launch passes; constants are compared. */
static int arrange(launcher *self, PyObject *const *values, Py_ssize_t count, PyObject *names,
                   PyObject **out) {
  PyObject *all[2 * LAUNCH_MOST_PARAMS] = {NULL};
  if (count > self->count || self->count > 2 * LAUNCH_MOST_PARAMS) {
    PyErr_Format(self->helpers.mismatch,
                 "the kernel takes %zd arguments, or %zd with its constants, got %zd", self->passed,
                 self->count, count);
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; i++)
    all[i] = values[i];
  for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++)
    if (put_named(self, PyTuple_GET_ITEM(names, i), values[count + i], all) != 0)
      return -1;
  Py_ssize_t at = 0;
  for (Py_ssize_t i = 0; i < self->count; i++) {
    const launch_param *param = &self->params[i];
    if (param->constant != NULL) {
      if (all[i] != NULL && check_constant(self, param, all[i]) != 0)
        return -1;
      continue;
    }
    if (all[i] == NULL) {
      PyErr_Format(self->helpers.mismatch, "the kernel takes %zd arguments: %R is missing",
                   self->passed, param->name);
      return -1;
    }
    out[at++] = all[i];
  }
  return 0;
}

static int current_stream(launch_bound *self, void **out) {
  launcher *of = self->of;
  *out = self->stream;
  if (self->is_fixed || of->get_stream == NULL)
    return 0;
  PyObject *stream = PyObject_CallOneArg(of->get_stream, of->ordinal);
  if (stream == NULL)
    return -1;
  *out = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(stream);
  Py_DECREF(stream);
  return PyErr_Occurred() ? -1 : 0;
}

/* Packs and launches `times` times; 0, or -1 with an exception. */
static int launch(launch_bound *self, PyObject *const *values, Py_ssize_t count, PyObject *names,
                  long times) {
  launcher *of = self->of;
  PyObject *arranged[LAUNCH_MOST_PARAMS];
  uint64_t slots[LAUNCH_MOST_PARAMS];
  void *params[LAUNCH_MOST_PARAMS];
  if (count != of->passed || names != NULL) {
    if (arrange(of, values, count, names, arranged) != 0)
      return -1;
    values = arranged;
  }
  launch_call call = {of->function, {self->grid[0], self->grid[1], self->grid[2]},
                      of->threads,  of->shared,
                      NULL,         params};
  if (launch_pack(of, values, !self->is_fixed, slots, params) != 0 ||
      current_stream(self, &call.stream) != 0)
    return -1;
  if (call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0)
    return 0;
  char why[LAUNCH_REASON] = "";
  int rc = 0;
  Py_BEGIN_ALLOW_THREADS for (long i = 0; i < times && rc == 0; i++) rc =
      of->device->launch(&call, why);
  Py_END_ALLOW_THREADS if (rc != 0) PyErr_Format(of->helpers.failed, "the launch failed: %s", why);
  return rc != 0 ? -1 : 0;
}

static PyObject *bound_call(PyObject *object, PyObject *const *values, size_t flags,
                            PyObject *names) {
  if (launch((launch_bound *)object, values, PyVectorcall_NARGS(flags), names, 1) != 0)
    return NULL;
  Py_RETURN_NONE;
}

/* loop(times, *values): nanoseconds a launch takes with no Python between launches. */
static PyObject *bound_loop(PyObject *object, PyObject *const *values, Py_ssize_t count) {
  long times = count > 0 ? PyLong_AsLong(values[0]) : 0;
  if (times <= 0) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "loop() takes how often to launch, then the arguments");
    return NULL;
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  if (launch((launch_bound *)object, values + 1, count - 1, NULL, times) != 0)
    return NULL;
  clock_gettime(CLOCK_MONOTONIC, &end);
  double spent = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
  return PyFloat_FromDouble(spent / (double)times);
}

static void bound_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  Py_DECREF(((launch_bound *)object)->of);
  PyObject_Free(object);
  Py_DECREF(type);
}

static PyMethodDef bound_methods[] = {
    {"loop", (PyCFunction)(void (*)(void))bound_loop, METH_FASTCALL,
     "loop(times, *arguments): nanoseconds for each launch from C"},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef bound_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(launch_bound, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot bound_slots[] = {
    {Py_tp_doc, "A kernel with its grid; a call launches it."},
    {Py_tp_dealloc, bound_dealloc},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_methods, bound_methods},
    {Py_tp_members, bound_members},
    {0, NULL},
};

PyType_Spec launch_bound_spec = {"triton_spec.runner._launch.Bound", sizeof(launch_bound), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                                     Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 bound_slots};
