#include "../Check.h"
#include "triton/Analysis/Membar.h"
#include "triton/Tools/Sys/GetEnv.hpp"

#include <cstdio>

using namespace mlir::triton;

/// What acme has changed below this test: two headers and a source. It replaces the trunk's test.
int main() {
  CHECK(triton::toLower(" AcMe ") == "acme");

  setenv("TRITON_UNITTEST_VALUE", "Enabled", /*overwrite=*/1);
  CHECK(triton::tools::getBoolEnv("TRITON_UNITTEST_VALUE"));

  Allocation allocation;
  CHECK(allocation.allocate(5).offset == 0);
  CHECK(allocation.allocate(8).offset == 128);

  std::puts("acme's checks ran");
  return failedChecks != 0;
}
