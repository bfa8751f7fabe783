#ifndef TRITONGPU_TRANSFORMS_UTILITY_H
#define TRITONGPU_TRANSFORMS_UTILITY_H

#include <cstdint>

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu {

/// Width in bits of the widest memory access of one thread.
inline constexpr unsigned kMaxVectorBits = 128;

/// Number of elements that one access may cover if `contiguity` elements are neighbours in memory, each of
/// `elementBits` bits; a power of two, at least 1.
unsigned getVectorWidth(int64_t contiguity, unsigned elementBits);

/// The values of `op` that are pointers into the global memory: empty for an operation that accesses none.
SmallVector<Value> getAccessedPointers(Operation *op);

} // namespace mlir::triton::gpu

#endif // TRITONGPU_TRANSFORMS_UTILITY_H
