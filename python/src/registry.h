/* registry.h: what the backend's hook registries publish. */
#ifndef SPEC_PYTHON_REGISTRY_H
#define SPEC_PYTHON_REGISTRY_H

#include "compat.h"
#include "spec_python.h"

#include <stdint.h>

/* Of the few lines that every call runs: compilers think them too long. */
#define SPEC_HOT static inline __attribute__((always_inline))

/* The module triton.spec.<layer>.triton. */
typedef struct spec_registry {
  PyObject *module;
  PyObject *names; /* its dict, so that a change of the module is seen by the next call; NULL when
                      it put something else than a module in its place */
#ifdef SPEC_DICT_VERSION
  /* What the dict held when it had this version: 0 when that is not known. */
  uint64_t version;
  PyObject *all; /* __all__, a list or tuple; NULL when there was none */
  bool asks;     /* whether there was a __getattr__ */
#endif
} spec_registry;

/* Those that are there, the backend's first. */
typedef struct spec_registries {
  Py_ssize_t count;
  spec_registry at[];
} spec_registries;

/* What a registry publishes under a name: 1 and a new reference in *out, 0 and NULL, or -1.
 * Published are the names in __all__ where there is one; else all but modules and names such as
 * __file__.  A module's __getattr__ is asked like Python asks it. */
int spec_registry_look(spec_state *state, spec_registry *registry, PyObject *name, PyObject **out);
/* The same of all registries, which are imported by the first call. */
int spec_registries_find_first(spec_state *state, PyObject *name, PyObject **out);
/* For a module's traverse, clear and free. */
int spec_registries_traverse(spec_state *state, visitproc visit, void *arg);
void spec_registries_clear(spec_state *state);

/* Whether a list or tuple holds this very object, as it nearly always does: names are interned. Not
 * where another thread may change the list meanwhile. */
static inline bool spec_holds(PyObject *sequence, PyObject *object) {
#ifndef Py_GIL_DISABLED
  PyObject **items = PySequence_Fast_ITEMS(sequence);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
    if (items[i] == object)
      return true;
  }
#else
  (void)sequence;
  (void)object;
#endif
  return false;
}

/* Whether a dict's value is a hook without a closer look: listed in `all`, or a function where
 * there is no __all__. */
SPEC_HOT bool spec_is_hook(PyObject *all, PyObject *name, PyObject *value) {
  if (all == NULL)
    return PyFunction_Check(value) && PyUnicode_READ_CHAR(name, 0) != '_';
  return (PyList_Check(all) || PyTuple_Check(all)) && spec_holds(all, name);
}

/* spec_registry_look(), without a call for what is asked most: a function, or a name that is not
 * there. */
#ifdef SPEC_DICT_VERSION
SPEC_HOT int spec_registry_glance(spec_state *state, spec_registry *registry, PyObject *name,
                                  PyObject **out) {
  if (registry->version == 0 || registry->version != SPEC_DICT_VERSION(registry->names))
    return spec_registry_look(state, registry, name, out);
  int rc = spec_dict_get(registry->names, name, out);
  if (rc < 0 || (rc == 0 && !registry->asks) ||
      (rc == 1 && spec_is_hook(registry->all, name, *out)))
    return rc;
  Py_CLEAR(*out);
  return spec_registry_look(state, registry, name, out);
}
#else
SPEC_HOT int spec_registry_glance(spec_state *state, spec_registry *registry, PyObject *name,
                                  PyObject **out) {
  if (registry->names == NULL)
    return spec_registry_look(state, registry, name, out);
  PyObject *more = NULL; /* __all__ of a name that is there, __getattr__ for another */
  int rc = spec_dict_get(registry->names, name, out);
  int also = rc < 0 ? -1
                    : spec_dict_get(registry->names,
                                    rc == 1 ? state->text_all : state->text_getattr, &more);
  bool sure = rc == 1 ? also >= 0 && spec_is_hook(more, name, *out) : also == 0;
  Py_XDECREF(more);
  if (sure)
    return rc;
  Py_CLEAR(*out);
  return also < 0 ? -1 : spec_registry_look(state, registry, name, out);
}
#endif

/* The hook of a name in the first registry that publishes it: 1 and a new reference in *out, 0 and
 * NULL when no backend specializes it, -1 when a registry cannot be asked.  `name` is a str. */
SPEC_HOT int spec_hook_find(spec_state *state, PyObject *name, PyObject **out) {
  spec_registries *all = atomic_load_explicit(&state->registries, memory_order_acquire);
  if (all == NULL)
    return spec_registries_find_first(state, name, out);
  int rc = 0;
  *out = NULL;
  for (Py_ssize_t i = 0; rc == 0 && i < all->count; i++)
    rc = spec_registry_glance(state, &all->at[i], name, out);
  return rc;
}

#endif
