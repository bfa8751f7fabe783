#ifndef TRITONGPU_CONVERSION_PATTERN_H
#define TRITONGPU_CONVERSION_PATTERN_H

#include "triton/Conversion/TritonGPUToLLVM/TargetInfoBase.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <functional>

namespace mlir::triton {

/// Bytes of shared memory that an operation needs while it runs; 0 for one that a rule does not know.
using ScratchRule = std::function<int64_t(Operation *)>;
using ScratchRules = SmallVectorImpl<ScratchRule>;

void populateReduceScratchRules(ScratchRules &rules, const TargetInfoBase &target);
void populateScanScratchRules(ScratchRules &rules, const TargetInfoBase &target);
void populateDotScratchRules(ScratchRules &rules, const TargetInfoBase &target);

} // namespace mlir::triton

#endif // TRITONGPU_CONVERSION_PATTERN_H
