#include "triton/Analysis/AxisInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

namespace mlir::triton {

static int64_t getLastDim(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getRank() ? tensor.getShape().back() : 1;
}

/// A sum is contiguous where one summand is and the other is constant.
static AxisInfo addInfo(AxisInfo a, AxisInfo b) {
  int64_t contiguity = std::max(std::gcd(a.contiguity, b.constancy), std::gcd(a.constancy, b.contiguity));
  return {contiguity, std::gcd(a.constancy, b.constancy)};
}

AxisInfo AxisInfoAnalysis::getAxisInfo(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  AxisInfo info = compute(value);
  known.try_emplace(value, info);
  return info;
}

AxisInfo AxisInfoAnalysis::compute(Value value) {
  Operation *op = value.getDefiningOp();
  int64_t size = getLastDim(value);
  if (!op)
    return {};
  return TypeSwitch<Operation *, AxisInfo>(op)
      .Case([&](MakeRangeOp) { return AxisInfo{size, 1}; })
      .Case([&](SplatOp) { return AxisInfo{1, size}; })
      .Case([&](arith::ConstantOp constant) {
        auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
        return dense && dense.isSplat() ? AxisInfo{1, size} : AxisInfo{};
      })
      .Case([&](ExpandDimsOp expand) {
        bool isLast = static_cast<int64_t>(expand.getAxis()) + 1 == expand.getType().getRank();
        return isLast ? AxisInfo{} : getAxisInfo(expand.getSrc());
      })
      .Case([&](BroadcastOp broadcast) {
        return getLastDim(broadcast.getSrc()) == size ? getAxisInfo(broadcast.getSrc()) : AxisInfo{1, size};
      })
      .Case<AddPtrOp, arith::AddIOp>(
          [&](Operation *sum) { return addInfo(getAxisInfo(sum->getOperand(0)), getAxisInfo(sum->getOperand(1))); })
      .Case([&](arith::MulIOp product) {
        AxisInfo a = getAxisInfo(product.getLhs()), b = getAxisInfo(product.getRhs());
        return AxisInfo{1, std::gcd(a.constancy, b.constancy)};
      })
      .Default(AxisInfo{});
}

} // namespace mlir::triton
