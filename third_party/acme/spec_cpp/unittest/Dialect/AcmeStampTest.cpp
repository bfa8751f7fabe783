#include "../Check.h"
#include "triton/Dialect/TritonGPU/Transforms/AcmeStamp.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

/// The trunk has no such test: acme's CMakeLists.txt of this folder names it.
int main() {
  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  triton::gpu::stampModule(*module);
  auto chip = module->getOperation()->getAttrOfType<StringAttr>("acme.chip");
  CHECK(chip && chip.getValue() == "roadrunner");
  return failedChecks != 0;
}
