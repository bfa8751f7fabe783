#ifndef TRITONGPU_CONVERSION_FMADOTUTILITY_H
#define TRITONGPU_CONVERSION_FMADOTUTILITY_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::triton {

/// Elements added to each row of an operand in the shared memory, so that rows start in different banks.
inline constexpr int64_t kRowPadding = 4;

/// Number of elements, padding included, of an operand of a product.
inline int64_t getPaddedElements(RankedTensorType operand) {
  int64_t row = operand.getShape().back();
  return operand.getNumElements() / row * (row + kRowPadding);
}

} // namespace mlir::triton

#endif // TRITONGPU_CONVERSION_FMADOTUTILITY_H
