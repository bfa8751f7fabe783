#include "triton/Tools/Info.h"

const char *tritonGetPluginName(void) { return "TritonPlugin"; }
