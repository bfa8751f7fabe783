# SpecBackend: which backend, which program, which trunk.
include_guard(GLOBAL)

# Fixes the backend in the build folder's cache.  A later run of CMake, started by
# ninja from a shell with another FLAGTREE_BACKEND or none, must not flip it.
function(_spec_fix_backend)
  set(FLAGTREE_BACKEND "$ENV{FLAGTREE_BACKEND}" CACHE STRING
    "backend whose overlay is put over the trunk; empty: none")
  set(fixed "$CACHE{FLAGTREE_BACKEND}")
  set(wanted "$ENV{FLAGTREE_BACKEND}")
  if(NOT wanted STREQUAL "" AND NOT wanted STREQUAL fixed)
    message(STATUS "triton-spec: this build folder keeps backend '${fixed}', although the "
      "environment's FLAGTREE_BACKEND is '${wanted}'; to switch: cmake -DFLAGTREE_BACKEND=${wanted}")
  endif()
endfunction()

# A build without a backend may be given an overlay's options: CMake must not call
# them unused.
function(_spec_accept_options)
  foreach(option IN ITEMS TRITON_SPEC_EXECUTABLE TRITON_SPEC_ROOTS TRITON_SPEC_UNUSED
      TRITON_SPEC_REDUNDANT TRITON_SPEC_DRIFT)
    set(value "${${option}}")
  endforeach()
endfunction()

function(_spec_check_generator)
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    message(FATAL_ERROR
      "triton-spec proves what a build used from Ninja's records, and the generator is "
      "'${CMAKE_GENERATOR}'; configure with -G Ninja or -G \"Ninja Multi-Config\"")
  endif()
endfunction()

function(_spec_find_program)
  find_program(TRITON_SPEC_EXECUTABLE triton-spec
    HINTS "${_SPEC_CMAKE_DIR}/../../../bin" "${_SPEC_CMAKE_DIR}/../build/dev/spec"
    DOC "triton-spec, the overlay's engine")
  if(NOT TRITON_SPEC_EXECUTABLE)
    message(FATAL_ERROR
      "backend '$CACHE{FLAGTREE_BACKEND}' needs the program triton-spec, which is not on PATH; "
      "pass -DTRITON_SPEC_EXECUTABLE=<path>")
  endif()
endfunction()

# The trunk's root: the project's, unless its core lies elsewhere.
function(_spec_trunk_root out)
  if(DEFINED TRITON_CORE_SOURCE_DIR)
    set(${out} "${TRITON_CORE_SOURCE_DIR}" PARENT_SCOPE)
  else()
    set(${out} "${CMAKE_SOURCE_DIR}" PARENT_SCOPE)
  endif()
endfunction()

# Keeps the overlay roots that the environment names, for the reason that the backend
# is kept.  Called once a plan was made: a first run that fails since SPEC_PATH was
# forgotten is mended by setting it.
function(_spec_fix_roots)
  string(REPLACE ":" ";" roots "$ENV{SPEC_PATH}")
  list(APPEND roots $ENV{TRITON_PLUGIN_DIRS})
  set(TRITON_SPEC_ENVIRONMENT_ROOTS "${roots}" CACHE STRING
    "overlay roots of SPEC_PATH and TRITON_PLUGIN_DIRS in the environment of the first run")
endfunction()

# Runs a command without the environment's overlay roots when the cache has them.
macro(_spec_execute)
  if(DEFINED CACHE{TRITON_SPEC_ENVIRONMENT_ROOTS})
    set(_spec_path "$ENV{SPEC_PATH}")
    set(_spec_plugins "$ENV{TRITON_PLUGIN_DIRS}")
    set(ENV{SPEC_PATH} "")
    set(ENV{TRITON_PLUGIN_DIRS} "")
  endif()
  execute_process(${ARGV} RESULT_VARIABLE status ERROR_VARIABLE findings OUTPUT_VARIABLE output)
  if(DEFINED CACHE{TRITON_SPEC_ENVIRONMENT_ROOTS})
    set(ENV{SPEC_PATH} "${_spec_path}")
    set(ENV{TRITON_PLUGIN_DIRS} "${_spec_plugins}")
  endif()
endmacro()

# An option with a value that means nothing would silently be without effect.
function(_spec_check_options)
  foreach(option IN ITEMS TRITON_SPEC_UNUSED TRITON_SPEC_REDUNDANT)
    if(NOT "${${option}}" MATCHES "^(|warn|error)$")
      message(FATAL_ERROR "${option} is '${${option}}'; it must be 'error' (the default) or 'warn'")
    endif()
  endforeach()
  if(NOT "${TRITON_SPEC_DRIFT}" MATCHES "^(|ignore|warn|error)$")
    message(FATAL_ERROR "TRITON_SPEC_DRIFT is '${TRITON_SPEC_DRIFT}'; it must be 'ignore', 'warn' "
      "(the default) or 'error'")
  endif()
endfunction()

# Runs a step of the engine; its findings are part of CMake's own error.
function(_spec_run step)
  _spec_find_program()
  _spec_trunk_root(trunk)
  set(roots "")
  foreach(root IN LISTS TRITON_SPEC_ROOTS TRITON_PLUGIN_DIRS TRITON_SPEC_ENVIRONMENT_ROOTS)
    list(APPEND roots --root "${root}")
  endforeach()
  if(TRITON_SPEC_UNUSED STREQUAL "warn" AND step STREQUAL "place")
    list(APPEND roots --warn-unused)
  endif()
  if(TRITON_SPEC_REDUNDANT STREQUAL "warn")
    list(APPEND roots --warn-redundant)
  endif()
  if(NOT "${TRITON_SPEC_DRIFT}" STREQUAL "")
    list(APPEND roots "--drift=${TRITON_SPEC_DRIFT}")
  endif()
  set(arguments --trunk "${trunk}" --backend "$CACHE{FLAGTREE_BACKEND}"
    --out "${CMAKE_BINARY_DIR}/spec" ${roots} ${ARGN})
  _spec_execute(COMMAND "${TRITON_SPEC_EXECUTABLE}" ${step} ${arguments})
  string(STRIP "${findings}" findings)
  if(NOT status EQUAL 0)
    if(findings STREQUAL "") # it was not run, or it was killed
      set(findings "${TRITON_SPEC_EXECUTABLE}: ${status}")
    endif()
    message(FATAL_ERROR "triton-spec ${step} (backend '$CACHE{FLAGTREE_BACKEND}'):\n${findings}")
  elseif(NOT findings STREQUAL "")
    message(STATUS "triton-spec ${step}:\n${findings}")
  endif()
endfunction()
