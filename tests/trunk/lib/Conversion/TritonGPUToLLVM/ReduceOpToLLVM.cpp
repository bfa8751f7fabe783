#include "ReduceScanCommon.h"

namespace mlir::triton {

void populateReduceScratchRules(ScratchRules &rules, const TargetInfoBase &target) {
  rules.push_back([target](Operation *op) -> int64_t {
    auto reduce = dyn_cast<ReduceOp>(op);
    return reduce ? getPartialResultBytes(reduce, target) : 0;
  });
}

} // namespace mlir::triton
