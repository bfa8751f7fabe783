#include "triton/Tools/LinearLayout.h"

#include <cstdlib>
#include <iostream>

/// Prints the swizzled places of the elements of a tile of 2^ROWS rows and 2^COLUMNS columns, a row on a line.
int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: triton-tensor-layout ROWS COLUMNS (both as powers of two)\n";
    return 2;
  }
  int rowBits = std::atoi(argv[1]), columnBits = std::atoi(argv[2]);
  if (rowBits < 0 || columnBits < 0 || rowBits + columnBits > static_cast<int>(triton::LinearLayout::maxBits())) {
    std::cerr << "triton-tensor-layout: the powers must be from 0 to " << triton::LinearLayout::maxBits()
              << " together, not " << argv[1] << " and " << argv[2] << "\n";
    return 2;
  }
  auto layout = triton::swizzle(rowBits, columnBits);
  for (uint64_t row = 0; row < UINT64_C(1) << rowBits; ++row)
    for (uint64_t column = 0; column < UINT64_C(1) << columnBits; ++column)
      std::cout << layout.apply(row << columnBits | column) << (column + 1 == UINT64_C(1) << columnBits ? "\n" : " ");
  return 0;
}
