#include "../Check.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/Transforms/Utility.h"

using namespace mlir;
using namespace mlir::triton;

static void testPointers(MLIRContext &context) {
  Builder builder(&context);
  Type pointer = triton::PointerType::get(builder.getF16Type());
  CHECK(cast<triton::PointerType>(pointer).getAddressSpace() == kGlobalAddressSpace);
  CHECK(getPointeeType(pointer) == builder.getF16Type());
  auto tile = RankedTensorType::get({4, 8}, pointer);
  CHECK(getPointeeType(tile) == RankedTensorType::get({4, 8}, builder.getF16Type()));
  CHECK(getI1SameShape(tile) == RankedTensorType::get({4, 8}, builder.getI1Type()));
  CHECK(getElementBitWidth(tile) == 64);
}

static void testVectorWidth() {
  CHECK(triton::gpu::getVectorWidth(1, 32) == 1);
  CHECK(triton::gpu::getVectorWidth(1024, 32) == triton::gpu::kMaxVectorBits / 32);
  CHECK(triton::gpu::getVectorWidth(2, 8) == 2);
}

static void testDefaultEncoding(MLIRContext &context) {
  auto layout = triton::gpu::getDefaultBlockedEncoding(&context, {16, 16}, /*numWarps=*/4, /*threadsPerWarp=*/32);
  CHECK(layout.getThreadsPerWarp() == ArrayRef<unsigned>({2, 16}));
  CHECK(layout.getWarpsPerCTA() == ArrayRef<unsigned>({4, 1}));
  CHECK(layout.getOrder() == ArrayRef<unsigned>({1, 0}));
}

int main() {
  MLIRContext context;
  context.loadDialect<TritonDialect, triton::gpu::TritonGPUDialect>();
  testPointers(context);
  testVectorWidth();
  testDefaultEncoding(context);
  return failedChecks != 0;
}
