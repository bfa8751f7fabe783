#include "triton/Analysis/Allocation.h"

#include <algorithm>

namespace mlir::triton {

Buffer Allocation::allocate(int64_t size) {
  Buffer buffer{next, size};
  buffers.push_back(buffer);
  next = (next + size + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  highest = std::max(highest, buffer.offset + size);
  return buffer;
}

void Allocation::release() {
  buffers.clear();
  next = 0;
}

} // namespace mlir::triton
