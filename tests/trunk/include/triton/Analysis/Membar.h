#ifndef TRITON_ANALYSIS_MEMBAR_H
#define TRITON_ANALYSIS_MEMBAR_H

#include "Allocation.h"

namespace mlir::triton {

/// Number of buffers after which memory is rather reused, behind a barrier, than extended.
inline constexpr size_t kMaxBuffersBetweenBarriers = 2;

/// Whether a barrier must come before the next buffer is allocated.
inline bool needsBarrier(const Allocation &allocation) {
  return allocation.alive().size() >= kMaxBuffersBetweenBarriers;
}

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_MEMBAR_H
