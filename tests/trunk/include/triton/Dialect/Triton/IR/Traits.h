#ifndef TRITON_IR_TRAITS_H
#define TRITON_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::triton {

/// Greatest number of elements of one tensor.
inline constexpr int64_t kMaxTensorNumElements = 1048576;

namespace impl {
/// Fails, with an error at `op`, if a tensor is too large or its number of elements is not a power of two.
LogicalResult verifyTensorSize(Operation *op);
} // namespace impl

template <typename ConcreteOp> class TensorSizeTrait : public OpTrait::TraitBase<ConcreteOp, TensorSizeTrait> {
public:
  static LogicalResult verifyTrait(Operation *op) { return impl::verifyTensorSize(op); }
};

} // namespace mlir::triton

#endif // TRITON_IR_TRAITS_H
