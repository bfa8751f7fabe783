#include "triton/Tools/Info.h"

// The name of the header is a macro, as where it depends on the build.
#define TRITON_VERSION_HEADER "triton/Version.h"
#include TRITON_VERSION_HEADER

namespace triton {

std::string getBuildInfo() {
#ifdef NDEBUG
  return std::string(TRITON_VERSION_STRING) + " without assertions";
#else
  return std::string(TRITON_VERSION_STRING) + " with assertions";
#endif
}

} // namespace triton
