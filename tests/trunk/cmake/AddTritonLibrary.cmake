include_guard(GLOBAL)

# add_triton_object(<name> <source>... [DEPENDS <target>...] [LINK_LIBS <library>...])
# Makes the OBJECT library <name>; whoever links it gets its objects.
function(add_triton_object name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LINK_LIBS")
  add_library(${name} OBJECT)
  target_sources(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS} INTERFACE $<TARGET_OBJECTS:${name}>)
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  if(arg_LINK_LIBS)
    target_link_libraries(${name} PUBLIC ${arg_LINK_LIBS})
  endif()
endfunction()

# add_triton_library(...): add_triton_object for a library of the core, which every tool and the Python module link.
function(add_triton_library name)
  set_property(GLOBAL APPEND PROPERTY TRITON_LIBS ${name})
  add_triton_object(${name} ${ARGN})
  target_compile_options(${name} PRIVATE ${TRITON_DISABLE_RTTI_FLAGS})
  if(TRITON_PRECOMPILE_HEADERS)
    triton_reuse_mlir_headers(${name})
  endif()
endfunction()

# triton_reuse_mlir_headers(<library>): MLIR's headers are read once for all libraries that call this. (A program's
# own sources are compiled otherwise, and can't share them.)
function(triton_reuse_mlir_headers name)
  if(NOT TARGET TritonPrecompiled)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/TritonPrecompiled.cpp" CONTENT "")
    add_library(TritonPrecompiled OBJECT "${PROJECT_BINARY_DIR}/TritonPrecompiled.cpp")
    target_compile_options(TritonPrecompiled PRIVATE ${TRITON_DISABLE_RTTI_FLAGS})
    target_precompile_headers(TritonPrecompiled PRIVATE
      <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/SCF/IR/SCF.h>
      <mlir/IR/DialectImplementation.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
      <mlir/Pass/Pass.h> <mlir/Transforms/DialectConversion.h> <mlir/Transforms/GreedyPatternRewriteDriver.h>)
  endif()
  target_precompile_headers(${name} REUSE_FROM TritonPrecompiled)
endfunction()

# add_triton_plugin(...): add_triton_object for a backend's library, which only the Python module links. It may hold
# bindings, so it keeps its run-time type information.
function(add_triton_plugin name)
  set_property(GLOBAL APPEND PROPERTY TRITON_PLUGINS ${name})
  add_triton_object(${name} ${ARGN})
endfunction()
