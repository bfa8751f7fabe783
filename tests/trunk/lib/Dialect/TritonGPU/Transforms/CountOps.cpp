#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu {

#define GEN_PASS_DEF_TRITONGPUCOUNTOPS
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

namespace {

struct CountOpsPass : public impl::TritonGPUCountOpsBase<CountOpsPass> {
  using TritonGPUCountOpsBase::TritonGPUCountOpsBase;

  void runOnOperation() override {
    llvm::MapVector<StringAttr, int32_t> counts;
    getOperation()->walk([&](Operation *op) {
      if (op->getName().getDialectNamespace() == dialect)
        ++counts[op->getName().getIdentifier()];
    });
    Builder builder(&getContext());
    SmallVector<NamedAttribute> entries;
    for (auto [name, count] : counts)
      entries.emplace_back(name, builder.getI32IntegerAttr(count));
    getOperation()->setAttr("ttg.op-counts", builder.getDictionaryAttr(entries));
  }
};

} // namespace
} // namespace mlir::triton::gpu
