/* dispatch.c: the calls by which a trunk asks for a backend's hooks. */
#include "compat.h"
#include "imports.h"
#include "registry.h"

/* Says what is wrong with the arguments of a function; returns NULL. */
static PyObject *raise_no_name(PyObject *const *args, Py_ssize_t count, Py_ssize_t at,
                               const char *function) {
  if (count <= at)
    return PyErr_Format(PyExc_TypeError, "%s() lacks the name of a hook", function);
  return PyErr_Format(PyExc_TypeError, "%s() takes the name of a hook, a str, not %R", function,
                      Py_TYPE(args[at]));
}

/* The name of a hook among a function's arguments: borrowed, or NULL with TypeError. */
static inline PyObject *name_at(PyObject *const *args, Py_ssize_t count, Py_ssize_t at,
                                const char *function) {
  if (count <= at || !PyUnicode_Check(args[at]))
    return raise_no_name(args, count, at, function);
  return spec_text_ready(args[at]) == 0 ? args[at] : NULL;
}

/* Says of a hook that is no function where it comes from; returns NULL. */
static PyObject *raise_not_callable(spec_state *state, PyObject *name, PyObject *hook) {
  spec_registries *all = atomic_load(&state->registries);
  PyObject *file = NULL;
  PyErr_Clear();
  for (Py_ssize_t i = 0; all != NULL && file == NULL && i < all->count; i++) {
    PyObject *found = NULL;
    if (spec_registry_look(state, &all->at[i], name, &found) == 1)
      file = spec_import_text(all->at[i].module, "__file__");
    Py_XDECREF(found);
  }
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "the hook %R of %V is %R and cannot be called", name, file,
               "a registry that is being imported", Py_TYPE(hook));
  Py_XDECREF(file);
  return NULL;
}

/* Calls a hook with the arguments after `skip`; takes over the reference to the hook. The one
 * before them is ours to lend: the callee may put its self there for the time of the call. */
static inline PyObject *call_hook(spec_state *state, PyObject *hook, PyObject *const *args,
                                  Py_ssize_t count, Py_ssize_t skip, PyObject *keywords) {
  size_t flags = (size_t)(count - skip) | PY_VECTORCALL_ARGUMENTS_OFFSET;
  vectorcallfunc call =
      PyFunction_Check(hook) ? ((PyFunctionObject *)hook)->vectorcall : PyObject_Vectorcall;
  PyObject *result = call(hook, args + skip, flags, keywords);
  if (result == NULL && !PyCallable_Check(hook))
    raise_not_callable(state, args[skip - 1], hook);
  Py_DECREF(hook);
  return result;
}

static PyObject *spec_call(PyObject *module, PyObject *const *args, Py_ssize_t count,
                           PyObject *keywords) {
  spec_state *state = spec_state_of(module);
  PyObject *hook;
  PyObject *name = name_at(args, count, 0, "spec_call");
  int rc = name == NULL ? -1 : spec_hook_find(state, name, &hook);
  if (rc == 1)
    return call_hook(state, hook, args, count, 1, keywords);
  return rc < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *spec_call_or(PyObject *module, PyObject *const *args, Py_ssize_t count,
                              PyObject *keywords) {
  spec_state *state = spec_state_of(module);
  PyObject *hook;
  PyObject *name = name_at(args, count, 1, "spec_call_or");
  int rc = name == NULL ? -1 : spec_hook_find(state, name, &hook);
  if (rc == 1)
    return call_hook(state, hook, args, count, 2, keywords);
  return rc < 0 ? NULL : Py_NewRef(args[0]);
}

static PyObject *spec_func(PyObject *module, PyObject *name) {
  PyObject *hook;
  if (name_at(&name, 1, 0, "spec_func") == NULL)
    return NULL;
  int rc = spec_hook_find(spec_state_of(module), name, &hook);
  return rc < 0 ? NULL : rc == 0 ? Py_NewRef(Py_None) : hook;
}

static PyObject *spec_has(PyObject *module, PyObject *name) {
  PyObject *hook;
  if (name_at(&name, 1, 0, "spec_has") == NULL)
    return NULL;
  int rc = spec_hook_find(spec_state_of(module), name, &hook);
  if (rc < 0)
    return NULL;
  Py_XDECREF(hook);
  return PyBool_FromLong(rc);
}

/* Gives triton.language a name of the extension unless it has one. */
static int bind_symbol(PyObject *language, PyObject *extension, PyObject *name) {
  PyObject *there = NULL, *value = NULL;
  int rc = spec_attr_get(language, name, &there);
  if (rc == 0)
    rc = spec_attr_get(extension, name, &value);
  if (rc == 1 && value != NULL)
    rc = PyObject_SetAttr(language, name, value);
  Py_XDECREF(there);
  Py_XDECREF(value);
  return rc < 0 ? -1 : 0;
}

static PyObject *bind_symbols(PyObject *module, PyObject *extension) {
  PyObject *all = NULL;
  int rc = spec_attr_get(extension, spec_state_of(module)->text_all, &all);
  if (rc <= 0)
    return rc < 0 ? NULL : Py_NewRef(Py_None);
  PyObject *names = PySequence_Tuple(all);
  Py_DECREF(all);
  PyObject *language = names == NULL ? NULL : PyImport_ImportModule("triton.language");
  rc = language == NULL ? -1 : 0;
  for (Py_ssize_t i = 0; rc == 0 && i < PyTuple_GET_SIZE(names); i++)
    rc = bind_symbol(language, extension, PyTuple_GET_ITEM(names, i));
  Py_XDECREF(language);
  Py_XDECREF(names);
  return rc < 0 ? NULL : Py_NewRef(Py_None);
}

PyDoc_STRVAR(spec_call_doc, "spec_call($module, name, /, *args, **kwargs)\n--\n\n"
                            "The result of the backend's hook `name`, or None when it has none.");
PyDoc_STRVAR(spec_doc, "spec($module, name, /, *args, **kwargs)\n--\n\n"
                       "FlagTree's former name of spec_call.");
PyDoc_STRVAR(spec_call_or_doc,
             "spec_call_or($module, default, name, /, *args, **kwargs)\n--\n\n"
             "The result of the backend's hook `name`, or `default` when it has none.");
PyDoc_STRVAR(spec_func_doc, "spec_func($module, name, /)\n--\n\n"
                            "What the backend publishes as `name`, or None.");
PyDoc_STRVAR(spec_has_doc, "spec_has($module, name, /)\n--\n\n"
                           "Whether the backend publishes `name`.");
PyDoc_STRVAR(bind_doc, "bind_language_extension_symbols_to_tl($module, extension, /)\n--\n\n"
                       "Gives triton.language the names in extension.__all__ that it lacks.");

/* METH_FASTCALL | METH_KEYWORDS functions have more parameters than PyCFunction. */
#define FAST        (METH_FASTCALL | METH_KEYWORDS)
#define FUNCTION(f) ((PyCFunction)(void (*)(void))(f))
PyMethodDef spec_dispatch_methods[] = {
    {"spec_call", FUNCTION(spec_call), FAST, spec_call_doc},
    {"spec", FUNCTION(spec_call), FAST, spec_doc},
    {"spec_call_or", FUNCTION(spec_call_or), FAST, spec_call_or_doc},
    {"spec_func", spec_func, METH_O, spec_func_doc},
    {"spec_has", spec_has, METH_O, spec_has_doc},
    {"bind_language_extension_symbols_to_tl", bind_symbols, METH_O, bind_doc},
    {NULL, NULL, 0, NULL},
};
