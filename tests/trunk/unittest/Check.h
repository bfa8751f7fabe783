#ifndef TRITON_UNITTEST_CHECK_H
#define TRITON_UNITTEST_CHECK_H

#include <cstdio>

/// Number of failed checks; a test's exit status says whether it is 0.
inline int failedChecks = 0;

#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION)) {                                                                                                \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #CONDITION);                               \
      ++failedChecks;                                                                                                  \
    }                                                                                                                  \
  } while (false)

#endif // TRITON_UNITTEST_CHECK_H
