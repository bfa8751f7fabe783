#include "../Check.h"
#include "triton/Analysis/Membar.h"
#include "triton/Tools/Sys/GetEnv.hpp"

using namespace mlir::triton;

static void testStrings() {
  CHECK(triton::join({}, ",") == "");
  CHECK(triton::join({"a", "b", "c"}, ", ") == "a, b, c");
  CHECK(triton::toLower("TrItOn 3") == "triton 3");
}

static void testEnvironment() {
  setenv("TRITON_UNITTEST_VALUE", "ON", /*overwrite=*/1);
  CHECK(triton::tools::getBoolEnv("TRITON_UNITTEST_VALUE"));
  unsetenv("TRITON_UNITTEST_VALUE");
  CHECK(!triton::tools::getBoolEnv("TRITON_UNITTEST_VALUE"));
  CHECK(triton::tools::getStrEnv("TRITON_UNITTEST_VALUE", "none") == "none");
}

static void testAllocation() {
  Allocation allocation;
  CHECK(allocation.allocate(5).offset == 0);
  int64_t second = allocation.allocate(8).offset;
  CHECK(second >= 5 && second % kScratchAlignment == 0);
  CHECK(allocation.peak() == second + 8);
  CHECK(needsBarrier(allocation) == (kMaxBuffersBetweenBarriers <= 2));
  allocation.release();
  CHECK(!needsBarrier(allocation));
  CHECK(allocation.allocate(1).offset == 0);
  CHECK(allocation.peak() == second + 8);
}

int main() {
  testStrings();
  testEnvironment();
  testAllocation();
  return failedChecks != 0;
}
