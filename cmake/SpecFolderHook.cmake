# SpecFolderHook: add_subdirectory, redefined while an overlay overrides a
# CMakeLists.txt.  CMake keeps the original callable as _add_subdirectory.

macro(add_subdirectory _spec_folder)
  get_property(_spec_depth GLOBAL PROPERTY _SPEC_IN_ADD_SUBDIRECTORY)
  if("${_spec_depth}" STREQUAL "${CMAKE_CURRENT_LIST_FILE}:${CMAKE_CURRENT_LIST_LINE}")
    message(FATAL_ERROR
      "the trunk redefines add_subdirectory, which the overlay's CMakeLists.txt override needs; "
      "express the difference in the backend's spec.cmake instead")
  endif()
  set_property(GLOBAL PROPERTY _SPEC_IN_ADD_SUBDIRECTORY
    "${CMAKE_CURRENT_LIST_FILE}:${CMAKE_CURRENT_LIST_LINE}")
  _spec_folder_twin(_spec_twin "${_spec_folder}")
  set(_spec_rest ${ARGN})
  if(_spec_twin STREQUAL "")
    set(_spec_twin "${_spec_folder}")
  else()
    list(LENGTH _spec_rest _spec_length)
    list(FIND _spec_rest EXCLUDE_FROM_ALL _spec_exclude)
    if(_spec_length EQUAL 0 OR _spec_exclude EQUAL 0)
      # The binary folder that the trunk's own folder would have had.
      if(IS_ABSOLUTE "${_spec_folder}")
        file(RELATIVE_PATH _spec_binary "${CMAKE_CURRENT_SOURCE_DIR}" "${_spec_folder}")
      else()
        set(_spec_binary "${_spec_folder}")
      endif()
      list(PREPEND _spec_rest "${CMAKE_CURRENT_BINARY_DIR}/${_spec_binary}")
    endif()
  endif()
  set_property(GLOBAL PROPERTY _SPEC_IN_ADD_SUBDIRECTORY "")
  _add_subdirectory("${_spec_twin}" ${_spec_rest})
endmacro()
