# SpecPlace: telling the engine about the targets, and doing what it answers.
include_guard(GLOBAL)

# Writes the target list; its format is described in spec_cpp/targets.h.  The text
# grows in a property: a variable would be copied with each line that is added.
function(_spec_write_targets file)
  set_property(GLOBAL PROPERTY _SPEC_TARGETS "build ${CMAKE_BINARY_DIR}\n")
  if(DEFINED TRITON_CORE_SOURCE_DIR)
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
      "project ${CMAKE_SOURCE_DIR}\n")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
    "flags ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}\n")
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    set(configs ${CMAKE_CONFIGURATION_TYPES})
  else()
    set(configs ${CMAKE_BUILD_TYPE})
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "configs ${configs}\n")
  _spec_list_rules()
  _spec_list_folders()
  get_property(text GLOBAL PROPERTY _SPEC_TARGETS)
  file(WRITE "${file}" "${text}")
endfunction()

# CMake overrides that were read, TableGen rules, and what spec.cmake asked for.
function(_spec_list_rules)
  get_property(used GLOBAL PROPERTY _SPEC_CMAKE_USED)
  list(REMOVE_DUPLICATES used)
  foreach(path IN LISTS used)
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
      "cmake ${path}\n")
  endforeach()
  _spec_td_find_owners()
  get_property(trunk GLOBAL PROPERTY _SPEC_TRUNK)
  get_property(rules GLOBAL PROPERTY _SPEC_TD_RULES)
  list(REMOVE_DUPLICATES rules)
  set(keys "")
  foreach(rule IN LISTS rules)
    string(REGEX REPLACE "\t.*" "" key "${rule}")
    list(APPEND keys "${key}")
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
      "td ${rule}\n")
  endforeach()
  list(REMOVE_DUPLICATES keys)
  foreach(key IN LISTS keys)
    get_property(entry GLOBAL PROPERTY "_SPEC_TD/${trunk}/${key}")
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
      "reads ${key}\t${entry}\n")
  endforeach()
  get_property(targets GLOBAL PROPERTY _SPEC_REQUESTED_TARGETS)
  list(REMOVE_DUPLICATES targets)
  foreach(target IN LISTS targets)
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
      "needs ${target}\n")
    get_property(sources GLOBAL PROPERTY "_SPEC_REQUEST/sources/${target}")
    foreach(source IN LISTS sources)
      set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
        "addition ${target}\t${source}\n")
    endforeach()
  endforeach()
endfunction()

# The targets of all folders.  This runs for every folder, target and source of the build, and
# CMake spends its time on the number of commands: hence loops where functions would be nicer.
function(_spec_list_folders)
  set(level "${CMAKE_SOURCE_DIR}")
  while(NOT level STREQUAL "")
    set(below "")
    foreach(folder IN LISTS level)
      get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
      set(utilities "")
      foreach(target IN LISTS targets)
        get_property(type TARGET "${target}" PROPERTY TYPE)
        if(type STREQUAL "UTILITY")
          list(APPEND utilities "${target}")
        else()
          _spec_list_target("${target}" "${type}")
        endif()
      endforeach()
      if(NOT utilities STREQUAL "")
        set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "utilities ${utilities}\n")
      endif()
      get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
      list(APPEND below ${folders})
    endforeach()
    set(level "${below}")
  endwhile()
endfunction()

function(_spec_list_target target type)
  get_property(dir TARGET "${target}" PROPERTY SOURCE_DIR)
  get_property(bin TARGET "${target}" PROPERTY BINARY_DIR)
  get_directory_property(current DIRECTORY "${dir}" DEFINITION CMAKE_INCLUDE_CURRENT_DIR)
  if(current)
    set(current ON)
  endif()
  get_property(sources TARGET "${target}" PROPERTY SOURCES)
  get_property(isources TARGET "${target}" PROPERTY INTERFACE_SOURCES)
  get_property(includes TARGET "${target}" PROPERTY INCLUDE_DIRECTORIES)
  get_property(iincludes TARGET "${target}" PROPERTY INTERFACE_INCLUDE_DIRECTORIES)
  set(isystem "")
  set(system "")
  if(NOT "${iincludes}" STREQUAL "")
    get_property(isystem TARGET "${target}" PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES)
    get_property(system TARGET "${target}" PROPERTY SYSTEM)
  endif()
  get_property(links TARGET "${target}" PROPERTY LINK_LIBRARIES)
  get_property(ilinks TARGET "${target}" PROPERTY INTERFACE_LINK_LIBRARIES)
  get_property(options TARGET "${target}" PROPERTY COMPILE_OPTIONS)
  get_property(ioptions TARGET "${target}" PROPERTY INTERFACE_COMPILE_OPTIONS)
  get_property(pch TARGET "${target}" PROPERTY PRECOMPILE_HEADERS)
  get_property(ipch TARGET "${target}" PROPERTY INTERFACE_PRECOMPILE_HEADERS)
  get_property(pchfrom TARGET "${target}" PROPERTY PRECOMPILE_HEADERS_REUSE_FROM)
  get_property(unity TARGET "${target}" PROPERTY UNITY_BUILD)
  string(FIND "${sources}${isources}${includes}${iincludes}${isystem}${links}${ilinks}${options}${ioptions}\
${pch}${ipch}" "\n" newline)
  if(NOT newline EQUAL -1)
    foreach(key IN ITEMS sources isources includes iincludes isystem links ilinks options ioptions
        pch ipch)
      string(REPLACE "\n" " " ${key} "${${key}}") # a line of the file is one list
    endforeach()
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
    "target ${target}\ntype ${type}\ndir ${dir}\nbin ${bin}\ncurrent ${current}\n\
sources ${sources}\nisources ${isources}\nincludes ${includes}\niincludes ${iincludes}\n\
isystem ${isystem}\nlinks ${links}\nilinks ${ilinks}\noptions ${options}\nioptions ${ioptions}\n\
pch ${pch}\nipch ${ipch}\npchfrom ${pchfrom}\n")
  string(FIND "${links}${ilinks}" "::" scope)
  if(NOT scope EQUAL -1)
    _spec_list_aliases(${links} ${ilinks})
  endif()
  if(NOT "${sources}" STREQUAL "")
    _spec_list_sources()
  endif()
  if(system)
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "system ON\n")
  endif()
  if(unity)
    _spec_list_solo()
  endif()
endfunction()

# Include folders and options that sources have of their own.  The properties are those of
# the target's folder, but a relative path would be looked up from the one that calls.  Few
# sources have any that matter: one question for all the rest.
macro(_spec_list_sources)
  if("${sources}" MATCHES "(^|;)/|\\$<")
    list(FILTER sources EXCLUDE REGEX "\\$<")
    list(TRANSFORM sources PREPEND "${dir}/" REGEX "^[^/]" OUTPUT_VARIABLE paths)
  else()
    list(TRANSFORM sources PREPEND "${dir}/" OUTPUT_VARIABLE paths)
  endif()
  set(dirs "")
  set(options "")
  foreach(path IN LISTS paths)
    get_property(own SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY INCLUDE_DIRECTORIES)
    get_property(words SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY COMPILE_OPTIONS)
    get_property(flags SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY COMPILE_FLAGS)
    string(APPEND dirs "${own}")
    string(APPEND options "${words} ${flags} ")
  endforeach()
  if(NOT dirs STREQUAL "" OR options MATCHES "-(I|i)")
    _spec_list_own()
  endif()
endmacro()

# Options count for the whole target: that may affect a unit too many, never one too few.
macro(_spec_list_own)
  set(soptions "")
  foreach(source path IN ZIP_LISTS sources paths)
    get_property(own SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY INCLUDE_DIRECTORIES)
    get_property(words SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY COMPILE_OPTIONS)
    get_property(flags SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY COMPILE_FLAGS)
    if("${words} ${flags}" MATCHES "-(I|i)")
      list(APPEND soptions ${words} ${flags})
    endif()
    if(NOT "${own}" STREQUAL "")
      set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "source ${source}\t${own}\n")
    endif()
  endforeach()
  if(NOT soptions STREQUAL "")
    set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "soptions ${soptions}\n")
  endif()
endmacro()

# Links may name a target by an alias, which no folder lists.
function(_spec_list_aliases)
  foreach(item IN LISTS ARGN)
    if(item MATCHES "^[A-Za-z0-9_.+-]+::" AND TARGET "${item}")
      get_target_property(name "${item}" ALIASED_TARGET)
      if(name)
        set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS
          "alias ${item}\t${name}\n")
      endif()
    endif()
  endforeach()
endfunction()

# Called by place.cmake: a source that moves into the stage keeps its properties.
function(_spec_move target from to)
  set(names COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS INCLUDE_DIRECTORIES OBJECT_DEPENDS
    OBJECT_OUTPUTS HEADER_FILE_ONLY SKIP_PRECOMPILE_HEADERS SKIP_UNITY_BUILD_INCLUSION
    UNITY_GROUP)
  foreach(name IN LISTS names)
    get_property(value SOURCE "${from}" TARGET_DIRECTORY "${target}" PROPERTY ${name})
    if(NOT "${value}" STREQUAL "")
      set_property(SOURCE "${to}" TARGET_DIRECTORY "${target}" PROPERTY ${name} "${value}")
    endif()
  endforeach()
  # CMake itself sets the language, by the name's ending.
  get_property(value SOURCE "${from}" TARGET_DIRECTORY "${target}" PROPERTY LANGUAGE)
  get_property(now SOURCE "${to}" TARGET_DIRECTORY "${target}" PROPERTY LANGUAGE)
  if(NOT "${value}" STREQUAL "${now}")
    set_property(SOURCE "${to}" TARGET_DIRECTORY "${target}" PROPERTY LANGUAGE "${value}")
  endif()
endfunction()

# Puts include folders before those that each source has of its own.
function(_spec_put_first target dirs)
  foreach(source IN LISTS ARGN)
    get_property(own SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY INCLUDE_DIRECTORIES)
    set_property(SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY
      INCLUDE_DIRECTORIES ${dirs} ${own})
  endforeach()
endfunction()

# Options by which the compiler of affected units stays in the stage. For a system header
# gcc takes the path that its links lead to, if that is shorter, and looks for further
# headers there: beside the trunk's file. Precompiled headers count as system headers,
# and so does a file that has `#pragma GCC system_header`.
function(_spec_stay_options out)
  set(options "")
  if("${CMAKE_C_COMPILER_ID};${CMAKE_CXX_COMPILER_ID}" MATCHES "GNU")
    set(language "$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>")
    set(options "$<$<OR:${language}>:-fno-canonical-system-headers>")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# Called by place.cmake: units that reach overrides.  The staged folders come
# before all others; the digest changes whenever the set of overrides that the
# unit reaches, or where one of them comes from, does.
function(_spec_unit target digest dirs)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "TRITON_SPEC_DIGEST=0x${digest}")
  if(NOT dirs STREQUAL "")
    _spec_put_first("${target}" "${dirs}" ${ARGN})
  endif()
  _spec_stay_options(options)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY COMPILE_OPTIONS
    ${options})
endfunction()

# Called by place.cmake: the same for a source that another target of the folder compiles
# with other overrides.
function(_spec_unit_of target digest dirs)
  set(here "$<STREQUAL:$<TARGET_PROPERTY:NAME>,${target}>")
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "$<${here}:TRITON_SPEC_DIGEST=0x${digest}>")
  list(TRANSFORM dirs REPLACE "(.+)" "$<${here}:\\1>")
  _spec_put_first("${target}" "${dirs}" ${ARGN})
  _spec_stay_options(options)
  if(options)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY "${target}" APPEND PROPERTY COMPILE_OPTIONS
      "$<${here}:${options}>")
  endif()
endfunction()
