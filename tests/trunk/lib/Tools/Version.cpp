#include <triton/Tools/Info.h>
#include <triton/Version.h>

#include "Flavour.h"
#include "triton/Tools/StrUtil.h"

namespace triton {

std::string getVersion() { return TRITON_VERSION_STRING; }

std::string getFlavour() { return toLower(TRITON_FLAVOUR); }

} // namespace triton
