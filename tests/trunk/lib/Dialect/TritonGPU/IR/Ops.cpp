#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "triton/Dialect/TritonGPU/IR/Ops.cpp.inc"

namespace mlir::triton::gpu {

LogicalResult BarrierOp::verify() {
  if (getAddrSpace() == AddrSpace::None)
    return emitOpError("must order accesses to at least one address space");
  return success();
}

/// Of two conversions in a row the first is without effect.
OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  auto earlier = getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!earlier)
    return {};
  if (earlier.getLayout() == getLayout())
    return earlier.getResult();
  getSrcMutable().assign(earlier.getSrc());
  return getResult();
}

} // namespace mlir::triton::gpu
