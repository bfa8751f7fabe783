/* module.c: the extension triton_spec.runner._launch. */
#include "launch.h"

static PyMethodDef functions[] = {
    {"cuda_load", launch_cuda_load, METH_VARARGS,
     "cuda_load(binary, kernel, shared bytes): (module, function, registers, local bytes, most "
     "threads)"},
    {"cuda_device", launch_cuda_device, METH_NOARGS,
     "cuda_device(): {ordinal, arch, shared, l2, khz} of the current device"},
    {"cuda_synchronize", launch_cuda_synchronize, METH_NOARGS,
     "cuda_synchronize(): waits for the device"},
    {"host_load", launch_host_load, METH_O, "host_load(path): (module, function)"},
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, PyType_Spec *spec) {
  PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
  if (type == NULL)
    return -1;
  int rc = PyModule_AddType(module, (PyTypeObject *)type);
  Py_DECREF(type);
  return rc;
}

static int exec(PyObject *module) {
  return add_type(module, &launch_launcher_spec) != 0 || add_type(module, &launch_bound_spec) != 0
             ? -1
             : 0;
}

/* Not without the interpreter's lock: a launcher notes the types it met, and others may launch it.
 */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)exec},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "triton_spec.runner._launch",
                                 .m_doc = "Launches kernels with guarded arguments.",
                                 .m_methods = functions, .m_slots = slots};

PyMODINIT_FUNC PyInit__launch(void);

PyMODINIT_FUNC PyInit__launch(void) {
  return PyModuleDef_Init(&definition);
}
