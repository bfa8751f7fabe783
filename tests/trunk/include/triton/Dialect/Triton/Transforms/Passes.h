#ifndef TRITON_TRANSFORMS_PASSES_H
#define TRITON_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton {

#define GEN_PASS_DECL
#include "triton/Dialect/Triton/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "triton/Dialect/Triton/Transforms/Passes.h.inc"

} // namespace mlir::triton

#endif // TRITON_TRANSFORMS_PASSES_H
