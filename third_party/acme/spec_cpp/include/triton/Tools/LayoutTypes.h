#ifndef TRITON_TOOLS_LAYOUTTYPES_H
#define TRITON_TOOLS_LAYOUTTYPES_H

#include <cstdint>
#include <vector>

namespace triton {

/// A vector over the field of two elements: bit i is component i.
using BitVector = uint64_t;

/// Images of the unit vectors; the image of a sum is the exclusive or of the images.
using Bases = std::vector<BitVector>;

/// acme: groups of banks that work at the same time. Seen by whoever includes the trunk's LinearLayout.h.
inline constexpr unsigned kBankGroups = 2;

} // namespace triton

#endif // TRITON_TOOLS_LAYOUTTYPES_H
