#include "triton/Tools/Targets.h"

namespace triton {

const std::vector<TargetDescription> &getTargets() {
  static const std::vector<TargetDescription> targets = {
#define TRITON_TARGET(NAME, WARP_SIZE) {#NAME, WARP_SIZE},
#include "triton/Tools/Targets.def"
// More devices, for a build that has the file.
#if __has_include("triton/Tools/ExtraTargets.def")
#define TRITON_TARGET(NAME, WARP_SIZE) {#NAME, WARP_SIZE},
#include "triton/Tools/ExtraTargets.def"
#endif
  };
  return targets;
}

std::string getDefaultTarget() { return TRITON_DEFAULT_TARGET; }

const std::vector<std::string> &getStages() {
  static const std::vector<std::string> stages = {
#include "Stages.inc"
  };
  return stages;
}

} // namespace triton
