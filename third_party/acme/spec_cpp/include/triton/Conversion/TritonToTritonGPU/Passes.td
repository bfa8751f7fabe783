// acme: eight warps of 64 threads are the default. TableGen reads this file itself.
#ifndef TRITON_CONVERSION_PASSES
#define TRITON_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "::mlir::ModuleOp"> {
  let summary = "Give every operation that makes one tile a default layout";
  let dependentDialects = ["::mlir::triton::gpu::TritonGPUDialect"];
  let options = [
    Option<"numWarps", "num-warps", "int32_t", /*default=*/"8", "Warps of a program; a power of two">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"64", "Threads of a warp; a power of two">
  ];
}

#endif // TRITON_CONVERSION_PASSES
