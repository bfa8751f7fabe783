#ifndef TRITON_INTERFACES
#define TRITON_INTERFACES

include "mlir/IR/OpBase.td"

/// Bounds the number of a tensor's elements; see Traits.h.
def TensorSizeTrait : NativeOpTrait<"TensorSizeTrait"> {
  let cppNamespace = "::mlir::triton";
}

def CombiningOpInterface : OpInterface<"CombiningOpInterface"> {
  let cppNamespace = "::mlir::triton";
  let description = "An operation that combines elements along one axis with the code of a region.";
  let methods = [
    InterfaceMethod<"Axis that the elements are combined along.", "uint32_t", "getCombineAxis", (ins),
                    "", "return $_op.getAxis();">,
    InterfaceMethod<"Type of the first tile that is combined.", "::mlir::RankedTensorType", "getTileType", (ins),
                    "", "return ::mlir::cast<::mlir::RankedTensorType>($_op.getSrcs().front().getType());">,
    InterfaceMethod<"Number of tiles that are combined together.", "unsigned", "getNumTiles", (ins),
                    "", "return $_op.getSrcs().size();">
  ];
}

#endif // TRITON_INTERFACES
