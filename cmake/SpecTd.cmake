# SpecTd: TableGen inputs.
include_guard(GLOBAL)

# spec_td_set(<var> <file.td>)
#
# Sets <var> to the file that tblgen shall read for <file.td> of the current
# source folder: the overlay's, as an absolute path, when it has one, else
# <file.td> unchanged.  <var> is usually LLVM_TARGET_DEFINITIONS.  Without a
# backend it always gives <file.td>.
# A macro: the rules that follow take their tblgen from variables that are set along
# with LLVM_TARGET_DEFINITIONS, in the scope that sets it.
macro(spec_td_set var file)
  if(NOT ${ARGC} EQUAL 2 OR "${var}" STREQUAL "" OR "${file}" STREQUAL "")
    message(FATAL_ERROR "spec_td_set(<var> <file.td>) takes two words, not '${ARGV}'")
  endif()
  _spec_begin()
  _spec_td_choose(_spec_td_chosen "${file}")
  set(${var} "${_spec_td_chosen}")
  unset(_spec_td_chosen)
endmacro()

# Sets out to the overlay's file for a .td, or to the .td as it is written.
function(_spec_td_choose out file)
  _spec_is_active(active)
  set(result "${file}")
  if(active)
    _spec_td_key(key "${file}")
    get_property(entry GLOBAL PROPERTY "_SPEC_TD/${key}")
    if(entry)
      list(GET entry 1 definition)
      if(NOT definition STREQUAL "-")
        set(result "${definition}")
      endif()
    endif()
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Path of a .td below the trunk; "" for one that lies elsewhere.
function(_spec_td_key out file)
  set(path "${file}")
  if(NOT IS_ABSOLUTE "${path}")
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/${path}")
  endif()
  _spec_trunk_path(key "${path}")
  set(${out} "${key}" PARENT_SCOPE)
endfunction()

# Path below the trunk of an absolute path in the trunk or in the stage, else "".
function(_spec_trunk_path out path)
  get_property(stage GLOBAL PROPERTY _SPEC_STAGE)
  get_property(trunk GLOBAL PROPERTY _SPEC_TRUNK)
  cmake_path(NORMAL_PATH path)
  set(result "")
  foreach(root IN ITEMS "${stage}" "${trunk}")
    string(LENGTH "${root}/" length)
    string(SUBSTRING "${path}" 0 ${length} start)
    if(start STREQUAL "${root}/")
      string(SUBSTRING "${path}" ${length} -1 result)
      break()
    endif()
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

macro(_spec_watch_td)
  variable_watch(LLVM_TARGET_DEFINITIONS _spec_on_td)
  variable_watch(LLVM_COMMON_DEPENDS _spec_on_td_target)
endmacro()

# LLVM_TARGET_DEFINITIONS was set: choose the definition, the tblgen and the
# dependencies of the rules that follow.  A macro, since it has to set variables
# where the trunk did; every name in it is prefixed for the same reason.
macro(_spec_on_td _spec_var _spec_access _spec_value)
  if("${_spec_access}" STREQUAL "MODIFIED_ACCESS" AND NOT "${_spec_value}" STREQUAL "")
    _spec_td_key(_spec_key "${_spec_value}")
    _spec_td_restore()
    get_property(_spec_entry GLOBAL PROPERTY "_SPEC_TD/${_spec_key}")
    if(_spec_entry)
      _spec_td_redirect()
      _spec_td_record("${_spec_key}" "${CMAKE_CURRENT_FUNCTION}")
    endif()
  endif()
endmacro()

# The trunk's own tblgen and dependencies come back before each rule.
macro(_spec_td_restore)
  foreach(_spec_tool IN ITEMS MLIR_TABLEGEN_EXE LLVM_TABLEGEN_EXE)
    if(DEFINED _SPEC_SAVED_${_spec_tool})
      set(${_spec_tool} "${_SPEC_SAVED_${_spec_tool}}")
      unset(_SPEC_SAVED_${_spec_tool})
    endif()
  endforeach()
  if(DEFINED _SPEC_SAVED_DEPENDS)
    set(LLVM_TARGET_DEPENDS "${_SPEC_SAVED_DEPENDS}")
    unset(_SPEC_SAVED_DEPENDS)
  endif()
endmacro()

# _spec_entry: wrapper;definition;dependencies...
macro(_spec_td_redirect)
  list(POP_FRONT _spec_entry _spec_wrapper _spec_definition)
  if(NOT _spec_definition STREQUAL "-")
    set(LLVM_TARGET_DEFINITIONS "${_spec_definition}")
  endif()
  foreach(_spec_tool IN ITEMS MLIR_TABLEGEN_EXE LLVM_TABLEGEN_EXE)
    if(DEFINED ${_spec_tool})
      set(_SPEC_SAVED_${_spec_tool} "${${_spec_tool}}")
      _spec_td_tool(_spec_real "${${_spec_tool}}")
      # The wrapper runs its first argument; as a list both become dependencies.
      set(${_spec_tool} "${_spec_wrapper};${_spec_real}")
    endif()
  endforeach()
  set(_SPEC_SAVED_DEPENDS "${LLVM_TARGET_DEPENDS}")
  list(APPEND LLVM_TARGET_DEPENDS ${_spec_entry})
endmacro()

# A tool that is a target is named by its file, since CMake replaces a target's
# name only where it is the command itself.
function(_spec_td_tool out tool)
  if(TARGET "${tool}")
    set(${out} "$<TARGET_FILE:${tool}>" PARENT_SCOPE)
  else()
    set(${out} "${tool}" PARENT_SCOPE)
  endif()
endfunction()

# Remembers an affected rule until the target that builds it is known.
function(_spec_td_record key caller)
  if(caller STREQUAL "add_mlir_doc") # makes its target itself, from its own argument
    set_property(GLOBAL APPEND PROPERTY _SPEC_TD_RULES "${key}\t${output_file}DocGen")
  else()
    set_property(GLOBAL APPEND PROPERTY "_SPEC_TD_OPEN/${CMAKE_CURRENT_BINARY_DIR}" "${key}")
    set_property(GLOBAL APPEND PROPERTY _SPEC_TD_FOLDERS "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
endfunction()

# LLVM_COMMON_DEPENDS was extended by add_public_tablegen_target: its target owns
# the rules of this folder that had none yet.
macro(_spec_on_td_target _spec_var _spec_access)
  if("${_spec_access}" STREQUAL "MODIFIED_ACCESS"
      AND "${CMAKE_CURRENT_FUNCTION}" STREQUAL "add_public_tablegen_target")
    _spec_td_close("${target}")
  endif()
endmacro()

function(_spec_td_close owner)
  _spec_td_own("${CMAKE_CURRENT_BINARY_DIR}" "${owner}")
endfunction()

function(_spec_td_own folder owner)
  get_property(keys GLOBAL PROPERTY "_SPEC_TD_OPEN/${folder}")
  foreach(key IN LISTS keys)
    set_property(GLOBAL APPEND PROPERTY _SPEC_TD_RULES "${key}\t${owner}")
  endforeach()
  set_property(GLOBAL PROPERTY "_SPEC_TD_OPEN/${folder}" "")
endfunction()

# Rules that no public target took: used by a custom command or target.
function(_spec_td_close_all)
  get_property(folders GLOBAL PROPERTY _SPEC_TD_FOLDERS)
  foreach(folder IN LISTS folders)
    _spec_td_own("${folder}" tablegen)
  endforeach()
endfunction()
