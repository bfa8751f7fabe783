# SpecFolder: overridden CMakeLists.txt and *.cmake files.
#
# A folder whose CMakeLists.txt is overridden is entered through its twin in the
# stage, where everything else is a link to the trunk, with the trunk folder's
# own binary folder.  Only an overlay that has such files redefines commands.
include_guard(GLOBAL)

macro(_spec_watch_folders)
  get_property(_spec_has GLOBAL PROPERTY _SPEC_HAS_FOLDER)
  if(_spec_has)
    if(COMMAND _add_subdirectory)
      message(FATAL_ERROR
        "the overlay overrides a CMakeLists.txt, for which triton-spec redefines "
        "add_subdirectory, and something has redefined it already; "
        "express the difference in the backend's spec.cmake instead")
    endif()
    include("${_SPEC_CMAKE_DIR}/SpecFolderHook.cmake")
  endif()
  get_property(_spec_has GLOBAL PROPERTY _SPEC_HAS_MODULE)
  if(_spec_has)
    include("${_SPEC_CMAKE_DIR}/SpecModuleHook.cmake")
  endif()
endmacro()

# Sets out to the twin of a source folder; to "" when the folder itself is meant.  A path
# that climbs out of a twin leads back into the trunk.
function(_spec_folder_twin out folder)
  set(path "${folder}")
  if(NOT IS_ABSOLUTE "${path}")
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/${path}")
  endif()
  _spec_trunk_path(key "${path}/.")
  cmake_path(NORMAL_PATH key)
  string(REGEX REPLACE "/$" "" key "${key}")
  set(result "")
  get_property(overridden GLOBAL PROPERTY "_SPEC_FOLDER/${key}")
  if(overridden)
    get_property(stage GLOBAL PROPERTY _SPEC_STAGE)
    set(result "${stage}/${key}")
    set_property(GLOBAL APPEND PROPERTY _SPEC_CMAKE_USED "${result}/CMakeLists.txt")
  elseif(NOT key STREQUAL "" AND NOT EXISTS "${path}/CMakeLists.txt")
    get_property(trunk GLOBAL PROPERTY _SPEC_TRUNK)
    set(result "${trunk}/${key}")
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Sets out to the staged file for include(<file or module>), or to "".
function(_spec_module_twin out name)
  set(path "${name}")
  if(NOT path MATCHES "\\.cmake$")
    # A module: the first of the module path's folders that has it.
    set(path "")
    foreach(folder IN LISTS CMAKE_MODULE_PATH)
      if(EXISTS "${folder}/${name}.cmake")
        set(path "${folder}/${name}.cmake")
        break()
      endif()
      _spec_trunk_path(key "${folder}/${name}.cmake")
      get_property(staged GLOBAL PROPERTY "_SPEC_MODULE/${key}")
      if(staged)
        set(path "${folder}/${name}.cmake")
        break()
      endif()
    endforeach()
  elseif(NOT IS_ABSOLUTE "${path}")
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/${path}")
  endif()
  set(result "")
  if(NOT path STREQUAL "")
    _spec_trunk_path(key "${path}")
    get_property(staged GLOBAL PROPERTY "_SPEC_MODULE/${key}")
    if(staged)
      set(result "${staged}")
      set_property(GLOBAL APPEND PROPERTY _SPEC_CMAKE_USED "${result}")
    endif()
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()
