# SpecInclude: include folders.
include_guard(GLOBAL)

# spec_include_directories(<dir>...)
#
# Adds the trunk's include folders, like include_directories.  An overlay's
# headers need no folder here: each unit that reaches one gets the stage before
# its include path, and no other unit's command changes.
function(spec_include_directories)
  if(ARGC EQUAL 0)
    message(FATAL_ERROR "spec_include_directories(<dir>...) needs a folder")
  endif()
  _spec_begin()
  include_directories(${ARGN})
endfunction()
