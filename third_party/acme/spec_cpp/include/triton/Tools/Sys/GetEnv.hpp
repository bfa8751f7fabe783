#ifndef TRITON_TOOLS_SYS_GETENV_HPP
#define TRITON_TOOLS_SYS_GETENV_HPP

#include <cstdlib>
#include <string>

#include "../StrUtil.h" // the trunk's

namespace triton::tools {

/// Value of an environment variable, or `otherwise` if it is not set.
inline std::string getStrEnv(const char *name, const std::string &otherwise = "") {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

/// Whether an environment variable is 1, on, true, yes or, with acme, enabled, in any case.
inline bool getBoolEnv(const char *name) {
  std::string value = toLower(getStrEnv(name));
  return value == "1" || value == "on" || value == "true" || value == "yes" || value == "enabled";
}

} // namespace triton::tools

#endif // TRITON_TOOLS_SYS_GETENV_HPP
