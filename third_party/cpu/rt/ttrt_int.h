/* ttrt_int.h: integers. Nothing here is undefined: division by 0 gives 0, the most negative number
 * divided by -1 is itself. */
#ifndef TTRT_INT_H
#define TTRT_INT_H

#define TT_INTEGERS(k, T, U, D, S, W)                                     \
  TT_INLINE T tt_divu_##k(T a, T b) {                                     \
    return b == 0 ? 0 : (T)((U)a / (U)b);                                 \
  }                                                                       \
  TT_INLINE T tt_remu_##k(T a, T b) {                                     \
    return b == 0 ? 0 : (T)((U)a % (U)b);                                 \
  }                                                                       \
  TT_INLINE T tt_divs_##k(T a, T b) {                                     \
    return b == 0 ? 0 : b == -1 ? (T)(0 - (D)(U)a) : (T)(a / b);          \
  }                                                                       \
  TT_INLINE T tt_rems_##k(T a, T b) {                                     \
    return b == 0 || b == -1 ? 0 : (T)(a % b);                            \
  }                                                                       \
  TT_INLINE T tt_ceildivu_##k(T a, T b) {                                 \
    return b == 0 ? 0 : (T)((U)a / (U)b + ((U)a % (U)b != 0));            \
  }                                                                       \
  TT_INLINE T tt_ceildivs_##k(T a, T b) {                                 \
    T q = tt_divs_##k(a, b), r = tt_rems_##k(a, b);                       \
    return (T)(q + (r != 0 && (r < 0) == (b < 0)));                       \
  }                                                                       \
  TT_INLINE T tt_floordivs_##k(T a, T b) {                                \
    T q = tt_divs_##k(a, b), r = tt_rems_##k(a, b);                       \
    return (T)(q - (r != 0 && (r < 0) != (b < 0)));                       \
  }                                                                       \
  TT_INLINE T tt_mulhs_##k(T a, T b) {                                    \
    return (T)(((S)a * (S)b) >> W);                                       \
  }                                                                       \
  TT_INLINE T tt_mulhu_##k(T a, T b) {                                    \
    return (T)(((D)(U)a * (D)(U)b) >> W);                                 \
  }                                                                       \
  TT_INLINE T tt_popcount_##k(T a) {                                      \
    return (T)__builtin_popcountll((U)a);                                 \
  }                                                                       \
  TT_INLINE T tt_clz_##k(T a) {                                           \
    return a == 0 ? W : (T)(__builtin_clzll((U)a) - (64 - W));            \
  }                                                                       \
  TT_INLINE T tt_ctz_##k(T a) {                                           \
    return a == 0 ? W : (T)__builtin_ctzll((U)a);                         \
  }                                                                       \
  /* a to the power b; a negative power gives 0 except of 1 and -1. */    \
  static inline __attribute__((unused)) T tt_ipow_##k(T a, T b) {         \
    D power = (D)(U)a, out = 1;                                           \
    if (b < 0)                                                            \
      return a == 1 || (a == -1 && (b & 1) == 0) ? 1 : a == -1 ? -1 : 0;  \
    for (U rest = (U)b; rest != 0; rest = (U)(rest >> 1), power *= power) \
      out = (rest & 1) != 0 ? out * power : out;                          \
    return (T)out;                                                        \
  }

TT_INTEGERS(i8, int8_t, uint8_t, uint32_t, int32_t, 8)
TT_INTEGERS(i16, int16_t, uint16_t, uint32_t, int32_t, 16)
TT_INTEGERS(i32, int32_t, uint32_t, uint64_t, int64_t, 32)
TT_INTEGERS(i64, int64_t, uint64_t, unsigned __int128, __int128, 64)
#undef TT_INTEGERS

#endif
