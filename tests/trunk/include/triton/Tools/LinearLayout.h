#ifndef TRITON_TOOLS_LINEARLAYOUT_H
#define TRITON_TOOLS_LINEARLAYOUT_H

#include "LayoutTypes.h"

namespace triton {

/// A map from positions to elements that is linear over single bits.
class LinearLayout {
public:
  /// `bases[i]` is the element at position 2^i. Throws std::invalid_argument if there are too many.
  explicit LinearLayout(Bases bases);

  static LinearLayout identity(unsigned bits);

  BitVector apply(BitVector position) const;

  /// Number of independent bases; the layout is injective if and only if this is the number of bases.
  unsigned rank() const;

  bool isInjective() const { return rank() == bases.size(); }

  /// Greatest number of bases.
  static unsigned maxBits();

private:
  Bases bases;
};

/// Layout of a row-major tile of 2^rowBits rows and 2^columnBits columns in the shared memory in which the elements of
/// a column lie in different banks.
LinearLayout swizzle(unsigned rowBits, unsigned columnBits);

/// Number of banks that `swizzle` counts with.
unsigned getSwizzleBanks();

} // namespace triton

#endif // TRITON_TOOLS_LINEARLAYOUT_H
