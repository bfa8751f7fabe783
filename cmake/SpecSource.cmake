# SpecSource: compiled sources.
include_guard(GLOBAL)

# spec_source_overrides()
#
# Asks for the overlay's sources, headers and additions to be put into the
# targets that own them.  It may be called anywhere and any number of times: the work is
# done when every target of the build exists, also those created later.
# Without a backend it does nothing.
function(spec_source_overrides)
  _spec_begin()
endfunction()

# spec_python_sources(<var> <file>...)
#
# Sets <var> to the sources of the Python extension: each <file> of the current
# source folder (or absolute), replaced by the overlay's where it has one.
# Without a backend it gives the files unchanged.
function(spec_python_sources var)
  if("${var}" STREQUAL "" OR ARGC LESS 2)
    message(FATAL_ERROR "spec_python_sources(<var> <file>...) needs a variable and files")
  endif()
  _spec_begin()
  _spec_is_active(active)
  set(files ${ARGN})
  if(active)
    set(files "")
    foreach(file IN LISTS ARGN)
      set(path "${file}")
      if(NOT IS_ABSOLUTE "${path}")
        set(path "${CMAKE_CURRENT_SOURCE_DIR}/${path}")
      endif()
      _spec_trunk_path(key "${path}")
      get_property(staged GLOBAL PROPERTY "_SPEC_FILE/${key}")
      if(staged)
        list(APPEND files "${staged}")
      else()
        list(APPEND files "${file}")
      endif()
    endforeach()
  endif()
  set(${var} "${files}" PARENT_SCOPE)
endfunction()
