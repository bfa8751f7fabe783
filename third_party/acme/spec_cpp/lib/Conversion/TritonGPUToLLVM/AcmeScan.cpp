#include "PatternTritonGPUOpToLLVM.h"

namespace mlir::triton {

/// acme scans in registers. spec.ini removes ScanOpToLLVM.cpp, the trunk's source of this function.
void populateScanScratchRules(ScratchRules &rules, const TargetInfoBase &target) {}

} // namespace mlir::triton
