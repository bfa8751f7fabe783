/* engine.c: the engine's operations as Python functions. */
#include "spec_python.h"

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

static PyObject *stage_of(spec_state *state, listener *to, spec_options *options,
                          const char *cache) {
  spec_arena *arena = NULL;
  spec_stage_hold stage;
  spec_err err = {0};
  options->on_event = on_event;
  options->user = to;
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
  PyObject *result = NULL, *keep = PyList_New(0), *findings = PyList_New(0);
  const char **root_items = NULL;
  spec_options options = {.backend = backend, .installed = true};
  if (keep == NULL || findings == NULL ||
      (cache_arg != Py_None && !PyUnicode_FSConverter(cache_arg, &cache)) ||
      read_roots(&root_items, &options.root_count, roots, keep) != 0)
    goto done;
  options.trunk = PyBytes_AS_STRING(trunk);
  options.strict_redundant = options.strict_signatures = strict;
  options.roots = root_items;
  listener to = {findings, on_event_arg == Py_None ? NULL : on_event_arg, NULL, false};
  result = stage_of(spec_state_of(module), &to, &options,
                    cache == NULL ? NULL : PyBytes_AS_STRING(cache));
done:
  PyMem_Free(root_items);
  Py_XDECREF(cache);
  Py_XDECREF(trunk);
  Py_XDECREF(findings);
  Py_XDECREF(keep);
  return result;
}

PyMethodDef spec_engine_methods[] = {
    {"stage", (PyCFunction)(void (*)(void))stage, METH_VARARGS | METH_KEYWORDS, stage_doc},
    {NULL, NULL, 0, NULL},
};
