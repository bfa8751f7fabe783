# SpecCommands: CMake's compilation database, from which the engine makes the editor's.
include_guard(GLOBAL)

# Has CMake write compile_commands.json, unless the user or the trunk decides about it.  A macro:
# the variable is for the folder that begins, the top one.
macro(_spec_export_commands)
  if(NOT DEFINED CMAKE_EXPORT_COMPILE_COMMANDS)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(_SPEC_EXPORTED_COMMANDS ON CACHE INTERNAL "compile_commands.json is there for triton-spec")
  endif()
endmacro()

# Without a backend nothing writes these any more, so what an earlier run left would be stale.
function(_spec_remove_commands)
  if(NOT EXISTS "${CMAKE_BINARY_DIR}/spec/targets.txt")
    return()
  endif()
  file(REMOVE "${CMAKE_BINARY_DIR}/spec/compile_commands.json"
    "${CMAKE_BINARY_DIR}/spec/compile_commands.digest")
  if(_SPEC_EXPORTED_COMMANDS AND NOT CMAKE_EXPORT_COMPILE_COMMANDS)
    file(REMOVE "${CMAKE_BINARY_DIR}/compile_commands.json")
  endif()
  unset(_SPEC_EXPORTED_COMMANDS CACHE)
endfunction()
