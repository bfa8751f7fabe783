# SpecOverlay: the overlay's life during a configure run.
#
#   _spec_begin    when the trunk's project begins: plan and stage
#   (the trunk's own CMake code runs, watched)
#   _spec_finish   when every target exists: list them, place the overlay, log
#
# All public functions (SpecTd, SpecSource, SpecInclude, FlagTreeCompat) lead to
# the same two calls, so a trunk that calls them and an untouched trunk that is
# injected get the same build.
include_guard(GLOBAL)

set(_SPEC_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "triton-spec's CMake files")

include("${CMAKE_CURRENT_LIST_DIR}/SpecBackend.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecLock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecTd.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecFolder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecSource.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecInclude.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecTarget.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecPlace.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecCommands.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecUnity.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SpecCheck.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/FlagTreeCompat.cmake")

# Begins the overlay, once a configure run; without a backend it only remembers
# that there is none.  A macro, so that a backend's spec.cmake may set variables
# of the folder that begins: the top one.
macro(_spec_begin)
  get_property(_spec_begun GLOBAL PROPERTY _SPEC_BEGUN)
  if(NOT _spec_begun)
    set_property(GLOBAL PROPERTY _SPEC_BEGUN ON)
    _spec_fix_backend()
    _spec_accept_options()
    if(NOT "$CACHE{FLAGTREE_BACKEND}" STREQUAL "")
      _spec_check_generator()
      _spec_check_options()
      _spec_lock()
      _spec_export_commands()
      _spec_run(stage)
      _spec_fix_roots()
      include("${CMAKE_BINARY_DIR}/spec/plan.cmake")
      _spec_watch()
    else()
      _spec_remove_commands()
    endif()
  endif()
endmacro()

# Whether an overlay is active in this configure run.
function(_spec_is_active out)
  if("$CACHE{FLAGTREE_BACKEND}" STREQUAL "")
    set(${out} OFF PARENT_SCOPE)
  else()
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# Everything that has to be seen while the trunk's CMake code runs.
macro(_spec_watch)
  get_property(_spec_has GLOBAL PROPERTY _SPEC_HAS_TD)
  if(_spec_has)
    _spec_watch_td()
  endif()
  _spec_watch_folders()
  get_property(_spec_files GLOBAL PROPERTY _SPEC_DEPENDS)
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${_spec_files} "${TRITON_SPEC_EXECUTABLE}")
  get_property(_spec_files GLOBAL PROPERTY _SPEC_SCRIPTS)
  foreach(_spec_script IN LISTS _spec_files)
    include("${_spec_script}")
  endforeach()
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _spec_finish)
endmacro()

# Runs when all other deferred calls of the top folder are done: those may still
# create targets, and defer again.
function(_spec_finish)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" GET_CALL_IDS pending)
  get_property(rounds GLOBAL PROPERTY _SPEC_FINISH_ROUNDS)
  list(LENGTH rounds count)
  if(pending AND count LESS 100) # somebody else may want to be the last as well
    set_property(GLOBAL APPEND PROPERTY _SPEC_FINISH_ROUNDS again)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _spec_finish)
    return()
  endif()
  _spec_apply_requests()
  _spec_write_targets("${CMAKE_BINARY_DIR}/spec/targets.txt")
  _spec_run(place --targets "${CMAKE_BINARY_DIR}/spec/targets.txt")
  include("${CMAKE_BINARY_DIR}/spec/place.cmake")
  _spec_check_before_builds()
  _spec_print_log()
endfunction()

function(_spec_print_log)
  file(READ "${CMAKE_BINARY_DIR}/spec/log.txt" log)
  string(STRIP "${log}" log)
  string(REPLACE "\n" "\n-- " log "${log}")
  message(STATUS "${log}")
endfunction()
