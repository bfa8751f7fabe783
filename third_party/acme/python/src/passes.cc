#include "ir.h"

namespace py = pybind11;

/// Defines the function `name`, which adds the pass `pass` to a pass manager.
static void addPass(py::module_ &m, const char *name, const char *pass) {
  m.def(name, [pass](PassPipeline &pipeline) { pipeline.add(pass); }, py::arg("pm"));
}

static void initCommon(py::module_ m) {
  addPass(m, "add_canonicalizer", "canonicalize");
  addPass(m, "add_cse", "cse");
  addPass(m, "add_inliner", "inline");
  addPass(m, "add_symbol_dce", "symbol-dce");
}

static void initTtir(py::module_ m) {
  addPass(m, "add_combine", "triton-combine");
  addPass(m, "add_reorder_broadcast", "triton-reorder-broadcast");
  m.def(
      "add_convert_to_ttgpuir",
      [](PassPipeline &pipeline, int numWarps, int threadsPerWarp) {
        pipeline.add("convert-triton-to-tritongpu",
                     "num-warps=" + std::to_string(numWarps) + " threads-per-warp=" + std::to_string(threadsPerWarp));
      },
      py::arg("pm"), py::arg("num_warps") = 4, py::arg("threads_per_warp") = 32);
}

static void initTtgpuir(py::module_ m) {
  addPass(m, "add_coalesce", "tritongpu-coalesce");
  addPass(m, "add_count_ops", "tritongpu-count-ops");
  addPass(m, "add_allocate_shared_memory", "allocate-shared-memory");
}

/// acme: its pipeline, for a compiler that is written in Python.
static void initAcme(py::module_ m) { addPass(m, "add_pipeline", "acme-pipeline"); }

void initTritonPasses(py::module_ m) {
  m.attr("bindings_version") = kBindingsVersion;
  initCommon(m.def_submodule("common"));
  initTtir(m.def_submodule("ttir"));
  initTtgpuir(m.def_submodule("ttgpuir"));
  initAcme(m.def_submodule("acme"));
}
