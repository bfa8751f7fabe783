// acme: offsets never overflow, since its address units trap. A TableGen file beside the sources that use it.
#ifndef TRITON_COMBINE
#define TRITON_COMBINE

include "mlir/IR/PatternBase.td"
include "mlir/Dialect/Arith/IR/ArithOps.td"
include "triton/Dialect/Triton/IR/TritonOps.td"

def SameType : Constraint<CPred<"$0.getType() == $1.getType()">, "of one type">;
def IsZero : Constraint<CPred<"::mlir::matchPattern($0, ::mlir::m_AnyZeroFloat())">, "zero">;
def HasOneUse : Constraint<CPred<"$0.hasOneUse()">, "used once">;
def TrappingFlags : NativeCodeCall<
    "::mlir::arith::IntegerOverflowFlagsAttr::get($_builder.getContext(), ::mlir::arith::IntegerOverflowFlags::nsw)">;

// addptr(addptr(p, i), j) -> addptr(p, i + j)
def CombineAddPtr : Pat<
    (TT_AddPtrOp (TT_AddPtrOp $ptr, $i), $j),
    (TT_AddPtrOp $ptr, (Arith_AddIOp $i, $j, (TrappingFlags))),
    [(SameType $i, $j)]>;

// dot(a, b, 0) + d -> dot(a, b, d)
def CombineDotAdd : Pat<
    (Arith_AddFOp (TT_DotOp:$dot $a, $b, $c, $precision, $imprecise), $d, $fastmath),
    (TT_DotOp $a, $b, $d, $precision, $imprecise),
    [(IsZero $c), (HasOneUse $dot)]>;

#endif // TRITON_COMBINE
