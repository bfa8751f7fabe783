#include "triton/Dialect/TritonGPU/IR/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.cpp.inc"
#include "triton/Dialect/TritonGPU/IR/OpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/TritonGPU/IR/AttrDefs.cpp.inc"

namespace mlir::triton::gpu {

void TritonGPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton/Dialect/TritonGPU/IR/AttrDefs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/TritonGPU/IR/Ops.cpp.inc"
      >();
}

/// Takes as much of `available` as fits the dimension, and divides what is left of both by it.
static unsigned takeShare(int64_t &size, unsigned &available) {
  unsigned share = std::min<int64_t>(size, available);
  size /= share;
  available /= share;
  return share;
}

BlockedEncodingAttr getDefaultBlockedEncoding(MLIRContext *context, ArrayRef<int64_t> shape, unsigned numWarps,
                                              unsigned threadsPerWarp) {
  size_t rank = shape.size();
  SmallVector<unsigned> sizes(rank, 1), threads(rank, 1), warps(rank, 1), order;
  for (size_t dim = rank; dim-- > 0;) {
    int64_t left = shape[dim];
    threads[dim] = takeShare(left, threadsPerWarp);
    warps[dim] = takeShare(left, numWarps);
    order.push_back(dim);
  }
  if (rank) {
    threads.front() *= threadsPerWarp;
    warps.front() *= numWarps;
  }
  return BlockedEncodingAttr::get(context, sizes, threads, warps, order);
}

unsigned getNumWarps(ModuleOp module, unsigned otherwise) {
  auto attribute = module->getAttrOfType<IntegerAttr>(TritonGPUDialect::kNumWarps);
  return attribute ? attribute.getInt() : otherwise;
}

} // namespace mlir::triton::gpu
