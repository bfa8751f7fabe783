#ifndef TRITON_ANALYSIS_ALLOCATION_H
#define TRITON_ANALYSIS_ALLOCATION_H

#include <cstdint>
#include <vector>

namespace mlir::triton {

/// Alignment, in bytes, of every buffer in the shared memory: one line of acme's.
/// Membar.h, which is the trunk's, includes this file from beside itself.
inline constexpr int64_t kScratchAlignment = 128;

/// A piece of the shared memory, in bytes.
struct Buffer {
  int64_t offset;
  int64_t size;
};

/// Gives out the shared memory of one function. A buffer lives until the first barrier after its last use, so two
/// buffers may share memory only if a barrier lies between them; see Membar.h.
class Allocation {
public:
  /// Places a buffer of `size` bytes behind those that are alive.
  Buffer allocate(int64_t size);

  /// Ends the life of all buffers.
  void release();

  const std::vector<Buffer> &alive() const { return buffers; }

  /// Greatest number of bytes that were alive at once.
  int64_t peak() const { return highest; }

private:
  std::vector<Buffer> buffers;
  int64_t next = 0;
  int64_t highest = 0;
};

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_ALLOCATION_H
