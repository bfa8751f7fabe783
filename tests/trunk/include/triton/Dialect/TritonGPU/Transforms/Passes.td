#ifndef TRITONGPU_PASSES
#define TRITONGPU_PASSES

include "mlir/Pass/PassBase.td"

def TritonGPUCountOps : Pass<"tritongpu-count-ops", "::mlir::ModuleOp"> {
  let summary = "Count the module's operations by name in its attribute `ttg.op-counts`";
  let options = [
    Option<"dialect", "dialect", "std::string", /*default=*/"\"tt\"", "Count only this dialect's operations">
  ];
}

def TritonGPUCoalesce : Pass<"tritongpu-coalesce", "::mlir::ModuleOp"> {
  let summary = "Mark loads and stores with the number of elements that one access may cover";
  let description = [{
    The attribute `ttg.vector-width` is the number of neighbouring elements, a power of two, that one thread may access
    at once. It assumes that base pointers are aligned to the widest access.
  }];
}

#endif // TRITONGPU_PASSES
