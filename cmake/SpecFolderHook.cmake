# SpecFolderHook: add_subdirectory, redefined while an overlay overrides a
# CMakeLists.txt.  CMake keeps the original callable as _add_subdirectory.

macro(add_subdirectory _spec_folder)
  # Called again for the same folder before it was entered: _add_subdirectory is no
  # longer CMake's own.
  get_property(_spec_entering GLOBAL PROPERTY "_SPEC_ENTERING/${CMAKE_CURRENT_BINARY_DIR}")
  if(_spec_entering)
    message(FATAL_ERROR
      "the trunk redefines add_subdirectory, which the overlay's CMakeLists.txt override needs; "
      "express the difference in the backend's spec.cmake instead")
  endif()
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
  set_property(GLOBAL PROPERTY "_SPEC_ENTERING/${CMAKE_CURRENT_BINARY_DIR}" ON)
  _add_subdirectory("${_spec_twin}" ${_spec_rest})
  set_property(GLOBAL PROPERTY "_SPEC_ENTERING/${CMAKE_CURRENT_BINARY_DIR}" OFF)
endmacro()
