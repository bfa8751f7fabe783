/* ttrt.h: what compiled kernels are made of: included by the C that ttcpu emits, with what else of
 * ttrt_*.h a kernel needs behind it. GNU C for clang. Every function is inline, free of branches
 * where a vectoriser meets it, and named tt_<what>_<type>; types are spelled as in TTIR. */
#ifndef TTRT_H
#define TTRT_H

#include "ttabi.h"

#pragma clang diagnostic ignored "-Wpass-failed" /* loops that cannot be vectorised are as good */
#pragma clang diagnostic ignored "-Wunused"
#pragma clang diagnostic ignored "-Wunused-parameter"

#define TT_INLINE static inline __attribute__((always_inline, unused))

/* value's bits as another type of its size. */
#define TT_BITS(type, value)                                        \
  ({                                                                \
    __typeof__(value) from_ = (value);                              \
    type to_;                                                       \
    _Static_assert(sizeof from_ == sizeof to_, "bits of one size"); \
    __builtin_memcpy(&to_, &from_, sizeof to_);                     \
    to_;                                                            \
  })

/* Elements in memory that a kernel may see as any type. */
#define TT_MEMORY(suffix, type) typedef type __attribute__((may_alias)) mem_##suffix;
TT_MEMORY(i1, uint8_t)
TT_MEMORY(i8, int8_t)
TT_MEMORY(i16, int16_t)
TT_MEMORY(i32, int32_t)
TT_MEMORY(i64, int64_t)
TT_MEMORY(f16, _Float16)
TT_MEMORY(bf16, __bf16)
TT_MEMORY(f32, float)
TT_MEMORY(f64, double)
TT_MEMORY(f8E5M2, uint8_t)
TT_MEMORY(f8E4M3, uint8_t)
TT_MEMORY(f8E3M4, uint8_t)
TT_MEMORY(f8E4M3FN, uint8_t)
TT_MEMORY(f8E5M2FNUZ, uint8_t)
TT_MEMORY(f8E4M3FNUZ, uint8_t)
TT_MEMORY(f8E4M3B11FNUZ, uint8_t)
TT_MEMORY(f8E8M0FNU, uint8_t)
#undef TT_MEMORY

TT_INLINE __bf16 tt_f32_to_bf16(float x) {
  uint32_t bits = TT_BITS(uint32_t, x);
  uint32_t near = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint16_t half = (uint16_t)(x != x ? bits >> 16 | 0x40 : near);
  return TT_BITS(__bf16, half);
}

/* What clang calls where it computes with bf16 as f32 and rounds, as it does even to choose between
 * two of them; libgcc has it since 13 only. */
__attribute__((weak, used, visibility("hidden"))) __bf16 __truncsfbf2(float x);
__bf16 __truncsfbf2(float x) {
  return tt_f32_to_bf16(x);
}

#define TT_NAN      __builtin_nanf("")
#define TT_INFINITY __builtin_inff()

/* The number of the two where the other is NaN. Not by fmax() and fmin(): the loop vectoriser of
 * LLVM 22 makes wrong code of two such reductions in one loop, which inner loops of 16 become when
 * they are unrolled; of comparisons it knows nothing of the kind. */
#define TT_EXTREME_NUMBERS(k, F)        \
  TT_INLINE F tt_maxnum_##k(F a, F b) { \
    return b != b ? a : a > b ? a : b;  \
  }                                     \
  TT_INLINE F tt_minnum_##k(F a, F b) { \
    return b != b ? a : a < b ? a : b;  \
  }
TT_EXTREME_NUMBERS(f32, float)
TT_EXTREME_NUMBERS(f64, double)
#undef TT_EXTREME_NUMBERS

#endif
