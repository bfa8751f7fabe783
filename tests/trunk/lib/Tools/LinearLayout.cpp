#include "triton/Tools/LinearLayout.h"

#include "third_party/f2reduce/f2reduce.h"

#include <stdexcept>
#include <string>

#ifndef TRITON_LAYOUT_MAX_BITS
#error "this source needs its own definition TRITON_LAYOUT_MAX_BITS"
#endif

namespace triton {

LinearLayout::LinearLayout(Bases bases) : bases(std::move(bases)) {
  if (this->bases.size() > maxBits())
    throw std::invalid_argument("a layout may have at most " + std::to_string(maxBits()) + " bases, not " +
                                std::to_string(this->bases.size()));
}

LinearLayout LinearLayout::identity(unsigned bits) {
  Bases bases;
  for (unsigned bit = 0; bit < bits; ++bit)
    bases.push_back(BitVector(1) << bit);
  return LinearLayout(bases);
}

BitVector LinearLayout::apply(BitVector position) const {
  BitVector element = 0;
  for (size_t bit = 0; bit < bases.size(); ++bit)
    if (position >> bit & 1)
      element ^= bases[bit];
  return element;
}

unsigned LinearLayout::rank() const { return f2reduce::rank(bases); }

unsigned LinearLayout::maxBits() { return TRITON_LAYOUT_MAX_BITS; }

} // namespace triton
