# FlagTreeCompat: FlagTree's names, with FlagTree's observable results, for
# trunks and vendors whose CMake code calls them.
include_guard(GLOBAL)

# flagtree_spec_td_set(<output_var> <td_filename>)
#
# spec_td_set under FlagTree's name.
macro(flagtree_spec_td_set output_var td_filename)
  spec_td_set(${output_var} "${td_filename}")
endmacro()

# set_flagtree_backend_td(<output_var> <td_filename>)
#
# spec_td_set under the name of FlagTree's first generations.
macro(set_flagtree_backend_td output_var td_filename)
  spec_td_set(${output_var} "${td_filename}")
endmacro()

# flagtree_apply_backend_source_overrides(<backend_root>)
#
# spec_source_overrides under FlagTree's name; the root is the backend's own.
function(flagtree_apply_backend_source_overrides backend_root)
  spec_source_overrides()
endfunction()

# flagtree_include_directories(<root_include_dir>)
#
# Sets FLAGTREE_BACKEND_DIR, BACKEND_SPEC_INCLUDE_DIR and BACKEND_INCLUDE_DIR and
# adds the backend's own include folder when it has one (xpu: behind the root's),
# else the root's.  The overlay's headers come through the stage.
macro(flagtree_include_directories root_include_dir)
  _spec_begin()
  set(FLAGTREE_BACKEND "$CACHE{FLAGTREE_BACKEND}")
  set(FLAGTREE_BACKEND_DIR "${PROJECT_SOURCE_DIR}/third_party/${FLAGTREE_BACKEND}")
  get_property(_SPEC_LAYER_DIRS GLOBAL PROPERTY _SPEC_LAYER_DIRS)
  if(_SPEC_LAYER_DIRS)
    list(GET _SPEC_LAYER_DIRS -1 FLAGTREE_BACKEND_DIR)
  endif()
  set(BACKEND_SPEC_INCLUDE_DIR "${FLAGTREE_BACKEND_DIR}/spec_cpp/include")
  set(BACKEND_INCLUDE_DIR "${FLAGTREE_BACKEND_DIR}/include")
  if(FLAGTREE_BACKEND STREQUAL "" OR NOT EXISTS "${BACKEND_INCLUDE_DIR}")
    include_directories("${root_include_dir}")
  elseif(FLAGTREE_BACKEND STREQUAL "xpu")
    include_directories("${root_include_dir}" "${BACKEND_INCLUDE_DIR}")
  else()
    include_directories("${BACKEND_INCLUDE_DIR}")
  endif()
endmacro()

# flagtree_python_src_path_set([<output_var> <default_path>])
#
# Sets BACKEND_PYTHON_SRC_PATH to the backend's python/src.  The older form sets
# <output_var> to <default_path>: overrides are swapped file by file.
macro(flagtree_python_src_path_set)
  _spec_begin()
  set(FLAGTREE_BACKEND "$CACHE{FLAGTREE_BACKEND}")
  set(BACKEND_PYTHON_SRC_PATH
    "${CMAKE_CURRENT_SOURCE_DIR}/third_party/${FLAGTREE_BACKEND}/python/src")
  get_property(_SPEC_LAYER_DIRS GLOBAL PROPERTY _SPEC_LAYER_DIRS)
  if(_SPEC_LAYER_DIRS)
    list(GET _SPEC_LAYER_DIRS -1 BACKEND_PYTHON_SRC_PATH)
    string(APPEND BACKEND_PYTHON_SRC_PATH "/python/src")
  endif()
  if(${ARGC} EQUAL 2)
    set(${ARGV0} "${ARGV1}")
  elseif(NOT ${ARGC} EQUAL 0)
    message(FATAL_ERROR
      "flagtree_python_src_path_set takes nothing, or an output variable and a default path")
  endif()
endmacro()

# flagtree_added_python_src(<file>...)
#
# Makes the shared library 'triton' from the files, the overlay's in place of
# the trunk's where it has them.
macro(flagtree_added_python_src)
  spec_python_sources(_spec_python_files ${ARGN})
  add_library(triton SHARED ${_spec_python_files})
endmacro()

# get_flagtree_backend_lib(<lib> <output_var>)
#
# FlagTree_<backend>_<lib> when such a target exists, else "".
function(get_flagtree_backend_lib lib output_var)
  set(name "FlagTree_$CACHE{FLAGTREE_BACKEND}_${lib}")
  if(TARGET "${name}")
    set(${output_var} "${name}" PARENT_SCOPE)
  else()
    set(${output_var} "" PARENT_SCOPE)
  endif()
endfunction()
