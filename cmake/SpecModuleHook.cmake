# SpecModuleHook: include, redefined while an overlay overrides a *.cmake file.
# CMake keeps the original callable as _include.

macro(include _spec_module)
  _spec_module_twin(_spec_module_file "${_spec_module}")
  if(_spec_module_file STREQUAL "")
    _include("${_spec_module}" ${ARGN})
  else()
    _include("${_spec_module_file}" ${ARGN})
  endif()
endmacro()
