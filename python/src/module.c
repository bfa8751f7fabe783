/* module.c: triton_spec._spec, made anew for each interpreter. */
#include "spec_python.h"

#include "base/json.h"
#include <spec.h>

static int add_functions(PyObject *module) {
  return PyModule_AddFunctions(module, spec_engine_methods);
}

static int exec(PyObject *module) {
  spec_json_init();
  if (spec_errors_init(spec_state_of(module), module) != 0 || add_functions(module) != 0)
    return -1;
  return PyModule_AddStringConstant(module, "__version__", SPEC_VERSION);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  spec_state *state = spec_state_of(module);
  for (size_t i = 0; i < SPEC_ERROR_COUNT; i++)
    Py_VISIT(state->errors[i]);
  return 0;
}

static int clear(PyObject *module) {
  spec_state *state = spec_state_of(module);
  for (size_t i = 0; i < SPEC_ERROR_COUNT; i++)
    Py_CLEAR(state->errors[i]);
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

PyMODINIT_FUNC PyInit__spec(void);
PyMODINIT_FUNC PyInit__spec(void) {
  union {
    int (*function)(PyObject *);
    void *value;
  } run = {exec};
  slots[0].value = run.value;
  return PyModuleDef_Init(&definition);
}
