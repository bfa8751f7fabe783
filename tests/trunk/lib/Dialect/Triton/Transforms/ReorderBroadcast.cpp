#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/Transforms/Passes.h"

namespace mlir::triton {

#define GEN_PASS_DEF_TRITONREORDERBROADCAST
#include "triton/Dialect/Triton/Transforms/Passes.h.inc"

namespace {

/// op(broadcast(x), splat(y)) -> broadcast(op(x, splat(y))), with one or more broadcasts of one shape.
struct MoveBroadcastAfterElementwise : public RewritePattern {
  explicit MoveBroadcastAfterElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 || !isMemoryEffectFree(op))
      return failure();
    RankedTensorType source = getBroadcastSource(op);
    if (!source)
      return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(narrow(operand, source, rewriter));
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    OperationState state(op->getLoc(), op->getName(), operands, source.clone(result.getElementType()), op->getAttrs());
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, result, rewriter.create(state)->getResult(0));
    return success();
  }

private:
  /// The type that every broadcast operand has before it is broadcast; null if they differ or another operand comes
  /// from neither a broadcast nor a splat.
  static RankedTensorType getBroadcastSource(Operation *op) {
    RankedTensorType source;
    for (Value operand : op->getOperands()) {
      if (operand.getDefiningOp<SplatOp>())
        continue;
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast || (source && source.getShape() != broadcast.getSrc().getType().getShape()))
        return nullptr;
      source = broadcast.getSrc().getType();
    }
    return source;
  }

  static Value narrow(Value operand, RankedTensorType source, PatternRewriter &rewriter) {
    if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
      return broadcast.getSrc();
    auto splat = operand.getDefiningOp<SplatOp>();
    return SplatOp::create(rewriter, splat.getLoc(), source.clone(splat.getSrc().getType()), splat.getSrc());
  }
};

struct ReorderBroadcastPass : public impl::TritonReorderBroadcastBase<ReorderBroadcastPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<MoveBroadcastAfterElementwise>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::triton
