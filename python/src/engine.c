/* engine.c: the engine's operations as Python functions. */
#include "spec_python.h"

#include "package/bake_folder.h"
#include "package/package.h"
#include <string.h>

/* --- what the engine says, while it runs without the interpreter --- */

typedef struct listener {
  PyObject *findings;     /* list of dicts */
  PyObject *on_event;     /* callable, or NULL */
  PyThreadState *outside; /* while the engine runs */
  bool raised;            /* a Python error is set: nothing more is told */
} listener;

static void tell(listener *to, const spec_event *event) {
  PyObject *finding = spec_finding_new(event);
  PyObject *result = NULL;
  if (finding != NULL && PyList_Append(to->findings, finding) == 0)
    result = to->on_event == NULL ? Py_NewRef(Py_None) : PyObject_CallOneArg(to->on_event, finding);
  to->raised = result == NULL;
  Py_XDECREF(result);
  Py_XDECREF(finding);
}

static void on_event(void *user, const spec_event *event) {
  listener *to = user;
  if (to->raised)
    return;
  PyEval_RestoreThread(to->outside);
  tell(to, event);
  to->outside = PyEval_SaveThread();
}

/* --- arguments --- */

/* The bytes of paths, kept by `keep`. */
static int read_roots(const char ***out, size_t *count, PyObject *roots, PyObject *keep) {
  Py_ssize_t n = PyList_GET_SIZE(roots);
  const char **items = PyMem_Malloc((size_t)(n > 0 ? n : 1) * sizeof *items);
  if (items == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *bytes = NULL;
    PyObject *root = PySequence_GetItem(roots, i); /* __fspath__ may change the list */
    int converted = root != NULL && PyUnicode_FSConverter(root, &bytes);
    Py_XDECREF(root);
    if (!converted || PyList_Append(keep, bytes) != 0) {
      Py_XDECREF(bytes);
      PyMem_Free(items);
      return -1;
    }
    items[i] = PyBytes_AS_STRING(bytes);
    Py_DECREF(bytes);
  }
  *out = items;
  *count = (size_t)n;
  return 0;
}

/* What an operation is called with, and what it says. */
typedef struct call {
  spec_options options;
  listener to;
  PyObject *keep; /* the bytes that the options point at */
  const char **roots;
} call;

/* Reads the arguments; trunk is bytes. end() is called in any case. */
static int begin(call *c, const char *backend, PyObject *roots, PyObject *trunk, int strict,
                 PyObject *on_event_arg) {
  c->keep = PyList_New(0);
  c->to = (listener){PyList_New(0), on_event_arg == Py_None ? NULL : on_event_arg, NULL, false};
  c->options = (spec_options){.trunk = PyBytes_AS_STRING(trunk),
                              .backend = backend,
                              .installed = true,
                              .strict_redundant = strict != 0,
                              .strict_signatures = strict != 0,
                              .on_event = on_event,
                              .user = &c->to};
  if (c->keep == NULL || c->to.findings == NULL ||
      read_roots(&c->roots, &c->options.root_count, roots, c->keep) != 0)
    return -1;
  c->options.roots = c->roots;
  return 0;
}

static void end(call *c) {
  PyMem_Free(c->roots);
  Py_CLEAR(c->to.findings);
  Py_CLEAR(c->keep);
}

/* --- stage --- */

static void release_hold(PyObject *capsule) {
  spec_stage_hold *hold = PyCapsule_GetPointer(capsule, "triton_spec.hold");
  if (hold != NULL)
    spec_stage_release(hold);
  PyMem_Free(hold);
}

static PyObject *hold_new(const spec_stage_hold *hold) {
  spec_stage_hold *copy = PyMem_Malloc(sizeof *copy);
  if (copy == NULL)
    return PyErr_NoMemory();
  *copy = *hold;
  copy->path = NULL; /* the plan's */
  PyObject *capsule = PyCapsule_New(copy, "triton_spec.hold", release_hold);
  if (capsule == NULL)
    PyMem_Free(copy);
  return capsule;
}

/* {path, key, fresh, manifest, hold, findings} */
static PyObject *result_new(spec_stage_hold *stage, PyObject *findings) {
  PyObject *hold = hold_new(stage);
  if (hold == NULL) {
    spec_stage_release(stage);
    return NULL;
  }
  PyObject *path = PyUnicode_DecodeFSDefault(stage->path);
  PyObject *manifest = path == NULL ? NULL : PyUnicode_FromFormat("%U/manifest.json", path);
  PyObject *result = manifest == NULL
                         ? NULL
                         : Py_BuildValue("{s:O,s:s,s:O,s:O,s:O,s:O}", "path", path, "key",
                                         stage->key, "fresh", stage->fresh ? Py_True : Py_False,
                                         "manifest", manifest, "hold", hold, "findings", findings);
  Py_XDECREF(manifest);
  Py_XDECREF(path);
  Py_DECREF(hold);
  return result;
}

/* All that `stage` points at is the arena's. */
static int run_stage(spec_arena **arena, spec_stage_hold *stage, const spec_options *options,
                     const char *cache, spec_err *err) {
  int rc = spec_arena_new(arena, err);
  if (rc == 0 && cache == NULL)
    rc = spec_cache_folder(*arena, &cache, err);
  return rc != 0 ? rc : spec_stage_open(stage, *arena, options, cache, err);
}

static PyObject *stage_of(spec_state *state, listener *to, const spec_options *options,
                          const char *cache) {
  spec_arena *arena = NULL;
  spec_stage_hold stage;
  spec_err err = {0};
  to->outside = PyEval_SaveThread();
  int rc = run_stage(&arena, &stage, options, cache, &err);
  PyEval_RestoreThread(to->outside);
  PyObject *result = NULL;
  if (rc == 0 && to->raised)
    spec_stage_release(&stage);
  else if (rc == 0)
    result = result_new(&stage, to->findings);
  else if (!to->raised)
    (void)spec_raise(state, &err, to->findings);
  spec_arena_free(arena);
  return result;
}

PyDoc_STRVAR(
    stage_doc,
    "stage($module, /, backend, roots, trunk, cache=None, strict=False, on_event=None)\n"
    "--\n\n"
    "Makes the merged package of a backend over an installed one, unless it is there.\n\n"
    "trunk is the folder that holds triton/, roots are the folders that hold backends.\n"
    "Returns {path, key, fresh, manifest, hold, findings}; the stage is not removed while\n"
    "hold, or a process forked with it, lives. on_event gets each finding as it is made.");

static PyObject *stage(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"backend", "roots", "trunk", "cache", "strict", "on_event", NULL};
  const char *backend;
  PyObject *roots, *trunk = NULL, *cache = NULL, *cache_arg = Py_None, *on_event_arg = Py_None;
  int strict = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO!O&|OpO:stage", names, &backend, &PyList_Type,
                                   &roots, PyUnicode_FSConverter, &trunk, &cache_arg, &strict,
                                   &on_event_arg))
    return NULL;
  PyObject *result = NULL;
  call c = {0};
  if (begin(&c, backend, roots, trunk, strict, on_event_arg) == 0 &&
      (cache_arg == Py_None || PyUnicode_FSConverter(cache_arg, &cache)))
    result = stage_of(spec_state_of(module), &c.to, &c.options,
                      cache == NULL ? NULL : PyBytes_AS_STRING(cache));
  end(&c);
  Py_XDECREF(cache);
  Py_XDECREF(trunk);
  return result;
}

/* --- bake_folder --- */

PyDoc_STRVAR(
    bake_folder_doc,
    "bake_folder($module, /, backend, roots, folder, strict=False, on_event=None)\n"
    "--\n\n"
    "Puts a backend's package over the one that a build has made in folder/triton, in its "
    "place.\n\n"
    "roots are the folders that hold backends. Returns the findings. on_event gets each as it is\n"
    "made.");

static PyObject *bake_of(spec_state *state, call *c) {
  spec_err err = {0};
  c->to.outside = PyEval_SaveThread();
  int rc = spec_bake_folder(&c->options, &err);
  PyEval_RestoreThread(c->to.outside);
  if (rc == 0 && !c->to.raised)
    return Py_NewRef(c->to.findings);
  return c->to.raised ? NULL : spec_raise(state, &err, c->to.findings);
}

static PyObject *bake_folder(PyObject *module, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"backend", "roots", "folder", "strict", "on_event", NULL};
  const char *backend;
  PyObject *roots, *folder = NULL, *on_event_arg = Py_None;
  int strict = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO!O&|pO:bake_folder", names, &backend,
                                   &PyList_Type, &roots, PyUnicode_FSConverter, &folder, &strict,
                                   &on_event_arg))
    return NULL;
  call c = {0};
  PyObject *result = begin(&c, backend, roots, folder, strict, on_event_arg) == 0
                         ? bake_of(spec_state_of(module), &c)
                         : NULL;
  end(&c);
  Py_XDECREF(folder);
  return result;
}

PyMethodDef spec_engine_methods[] = {
    {"stage", (PyCFunction)(void (*)(void))stage, METH_VARARGS | METH_KEYWORDS, stage_doc},
    {"bake_folder", (PyCFunction)(void (*)(void))bake_folder, METH_VARARGS | METH_KEYWORDS,
     bake_folder_doc},
    {NULL, NULL, 0, NULL},
};
