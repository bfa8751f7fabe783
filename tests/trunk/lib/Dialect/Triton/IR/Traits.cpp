#include "triton/Dialect/Triton/IR/Traits.h"

#include "mlir/IR/BuiltinTypes.h"
#include "triton/Dialect/Triton/IR/Utility.h"

using namespace mlir;

static LogicalResult verifyTypes(Operation *op, TypeRange types, StringRef what) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    int64_t count = tensor.getNumElements();
    if (count > triton::kMaxTensorNumElements)
      return op->emitError() << "a tensor may have at most " << triton::kMaxTensorNumElements
                             << " elements, but the type of " << what << " has " << count;
    if (!triton::isPowerOfTwo(count))
      return op->emitError() << "the number of a tensor's elements must be a power of two, but the type of " << what
                             << " has " << count;
  }
  return success();
}

LogicalResult triton::impl::verifyTensorSize(Operation *op) {
  if (failed(verifyTypes(op, op->getOperandTypes(), "an operand")))
    return failure();
  return verifyTypes(op, op->getResultTypes(), "a result");
}
