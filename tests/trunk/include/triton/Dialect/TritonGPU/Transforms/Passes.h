#ifndef TRITONGPU_TRANSFORMS_PASSES_H
#define TRITONGPU_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {

#define GEN_PASS_DECL
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"

} // namespace mlir::triton::gpu

#endif // TRITONGPU_TRANSFORMS_PASSES_H
