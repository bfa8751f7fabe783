# SpecUnity: unity batches and precompiled headers, which are compiled with what their target has.
include_guard(GLOBAL)

# Lists the sources that CMake keeps out of the batches of a unity build.  One that is missed here
# only makes its whole target affected.  Called by _spec_list_target, with its variables.
macro(_spec_list_solo)
  set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "unity ON\n")
  get_property(mode TARGET "${target}" PROPERTY UNITY_BUILD_MODE)
  foreach(source path IN ZIP_LISTS sources paths)
    get_property(solo SOURCE "${path}" TARGET_DIRECTORY "${target}"
      PROPERTY SKIP_UNITY_BUILD_INCLUSION)
    set(own "")
    foreach(name IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS INCLUDE_DIRECTORIES)
      get_property(value SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY ${name})
      string(APPEND own "${value}")
    endforeach()
    get_property(group SOURCE "${path}" TARGET_DIRECTORY "${target}" PROPERTY UNITY_GROUP)
    if(solo OR NOT "${own}" STREQUAL "" OR ("${mode}" STREQUAL "GROUP" AND "${group}" STREQUAL ""))
      set_property(GLOBAL APPEND_STRING PROPERTY _SPEC_TARGETS "solo ${source}\n")
    endif()
  endforeach()
endmacro()

# Called by place.cmake: the target's precompiled header or one of its unity batches reaches
# overrides.  Those are compiled with the target's own include folders and definitions.
function(_spec_wide target digest)
  get_property(own TARGET "${target}" PROPERTY INCLUDE_DIRECTORIES)
  set_property(TARGET "${target}" PROPERTY INCLUDE_DIRECTORIES ${ARGN} ${own})
  set_property(TARGET "${target}" APPEND PROPERTY
    COMPILE_DEFINITIONS "TRITON_SPEC_TARGET=0x${digest}")
  _spec_stay_options(options)
  set_property(TARGET "${target}" APPEND PROPERTY COMPILE_OPTIONS ${options})
endfunction()

# Called by place.cmake: CMAKE_INCLUDE_CURRENT_DIR puts the current folder before all that a
# target has, but not before what a source has.  So here, and here only, the sources are named
# that CMake itself writes: for the precompiled header, and for at most `count` batches.  The
# names are not documented; CMake 3.25 and 4.4 use them.
function(_spec_put_generated_first target count)
  get_property(bin TARGET "${target}" PROPERTY BINARY_DIR)
  set(folder "${bin}/CMakeFiles/${target}.dir")
  set(made "${folder}/cmake_pch.h.c" "${folder}/cmake_pch.hxx.cxx")
  get_property(unity TARGET "${target}" PROPERTY UNITY_BUILD)
  if(unity)
    _spec_list_batches(batches "${target}" ${count})
    get_property(prefix TARGET "${target}" PROPERTY UNITY_BUILD_FILENAME_PREFIX)
    if("${prefix}" STREQUAL "")
      set(prefix "unity_")
    endif()
    foreach(batch IN LISTS batches)
      list(APPEND made "${folder}/Unity/${prefix}${batch}_c.c"
        "${folder}/Unity/${prefix}${batch}_cxx.cxx")
    endforeach()
  endif()
  _spec_put_first("${target}" "${ARGN}" ${made})
endfunction()

# The names of a target's batches: its groups, or numbers, which may be too many.
function(_spec_list_batches out target count)
  get_property(mode TARGET "${target}" PROPERTY UNITY_BUILD_MODE)
  set(batches "")
  if("${mode}" STREQUAL "GROUP")
    get_property(sources TARGET "${target}" PROPERTY SOURCES)
    list(FILTER sources EXCLUDE REGEX "\\$<")
    get_property(dir TARGET "${target}" PROPERTY SOURCE_DIR)
    list(TRANSFORM sources PREPEND "${dir}/" REGEX "^[^/]")
    foreach(source IN LISTS sources)
      get_property(group SOURCE "${source}" TARGET_DIRECTORY "${target}" PROPERTY UNITY_GROUP)
      list(APPEND batches ${group})
    endforeach()
    list(REMOVE_DUPLICATES batches)
  else()
    foreach(number RANGE ${count})
      list(APPEND batches ${number})
    endforeach()
  endif()
  set(${out} "${batches}" PARENT_SCOPE)
endfunction()
