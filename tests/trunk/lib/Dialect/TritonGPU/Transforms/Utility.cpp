#include "triton/Dialect/TritonGPU/Transforms/Utility.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::triton::gpu {

unsigned getVectorWidth(int64_t contiguity, unsigned elementBits) {
  unsigned width = 1;
  while (2 * width * elementBits <= kMaxVectorBits && contiguity % (2 * width) == 0)
    width *= 2;
  return width;
}

SmallVector<Value> getAccessedPointers(Operation *op) {
  return TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp>([](auto access) { return SmallVector<Value>{access.getPtr()}; })
      .Default(SmallVector<Value>());
}

} // namespace mlir::triton::gpu
