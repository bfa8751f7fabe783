#ifndef TRITON_TOOLS_INFO_H
#define TRITON_TOOLS_INFO_H

#include <string>

namespace triton {

/// Version of this tree, from the shared library TritonVersion.
std::string getVersion();

/// Kind of build, from a header that only one source can reach.
std::string getFlavour();

/// What the target that this is compiled into was built as; every user of TritonBuildInfo has its own copy.
std::string getBuildInfo();

} // namespace triton

/// Entry point of the module library TritonPlugin: its name.
extern "C" const char *tritonGetPluginName(void);

#endif // TRITON_TOOLS_INFO_H
