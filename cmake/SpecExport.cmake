# SpecExport: what an overlay asks of targets, in plain CMake.
#
# Part of an exported tree, next to overlay.cmake, which includes it: nothing else of triton-spec
# is there.  A backend's spec.cmake runs before the trunk's targets exist, so its calls are
# noted, and done when all targets are there.
include_guard(GLOBAL)

function(_export_note kind target)
  set_property(GLOBAL APPEND PROPERTY _EXPORT_TARGETS "${target}")
  set_property(GLOBAL APPEND PROPERTY "_EXPORT/${kind}/${target}" ${ARGN})
endfunction()

# The functions of SpecTarget, without its checks: the overlay passed them.
#
# spec_target_sources(<target> <path>...): paths below the export.
function(spec_target_sources target)
  _export_note(sources "${target}" ${ARGN})
endfunction()

# spec_target_link_libraries(<target> <library>...)
function(spec_target_link_libraries target)
  _export_note(libraries "${target}" ${ARGN})
endfunction()

# spec_target_definitions(<target> <definition>...)
function(spec_target_definitions target)
  _export_note(definitions "${target}" ${ARGN})
endfunction()

# spec_target_include_directories(<target> <dir>...)
function(spec_target_include_directories target)
  _export_note(includes "${target}" ${ARGN})
endfunction()

# Runs when all other deferred calls are done: those may still make targets.
function(_export_finish)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" GET_CALL_IDS pending)
  get_property(rounds GLOBAL PROPERTY _EXPORT_ROUNDS)
  list(LENGTH rounds count)
  if(pending AND count LESS 100) # somebody else may want to be the last as well
    set_property(GLOBAL APPEND PROPERTY _EXPORT_ROUNDS again)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _export_finish)
    return()
  endif()
  get_property(targets GLOBAL PROPERTY _EXPORT_TARGETS)
  list(REMOVE_DUPLICATES targets)
  foreach(target IN LISTS targets)
    _export_ask("${target}")
  endforeach()
  get_property(removed GLOBAL PROPERTY _EXPORT_REMOVED)
  if(removed)
    _export_drop("${CMAKE_SOURCE_DIR}")
  endif()
endfunction()

# Does what was noted for one target, which may be an alias.
function(_export_ask name)
  set(target "${name}")
  get_target_property(real "${name}" ALIASED_TARGET)
  if(real)
    set(target "${real}")
  endif()
  foreach(kind IN ITEMS sources definitions includes libraries)
    get_property(${kind} GLOBAL PROPERTY "_EXPORT/${kind}/${name}")
  endforeach()
  get_property(root GLOBAL PROPERTY _EXPORT_ROOT)
  list(TRANSFORM sources PREPEND "${root}/")
  target_sources("${target}" PRIVATE ${sources})
  target_compile_definitions("${target}" PRIVATE ${definitions})
  target_include_directories("${target}" PRIVATE ${includes})
  if(NOT libraries STREQUAL "")
    # By property: target_link_libraries() wants keywords or none, as the trunk did.
    set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES ${libraries})
    get_target_property(type "${target}" TYPE)
    if(type MATCHES "^(OBJECT|STATIC)_LIBRARY$") # who links it needs them too
      list(TRANSFORM libraries REPLACE "(.+)" "$<LINK_ONLY:\\1>")
      set_property(TARGET "${target}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${libraries})
    endif()
  endif()
endfunction()

# Takes the removed sources out of every target of a folder and of those below it.
function(_export_drop folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    foreach(property IN ITEMS SOURCES INTERFACE_SOURCES)
      _export_drop_from("${target}" ${property})
    endforeach()
  endforeach()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS below)
    _export_drop("${folder}")
  endforeach()
endfunction()

function(_export_drop_from target property)
  get_property(removed GLOBAL PROPERTY _EXPORT_REMOVED)
  get_property(root GLOBAL PROPERTY _EXPORT_ROOT)
  get_property(dir TARGET "${target}" PROPERTY SOURCE_DIR)
  get_property(sources TARGET "${target}" PROPERTY ${property})
  set(kept "")
  foreach(source IN LISTS sources)
    set(path "${source}")
    if(path MATCHES "^\\$<.*[:,]([^:,<>]+)>+$") # a file behind a condition
      set(path "${CMAKE_MATCH_1}")
    endif()
    get_filename_component(path "${path}" ABSOLUTE BASE_DIR "${dir}")
    file(RELATIVE_PATH path "${root}" "${path}")
    list(FIND removed "${path}" at)
    if(at EQUAL -1)
      list(APPEND kept "${source}")
    endif()
  endforeach()
  if(NOT "${kept}" STREQUAL "${sources}")
    set_property(TARGET "${target}" PROPERTY ${property} "${kept}")
  endif()
endfunction()

cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _export_finish)
