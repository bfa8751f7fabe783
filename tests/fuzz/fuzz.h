/* fuzz.h: what every fuzzer includes. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program, which the fuzzer keeps as a crash, unless condition holds. */
#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      (void)fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                             \
    }                                                                                      \
  } while (0)

/* Tries one input; libFuzzer's entry point, called by replay.c too. Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
