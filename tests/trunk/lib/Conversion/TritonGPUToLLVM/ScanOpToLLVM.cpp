#include "ReduceScanCommon.h"

namespace mlir::triton {

/// A scan along the last dimension needs partial results; along another one each thread owns whole lines.
void populateScanScratchRules(ScratchRules &rules, const TargetInfoBase &target) {
  rules.push_back([target](Operation *op) -> int64_t {
    auto scan = dyn_cast<ScanOp>(op);
    if (!scan)
      return 0;
    bool isLast = static_cast<int64_t>(scan.getAxis()) + 1 == CombiningOpInterface(scan).getTileType().getRank();
    return isLast ? getPartialResultBytes(scan, target) : 0;
  });
}

} // namespace mlir::triton
