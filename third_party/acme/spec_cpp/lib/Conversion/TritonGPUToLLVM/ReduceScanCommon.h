#ifndef TRITONGPU_CONVERSION_REDUCESCANCOMMON_H
#define TRITONGPU_CONVERSION_REDUCESCANCOMMON_H

#include "PatternTritonGPUOpToLLVM.h"
#include "triton/Dialect/Triton/IR/Utility.h"

namespace mlir::triton {

/// Partial results that each of acme's warps, which work in halves, leaves in the shared memory for each line along the axis.
inline constexpr int64_t kPartialsPerWarp = 2;

/// Bytes for one partial result of each tile, a warp and a line along the combined axis.
inline int64_t getPartialResultBytes(CombiningOpInterface op, const TargetInfoBase &target) {
  RankedTensorType tile = op.getTileType();
  int64_t lines = tile.getNumElements() / tile.getDimSize(op.getCombineAxis());
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes += lines * target.numWarps * kPartialsPerWarp * ceilDiv(getElementBitWidth(operand.getType()), 8);
  return bytes;
}

} // namespace mlir::triton

#endif // TRITONGPU_CONVERSION_REDUCESCANCOMMON_H
