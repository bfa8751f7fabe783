#include "f2reduce.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

/// acme: tells, if ACME_TRACE is set, how many rows it was given.
unsigned rank(std::vector<uint64_t> rows) {
  if (std::getenv("ACME_TRACE"))
    std::fprintf(stderr, "acme: rank of %zu rows\n", rows.size());
  reduce(rows);
  return std::count_if(rows.begin(), rows.end(), [](uint64_t row) { return row != 0; });
}

} // namespace f2reduce
