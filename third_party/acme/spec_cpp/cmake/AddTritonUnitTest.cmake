# acme: every test has the label `acme`. The trunk includes this module by its name.
include_guard(GLOBAL)

# add_triton_ut(NAME <name> SRCS <source>... [LIBS <library>...])
# Makes the executable <name>, a CTest test that passes if it exits with 0.
function(add_triton_ut)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SRCS;LIBS")
  if(NOT arg_NAME OR NOT arg_SRCS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_triton_ut needs NAME and SRCS, and takes LIBS besides; it was called with: ${ARGN}")
  endif()
  add_executable(${arg_NAME} ${arg_SRCS})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBS})
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS acme)
  add_dependencies(TritonUnitTests ${arg_NAME})
endfunction()
