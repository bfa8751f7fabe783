#ifndef TRITON_TYPES
#define TRITON_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "triton/Dialect/Triton/IR/TritonDialect.td"

def TT_Ptr : TypeDef<Triton_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "Pointer to `pointeeType` in an address space; 1, the global memory, is not printed";
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer">;
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;

class TT_Tile<Type element> : RankedTensorOf<[element]>;
class TT_Like<Type element> : AnyTypeOf<[element, TT_Tile<element>]>;

def TT_IntTensor : TT_Tile<TT_Int>;
def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;

def TT_BoolLike : TT_Like<I1>;
def TT_I64Like : TT_Like<I64>;
def TT_IntLike : TT_Like<TT_Int>;
def TT_FloatLike : TT_Like<TT_Float>;
def TT_PtrLike : TT_Like<TT_Ptr>;

def TT_Type : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike]>;

#endif // TRITON_TYPES
