#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/TritonGPU/Transforms/AcmeStamp.h"
#include "triton/Dialect/TritonGPU/Transforms/Passes.h"
#include "triton/Dialect/TritonGPU/Transforms/Utility.h"

namespace mlir::triton::gpu {

#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

namespace {

/// The trunk's pass, and the module says which chip it was made for.
struct CoalescePass : public impl::TritonGPUCoalesceBase<CoalescePass> {
  using TritonGPUCoalesceBase::TritonGPUCoalesceBase;

  void runOnOperation() override {
    AxisInfoAnalysis analysis;
    Builder builder(&getContext());
    getOperation()->walk([&](Operation *op) {
      for (Value pointer : getAccessedPointers(op)) {
        unsigned bits = getElementBitWidth(getPointeeType(pointer.getType()));
        unsigned width = getVectorWidth(analysis.getAxisInfo(pointer).contiguity, bits);
        op->setAttr("ttg.vector-width", builder.getI32IntegerAttr(width));
      }
    });
    stampModule(getOperation());
  }
};

} // namespace
} // namespace mlir::triton::gpu
