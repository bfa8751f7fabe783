# SpecLock: one run of CMake at a time in a build folder.
include_guard(GLOBAL)

# _spec_lock()
#
# Keeps other runs of CMake and proofs (triton-spec verify) out of the build folder until this run
# has ended, build.ninja and all.  It waits for one that is there, up to TRITON_SPEC_WAIT seconds of
# the environment (600 when it is not set; "off": no locks), and fails when that takes too long.  The
# system gives the lock back when CMake ends, however it ends.  The engine knows the same lock:
# spec/core/run_lock.h.
function(_spec_lock)
  if("$ENV{TRITON_SPEC_WAIT}" STREQUAL "off")
    return()
  endif()
  set(file "${CMAKE_BINARY_DIR}/.spec_configure.lock")
  _spec_find_program()
  while(1)
    file(LOCK "${file}" GUARD PROCESS TIMEOUT 0 RESULT_VARIABLE result)
    if(result STREQUAL "0" OR result MATCHES "[Aa]lready locked") # a second run in one process
      return()
    elseif(NOT result MATCHES "[Tt]imeout")
      message(FATAL_ERROR "triton-spec cannot lock '${file}': ${result}\n"
        "Where the file system has no locks, set TRITON_SPEC_WAIT=off in the environment, and "
        "never let two runs work in one build folder.")
    endif()
    execute_process(COMMAND "${TRITON_SPEC_EXECUTABLE}" wait "${CMAKE_BINARY_DIR}"
      RESULT_VARIABLE status ERROR_VARIABLE said ECHO_ERROR_VARIABLE)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "triton-spec: this build folder is in use:\n${said}")
    endif()
  endwhile()
endfunction()
