#include "triton/Tools/LinearLayout.h"

#include <algorithm>

// acme: each group has its own banks. The flag is the one that the trunk's CMakeLists.txt gives the trunk's source.
#ifndef TRITON_SWIZZLE_BANKS
#error "the overriding source has lost the flags of the trunk's"
#endif

namespace triton {

unsigned getSwizzleBanks() { return TRITON_SWIZZLE_BANKS * kBankGroups; }

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
