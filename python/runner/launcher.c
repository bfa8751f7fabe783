/* launcher.c: the extension triton_spec.runner._launch with its types Launcher and Bound.
 * kernel[grid] makes a Bound, whose call packs and launches. */
#include "launch.h"

#include "ttabi.h"
#include <assert.h>
#include <string.h>
#include <structmember.h>
#include <time.h>

static int fill_params(launcher *self, PyObject *rows) {
  Py_ssize_t count = PyTuple_GET_SIZE(rows);
  if (count + (Py_ssize_t)self->hidden > LAUNCH_MOST_PARAMS) {
    PyErr_Format(PyExc_ValueError, "more than %d parameters", LAUNCH_MOST_PARAMS);
    return -1;
  }
  self->params = PyMem_Calloc((size_t)count + 1, sizeof *self->params);
  if (self->params == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  for (self->count = 0; self->count < count; self->count++) {
    launch_param *param = &self->params[self->count];
    int div16;
    if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rows, self->count), "CLLp", &param->kind, &param->least,
                          &param->most, &div16))
      return -1;
    param->div16 = div16 != 0;
  }
  return 0;
}

static int launcher_init(PyObject *object, PyObject *args, PyObject *named) {
  static char *names[] = {"params", "hidden", "function", "threads",
                          "shared", "driver", "objects",  NULL};
  launcher *self = (launcher *)object;
  PyObject *rows, *objects;
  unsigned long long function, found[3];
  if (self->params != NULL) {
    PyErr_SetString(PyExc_TypeError, "a Launcher is made once");
    return -1;
  }
  if (!PyArg_ParseTupleAndKeywords(args, named, "O!IKII(KKK)O!", names, &PyTuple_Type, &rows,
                                   &self->hidden, &function, &self->threads, &self->shared,
                                   &found[0], &found[1], &found[2], &PyTuple_Type, &objects) ||
      fill_params(self, rows) != 0)
    return -1;
  if (PyTuple_GET_SIZE(objects) != LAUNCH_ORDINAL + 1) {
    PyErr_SetString(PyExc_ValueError,
                    "objects are Bound, three names, a function and its argument");
    return -1;
  }
  uintptr_t driver[3] = {(uintptr_t)found[0], (uintptr_t)found[1], (uintptr_t)found[2]};
  static_assert(sizeof driver == sizeof self->driver, "an address for each function");
  memcpy(&self->driver, driver, sizeof driver);
  self->objects = Py_NewRef(objects);
  self->function = (void *)(uintptr_t)function;
  return 0;
}

static int launcher_traverse(PyObject *object, visitproc visit, void *arg) {
  launcher *self = (launcher *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->objects);
  Py_VISIT(self->tensor);
  Py_VISIT(self->array);
  return 0;
}

static int launcher_clear(PyObject *object) {
  launcher *self = (launcher *)object;
  self->function = NULL; /* no launch without what follows */
  Py_CLEAR(self->objects);
  Py_CLEAR(self->tensor);
  Py_CLEAR(self->array);
  for (Py_ssize_t i = 0; i < self->count; i++)
    Py_CLEAR(self->params[i].mark);
  return 0;
}

static void launcher_dealloc(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  launcher_clear(object);
  PyMem_Free(((launcher *)object)->params);
  type->tp_free(object);
  Py_DECREF(type);
}

static int extent(PyObject *value, unsigned *out) {
  long is = PyLong_AsLong(value);
  if (is >= 0 && is <= INT32_MAX) {
    *out = (unsigned)is;
    return 0;
  }
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "a grid has no extent of %ld", is);
  return -1;
}

static int read_grid(PyObject *grid, unsigned out[3]) {
  out[0] = out[1] = out[2] = 1;
  if (PyLong_Check(grid))
    return extent(grid, &out[0]);
  Py_ssize_t count = PyTuple_Check(grid) ? PyTuple_GET_SIZE(grid) : 0;
  int rc = 0;
  for (Py_ssize_t i = 0; i < count && i < 3 && rc == 0; i++)
    rc = extent(PyTuple_GET_ITEM(grid, i), &out[i]);
  if (count >= 1 && count <= 3)
    return rc;
  PyErr_SetString(PyExc_TypeError, "a grid is an int, or a tuple of one to three");
  return -1;
}

/* Packs and launches `times` times; 0, or -1 with an exception. */
static int launch(launch_bound *self, PyObject *const *values, Py_ssize_t count, long times) {
  launcher *of = self->of;
  uint64_t slots[LAUNCH_MOST_PARAMS];
  void *params[LAUNCH_MOST_PARAMS];
  launch_call call = {of->function, {self->grid[0], self->grid[1], self->grid[2]},
                      of->threads,  of->shared,
                      self->stream, params};
  if (count != of->count) {
    PyErr_Format(PyExc_TypeError, "%zd values for %zd parameters", count, of->count);
    return -1;
  }
  if (launch_pack(of, values, !self->is_fixed, slots, params) != 0)
    return -1;
  PyObject *get_stream = PyTuple_GET_ITEM(of->objects, LAUNCH_STREAM);
  if (!self->is_fixed && get_stream != Py_None) {
    PyObject *stream =
        PyObject_CallOneArg(get_stream, PyTuple_GET_ITEM(of->objects, LAUNCH_ORDINAL));
    if (stream == NULL)
      return -1;
    call.stream = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(stream);
    Py_DECREF(stream);
    if (PyErr_Occurred())
      return -1;
  }
  if (call.grid[0] == 0 || call.grid[1] == 0 || call.grid[2] == 0)
    return 0;
  char why[LAUNCH_REASON] = "";
  int rc = 0;
  PyThreadState *state = PyEval_SaveThread();
  for (long i = 0; i < times && rc == 0; i++)
    rc = of->driver.launch != NULL ? launch_on_cuda(&of->driver, &call, why)
                                   : launch_on_host(&call, why);
  PyEval_RestoreThread(state);
  if (rc != 0)
    Py_XDECREF(PyObject_CallMethod((PyObject *)of, "_failed", "s", why)); /* it raises */
  return rc != 0 ? -1 : 0;
}

/* The same with names or with constants, which Python's _arrange() puts in order and compares. */
static int launch_arranged(launch_bound *self, PyObject *const *values, Py_ssize_t count,
                           PyObject *names) {
  PyObject *arrange = PyObject_GetAttrString((PyObject *)self->of, "_arrange");
  if (arrange == NULL)
    return -1;
  PyObject *passed = PyObject_Vectorcall(arrange, values, (size_t)count, names);
  Py_DECREF(arrange);
  if (passed == NULL)
    return -1;
  int rc = launch(self, PySequence_Fast_ITEMS(passed), PyTuple_GET_SIZE(passed), 1);
  Py_DECREF(passed);
  return rc;
}

static PyObject *bound_call(PyObject *object, PyObject *const *values, size_t flags,
                            PyObject *names) {
  launch_bound *self = (launch_bound *)object;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  int rc = count == self->of->count && names == NULL ? launch(self, values, count, 1)
                                                     : launch_arranged(self, values, count, names);
  return rc != 0 ? NULL : Py_NewRef(Py_None);
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
  if (launch((launch_bound *)object, values + 1, count - 1, times) != 0)
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

static PyObject *make_bound(launcher *self, PyObject *grid, PyObject *stream) {
  if (self->function == NULL) {
    PyObject *other = PyObject_CallMethod((PyObject *)self, "prepare", NULL);
    bool is_ready = other == Py_None; /* else an error, or what launches in its place */
    PyObject *bound = other == NULL || is_ready ? NULL : PyObject_CallOneArg(other, grid);
    Py_XDECREF(other);
    if (!is_ready)
      return bound;
  }
  PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(self->objects, LAUNCH_BOUND);
  launch_bound *bound = PyObject_New(launch_bound, type);
  if (bound == NULL)
    return NULL;
  bound->vectorcall = bound_call;
  bound->of = (launcher *)Py_NewRef((PyObject *)self);
  bound->is_fixed = stream != NULL;
  bound->stream = stream != NULL ? (void *)(uintptr_t)PyLong_AsUnsignedLongLong(stream) : NULL;
  if (read_grid(grid, bound->grid) == 0 && !PyErr_Occurred())
    return (PyObject *)bound;
  Py_DECREF(bound);
  return NULL;
}

static PyObject *launcher_item(PyObject *self, PyObject *grid) {
  if (!PyCallable_Check(grid))
    return make_bound((launcher *)self, grid, NULL);
  PyObject *made = PyObject_CallMethod(self, "grid", "O", grid);
  if (made == NULL)
    return NULL;
  PyObject *bound = make_bound((launcher *)self, made, NULL);
  Py_DECREF(made);
  return bound;
}

static PyObject *launcher_bind(PyObject *self, PyObject *args) {
  PyObject *grid, *stream;
  return PyArg_ParseTuple(args, "OO", &grid, &stream) ? make_bound((launcher *)self, grid, stream)
                                                      : NULL;
}

static PyMethodDef launcher_methods[] = {
    {"_bind", launcher_bind, METH_VARARGS, "_bind(grid, stream)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot launcher_slots[] = {
    {Py_tp_doc,
     "Launcher(params, hidden, function, threads, shared, driver, objects): packs in C."},
    {Py_tp_init, launcher_init},
    {Py_tp_dealloc, launcher_dealloc},
    {Py_tp_traverse, launcher_traverse},
    {Py_tp_clear, launcher_clear},
    {Py_tp_methods, launcher_methods},
    {Py_mp_subscript, launcher_item},
    {0, NULL},
};

static PyType_Spec launcher_spec = {"triton_spec.runner._launch.Launcher", sizeof(launcher), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                    launcher_slots};

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

static PyType_Spec bound_spec = {"triton_spec.runner._launch.Bound", sizeof(launch_bound), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                                     Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 bound_slots};

static int add_type(PyObject *module, PyType_Spec *spec) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  int rc = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
  Py_XDECREF(type);
  return rc;
}

static int exec(PyObject *module) {
  int rc = PyModule_AddIntConstant(module, "HOST_ABI", TT_ABI);
  if (rc == 0)
    rc = add_type(module, &launcher_spec);
  return rc == 0 ? add_type(module, &bound_spec) : rc;
}

/* Not without the interpreter's lock: a launcher notes the types it met, and others may launch it.
 */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "triton_spec.runner._launch",
                                 .m_doc = "Launches kernels with guarded arguments.",
                                 .m_slots = slots};

PyMODINIT_FUNC PyInit__launch(void);

PyMODINIT_FUNC PyInit__launch(void) {
  return PyModuleDef_Init(&definition);
}
