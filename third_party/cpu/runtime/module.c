/* module.c: triton_cpu._ttcpu, made anew for each interpreter. */
#include "extension.h"

#include "launch.h"

ext_state *ext_state_of(PyObject *module) {
  return PyModule_GetState(module);
}

ext_state *ext_state_of_type(PyTypeObject *type) {
  return PyType_GetModuleState(type);
}

static PyObject *processor_count(PyObject *module, PyObject *unused) {
  (void)module;
  (void)unused;
  return PyLong_FromUnsignedLong(tr_processor_count());
}

static PyMethodDef methods[] = {
    {"processor_count", processor_count, METH_NOARGS,
     "processor_count($module, /)\n--\n\nProcessors that this process may use."},
    {NULL, NULL, 0, NULL},
};

static int add_texts(ext_state *state) {
  const struct {
    PyObject **place;
    const char *text;
  } texts[] = {
      {&state->data_ptr, "data_ptr"},
      {&state->is_cpu, "is_cpu"},
      {&state->array_interface, "__array_interface__"},
      {&state->data, "data"},
      {&state->dlpack, "__dlpack__"},
      {&state->dlpack_device, "__dlpack_device__"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    *texts[i].place = PyUnicode_InternFromString(texts[i].text);
    if (*texts[i].place == NULL)
      return -1;
  }
  return 0;
}

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
  PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
  if (type != NULL && PyModule_AddType(module, type) != 0)
    Py_CLEAR(type);
  return type;
}

static int exec(PyObject *module) {
  ext_state *state = ext_state_of(module);
  state->kernel_type = add_type(module, &ext_kernel_spec);
  state->launcher_type = add_type(module, &ext_launcher_spec);
  state->compile_error = PyErr_NewExceptionWithDoc(
      "triton_cpu._ttcpu.CompileError",
      "A kernel that cannot run on a CPU, or that this version does not know.", PyExc_ValueError,
      NULL);
  return state->kernel_type == NULL || state->launcher_type == NULL ||
                 state->compile_error == NULL ||
                 PyModule_AddObjectRef(module, "CompileError", state->compile_error) != 0 ||
                 add_texts(state) != 0 || PyModule_AddFunctions(module, ext_compile_methods) != 0 ||
                 PyModule_AddFunctions(module, methods) != 0 ||
                 PyModule_AddFunctions(module, ext_kernel_methods) != 0
             ? -1
             : 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
  ext_state *state = ext_state_of(module);
  Py_VISIT(state->kernel_type);
  Py_VISIT(state->launcher_type);
  Py_VISIT(state->compile_error);
  return 0;
}

static int clear(PyObject *module) {
  ext_state *state = ext_state_of(module);
  Py_CLEAR(state->kernel_type);
  Py_CLEAR(state->launcher_type);
  Py_CLEAR(state->compile_error);
  Py_CLEAR(state->data_ptr);
  Py_CLEAR(state->is_cpu);
  Py_CLEAR(state->array_interface);
  Py_CLEAR(state->data);
  Py_CLEAR(state->dlpack);
  Py_CLEAR(state->dlpack_device);
  return 0;
}

static void release(void *module) {
  (void)clear(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, EXT_FUNCTION(exec)},
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
    .m_name = "triton_cpu._ttcpu",
    .m_doc = "The cpu backend's compiler, and the launcher of what it compiled.",
    .m_size = sizeof(ext_state),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__ttcpu(void);  // NOLINT(misc-use-internal-linkage)
PyMODINIT_FUNC PyInit__ttcpu(void) { // NOLINT(misc-use-internal-linkage): Python looks for it
  return PyModuleDef_Init(&definition);
}
