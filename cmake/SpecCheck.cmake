# SpecCheck: lets Ninja find out by itself when CMake must run again.
include_guard(GLOBAL)

# Makes build.ninja depend on <build>/spec/changed, and a rule for that file which runs before
# every build: Ninja brings build.ninja up to date first of all, whatever it was asked to build.
# The rule depends on a file that is never there, so it always runs; it takes milliseconds, and it
# writes only when CMake would be told something else than last time.  No list of dates or names
# would do: a file may come where none was, change the includes of a unit, or be replaced by an
# older one.
function(_spec_check_before_builds)
  set(changed "${CMAKE_BINARY_DIR}/spec/changed")
  set(always "${CMAKE_BINARY_DIR}/spec/always")
  # Without commands it is a phony rule (CMake wants a fourth word).
  add_custom_command(OUTPUT "${always}" COMMENT "")
  set_source_files_properties("${always}" PROPERTIES SYMBOLIC ON)
  add_custom_command(OUTPUT "${changed}"
    COMMAND "${TRITON_SPEC_EXECUTABLE}" check "${CMAKE_BINARY_DIR}"
    DEPENDS "${always}"
    COMMENT "Checking overlay $CACHE{FLAGTREE_BACKEND}"
    USES_TERMINAL # what it says while it waits for another run is shown at once
    VERBATIM)
  add_custom_target(triton_spec_check DEPENDS "${changed}")
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS "${changed}")
endfunction()
