#ifndef TRITON_IR_UTILITY_H
#define TRITON_IR_UTILITY_H

#include <cstdint>

namespace mlir::triton {

inline constexpr bool isPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

inline constexpr int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace mlir::triton

#endif // TRITON_IR_UTILITY_H
