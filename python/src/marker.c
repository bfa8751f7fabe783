/* marker.c: which backend the triton package in use was made for. */
#include "marker.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include "compat.h"
#include "imports.h"

#define MARKER "FLAGTREE_BACKEND"

static bool is_name(PyObject *text) {
  if (!PyUnicode_Check(text) || spec_text_ready(text) != 0)
    return false;
  Py_ssize_t length = PyUnicode_GET_LENGTH(text);
  for (Py_ssize_t i = 0; i < length; i++) {
    Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
      return false;
  }
  return length > 0;
}

/* Names become parts of module names and paths, so nothing else may pass. `source`: who says so. */
static int check_names(spec_state *state, PyObject *layers, PyObject *source) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(layers); i++) {
    PyObject *name = PyTuple_GET_ITEM(layers, i);
    if (is_name(name))
      continue;
    if (!PyErr_Occurred())
      spec_raise_new(
          state, SPEC_ERROR_INVALID,
          PyUnicode_FromFormat("%R is no name of a backend (a name is [a-z0-9_]+)", name),
          PyObject_Str(source), "name the backend's folder, as in FLAGTREE_BACKEND=acme");
    return -1;
  }
  return 0;
}

/* (text,) or () of a text with spaces around it; takes over the reference, NULL allowed. */
static PyObject *tuple_of(PyObject *text) {
  PyObject *name = text;
  if (text != NULL && PyUnicode_Check(text)) {
    name = PyObject_CallMethod(text, "strip", NULL);
    Py_DECREF(text);
  }
  PyObject *layers = NULL;
  if (name != NULL)
    layers = PyObject_IsTrue(name) ? PyTuple_Pack(1, name) : PyTuple_New(0);
  Py_XDECREF(name);
  return layers;
}

/* From the module triton._flagtree_backend: LAYERS is ours, FlagTree's has the name alone. */
static int read_module(spec_marker *out, spec_state *state, PyObject *module) {
  PyObject *layers = PyObject_GetAttrString(module, "LAYERS");
  if (layers != NULL) {
    out->staged = true;
    out->layers = PySequence_Tuple(layers);
    Py_DECREF(layers);
  } else if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear();
    out->layers = tuple_of(PyObject_GetAttrString(module, MARKER));
  }
  PyObject *file = out->layers == NULL ? NULL : spec_import_text(module, "__file__");
  int rc = file == NULL ? -1 : check_names(state, out->layers, file);
  Py_XDECREF(file);
  return rc;
}

/* The text of <folder>/FLAGTREE_BACKEND: 1, 0 when there is none, or an engine's code. */
static int read_text(spec_arena *arena, PyObject **out, const char *folder, spec_err *err) {
  const char *path = spec_path_join(arena, folder, MARKER);
  spec_ftype type = SPEC_FT_NONE;
  const char *data = NULL;
  size_t length = 0;
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0 || type == SPEC_FT_NONE)
    return rc;
  rc = spec_fs_read(arena, &data, &length, path, err);
  if (rc != 0)
    return rc;
  *out = PyUnicode_DecodeUTF8(data, (Py_ssize_t)length, "backslashreplace");
  return 1;
}

/* From the file in one folder of the package: 1 when it is there, 0 or -1. */
static int read_file(spec_marker *out, spec_state *state, PyObject *folder) {
  PyObject *bytes = NULL, *text = NULL;
  spec_arena *arena = NULL;
  spec_err err = {0};
  if (!PyUnicode_FSConverter(folder, &bytes))
    return -1;
  int rc = spec_arena_new(&arena, &err);
  if (rc == 0)
    rc = read_text(arena, &text, PyBytes_AS_STRING(bytes), &err);
  if (rc < 0)
    spec_raise(state, &err, NULL);
  if (rc == 1) {
    out->layers = tuple_of(text);
    rc = out->layers == NULL || check_names(state, out->layers, folder) != 0 ? -1 : 1;
  }
  spec_arena_free(arena);
  Py_DECREF(bytes);
  return rc < 0 ? -1 : rc;
}

/* From the first folder of triton.__path__ that has the file. */
static int read_files(spec_marker *out, spec_state *state, PyObject *triton) {
  PyObject *path = PyObject_GetAttrString(triton, "__path__");
  PyObject *folders = path == NULL ? NULL : PySequence_Tuple(path);
  Py_XDECREF(path);
  if (folders == NULL)
    return -1;
  int rc = 0;
  for (Py_ssize_t i = 0; rc == 0 && i < PyTuple_GET_SIZE(folders); i++)
    rc = read_file(out, state, PyTuple_GET_ITEM(folders, i));
  Py_DECREF(folders);
  return rc < 0 ? -1 : 0;
}

/* What the environment asks for: a new reference, None when it asks for nothing. */
static PyObject *asked_for(void) {
  PyObject *os = PyImport_ImportModule("os");
  PyObject *variables = os == NULL ? NULL : PyObject_GetAttrString(os, "environ");
  PyObject *name = variables == NULL ? NULL : PyObject_CallMethod(variables, "get", "s", MARKER);
  Py_XDECREF(variables);
  Py_XDECREF(os);
  return name;
}

/* Nobody is served by silence when a backend is asked for that this package does not have. */
static int check_environment(spec_state *state, PyObject *triton) {
  PyObject *name = asked_for();
  int asked = name == NULL ? -1 : PyObject_IsTrue(name);
  if (asked == 1) {
    PyObject *where =
        triton == NULL ? PyUnicode_FromString("") : spec_import_text(triton, "__file__");
    spec_raise_new(
        state, SPEC_ERROR_ABSENT,
        PyUnicode_FromFormat("FLAGTREE_BACKEND asks for %R, and the triton package in use "
                             "was not specialized for any backend",
                             name),
        where,
        "run `python -m triton_spec run --backend NAME ...`, call triton_spec.activate() "
        "before `import triton`, or install a wheel that was baked for that backend");
  }
  Py_XDECREF(name);
  return asked == 0 ? 0 : -1;
}

/* 1 when a module or a file says something, be it that there is no backend; 0 or -1. */
static int read_package(spec_marker *out, spec_state *state, PyObject *triton) {
  PyObject *module = NULL;
  PyObject *name = PyUnicode_FromString("triton._flagtree_backend");
  int rc = name == NULL ? -1 : spec_import_optional(name, &module);
  Py_XDECREF(name);
  if (rc == 1)
    rc = read_module(out, state, module);
  else if (rc == 0)
    rc = read_files(out, state, triton);
  Py_XDECREF(module);
  return rc;
}

int spec_marker_read(spec_marker *out, spec_state *state) {
  *out = (spec_marker){0};
  PyObject *triton = NULL;
  PyObject *name = PyUnicode_FromString("triton");
  int rc = name == NULL ? -1 : spec_import_optional(name, &triton);
  Py_XDECREF(name);
  if (rc == 1)
    rc = read_package(out, state, triton);
  if (rc == 0 && out->layers == NULL)
    rc = (out->layers = PyTuple_New(0)) == NULL ? -1 : 0;
  if (rc == 0 && PyTuple_GET_SIZE(out->layers) == 0)
    rc = check_environment(state, triton);
  Py_XDECREF(triton);
  if (rc != 0)
    spec_marker_clear(out);
  return rc;
}

void spec_marker_clear(spec_marker *marker) {
  Py_CLEAR(marker->layers);
}
