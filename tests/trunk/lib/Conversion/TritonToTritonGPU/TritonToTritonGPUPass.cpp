#include "triton/Conversion/TritonToTritonGPU/Passes.h"
#include "triton/Dialect/Triton/IR/Utility.h"

namespace mlir::triton {

#define GEN_PASS_DEF_CONVERTTRITONTOTRITONGPU
#include "triton/Conversion/TritonToTritonGPU/Passes.h.inc"

namespace {

struct ConvertTritonToTritonGPUPass : public impl::ConvertTritonToTritonGPUBase<ConvertTritonToTritonGPUPass> {
  using ConvertTritonToTritonGPUBase::ConvertTritonToTritonGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!isPowerOfTwo(numWarps) || !isPowerOfTwo(threadsPerWarp)) {
      module.emitError() << "num-warps and threads-per-warp must be powers of two, but they are " << numWarps << " and "
                         << threadsPerWarp;
      return signalPassFailure();
    }
    Builder builder(&getContext());
    module->setAttr(gpu::TritonGPUDialect::kNumWarps, builder.getI32IntegerAttr(numWarps));
    module->setAttr(gpu::TritonGPUDialect::kThreadsPerWarp, builder.getI32IntegerAttr(threadsPerWarp));
    module.walk([&](Operation *op) {
      if (op->getNumResults() == 0)
        return;
      if (auto tensor = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
        op->setAttr(gpu::TritonGPUDialect::kLayout,
                    gpu::getDefaultBlockedEncoding(&getContext(), tensor.getShape(), numWarps, threadsPerWarp));
    });
  }
};

} // namespace
} // namespace mlir::triton
