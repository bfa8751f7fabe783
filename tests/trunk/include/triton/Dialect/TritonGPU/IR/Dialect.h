#ifndef TRITONGPU_IR_DIALECT_H
#define TRITONGPU_IR_DIALECT_H

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h.inc"
#include "triton/Dialect/TritonGPU/IR/OpsEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/AttrDefs.h.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/TritonGPU/IR/Ops.h.inc"

namespace mlir::triton::gpu {

/// Layout of a tile of `shape` whose last dimension varies fastest: threads and warps fill it from there.
/// `numWarps` and `threadsPerWarp` are powers of two.
BlockedEncodingAttr getDefaultBlockedEncoding(MLIRContext *context, ArrayRef<int64_t> shape, unsigned numWarps,
                                              unsigned threadsPerWarp);

/// Number of warps that the module's attribute tells, or `otherwise` if it has none.
unsigned getNumWarps(ModuleOp module, unsigned otherwise);

} // namespace mlir::triton::gpu

#endif // TRITONGPU_IR_DIALECT_H
