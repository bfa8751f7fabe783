#include "PatternTritonGPUOpToLLVM.h"
#include "triton/Analysis/Membar.h"
#include "triton/Conversion/TritonGPUToLLVM/Passes.h"

namespace mlir::triton::gpu {

#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "triton/Conversion/TritonGPUToLLVM/Passes.h.inc"

namespace {

struct AllocateSharedMemoryPass : public impl::AllocateSharedMemoryBase<AllocateSharedMemoryPass> {
  void runOnOperation() override {
    TargetInfoBase target;
    target.numWarps = getNumWarps(getOperation(), target.numWarps);
    SmallVector<ScratchRule> rules;
    populateReduceScratchRules(rules, target);
    populateScanScratchRules(rules, target);
    populateDotScratchRules(rules, target);

    int64_t shared = 0;
    for (auto function : getOperation().getOps<FuncOp>())
      shared = std::max(shared, allocate(function, rules));
    getOperation()->setAttr("ttg.shared", Builder(&getContext()).getI64IntegerAttr(shared));
  }

private:
  /// Places the buffers of one function and returns the number of bytes that it needs.
  static int64_t allocate(FuncOp function, ArrayRef<ScratchRule> rules) {
    Allocation allocation;
    function.walk([&](Operation *op) {
      int64_t bytes = 0;
      for (const ScratchRule &rule : rules)
        bytes += rule(op);
      if (bytes == 0)
        return;
      OpBuilder builder(op);
      if (needsBarrier(allocation)) {
        BarrierOp::create(builder, op->getLoc(), AddrSpace::Local);
        allocation.release();
      }
      op->setAttr("ttg.scratch-bytes", builder.getI64IntegerAttr(bytes));
      op->setAttr("ttg.scratch-offset", builder.getI64IntegerAttr(allocation.allocate(bytes).offset));
    });
    return allocation.peak();
  }
};

} // namespace
} // namespace mlir::triton::gpu
