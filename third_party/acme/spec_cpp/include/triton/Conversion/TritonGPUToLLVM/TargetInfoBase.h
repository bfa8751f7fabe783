#ifndef TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H
#define TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H

// acme: eight warps of 64 threads. No source includes this file; PatternTritonGPUOpToLLVM.h does, by its path.
namespace mlir::triton {

/// What lowering must know of a device.
struct TargetInfoBase {
  unsigned numWarps = 8;
  unsigned threadsPerWarp = 64;
  bool hasMatrixUnit = false; ///< whether products read their operands straight from registers
};

} // namespace mlir::triton

#endif // TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H
