#include "triton/Tools/StrUtil.h"

#include <cctype>

namespace triton {

std::string join(const std::vector<std::string> &items, const std::string &separator) {
  std::string text;
  for (const std::string &item : items)
    text += (&item == &items.front() ? "" : separator) + item;
  return text;
}

/// acme: without blanks at the ends. Three targets compile this file: TritonTools, TritonVersion and TestTritonTools.
std::string toLower(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text.erase(0, text.find_first_not_of(' '));
  for (char &c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace triton
