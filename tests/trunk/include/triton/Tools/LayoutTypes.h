#ifndef TRITON_TOOLS_LAYOUTTYPES_H
#define TRITON_TOOLS_LAYOUTTYPES_H

#include <cstdint>
#include <vector>

namespace triton {

/// A vector over the field of two elements: bit i is component i.
using BitVector = uint64_t;

/// Images of the unit vectors; the image of a sum is the exclusive or of the images.
using Bases = std::vector<BitVector>;

} // namespace triton

#endif // TRITON_TOOLS_LAYOUTTYPES_H
