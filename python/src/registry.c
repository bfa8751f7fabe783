/* registry.c: finding, importing and asking the backend's hook registries. */
#include "registry.h"

#include "compat.h"
#include "imports.h"
#include "marker.h"

/* --- asking ---------------------------------------------------------------------------------- */

static bool is_dunder(PyObject *name) {
  Py_ssize_t length = PyUnicode_GET_LENGTH(name);
  return length > 4 && PyUnicode_READ_CHAR(name, 0) == '_' && PyUnicode_READ_CHAR(name, 1) == '_' &&
         PyUnicode_READ_CHAR(name, length - 1) == '_' &&
         PyUnicode_READ_CHAR(name, length - 2) == '_';
}

/* Whether a dict has a key: 1, 0 or -1. */
static int has(PyObject *dict, PyObject *key) {
  PyObject *value = NULL;
  int rc = spec_dict_get(dict, key, &value);
  Py_XDECREF(value);
  return rc;
}

/* Whether __all__ has the name. A text in its place would be searched for parts. */
static int is_listed(spec_state *state, const spec_registry *registry, PyObject *all,
                     PyObject *name) {
  if (PyList_Check(all) || PyTuple_Check(all))
    return spec_holds(all, name) ? 1 : PySequence_Contains(all, name);
  if (PyAnySet_Check(all))
    return PySequence_Contains(all, name);
  spec_raise_new(state, SPEC_ERROR_HOOK,
                 PyUnicode_FromFormat("__all__ of a hook registry is a list of names, not %R", all),
                 spec_import_text(registry->module, "__file__"), "write __all__ = [\"hook\", ...]");
  return -1;
}

/* What the module has under a name, published or not.  Its __getattr__ is asked only if it has one,
 * since an AttributeError takes long to make. */
static int member(spec_state *state, const spec_registry *registry, PyObject *name,
                  PyObject **out) {
  if (registry->names == NULL)
    return spec_attr_get(registry->module, name, out);
  int rc = spec_dict_get(registry->names, name, out);
  int asks = rc == 0 ? has(registry->names, state->text_getattr) : 0;
  if (asks != 0)
    rc = asks < 0 ? -1 : spec_attr_get(registry->module, name, out);
  return rc;
}

/* Keeps in mind what the dict holds, until its next change. */
static int learn(spec_state *state, spec_registry *registry) {
#ifdef SPEC_DICT_VERSION
  if (registry->names == NULL || registry->version == SPEC_DICT_VERSION(registry->names))
    return 0;
  PyObject *all = NULL;
  int rc = spec_dict_get(registry->names, state->text_all, &all);
  int asks = rc < 0 ? -1 : has(registry->names, state->text_getattr);
  registry->version = asks < 0 ? 0 : SPEC_DICT_VERSION(registry->names);
  registry->asks = asks == 1;
  Py_XSETREF(registry->all, all);
  return asks < 0 ? -1 : 0;
#else
  (void)state;
  (void)registry;
  return 0;
#endif
}

int spec_registry_look(spec_state *state, spec_registry *registry, PyObject *name, PyObject **out) {
  PyObject *all = NULL;
  *out = NULL;
  int rc = learn(state, registry) != 0 ? -1 : member(state, registry, name, out);
  if (rc <= 0)
    return rc;
  rc = registry->names != NULL ? spec_dict_get(registry->names, state->text_all, &all)
                               : spec_attr_get(registry->module, state->text_all, &all);
  if (rc == 0) {
    rc = !PyModule_Check(*out) && !is_dunder(name);
  } else if (rc == 1) {
    rc = is_listed(state, registry, all, name);
    Py_DECREF(all);
  }
  if (rc <= 0)
    Py_CLEAR(*out);
  return rc;
}

/* --- importing ------------------------------------------------------------------------------- */

/* state->outcomes has for each layer that was tried the module, None when there is no registry, or
 * (error, what, where, mend, path) when it cannot be imported: it is never tried again. */

static int raise_failed(spec_state *state, PyObject *layer, PyObject *failure) {
  PyObject *cause, *what, *where, *mend, *path;
  if (!PyArg_ParseTuple(failure, "OOOOO", &cause, &what, &where, &mend, &path))
    return -1;
  PyObject *kind = state->errors[SPEC_ERROR_HOOK];
  PyObject *error = PyObject_CallFunctionObjArgs(kind, what, where, mend, NULL);
  PyObject *name = error == NULL ? NULL : PyUnicode_FromFormat("triton.spec.%U.triton", layer);
  if (name != NULL && PyObject_SetAttrString(error, "name", name) == 0 &&
      PyObject_SetAttrString(error, "path", path) == 0) {
    if (cause != Py_None)
      PyException_SetCause(error, Py_NewRef(cause));
    PyErr_SetObject(kind, error);
  }
  Py_XDECREF(name);
  Py_XDECREF(error);
  return -1;
}

/* Whether the raised exception tells of the registry, and not of this moment: an interrupt, an
 * exit, a lack of memory, or threads that import each other's modules (_DeadlockError). */
static bool is_lasting(void) {
  PyObject *kind = PyErr_Occurred();
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError))
    return false;
  return strcmp(((PyTypeObject *)kind)->tp_name, "_DeadlockError") != 0;
}

/* Remembers what the import raised, and raises it as SpecHookError. */
static int fail(spec_state *state, PyObject *layer) {
  if (!is_lasting())
    return -1;
  PyObject *error = spec_take_exception();
  PyObject *told = spec_call_shared("fault", "(OO)", layer, error);
  PyObject *head = told == NULL ? NULL : PyTuple_Pack(1, error);
  PyObject *failure = head == NULL ? NULL : PySequence_Concat(head, told);
  int rc = failure == NULL ? -1 : PyDict_SetItem(state->outcomes, layer, failure);
  if (rc == 0)
    (void)raise_failed(state, layer, failure);
  Py_XDECREF(failure);
  Py_XDECREF(head);
  Py_XDECREF(told);
  Py_DECREF(error);
  return -1;
}

/* Imports triton.spec.<layer>.triton package by package, so that threads take the import locks in
 * one order: 1, 0 when one of them is absent, or -1. */
static int import_registry(PyObject *layer, PyObject **out) {
  static const char *const packages[] = {"triton", "triton.spec", "triton.spec.%U",
                                         "triton.spec.%U.triton"};
  int rc = 1;
  for (size_t i = 0; rc == 1 && i < sizeof packages / sizeof *packages; i++) {
    PyObject *name = PyUnicode_FromFormat(packages[i], layer);
    Py_CLEAR(*out);
    rc = name == NULL ? -1 : spec_import_optional(name, out);
    Py_XDECREF(name);
  }
  return rc;
}

/* The registry of a layer: 1 and a new reference, also while its own code still runs (*unfinished);
 * 0 when there is none; -1. */
static int load(spec_state *state, PyObject *layer, PyObject **out, bool *unfinished) {
  *unfinished = false;
  int rc = spec_dict_get(state->outcomes, layer, out);
  if (rc == 1 && PyTuple_Check(*out)) {
    rc = raise_failed(state, layer, *out);
  } else if (rc == 1) {
    rc = *out != Py_None;
    if (rc == 0)
      Py_CLEAR(*out);
  } else if (rc == 0) {
    rc = import_registry(layer, out);
    if (rc < 0)
      return fail(state, layer);
    int running = rc == 1 ? spec_import_unfinished(*out) : 0;
    *unfinished = running == 1;
    if (running < 0 ||
        (running == 0 && PyDict_SetItem(state->outcomes, layer, rc == 1 ? *out : Py_None) != 0))
      rc = -1;
  }
  if (rc < 0)
    Py_CLEAR(*out);
  return rc;
}

/* --- the first call -------------------------------------------------------------------------- */

static void free_registries(spec_registries *all) {
  for (Py_ssize_t i = 0; all != NULL && i < all->count; i++) {
#ifdef SPEC_DICT_VERSION
    Py_CLEAR(all->at[i].all);
#endif
    Py_CLEAR(all->at[i].names);
    Py_CLEAR(all->at[i].module);
  }
  PyMem_Free(all);
}

static spec_registry registry_of(PyObject *module) {
  PyObject *names = PyModule_CheckExact(module) ? PyModule_GetDict(module) : NULL;
  return (spec_registry){.module = module, .names = Py_XNewRef(names)};
}

/* All registries, or NULL with an error; *settled unless one is still being imported. */
static spec_registries *load_all(spec_state *state, PyObject *layers, bool *settled) {
  Py_ssize_t count = PyTuple_GET_SIZE(layers);
  size_t size = sizeof(spec_registries) + (size_t)count * sizeof(spec_registry);
  spec_registries *all = PyMem_Calloc(1, size);
  if (all == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  *settled = true;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *module = NULL;
    bool unfinished;
    int rc = load(state, PyTuple_GET_ITEM(layers, i), &module, &unfinished);
    *settled &= !unfinished;
    if (rc < 0) {
      free_registries(all);
      return NULL;
    }
    if (rc == 1)
      all->at[all->count++] = registry_of(module);
  }
  return all;
}

/* A registry whose code still runs does not publish the name yet: 0 when it surely never will, or
 * -1 with the error that says who asked too early. */
static int check_pending(spec_state *state, PyObject *module, PyObject *name) {
  PyObject *told = spec_call_shared("pending", "(OO)", module, name);
  int rc = told == NULL ? -1 : 0;
  PyObject *layer, *failure;
  if (told != NULL && told != Py_None)
    rc = PyArg_ParseTuple(told, "OO", &layer, &failure) ? raise_failed(state, layer, failure) : -1;
  Py_XDECREF(told);
  return rc;
}

static int find_in(spec_state *state, spec_registries *all, PyObject *name, PyObject **out) {
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && i < all->count; i++) {
    int unfinished = spec_import_unfinished(all->at[i].module);
    rc = unfinished < 0 ? -1 : spec_registry_look(state, &all->at[i], name, out);
    if (rc == 0 && unfinished == 1)
      rc = check_pending(state, all->at[i].module, name);
  }
  return rc;
}

/* Makes them the state's, unless another thread was first. */
static void settle(spec_state *state, spec_registries *all) {
  spec_registries *none = NULL;
  if (!atomic_compare_exchange_strong(&state->registries, &none, all))
    free_registries(all);
}

int spec_registries_find_first(spec_state *state, PyObject *name, PyObject **out) {
  spec_marker marker;
  bool settled = false;
  *out = NULL;
  if (spec_marker_read(&marker, state) != 0)
    return -1;
  int rc = 0;
  if (!marker.staged && PyTuple_GET_SIZE(marker.layers) > 0) {
    PyObject *none = spec_call_shared("install", "()");
    rc = none == NULL ? -1 : 0;
    Py_XDECREF(none);
  }
  spec_registries *all = rc == 0 ? load_all(state, marker.layers, &settled) : NULL;
  spec_marker_clear(&marker);
  if (all == NULL)
    return -1;
  rc = find_in(state, all, name, out);
  if (settled)
    settle(state, all);
  else
    free_registries(all);
  return rc;
}

/* --- the module's own ------------------------------------------------------------------------ */

int spec_registries_traverse(spec_state *state, visitproc visit, void *arg) {
  const spec_registries *all = atomic_load(&state->registries);
  for (Py_ssize_t i = 0; all != NULL && i < all->count; i++) {
    Py_VISIT(all->at[i].module);
    Py_VISIT(all->at[i].names);
#ifdef SPEC_DICT_VERSION
    Py_VISIT(all->at[i].all);
#endif
  }
  return 0;
}

void spec_registries_clear(spec_state *state) {
  free_registries(atomic_exchange(&state->registries, NULL));
}
