#ifndef TRITONGPU_CONVERSION_PATTERN_H
#define TRITONGPU_CONVERSION_PATTERN_H

#include "triton/Conversion/TritonGPUToLLVM/TargetInfoBase.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/Support/MathExtras.h"

#include <functional>

namespace mlir::triton {

/// Bytes of shared memory that an operation needs while it runs; 0 for one that a rule does not know. acme gives out
/// pieces of 32 bytes. The rules' functions have this type in their names, so sources that saw the trunk's header, such
/// as DotOpToLLVM/FMA.cpp with its `../`, would not link.
struct ScratchRule : private std::function<int64_t(Operation *)> {
  using function::function;

  int64_t operator()(Operation *op) const { return llvm::alignTo(function::operator()(op), 32); }
};
using ScratchRules = SmallVectorImpl<ScratchRule>;

void populateReduceScratchRules(ScratchRules &rules, const TargetInfoBase &target);
void populateScanScratchRules(ScratchRules &rules, const TargetInfoBase &target);
void populateDotScratchRules(ScratchRules &rules, const TargetInfoBase &target);

} // namespace mlir::triton

#endif // TRITONGPU_CONVERSION_PATTERN_H
