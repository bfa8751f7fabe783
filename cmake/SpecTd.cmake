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
    _spec_td_entry(entry "${file}")
    if(entry)
      list(GET entry 2 definition)
      if(NOT definition STREQUAL "-")
        set(result "${definition}")
      endif()
    endif()
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Sets out to what plan.cmake says of a .td as it is written in the current folder; to "" when no
# override affects it.
function(_spec_td_entry out file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  get_property(entry GLOBAL PROPERTY "_SPEC_TD/${file}")
  if("${entry}" STREQUAL "" AND file MATCHES "/spec/stage/") # from a twin, or set already
    _spec_trunk_path(key "${file}")
    get_property(trunk GLOBAL PROPERTY _SPEC_TRUNK)
    get_property(entry GLOBAL PROPERTY "_SPEC_TD/${trunk}/${key}")
  endif()
  set(${out} "${entry}" PARENT_SCOPE)
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
endmacro()

# LLVM_TARGET_DEFINITIONS was read or set.  It is read many times for each time that it is set,
# so what is not for reads stands elsewhere: CMake copies all of a macro for each call.
macro(_spec_on_td _spec_var _spec_access _spec_value)
  if("${_spec_access}" STREQUAL "MODIFIED_ACCESS")
    _spec_td_set_up("${_spec_value}")
  endif()
endmacro()

# Chooses the definition, the tblgen and the dependencies of the rules that follow.  A macro,
# since it has to set variables where the trunk did; every name in it is prefixed for the same
# reason.
macro(_spec_td_set_up _spec_value)
  if(DEFINED _SPEC_SAVED_DEPENDS)
    _spec_td_restore()
  endif()
  _spec_td_entry(_spec_entry "${_spec_value}")
  if(NOT _spec_entry STREQUAL "")
    _spec_td_redirect()
    _spec_td_record("${_spec_key}" "${CMAKE_CURRENT_FUNCTION}")
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
  set(LLVM_TARGET_DEPENDS "${_SPEC_SAVED_DEPENDS}")
  unset(_SPEC_SAVED_DEPENDS)
endmacro()

# _spec_entry: key;wrapper;definition;dependencies...
macro(_spec_td_redirect)
  list(POP_FRONT _spec_entry _spec_key _spec_wrapper _spec_definition)
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

# Remembers an affected rule, and how many targets its folder had when it was made.
function(_spec_td_record key caller)
  if(caller STREQUAL "add_mlir_doc") # makes its target itself, from its own argument
    set_property(GLOBAL APPEND PROPERTY _SPEC_TD_RULES "${key}\t${output_file}DocGen")
  else()
    get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
    list(LENGTH targets count)
    set_property(GLOBAL APPEND PROPERTY _SPEC_TD_FOLDERS "${CMAKE_CURRENT_BINARY_DIR}")
    set_property(GLOBAL APPEND PROPERTY "_SPEC_TD_OPEN/${CMAKE_CURRENT_BINARY_DIR}"
      "${count}" "${key}")
  endif()
endfunction()

# Gives each remembered rule its owner: the first custom target that its folder got after it, as
# add_public_tablegen_target makes them behind the rules.  Those of add_mlir_doc own but their own
# rule.  Without any the owner is 'tablegen': a custom command uses the rule.
function(_spec_td_find_owners)
  get_property(folders GLOBAL PROPERTY _SPEC_TD_FOLDERS)
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    get_property(open GLOBAL PROPERTY "_SPEC_TD_OPEN/${folder}")
    while(NOT "${open}" STREQUAL "")
      list(POP_FRONT open count key)
      _spec_td_owner(owner ${count} ${targets})
      set_property(GLOBAL APPEND PROPERTY _SPEC_TD_RULES "${key}\t${owner}")
    endwhile()
  endforeach()
endfunction()

# Sets out to the first of the targets behind the first `count` that can own a rule.
function(_spec_td_owner out count)
  set(${out} tablegen PARENT_SCOPE)
  list(LENGTH ARGN made)
  if(count EQUAL made)
    return()
  endif()
  list(SUBLIST ARGN ${count} -1 targets)
  foreach(target IN LISTS targets)
    get_property(type TARGET "${target}" PROPERTY TYPE)
    if(type STREQUAL "UTILITY" AND NOT target MATCHES "DocGen$")
      set(${out} "${target}" PARENT_SCOPE)
      break()
    endif()
  endforeach()
endfunction()
