#ifndef TRITON_IR_TYPES_H
#define TRITON_IR_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "triton/Dialect/Triton/IR/Types.h.inc"

namespace mlir::triton {

/// Address space of the global memory, the only one that is not printed.
inline constexpr int kGlobalAddressSpace = 1;

/// What a pointer or a tensor of pointers points to, with the pointers' shape. `type` must be one of these two.
Type getPointeeType(Type type);

/// `i1`, as a tensor of the same shape if `type` is a tensor.
Type getI1SameShape(Type type);

/// Width of an element in bits; pointers count as 64.
unsigned getElementBitWidth(Type type);

} // namespace mlir::triton

#endif // TRITON_IR_TYPES_H
