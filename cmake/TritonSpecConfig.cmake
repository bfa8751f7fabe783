# find_package(TritonSpec): the public functions for a trunk that calls them.
set(TRITON_SPEC_VERSION "${TritonSpec_VERSION}")
include("${CMAKE_CURRENT_LIST_DIR}/SpecOverlay.cmake")

# In the folder that asks for the package, so that the overlay sees what follows.
_spec_begin()
