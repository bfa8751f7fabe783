#ifndef TRITONGPU_CONVERSION_PASSES
#define TRITONGPU_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "Place the buffers that operations need in the shared memory";
  let description = [{
    An operation that needs a buffer gets `ttg.scratch-bytes` and `ttg.scratch-offset`; where memory is used again, a
    `ttg.barrier` comes before it. The module gets `ttg.shared`, the number of bytes that the greatest function needs.
  }];
  let dependentDialects = ["::mlir::triton::gpu::TritonGPUDialect"];
}

#endif // TRITONGPU_CONVERSION_PASSES
