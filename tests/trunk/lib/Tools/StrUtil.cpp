#include "triton/Tools/StrUtil.h"

#include <cctype>

namespace triton {

std::string join(const std::vector<std::string> &items, const std::string &separator) {
  std::string text;
  for (const std::string &item : items)
    text += (&item == &items.front() ? "" : separator) + item;
  return text;
}

std::string toLower(std::string text) {
  for (char &c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace triton
