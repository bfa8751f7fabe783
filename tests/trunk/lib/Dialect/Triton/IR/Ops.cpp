#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#include "triton/Dialect/Triton/IR/OpsEnums.cpp.inc"

#define GET_OP_CLASSES
#include "triton/Dialect/Triton/IR/Ops.cpp.inc"

namespace mlir::triton {

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  unsigned from = getElementBitWidth(getSrc().getType()), to = getElementBitWidth(getType());
  if (from != to)
    return emitOpError() << "cannot reinterpret " << from << " bits as " << to;
  return success();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  return matchPattern(adaptor.getOffset(), m_Zero()) ? getPtr() : OpFoldResult();
}

static void addForeignCodeEffects(bool pure, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (pure)
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

void ExternElementwiseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addForeignCodeEffects(getPure(), effects);
}

void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  addForeignCodeEffects(getPure(), effects);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto from = getSrc().getType().getShape(), to = getType().getShape();
  if (from.size() != to.size())
    return emitOpError() << "cannot change the rank from " << from.size() << " to " << to.size();
  for (auto [dim, size] : llvm::enumerate(from))
    if (size != to[dim] && size != 1)
      return emitOpError() << "cannot broadcast dimension " << dim << " of size " << size << " to " << to[dim];
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  SmallVector<int64_t> shape(getSrc().getType().getShape());
  if (getAxis() > shape.size())
    return emitOpError() << "axis " << getAxis() << " is out of range for a tensor of rank " << shape.size();
  shape.insert(shape.begin() + getAxis(), 1);
  if (ArrayRef(shape) != getType().getShape())
    return emitOpError() << "result must have the source's shape with 1 inserted at axis " << getAxis();
  return success();
}

/// expand_dims(splat(x)) is a splat of x.
LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

LogicalResult ReshapeOp::verify() {
  int64_t from = getSrc().getType().getNumElements(), to = getType().getNumElements();
  if (from != to)
    return emitOpError() << "cannot turn " << from << " elements into " << to;
  return success();
}

LogicalResult TransOp::verify() {
  auto from = getSrc().getType().getShape(), to = getType().getShape();
  SmallVector<int32_t> sorted(getOrder());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int32_t>(0, from.size())))
    return emitOpError("order must be a permutation of the source's dimensions");
  for (auto [dim, source] : llvm::enumerate(getOrder()))
    if (dim >= to.size() || to[dim] != from[source])
      return emitOpError() << "dimension " << dim << " of the result must be the source's dimension " << source;
  return success();
}

LogicalResult MakeRangeOp::verify() {
  int64_t start = static_cast<int32_t>(getStart()), end = static_cast<int32_t>(getEnd());
  auto shape = getType().getShape();
  if (end <= start)
    return emitOpError() << "end " << end << " must be greater than start " << start;
  if (shape.size() != 1 || shape[0] != end - start)
    return emitOpError() << "result must be a one-dimensional tensor of " << end - start << " elements";
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  auto a = getA().getType().getShape(), b = getB().getType().getShape(), c = getC().getType().getShape();
  size_t rank = a.size();
  if (rank < 2 || b.size() != rank || c.size() != rank)
    return emitOpError("operands must have the same rank, at least 2");
  if (a[rank - 1] != b[rank - 2])
    return emitOpError() << "inner dimensions differ: " << a[rank - 1] << " columns against " << b[rank - 2] << " rows";
  if (a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1])
    return emitOpError("the sum's shape does not fit that of the product");
  return success();
}

//===----------------------------------------------------------------------===//
// Operations with a region
//===----------------------------------------------------------------------===//

/// The region takes two elements of each tile and returns one of each.
static LogicalResult verifyCombination(CombiningOpInterface op) {
  if (op.getNumTiles() == 0)
    return op->emitOpError("needs at least one tile");
  if (op.getCombineAxis() >= op.getTileType().getRank())
    return op->emitOpError() << "axis " << op.getCombineAxis() << " is out of range for a tensor of rank "
                             << op.getTileType().getRank();
  unsigned numArguments = op->getRegion(0).getNumArguments();
  if (numArguments != 2 * op.getNumTiles())
    return op->emitOpError() << "region must take " << 2 * op.getNumTiles() << " arguments, but it takes "
                             << numArguments;
  if (op->getNumResults() != op.getNumTiles())
    return op->emitOpError() << "must have " << op.getNumTiles() << " results, but it has " << op->getNumResults();
  return success();
}

LogicalResult ReduceOp::verify() { return verifyCombination(*this); }

LogicalResult ScanOp::verify() { return verifyCombination(*this); }

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "there is no function '" << getCallee() << "'";
  auto type = FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (callee.getFunctionType() != type)
    return emitOpError() << "has the type " << type << ", but '" << getCallee() << "' has " << callee.getFunctionType();
  return success();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), buildType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (TypeRange(getOperandTypes()) != TypeRange(function.getResultTypes()))
    return emitOpError() << "must return what function '" << function.getName() << "' promises";
  return success();
}

} // namespace mlir::triton
