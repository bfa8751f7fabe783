#ifndef TRITON_ANALYSIS_AXISINFO_H
#define TRITON_ANALYSIS_AXISINFO_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton {

/// How a tensor's elements follow each other along its last dimension. Both numbers divide that dimension's size.
struct AxisInfo {
  int64_t contiguity = 1; ///< length of the runs in which each element is its predecessor plus one
  int64_t constancy = 1;  ///< length of the runs of equal elements
};

/// Computes, and remembers, the axis information of values. Valid as long as the program does not change.
class AxisInfoAnalysis {
public:
  AxisInfo getAxisInfo(Value value);

private:
  AxisInfo compute(Value value);

  llvm::DenseMap<Value, AxisInfo> known;
};

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_AXISINFO_H
