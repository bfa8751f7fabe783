#ifndef F2REDUCE_H
#define F2REDUCE_H

#include <cstdint>
#include <vector>

namespace f2reduce {

/// Brings the rows, which are vectors over the field of two elements, to reduced row echelon form, zeros last.
void reduce(std::vector<uint64_t> &rows);

/// Number of independent rows.
unsigned rank(std::vector<uint64_t> rows);

} // namespace f2reduce

#endif // F2REDUCE_H
