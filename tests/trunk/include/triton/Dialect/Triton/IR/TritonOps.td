#ifndef TRITON_OPS
#define TRITON_OPS

include "triton/Dialect/Triton/IR/TritonDialect.td"
include "triton/Dialect/Triton/IR/TritonTypes.td"
include "triton/Dialect/Triton/IR/TritonInterfaces.td"
include "TritonAttrDefs.td" // by bare name, as that includes TritonAttrEnums.td
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def GlobalMemory : Resource<"::mlir::triton::GlobalMemory">;

class TT_Op<string mnemonic, list<Trait> traits = []> :
    Op<Triton_Dialect, mnemonic, !listconcat(traits, [TensorSizeTrait])>;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

class TT_Elementwise<string mnemonic, list<Trait> traits = []> :
    TT_Op<mnemonic, !listconcat(traits, [Pure, Elementwise, SameOperandsAndResultShape])>;

class TT_Cast<string mnemonic, Type from, Type to> : TT_Elementwise<mnemonic> {
  let arguments = (ins from:$src);
  let results = (outs to:$result);
}

def TT_IntToPtrOp : TT_Cast<"int_to_ptr", TT_I64Like, TT_PtrLike>;
def TT_PtrToIntOp : TT_Cast<"ptr_to_int", TT_PtrLike, TT_I64Like>;

def TT_BitcastOp : TT_Cast<"bitcast", TT_Type, TT_Type> {
  let summary = "Reinterpret the bits as another type of the same width";
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_Elementwise<"fp_to_fp"> {
  let summary = "Convert between floating-point types, 8-bit ones and explicit rounding included";
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
}

def TT_ClampFOp : TT_Elementwise<"clampf", [SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
}

def TT_PreciseSqrtOp : TT_Elementwise<"precise_sqrt", [SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
}

def TT_PreciseDivFOp : TT_Elementwise<"precise_divf", [SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$y);
  let results = (outs TT_FloatLike:$result);
}

def TT_MulhiUIOp : TT_Elementwise<"mulhiui", [SameOperandsAndResultType]> {
  let summary = "Upper half of the product of two unsigned integers";
  let arguments = (ins TT_IntLike:$x, TT_IntLike:$y);
  let results = (outs TT_IntLike:$result);
}

def TT_AddPtrOp : TT_Elementwise<"addptr", [AllTypesMatch<["ptr", "result"]>]> {
  let summary = "Advance pointers by a number of elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise, SameOperandsAndResultShape, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Call a function of a device library for each element";
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Type>:$args);
  let results = (outs Variadic<TT_Type>:$result);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def TT_LoadOp : TT_Op<"load", [
    AttrSizedOperandSegments,
    TypesMatchWith<"result type is the pointers' element type", "ptr", "result", "getPointeeType($_self)">,
    OptionalTypesMatchWith<"mask has the pointers' shape", "ptr", "mask", "getI1SameShape($_self)">,
    OptionalTypesMatchWith<"other has the result's type", "ptr", "other", "getPointeeType($_self)">]> {
  let summary = "Load from pointers; elements whose mask is false are `other`, or anything without one";
  let arguments = (ins
    Arg<TT_PtrLike, "", [MemRead<GlobalMemory>]>:$ptr,
    Optional<TT_BoolLike>:$mask,
    Optional<TT_Type>:$other,
    OptionalAttr<AnyAttr>:$cachePolicy,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile
  );
  let results = (outs TT_Type:$result);
}

def TT_StoreOp : TT_Op<"store", [
    TypesMatchWith<"value has the pointers' element type", "ptr", "value", "getPointeeType($_self)">,
    OptionalTypesMatchWith<"mask has the pointers' shape", "ptr", "mask", "getI1SameShape($_self)">]> {
  let arguments = (ins
    Arg<TT_PtrLike, "", [MemWrite<GlobalMemory>]>:$ptr,
    TT_Type:$value,
    Optional<TT_BoolLike>:$mask,
    OptionalAttr<AnyAttr>:$cachePolicy,
    UnitAttr:$ignore_cta
  );
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", [
    TypesMatchWith<"value has the pointers' element type", "ptr", "val", "getPointeeType($_self)">,
    TypesMatchWith<"result has the pointers' element type", "ptr", "result", "getPointeeType($_self)">,
    OptionalTypesMatchWith<"mask has the pointers' shape", "ptr", "mask", "getI1SameShape($_self)">]> {
  let summary = "Read, combine with `val` and write back as one step; the result is what was read";
  let arguments = (ins
    TT_AtomicRMWAttr:$atomic_rmw_op,
    Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    TT_Type:$val,
    Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_Type:$result);
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", [
    AllTypesMatch<["cmp", "val", "result"]>,
    TypesMatchWith<"values have the pointers' element type", "ptr", "val", "getPointeeType($_self)">]> {
  let summary = "Write `val` where the memory holds `cmp`; the result is what was read";
  let arguments = (ins
    Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    TT_Type:$cmp,
    TT_Type:$val,
    TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope
  );
  let results = (outs TT_Type:$result);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

class TT_View<string mnemonic, Type from = TT_Tensor> :
    TT_Op<mnemonic, [Pure, SameOperandsAndResultElementType]> {
  let arguments = (ins from:$src);
  let results = (outs TT_Tensor:$result);
}

def TT_SplatOp : TT_View<"splat", TT_Type> {
  let summary = "A tensor whose elements all are one scalar";
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure, SameOperandsAndResultElementType]> {
  let summary = "The scalar in a tensor of one element";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Type:$result);
}

def TT_BroadcastOp : TT_View<"broadcast"> {
  let summary = "Repeat the elements along dimensions of size one";
  let hasVerifier = 1;
}

def TT_ExpandDimsOp : TT_View<"expand_dims"> {
  let summary = "Insert a dimension of size one before dimension `axis`";
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_ReshapeOp : TT_View<"reshape"> {
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let hasVerifier = 1;
}

def TT_TransOp : TT_View<"trans"> {
  let summary = "Permute the dimensions: dimension i of the result is dimension `order[i]` of the source";
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
  let hasVerifier = 1;
}

def TT_CatOp : TT_Op<"cat", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
}

def TT_JoinOp : TT_Op<"join", [Pure, SameTypeOperands, SameOperandsAndResultElementType]> {
  let summary = "Pair the elements of two tensors along a new last dimension";
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
}

def TT_SplitOp : TT_Op<"split", [Pure, AllTypesMatch<["outLHS", "outRHS"]>]> {
  let summary = "The inverse of `tt.join`";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "The integers from `start` up to and without `end`";
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let hasVerifier = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure, AllShapesMatch<["indices", "result"]>, AllElementTypesMatch<["src", "result"]>]> {
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
}

def TT_HistogramOp : TT_Op<"histogram", [Pure]> {
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

class TT_GridOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetProgramIdOp : TT_GridOp<"get_program_id">;
def TT_GetNumProgramsOp : TT_GridOp<"get_num_programs">;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "d"]>]> {
  let summary = "d = a x b + c";
  let arguments = (ins
    TT_FpIntTensor:$a,
    TT_FpIntTensor:$b,
    TT_FpIntTensor:$c,
    DefaultValuedAttr<TT_InputPrecisionAttr, "::mlir::triton::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc
  );
  let results = (outs TT_FpIntTensor:$d);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Operations with a region
//===----------------------------------------------------------------------===//

def TT_ReduceOp : TT_Op<"reduce", [Pure, CombiningOpInterface,
                                   SingleBlock]> {
  let summary = "Combine all elements along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp">, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
}

def TT_ScanOp : TT_Op<"scan", [Pure, CombiningOpInterface, SameOperandsAndResultShape,
                               SingleBlock]> {
  let summary = "All partial combinations along an axis";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
}

def TT_ScanReturnOp : TT_Op<"scan.return", [HasParent<"ScanOp">, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [SameOperandsAndResultShape, RecursiveMemoryEffects]> {
  let summary = "Run scalar code for each element, or for `pack` elements at once";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return", [
    HasParent<"MapElementwiseOp">, Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<AnyType>:$result);
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Type>:$args, DenseI32ArrayAttr:$isSigned);
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(CallInterfaceCallable callee) {
      setCalleeAttr(cast<FlatSymbolRefAttr>(cast<SymbolRefAttr>(callee)));
    }
  }];
}

def FuncOp : TT_Op<"func", [
    AffineScope, AutomaticAllocationScope, CallableOpInterface, FunctionOpInterface, IsolatedFromAbove,
    OpAsmOpInterface, HasParent<"ModuleOp">]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

#endif // TRITON_OPS
