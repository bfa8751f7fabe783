#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/Transforms/Passes.h"

namespace mlir::triton {

#define GEN_PASS_DEF_TRITONCOMBINEOPS
#include "triton/Dialect/Triton/Transforms/Passes.h.inc"

namespace {

#include "TritonCombine.inc"

/// broadcast(splat(x)) and reshape(splat(x)) are splats of x.
template <typename ViewOp> struct CombineViewOfSplat : public OpRewritePattern<ViewOp> {
  using OpRewritePattern<ViewOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp view, PatternRewriter &rewriter) const override {
    auto splat = view.getSrc().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(view, view.getType(), splat.getSrc());
    return success();
  }
};

struct CombineOpsPass : public impl::TritonCombineOpsBase<CombineOpsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CombineAddPtr, CombineDotAdd, CombineViewOfSplat<BroadcastOp>, CombineViewOfSplat<ReshapeOp>>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::triton
