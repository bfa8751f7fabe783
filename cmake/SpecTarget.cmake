# SpecTarget: what a backend's spec.cmake may ask of the trunk's targets.
#
# spec.cmake runs before the trunk's targets exist, so these functions only
# record; _spec_apply_requests does it when all are there.
include_guard(GLOBAL)

# spec_target_sources(<target> <path>...)
#
# Adds files of the overlay that the trunk lacks to one of the trunk's targets.
# Paths are relative to the backend's spec_cpp folder.
function(spec_target_sources target)
  _spec_request(sources spec_target_sources "${target}" ${ARGN})
endfunction()

# spec_target_link_libraries(<target> <library>...)
#
# Links further libraries into one of the trunk's targets (PRIVATE).
function(spec_target_link_libraries target)
  _spec_request(libraries spec_target_link_libraries "${target}" ${ARGN})
endfunction()

# spec_target_definitions(<target> <definition>...)
#
# Adds preprocessor definitions to one of the trunk's targets (PRIVATE).
function(spec_target_definitions target)
  _spec_request(definitions spec_target_definitions "${target}" ${ARGN})
endfunction()

# spec_target_include_directories(<target> <dir>...)
#
# Adds include folders to one of the trunk's targets (PRIVATE, behind its own).
function(spec_target_include_directories target)
  _spec_request(includes spec_target_include_directories "${target}" ${ARGN})
endfunction()

function(_spec_request kind caller target)
  if("${target}" STREQUAL "" OR ARGC LESS 4)
    message(FATAL_ERROR "${caller}(<target> <item>...) needs a target and an item")
  endif()
  set_property(GLOBAL APPEND PROPERTY _SPEC_REQUESTED_TARGETS "${target}")
  set_property(GLOBAL APPEND PROPERTY "_SPEC_REQUEST/${kind}/${target}" ${ARGN})
endfunction()

function(_spec_apply_requests)
  _spec_resolve_requests()
  get_property(targets GLOBAL PROPERTY _SPEC_REQUESTED_TARGETS)
  foreach(target IN LISTS targets)
    if(TARGET "${target}") # the engine reports those that do not exist
      _spec_apply_request("${target}")
    endif()
  endforeach()
endfunction()

# What was asked of an alias is asked of the target behind it.
function(_spec_resolve_requests)
  get_property(targets GLOBAL PROPERTY _SPEC_REQUESTED_TARGETS)
  set(resolved "")
  foreach(target IN LISTS targets)
    set(name "")
    if(TARGET "${target}")
      get_target_property(name "${target}" ALIASED_TARGET)
    endif()
    if(name)
      foreach(kind IN ITEMS sources libraries definitions includes)
        get_property(items GLOBAL PROPERTY "_SPEC_REQUEST/${kind}/${target}")
        set_property(GLOBAL APPEND PROPERTY "_SPEC_REQUEST/${kind}/${name}" ${items})
        set_property(GLOBAL PROPERTY "_SPEC_REQUEST/${kind}/${target}" "")
      endforeach()
      list(APPEND resolved "${name}")
    else()
      list(APPEND resolved "${target}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES resolved)
  set_property(GLOBAL PROPERTY _SPEC_REQUESTED_TARGETS "${resolved}")
endfunction()

function(_spec_apply_request target)
  get_property(stage GLOBAL PROPERTY _SPEC_STAGE)
  get_property(sources GLOBAL PROPERTY "_SPEC_REQUEST/sources/${target}")
  foreach(source IN LISTS sources)
    if(EXISTS "${stage}/${source}") # so it does those
      target_sources("${target}" PRIVATE "${stage}/${source}")
    endif()
  endforeach()
  get_property(libraries GLOBAL PROPERTY "_SPEC_REQUEST/libraries/${target}")
  if(libraries)
    # Whether the trunk used the plain or the keyword form decides what is
    # allowed, so the properties are set instead of calling target_link_libraries.
    set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES ${libraries})
    get_target_property(type "${target}" TYPE)
    if(type MATCHES "^(OBJECT|STATIC)_LIBRARY$") # who links it needs them too
      list(TRANSFORM libraries REPLACE "(.+)" "$<LINK_ONLY:\\1>")
      set_property(TARGET "${target}" APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${libraries})
    endif()
  endif()
  get_property(definitions GLOBAL PROPERTY "_SPEC_REQUEST/definitions/${target}")
  if(definitions)
    target_compile_definitions("${target}" PRIVATE ${definitions})
  endif()
  get_property(includes GLOBAL PROPERTY "_SPEC_REQUEST/includes/${target}")
  if(includes)
    target_include_directories("${target}" PRIVATE ${includes})
  endif()
endfunction()
