#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "triton/Dialect/Triton/IR/Dialect.cpp.inc"
#include "triton/Dialect/Triton/IR/OpInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "triton/Dialect/Triton/IR/AttrDefs.cpp.inc"

namespace mlir::triton {
namespace {

/// Every operation may be inlined, and a call may be replaced by its callee's body unless this is marked noinline.
struct TritonInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool wouldBeCloned) const final {
    auto noinline = callable->getAttrOfType<BoolAttr>("noinline");
    return !noinline || !noinline.getValue();
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned, IRMapping &map) const final { return true; }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned, IRMapping &map) const final { return true; }

  void handleTerminator(Operation *op, ValueRange valuesToReplace) const final {
    for (auto [value, operand] : llvm::zip(valuesToReplace, op->getOperands()))
      value.replaceAllUsesWith(operand);
  }
  void handleTerminator(Operation *op, Block *newDest) const final {
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), newDest, op->getOperands());
    op->erase();
  }
};

} // namespace

void TritonDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "triton/Dialect/Triton/IR/AttrDefs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "triton/Dialect/Triton/IR/Ops.cpp.inc"
      >();
  addInterfaces<TritonInlinerInterface>();
}

Operation *TritonDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

} // namespace mlir::triton
