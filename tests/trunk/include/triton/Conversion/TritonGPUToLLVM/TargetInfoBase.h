#ifndef TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H
#define TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H

namespace mlir::triton {

/// What lowering must know of a device.
struct TargetInfoBase {
  unsigned numWarps = 4;
  unsigned threadsPerWarp = 32;
  bool hasMatrixUnit = false; ///< whether products read their operands straight from registers
};

} // namespace mlir::triton

#endif // TRITON_CONVERSION_TRITONGPUTOLLVM_TARGETINFOBASE_H
