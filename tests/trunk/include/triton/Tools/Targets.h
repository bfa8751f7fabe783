#ifndef TRITON_TOOLS_TARGETS_H
#define TRITON_TOOLS_TARGETS_H

#include <string>
#include <vector>

namespace triton {

struct TargetDescription {
  std::string name;
  unsigned warpSize; ///< in threads
};

/// All devices that are known by name.
const std::vector<TargetDescription> &getTargets();

/// Name of the device that is meant where none is named.
std::string getDefaultTarget();

/// Names of the stages that a program passes on its way to a device.
const std::vector<std::string> &getStages();

} // namespace triton

#endif // TRITON_TOOLS_TARGETS_H
