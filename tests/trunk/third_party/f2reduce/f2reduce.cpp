#include "f2reduce.h"

#include <algorithm>

namespace f2reduce {

void reduce(std::vector<uint64_t> &rows) {
  size_t done = 0;
  for (uint64_t bit = UINT64_C(1) << 63; bit && done < rows.size(); bit >>= 1) {
    auto pivot = std::find_if(rows.begin() + done, rows.end(), [bit](uint64_t row) { return row & bit; });
    if (pivot == rows.end())
      continue;
    std::swap(rows[done], *pivot);
    for (size_t i = 0; i < rows.size(); ++i)
      if (i != done && (rows[i] & bit))
        rows[i] ^= rows[done];
    ++done;
  }
}

unsigned rank(std::vector<uint64_t> rows) {
  reduce(rows);
  return std::count_if(rows.begin(), rows.end(), [](uint64_t row) { return row != 0; });
}

} // namespace f2reduce
