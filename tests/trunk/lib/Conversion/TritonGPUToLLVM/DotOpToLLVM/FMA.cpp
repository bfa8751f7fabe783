#include "../PatternTritonGPUOpToLLVM.h"
#include "DotOpToLLVM/FMADotUtility.h"

namespace mlir::triton {

void populateDotScratchRules(ScratchRules &rules, const TargetInfoBase &target) {
  if (target.hasMatrixUnit)
    return;
  rules.push_back([](Operation *op) -> int64_t {
    auto dot = dyn_cast<DotOp>(op);
    if (!dot)
      return 0;
    int64_t bits = 0;
    for (Value operand : {dot.getA(), dot.getB()})
      bits += getPaddedElements(cast<RankedTensorType>(operand.getType())) * getElementBitWidth(operand.getType());
    return bits / 8;
  });
}

} // namespace mlir::triton
