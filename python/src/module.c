/* module.c: triton_spec._spec, made anew for each interpreter. */
#include "registry.h"

#include "base/json.h"
#include <spec.h>

static int add_functions(PyObject *module) {
  return PyModule_AddFunctions(module, spec_dispatch_methods) != 0 ||
                 PyModule_AddFunctions(module, spec_engine_methods) != 0 ||
                 PyModule_AddFunctions(module, spec_search_path_methods) != 0
             ? -1
             : 0;
}

static int fill_state(spec_state *state) {
  state->text_all = PyUnicode_InternFromString("__all__");
  state->text_getattr = PyUnicode_InternFromString("__getattr__");
  state->outcomes = PyDict_New();
  return state->text_all != NULL && state->text_getattr != NULL && state->outcomes != NULL ? 0 : -1;
}

static int exec(PyObject *module) {
  spec_state *state = spec_state_of(module);
  spec_json_init();
  if (fill_state(state) != 0 || spec_errors_init(state, module) != 0 || add_functions(module) != 0)
    return -1;
  return PyModule_AddStringConstant(module, "__version__", SPEC_VERSION);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  spec_state *state = spec_state_of(module);
  for (size_t i = 0; i < SPEC_ERROR_COUNT; i++)
    Py_VISIT(state->errors[i]);
  Py_VISIT(state->outcomes);
  return spec_registries_traverse(state, visit, arg);
}

static int clear(PyObject *module) {
  spec_state *state = spec_state_of(module);
  for (size_t i = 0; i < SPEC_ERROR_COUNT; i++)
    Py_CLEAR(state->errors[i]);
  Py_CLEAR(state->outcomes);
  Py_CLEAR(state->text_all);
  Py_CLEAR(state->text_getattr);
  spec_registries_clear(state);
  return 0;
}

static void release(void *module) {
  (void)clear(module);
}

/* A function pointer as a slot's value: ISO C has no conversion, so through a union. */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, NULL},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "triton_spec._spec",
    .m_doc = "The engine of triton-spec, and the calls that a trunk makes to a backend's hooks.",
    .m_size = sizeof(spec_state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__spec(void);  // NOLINT(misc-use-internal-linkage)
PyMODINIT_FUNC PyInit__spec(void) { // NOLINT(misc-use-internal-linkage): Python looks for it
  union {
    int (*function)(PyObject *);
    void *value;
  } run = {exec};
  slots[0].value = run.value;
  return PyModuleDef_Init(&definition);
}
