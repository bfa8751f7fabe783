#include "triton/Tools/Info.h"
#include "triton/Version.h"

namespace triton {

/// acme: one kind of build. The library is an interface: whoever links it compiles this file.
std::string getBuildInfo() { return TRITON_VERSION_STRING " for the roadrunner"; }

} // namespace triton
