#include "ir.h"

#include "triton/Tools/Info.h"

namespace py = pybind11;

// Each backend defines this function.
#define TRITON_BACKEND(NAME) void init_triton_##NAME(pybind11::module_ &&m);
#include "Backends.inc"
#undef TRITON_BACKEND

PYBIND11_MODULE(libtriton, m) {
  m.doc() = "Python bindings of the compiler";
  m.attr("__version__") = triton::getVersion();
  m.attr("flavour") = triton::getFlavour();
  m.attr("build_info") = triton::getBuildInfo();
  m.attr("bindings_version") = kBindingsVersion;
  initTritonIr(m.def_submodule("ir"));
  initTritonPasses(m.def_submodule("passes"));

  py::list backends;
#define TRITON_BACKEND(NAME)                                                                                           \
  backends.append(#NAME);                                                                                              \
  init_triton_##NAME(m.def_submodule(#NAME));
#include "Backends.inc"
#undef TRITON_BACKEND
  m.attr("backends") = backends;
}
