# SpecInject: puts an overlay over a trunk whose CMake files nobody edits.
#
# Give it to CMake as CMAKE_PROJECT_TOP_LEVEL_INCLUDES ('triton-spec cmake-args'
# prints the arguments).  It does nothing at all unless FLAGTREE_BACKEND names a
# backend, as a cache entry or, in the first run of a build folder, in the environment.
include_guard(GLOBAL)

if(CMAKE_VERSION VERSION_LESS 3.24)
  message(FATAL_ERROR
    "triton-spec needs CMake 3.24 or newer to put an overlay over an unedited trunk; "
    "this is ${CMAKE_VERSION}")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/SpecOverlay.cmake")
_spec_begin()
