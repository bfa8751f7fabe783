#ifndef TRITON_TOOLS_STRUTIL_H
#define TRITON_TOOLS_STRUTIL_H

#include <string>
#include <vector>

namespace triton {

/// The items with `separator` between them.
std::string join(const std::vector<std::string> &items, const std::string &separator);

/// ASCII letters as lower case.
std::string toLower(std::string text);

} // namespace triton

#endif // TRITON_TOOLS_STRUTIL_H
