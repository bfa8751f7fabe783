#ifndef TRITONGPU_OPS
#define TRITONGPU_OPS

include "triton/Dialect/TritonGPU/IR/TritonGPUDialect.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"
include "TritonGPUAttrDefs.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class TTG_Op<string mnemonic, list<Trait> traits = []> : Op<TritonGPU_Dialect, mnemonic, traits>;

def TTG_BarrierOp : TTG_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "All threads wait until the accesses of all others to `addrSpace` are visible";
  let arguments = (ins TTG_AddrSpaceAttr:$addrSpace);
  let hasVerifier = 1;
}

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [Pure, SameOperandsAndResultType]> {
  let summary = "Move a tile's elements to the threads that own them under `layout`";
  let arguments = (ins TT_Tensor:$src, TTG_BlockedEncodingAttr:$layout);
  let results = (outs TT_Tensor:$result);
  let hasFolder = 1;
}

#endif // TRITONGPU_OPS
