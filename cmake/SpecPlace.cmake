# SpecPlace: telling the engine about the targets, and doing what it answers.
include_guard(GLOBAL)

# Writes the target list; its format is described in spec_cpp/targets.h.
function(_spec_write_targets file)
  set(text "build ${CMAKE_BINARY_DIR}\n")
  if(DEFINED TRITON_CORE_SOURCE_DIR)
    string(APPEND text "project ${CMAKE_SOURCE_DIR}\n")
  endif()
  string(APPEND text "flags ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}\n")
  _spec_list_rules(rules)
  string(APPEND text "${rules}")
  _spec_list_folder(targets "${CMAKE_SOURCE_DIR}")
  string(APPEND text "${targets}")
  file(WRITE "${file}" "${text}")
endfunction()

# CMake overrides that were read, TableGen rules, and what spec.cmake asked for.
function(_spec_list_rules out)
  set(text "")
  get_property(used GLOBAL PROPERTY _SPEC_CMAKE_USED)
  list(REMOVE_DUPLICATES used)
  foreach(path IN LISTS used)
    string(APPEND text "cmake ${path}\n")
  endforeach()
  _spec_td_close_all()
  get_property(rules GLOBAL PROPERTY _SPEC_TD_RULES)
  list(REMOVE_DUPLICATES rules)
  foreach(rule IN LISTS rules)
    string(APPEND text "td ${rule}\n")
  endforeach()
  get_property(targets GLOBAL PROPERTY _SPEC_REQUESTED_TARGETS)
  list(REMOVE_DUPLICATES targets)
  foreach(target IN LISTS targets)
    string(APPEND text "needs ${target}\n")
    get_property(sources GLOBAL PROPERTY "_SPEC_REQUEST/sources/${target}")
    foreach(source IN LISTS sources)
      string(APPEND text "addition ${target}\t${source}\n")
    endforeach()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# The targets of a folder and of all folders below it.
function(_spec_list_folder out folder)
  set(text "")
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_directory_property(current DIRECTORY "${folder}" DEFINITION CMAKE_INCLUDE_CURRENT_DIR)
  foreach(target IN LISTS targets)
    get_target_property(type "${target}" TYPE)
    if(NOT type STREQUAL "UTILITY")
      _spec_list_target(lines "${target}" "${type}" "${current}")
      string(APPEND text "${lines}")
    else()
      string(APPEND text "target ${target}\ntype UTILITY\n")
    endif()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    _spec_list_folder(lines "${below}")
    string(APPEND text "${lines}")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(_spec_list_target out target type current)
  get_target_property(dir "${target}" SOURCE_DIR)
  get_target_property(bin "${target}" BINARY_DIR)
  set(text "target ${target}\ntype ${type}\ndir ${dir}\nbin ${bin}\n")
  if(current)
    string(APPEND text "current ON\n")
  endif()
  foreach(pair IN ITEMS
      sources=SOURCES isources=INTERFACE_SOURCES includes=INCLUDE_DIRECTORIES
      iincludes=INTERFACE_INCLUDE_DIRECTORIES links=LINK_LIBRARIES
      ilinks=INTERFACE_LINK_LIBRARIES options=COMPILE_OPTIONS
      ioptions=INTERFACE_COMPILE_OPTIONS pch=PRECOMPILE_HEADERS
      pchfrom=PRECOMPILE_HEADERS_REUSE_FROM)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 key)
    list(GET pair 1 property)
    get_property(value TARGET "${target}" PROPERTY ${property})
    if(NOT "${value}" STREQUAL "")
      string(REPLACE "\n" " " value "${value}")
      string(APPEND text "${key} ${value}\n")
    endif()
    if(property MATCHES "LINK_LIBRARIES$")
      _spec_list_aliases(lines ${value})
      string(APPEND text "${lines}")
    endif()
  endforeach()
  _spec_list_sources(lines "${target}")
  set(${out} "${text}${lines}" PARENT_SCOPE)
endfunction()

# Links may name a target by an alias, which no folder lists.
function(_spec_list_aliases out)
  set(text "")
  foreach(item IN LISTS ARGN)
    if(item MATCHES "^[A-Za-z0-9_.+-]+::" AND TARGET "${item}")
      get_target_property(name "${item}" ALIASED_TARGET)
      if(name)
        string(APPEND text "alias ${item}\t${name}\n")
      endif()
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Include folders that a source has of its own.  The properties are those of the
# target's folder, but a relative path would be looked up from the one that calls.
function(_spec_list_sources out target)
  set(text "")
  get_property(sources TARGET "${target}" PROPERTY SOURCES)
  get_property(dir TARGET "${target}" PROPERTY SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\$<")
      set(path "${source}")
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${dir}")
      get_property(includes SOURCE "${path}" TARGET_DIRECTORY "${target}"
        PROPERTY INCLUDE_DIRECTORIES)
      if(NOT "${includes}" STREQUAL "")
        string(APPEND text "source ${source}\t${includes}\n")
      endif()
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Called by place.cmake: a source that moves into the stage keeps its properties.
function(_spec_move target from to)
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS INCLUDE_DIRECTORIES
      OBJECT_DEPENDS OBJECT_OUTPUTS LANGUAGE HEADER_FILE_ONLY SKIP_PRECOMPILE_HEADERS
      SKIP_UNITY_BUILD_INCLUSION UNITY_GROUP)
    get_property(value SOURCE "${from}" TARGET_DIRECTORY "${target}" PROPERTY ${property})
    get_property(now SOURCE "${to}" TARGET_DIRECTORY "${target}" PROPERTY ${property})
    if(NOT "${value}" STREQUAL "${now}") # CMake itself sets LANGUAGE, alike for both
      set_property(SOURCE "${to}" TARGET_DIRECTORY "${target}" PROPERTY ${property} "${value}")
    endif()
  endforeach()
endfunction()

# Called by place.cmake: units that reach overrides.  The staged folders come
# before all others; the digest changes whenever the set of overrides that the
# unit reaches, or where one of them comes from, does.
function(_spec_unit target digest dirs)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "TRITON_SPEC_DIGEST=0x${digest}")
  if(dirs STREQUAL "")
    return()
  endif()
  foreach(source IN LISTS ARGN)
    get_property(own SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY INCLUDE_DIRECTORIES)
    set_property(SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY
      INCLUDE_DIRECTORIES ${dirs} ${own})
  endforeach()
endfunction()

# Called by place.cmake: the same for a source that another target of the folder compiles
# with other overrides.
function(_spec_unit_of target digest dirs)
  set(here "$<STREQUAL:$<TARGET_PROPERTY:NAME>,${target}>")
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "$<${here}:TRITON_SPEC_DIGEST=0x${digest}>")
  list(TRANSFORM dirs REPLACE "(.+)" "$<${here}:\\1>")
  foreach(source IN LISTS ARGN)
    get_property(own SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY INCLUDE_DIRECTORIES)
    set_property(SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY
      INCLUDE_DIRECTORIES ${dirs} ${own})
  endforeach()
endfunction()

# Called by place.cmake: a precompiled header that reaches overrides is compiled with the
# target's own include folders and definitions, so those change, for the whole target.
function(_spec_precompiled target digest)
  get_property(own TARGET "${target}" PROPERTY INCLUDE_DIRECTORIES)
  set_property(TARGET "${target}" PROPERTY INCLUDE_DIRECTORIES ${ARGN} ${own})
  set_property(TARGET "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "TRITON_SPEC_PRECOMPILED=0x${digest}")
endfunction()
