/* launcher.c: the object that Triton calls for each launch. */
#include "extension.h"

#include "launch.h"

#include <structmember.h>

#define SLOTS 32 /* parameters that need no memory of their own */

typedef struct launcher {
  PyObject_HEAD vectorcallfunc call;
  PyObject *names;     /* of the arguments, a tuple */
  PyObject *decompose; /* a descriptor to its parts; NULL for none */
  PyObject *before;    /* called before each launch; NULL for nothing */
  ext_entry *entries;
  size_t entry_count;
  unsigned threads;
  bool cooperative;
} launcher;

/* The arguments that Triton puts before the kernel's. */
enum { GRID, STREAM = 3, FUNCTION, PACKED, METADATA, ENTER, EXIT, FIRST };

/* Names an argument, one of self->names, in the exception that is set. */
static void name_argument(launcher *self, Py_ssize_t index) {
  PyObject *kind, *error, *trace;
  PyErr_Fetch(&kind, &error, &trace);
  PyErr_NormalizeException(&kind, &error, &trace);
  PyObject *name = PyTuple_GET_ITEM(self->names, index);
  PyObject *text = PyUnicode_FromFormat("argument %zd (%S): %S", index, name, error);
  if (text != NULL) {
    PyErr_SetObject(kind, text);
    Py_DECREF(text);
  }
  Py_XDECREF(kind);
  Py_XDECREF(error);
  Py_XDECREF(trace);
}

static int pack_arguments(launcher *self, ext_pack *pack, PyObject *const *args, Py_ssize_t count) {
  if (count != PyTuple_GET_SIZE(self->names)) {
    PyErr_Format(PyExc_TypeError, "kernel '%s' is launched with %zd arguments, it has %zd",
                 pack->kernel->name, count, PyTuple_GET_SIZE(self->names));
    return -1;
  }
  const ext_entry *entry = self->entries;
  for (Py_ssize_t i = 0; i < count; i++) {
    if (ext_pack_add(pack, &entry, args[i]) != 0) {
      name_argument(self, i);
      return -1;
    }
  }
  if (pack->used == pack->kernel->param_count)
    return 0;
  PyErr_Format(PyExc_TypeError, "kernel '%s' takes %u parameters, the signature has %zu",
               pack->kernel->name, pack->kernel->param_count, pack->used);
  return -1;
}

static int read_grid(int32_t grid[3], PyObject *const *args) {
  int64_t total = 1;
  for (int i = 0; i < 3; i++) {
    long value = PyLong_AsLong(args[GRID + i]);
    if (value == -1 && PyErr_Occurred() != NULL)
      return -1;
    if (value < 0 || value > INT32_MAX || __builtin_mul_overflow(total, value, &total)) {
      PyErr_Format(PyExc_ValueError, "the grid (%S, %S, %S) is negative or too large", args[GRID],
                   args[GRID + 1], args[GRID + 2]);
      return -1;
    }
    grid[i] = (int32_t)value;
  }
  return 0;
}

static int call_hook(PyObject *hook, PyObject *metadata) {
  if (hook == Py_None)
    return 0;
  PyObject *result = PyObject_CallOneArg(hook, metadata);
  Py_XDECREF(result);
  return result == NULL ? -1 : 0;
}

/* While the kernel runs the interpreter is free; its signals are looked at now and then. context is
 * the place of the thread's state. */
static bool interrupted(void *context) {
  PyThreadState **state = context;
  PyEval_RestoreThread(*state);
  bool raised = PyErr_CheckSignals() != 0;
  *state = PyEval_SaveThread();
  return raised;
}

static int raise_failure(const tt_kernel *kernel, const tr_failure *failure) {
  switch (failure->code) {
  case TR_OK:
    return PyErr_CheckSignals();
  case TR_EINTERRUPTED:
    break; /* the signal's handler raised */
  case TR_ENOMEM:
    PyErr_Format(PyExc_MemoryError, "kernel '%s' needs %zu bytes a thread for its tensors",
                 kernel->name, kernel->frame);
    break;
  case TR_ETHREADS:
    PyErr_Format(PyExc_RuntimeError,
                 "kernel '%s': a cooperative launch has a thread for each program, and there are "
                 "not as many to be had: launch a smaller grid",
                 kernel->name);
    break;
  default:
    PyErr_Format(PyExc_RuntimeError, "device-side assert in kernel '%s', program (%d, %d, %d): %s",
                 kernel->name, failure->id[0], failure->id[1], failure->id[2], failure->message);
  }
  return -1;
}

static int run(launcher *self, ext_pack *pack, const int32_t grid[3]) {
  const void *few[SLOTS];
  uint32_t count = pack->kernel->param_count;
  const void **params = count <= SLOTS ? few : PyMem_New(const void *, count);
  if (params == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  for (uint32_t i = 0; i < count; i++)
    params[i] = &pack->slots[i];
  tr_failure failure;
  PyThreadState *state = PyEval_SaveThread();
  tr_launch launch = {
      .kernel = pack->kernel,
      .params = params,
      .grid = {grid[0], grid[1], grid[2]},
      .threads = self->threads,
      .cooperative = self->cooperative,
      .interrupted = interrupted,
      .context = &state,
  };
  (void)tr_launch_run(&launch, &failure);
  PyEval_RestoreThread(state);
  if (params != few)
    PyMem_Free(params);
  return raise_failure(pack->kernel, &failure);
}

/* Packs and runs, between the hooks. */
static int launch(launcher *self, ext_pack *pack, PyObject *const *args, Py_ssize_t count) {
  int32_t grid[3];
  if (read_grid(grid, args) != 0 || pack_arguments(self, pack, args + FIRST, count - FIRST) != 0)
    return -1;
  if (self->before != NULL) {
    PyObject *result = PyObject_CallNoArgs(self->before);
    Py_XDECREF(result);
    if (result == NULL)
      return -1;
  }
  if (call_hook(args[ENTER], args[METADATA]) != 0 || run(self, pack, grid) != 0)
    return -1;
  return call_hook(args[EXIT], args[METADATA]);
}

static PyObject *call(PyObject *object, PyObject *const *args, size_t nargsf, PyObject *keywords) {
  launcher *self = (launcher *)object;
  Py_ssize_t count = PyVectorcall_NARGS(nargsf);
  if (keywords != NULL && PyTuple_GET_SIZE(keywords) > 0)
    return PyErr_Format(PyExc_TypeError, "a launcher takes no keywords");
  if (count < FIRST)
    return PyErr_Format(
        PyExc_TypeError,
        "a launcher takes a grid of 3, stream, function, 2 kinds of metadata, 2 hooks "
        "and the arguments, not %zd in all",
        count);
  ext_state *state = ext_state_of_type(Py_TYPE(object));
  if (state == NULL || !PyObject_TypeCheck(args[FUNCTION], state->kernel_type))
    return PyErr_Format(PyExc_TypeError, "the function is no kernel of the cpu backend but %R",
                        args[FUNCTION]);
  PyObject *function = Py_NewRef(args[FUNCTION]); /* it must not be unloaded while it runs */
  ext_slot few[SLOTS];
  ext_pack pack = {.state = state,
                   .kernel = ((ext_kernel *)function)->kernel,
                   .decompose = self->decompose,
                   .slots = few};
  if (pack.kernel->param_count > SLOTS)
    pack.slots = PyMem_New(ext_slot, pack.kernel->param_count);
  int result = -1;
  if (pack.slots == NULL)
    PyErr_NoMemory();
  else
    result = launch(self, &pack, args, count);
  if (pack.slots != few)
    PyMem_Free(pack.slots);
  Py_XDECREF(pack.kept);
  Py_DECREF(function);
  return result == 0 ? Py_NewRef(Py_None) : NULL;
}

static PyObject *optional(PyObject *object) {
  return object == Py_None ? NULL : Py_XNewRef(object);
}

/* The types of the signature's pairs (name, type). */
static int read_signature(launcher *self, PyObject *signature) {
  Py_ssize_t count = PyTuple_GET_SIZE(signature);
  self->names = PyTuple_New(count);
  if (self->names == NULL)
    return -1;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *name, *type;
    PyObject *pair = PyTuple_GET_ITEM(signature, i);
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "OO", &name, &type)) {
      PyErr_SetString(PyExc_TypeError, "a signature is a tuple of pairs (name, type)");
      return -1;
    }
    PyTuple_SET_ITEM(self->names, i, Py_NewRef(name));
    if (ext_signature_add(&self->entries, &self->entry_count, type) != 0)
      return -1;
  }
  return 0;
}

static PyObject *new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"signature", "threads", "cooperative", "before", "decompose", NULL};
  PyObject *signature, *before = Py_None, *decompose = Py_None;
  unsigned int threads = 1;
  int cooperative = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|IpOO:Launcher", names, &PyTuple_Type,
                                   &signature, &threads, &cooperative, &before, &decompose))
    return NULL;
  launcher *self = (launcher *)type->tp_alloc(type, 0);
  if (self == NULL)
    return NULL;
  self->call = call;
  self->threads = threads == 0 ? tr_processor_count() : threads;
  self->cooperative = cooperative != 0;
  self->before = optional(before);
  self->decompose = optional(decompose);
  if (read_signature(self, signature) == 0)
    return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static int traverse(launcher *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self->names);
  Py_VISIT(self->before);
  Py_VISIT(self->decompose);
  return 0;
}

static int clear(launcher *self) {
  Py_CLEAR(self->names);
  Py_CLEAR(self->before);
  Py_CLEAR(self->decompose);
  return 0;
}

static void dealloc(launcher *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  (void)clear(self);
  PyMem_Free(self->entries);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(launcher, call), READONLY, NULL},
    {"threads", T_UINT, offsetof(launcher, threads), READONLY, "Threads at most."},
    {NULL, 0, 0, 0, NULL},
};

static char doc[] =
    "Launcher(signature, threads=1, cooperative=False, before=None, decompose=None)\n--\n\n"
    "Calls a kernel as Triton does: (x, y, z, stream, kernel, packed_metadata, launch_metadata, "
    "enter_hook, exit_hook, *arguments).\n\n"
    "signature is a tuple of pairs (name, type), a type being Triton's text or a tuple of types; "
    "threads 0 are as many as processors; with cooperative each program has a thread of its own; "
    "before is called before each launch, decompose gives a descriptor's parts.";

static PyType_Slot slots[] = {
    {Py_tp_doc, doc},
    {Py_tp_new, EXT_FUNCTION(new)},
    {Py_tp_dealloc, EXT_FUNCTION(dealloc)},
    {Py_tp_traverse, EXT_FUNCTION(traverse)},
    {Py_tp_clear, EXT_FUNCTION(clear)},
    {Py_tp_call, EXT_FUNCTION(PyVectorcall_Call)},
    {Py_tp_members, members},
    {0, NULL},
};

PyType_Spec ext_launcher_spec = {
    .name = "triton_cpu._ttcpu.Launcher",
    .basicsize = sizeof(launcher),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
             Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
