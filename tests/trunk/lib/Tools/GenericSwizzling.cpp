#include "triton/Tools/LinearLayout.h"

#include <algorithm>

// Without its own flag this source still compiles, but it swizzles nothing.
#ifndef TRITON_SWIZZLE_BANKS
#define TRITON_SWIZZLE_BANKS 1
#endif

namespace triton {

unsigned getSwizzleBanks() { return TRITON_SWIZZLE_BANKS; }

LinearLayout swizzle(unsigned rowBits, unsigned columnBits) {
  unsigned bankBits = 0;
  while ((2u << bankBits) <= getSwizzleBanks())
    ++bankBits;
  unsigned mixed = std::min({bankBits, rowBits, columnBits});
  Bases bases;
  for (unsigned bit = 0; bit < columnBits; ++bit)
    bases.push_back(BitVector(1) << bit);
  for (unsigned bit = 0; bit < rowBits; ++bit)
    bases.push_back(BitVector(1) << (columnBits + bit) | (bit < mixed ? BitVector(1) << bit : 0));
  return LinearLayout(bases);
}

} // namespace triton
