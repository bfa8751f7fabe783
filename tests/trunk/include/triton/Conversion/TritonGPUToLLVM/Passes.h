#ifndef TRITON_CONVERSION_TRITONGPUTOLLVM_PASSES_H
#define TRITON_CONVERSION_TRITONGPUTOLLVM_PASSES_H

#include "mlir/Pass/Pass.h"
#include <triton/Dialect/TritonGPU/IR/Dialect.h>

namespace mlir::triton::gpu {

#define GEN_PASS_DECL
#include "triton/Conversion/TritonGPUToLLVM/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Conversion/TritonGPUToLLVM/Passes.h.inc"

} // namespace mlir::triton::gpu

#endif // TRITON_CONVERSION_TRITONGPUTOLLVM_PASSES_H
