/* search_path.c: spec_path(), by which a trunk in FlagTree's layout lets a backend's folder be
 * searched before a package's own. */
#include "compat.h"
#include "imports.h"
#include "marker.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"

/* One call's paths; texts live in the arena. */
typedef struct spec_search {
  spec_arena *arena;
  const char *folder; /* the package's: the first of its __path__ */
  const char *root;   /* of the package triton */
  const char *home;   /* <root>/spec/<backend>/triton */
} spec_search;

/* The bytes of a path, normal; NULL with an error. */
static const char *path_text(spec_search *search, PyObject *path) {
  PyObject *bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes))
    return NULL;
  const char *text = spec_path_normal(search->arena, PyBytes_AS_STRING(bytes));
  Py_DECREF(bytes);
  if (text == NULL)
    PyErr_NoMemory();
  return text;
}

/* The outermost folder of sys.modules["triton"] that holds search->folder: 1, 0 or -1. */
static int root_of_module(spec_search *search) {
  PyObject *name = PyUnicode_FromString("triton"), *key = PyUnicode_FromString("__path__");
  PyObject *triton = name == NULL || key == NULL ? NULL : PyImport_GetModule(name);
  PyObject *path = NULL;
  int rc = triton == NULL ? 0 : spec_attr_get(triton, key, &path);
  PyObject *folders = rc == 1 ? PySequence_Tuple(path) : NULL;
  for (Py_ssize_t i = 0; folders != NULL && i < PyTuple_GET_SIZE(folders); i++) {
    const char *root = path_text(search, PyTuple_GET_ITEM(folders, i));
    bool holds = root != NULL && spec_path_below(search->folder, root) != NULL;
    if (holds && (search->root == NULL || spec_path_below(search->root, root) != NULL))
      search->root = root;
  }
  Py_XDECREF(folders);
  Py_XDECREF(path);
  Py_XDECREF(triton);
  Py_XDECREF(key);
  Py_XDECREF(name);
  return PyErr_Occurred() ? -1 : search->root != NULL;
}

/* The outermost package around search->folder: the folders up to it have an __init__.py. */
static int root_of_folders(spec_search *search, spec_err *err) {
  const char *root = search->folder;
  spec_ftype type = SPEC_FT_FILE;
  while (type != SPEC_FT_NONE) {
    const char *above = spec_path_dirname(search->arena, root);
    const char *init = above == NULL ? NULL : spec_path_join(search->arena, above, "__init__.py");
    if (init == NULL)
      return spec_fail_memory(err);
    int rc = spec_fs_type(&type, init, err);
    if (rc != 0)
      return rc;
    if (*above == '\0' || strcmp(above, root) == 0)
      break;
    if (type != SPEC_FT_NONE)
      root = above;
  }
  search->root = root;
  return 0;
}

/* The folder's counterpart below `home`, NULL when there is none; the folder may be it already. */
static int counterpart(spec_search *search, const char **out, spec_err *err) {
  spec_ftype type = SPEC_FT_NONE;
  const char *below = spec_path_below(search->folder, search->home);
  if (below == NULL)
    below = spec_path_below(search->folder, search->root);
  const char *path = spec_path_join(search->arena, search->home, below);
  int rc = path == NULL ? spec_fail_memory(err) : spec_fs_type(&type, path, err);
  *out = type == SPEC_FT_DIR ? path : NULL;
  return rc;
}

/* Puts a path before all others unless it is among them, and has packages below it found in both
 * places. */
static int insert(spec_search *search, PyObject *list, const char *path) {
  PyObject *text = PyUnicode_DecodeFSDefault(path);
  int there = text == NULL ? -1 : PySequence_Contains(list, text);
  int rc = there == 0 ? PyList_Insert(list, 0, text) : there < 0 ? -1 : 0;
  Py_XDECREF(text);
  if (rc != 0)
    return -1;
  PyObject *home = PyUnicode_DecodeFSDefault(search->home);
  PyObject *none = home == NULL ? NULL : spec_call_shared("install", "(O)", home);
  Py_XDECREF(home);
  Py_XDECREF(none);
  return none == NULL ? -1 : 0;
}

static int serve(spec_search *search, spec_state *state, PyObject *list, PyObject *backend) {
  spec_err err = {0};
  const char *path = NULL, *name = PyUnicode_AsUTF8(backend);
  int rc = name == NULL ? -1 : root_of_module(search);
  if (rc < 0)
    return -1;
  if (rc == 0)
    rc = root_of_folders(search, &err);
  else
    rc = 0;
  if (rc == 0) {
    search->home = spec_arena_printf(search->arena, "%s/spec/%s/triton", search->root, name);
    rc = search->home == NULL ? spec_fail_memory(&err) : counterpart(search, &path, &err);
  }
  if (rc != 0) {
    spec_raise(state, &err, NULL);
    return -1;
  }
  return path == NULL ? 0 : insert(search, list, path);
}

static int serve_first(spec_state *state, PyObject *list, PyObject *backend) {
  spec_search search = {0};
  spec_err err = {0};
  if (spec_arena_new(&search.arena, &err) != 0) {
    PyErr_NoMemory();
    return -1;
  }
  PyObject *first = PySequence_GetItem(list, 0);
  search.folder = first == NULL ? NULL : path_text(&search, first);
  int rc = search.folder == NULL ? -1 : serve(&search, state, list, backend);
  Py_XDECREF(first);
  spec_arena_free(search.arena);
  return rc;
}

static PyObject *spec_path(PyObject *module, PyObject *list) {
  spec_state *state = spec_state_of(module);
  spec_marker marker;
  if (!PyList_Check(list))
    return PyErr_Format(PyExc_TypeError, "spec_path() takes a package's __path__, a list, not %R",
                        Py_TYPE(list));
  if (PyList_GET_SIZE(list) == 0)
    return Py_NewRef(Py_None);
  if (spec_marker_read(&marker, state) != 0)
    return NULL;
  int rc = 0;
  if (!marker.staged && PyTuple_GET_SIZE(marker.layers) > 0)
    rc = serve_first(state, list, PyTuple_GET_ITEM(marker.layers, 0));
  spec_marker_clear(&marker);
  return rc == 0 ? Py_NewRef(Py_None) : NULL;
}

PyDoc_STRVAR(
    spec_path_doc,
    "spec_path($module, path_list, /)\n--\n\n"
    "Puts the backend's folder before the others of a package's __path__, where the triton\n"
    "package has FlagTree's layout; elsewhere every override is in its place already.");

PyMethodDef spec_search_path_methods[] = {
    {"spec_path", spec_path, METH_O, spec_path_doc},
    {NULL, NULL, 0, NULL},
};
