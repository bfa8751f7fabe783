/* ttrt_float.h: conversions between formats of floats and to integers, exactly rounded. To nearest,
 * ties to even, or (_rtz) toward zero. Formats of 8 bits are bytes. */
#ifndef TTRT_FLOAT_H
#define TTRT_FLOAT_H

/* f64 to f32 such that a second rounding to fewer bits is right: what is inexact gets an odd last
 * bit. */
TT_INLINE float tt_f64_to_odd(double x) {
  float near = (float)x;
  uint32_t bits = TT_BITS(uint32_t, near);
  double back = near;
  uint32_t zeroward = __builtin_fabs(back) > __builtin_fabs(x) ? bits - 1 : bits;
  return back == x || x != x ? near : TT_BITS(float, zeroward | 1);
}

/* 16 bits; tt_f32_to_bf16 is in ttrt.h. */

TT_INLINE _Float16 tt_f32_to_f16(float x) {
  return (_Float16)x;
}

TT_INLINE _Float16 tt_f32_to_f16_rtz(float x) {
  _Float16 near = (_Float16)x;
  uint16_t bits = TT_BITS(uint16_t, near);
  bits = __builtin_fabsf((float)near) > __builtin_fabsf(x) && x - x == 0 ? bits - 1 : bits;
  return TT_BITS(_Float16, bits);
}

/* By its bits: what clang knows as a widened bf16 it computes as bf16 again where it can, and then
 * calls a function to round, which no library has. */
TT_INLINE float tt_bf16_to_f32(__bf16 x) {
  return TT_BITS(float, (uint32_t)TT_BITS(uint16_t, x) << 16);
}

TT_INLINE float tt_f16_to_f32(_Float16 x) {
  return x;
}

TT_INLINE __bf16 tt_f32_to_bf16_rtz(float x) {
  uint32_t bits = TT_BITS(uint32_t, x);
  uint16_t half = (uint16_t)(x != x ? bits >> 16 | 0x40 : bits >> 16);
  return TT_BITS(__bf16, half);
}

TT_INLINE float tt_f32_to_f32_rtz(float x) {
  return x;
}

TT_INLINE float tt_f64_to_f32_rtz(double x) {
  float near = (float)x;
  uint32_t bits = TT_BITS(uint32_t, near);
  return __builtin_fabs((double)near) > __builtin_fabs(x) && x - x == 0 ? TT_BITS(float, bits - 1)
                                                                        : near;
}

/* 8 bits: IEEE has infinities and NaNs; FN one NaN and no infinity; FNUZ one NaN, which is the
 * negative zero. What a format cannot hold becomes its infinity, or its NaN. */

enum { TT_IEEE, TT_FN, TT_FNUZ };

TT_INLINE float tt_decode8(uint8_t v, int mantissa, int bias, int specials) {
  uint32_t magnitude = v & 0x7f, sign = (uint32_t)(v & 0x80) << 24;
  uint32_t power = (uint32_t)(254 - bias) << 23; /* 2^(127 - bias) */
  float scaled = TT_BITS(float, magnitude << (23 - mantissa)) * TT_BITS(float, power);
  uint32_t bits = TT_BITS(uint32_t, scaled) | sign;
  uint32_t first = 0x80u - (1u << mantissa); /* the infinity of IEEE */
  if (specials == TT_IEEE)
    bits = magnitude < first ? bits : sign | 0x7f800000 | (magnitude - first) << (23 - mantissa);
  else if (specials == TT_FN)
    bits = magnitude == 0x7f ? sign | 0x7fc00000 : bits;
  else
    bits = v == 0x80 ? 0x7fc00000 : bits;
  return TT_BITS(float, bits);
}

TT_INLINE uint8_t tt_encode8(float x, int mantissa, int bias, int specials, int to_zero) {
  uint32_t bits = TT_BITS(uint32_t, x), sign = bits >> 24 & 0x80;
  float size = __builtin_fabsf(x);
  int drop = 23 - mantissa;
  /* Normal numbers: the exponent's bias is changed, the fraction is cut. */
  uint32_t whole = (bits & 0x7fffffff) - ((uint32_t)(127 - bias) << 23);
  uint32_t half = to_zero ? 0 : (1u << (drop - 1)) - 1 + (whole >> drop & 1);
  uint32_t normal = (whole + half) >> drop;
  /* Below: a multiple of the least number, found by adding a number with that last bit. */
  uint32_t power = (uint32_t)(127 + 1 - bias + drop) << 23;
  uint32_t nearest = TT_BITS(uint32_t, size + TT_BITS(float, power)) - power;
  uint32_t inverse = (uint32_t)(127 + mantissa + bias - 1) << 23;
  uint32_t least = (uint32_t)(128 - bias) << 23; /* the least normal number */
  float few = TT_BITS(uint32_t, size) < least ? size : 0.0f;
  uint32_t cut = (uint32_t)(int32_t)(few * TT_BITS(float, inverse));
  uint32_t code = TT_BITS(uint32_t, size) < least ? (to_zero ? cut : nearest) : normal;
  int finite = (bits & 0x7f800000) != 0x7f800000;
  if (specials == TT_IEEE) {
    uint32_t first = 0x80u - (1u << mantissa);
    uint32_t over = to_zero && finite ? first - 1 : first;
    code = code >= first || !finite ? over : code;
    return (uint8_t)(sign | (x != x ? first | 1u << (mantissa - 1) : code));
  }
  if (specials == TT_FN)
    return (uint8_t)(sign | (code >= 0x7f || !finite ? 0x7f : code));
  return (uint8_t)(code > 0x7f || !finite ? 0x80 : code == 0 ? 0 : sign | code);
}

#define TT_FLOAT8(k, mantissa, bias, specials)         \
  TT_INLINE float tt_##k##_to_f32(uint8_t v) {         \
    return tt_decode8(v, mantissa, bias, specials);    \
  }                                                    \
  TT_INLINE uint8_t tt_f32_to_##k(float x) {           \
    return tt_encode8(x, mantissa, bias, specials, 0); \
  }                                                    \
  TT_INLINE uint8_t tt_f32_to_##k##_rtz(float x) {     \
    return tt_encode8(x, mantissa, bias, specials, 1); \
  }
TT_FLOAT8(f8E5M2, 2, 15, TT_IEEE)
TT_FLOAT8(f8E4M3, 3, 7, TT_IEEE)
TT_FLOAT8(f8E3M4, 4, 3, TT_IEEE)
TT_FLOAT8(f8E4M3FN, 3, 7, TT_FN)
TT_FLOAT8(f8E5M2FNUZ, 2, 16, TT_FNUZ)
TT_FLOAT8(f8E4M3FNUZ, 3, 8, TT_FNUZ)
TT_FLOAT8(f8E4M3B11FNUZ, 3, 11, TT_FNUZ)
#undef TT_FLOAT8

/* A power of two alone: the exponent of f32, 255 is NaN. */
TT_INLINE float tt_f8E8M0FNU_to_f32(uint8_t v) {
  uint32_t bits = v == 255 ? 0x7fc00000 : v == 0 ? 0x00400000 : (uint32_t)v << 23;
  return TT_BITS(float, bits);
}

TT_INLINE uint8_t tt_f32_to_f8E8M0FNU(float x) {
  uint32_t bits = TT_BITS(uint32_t, x) & 0x7fffffff;
  uint32_t near = (bits + 0x400000) >> 23;
  return (uint8_t)(x != x || near > 255 ? 255 : near);
}

TT_INLINE uint8_t tt_f32_to_f8E8M0FNU_rtz(float x) {
  return (uint8_t)(TT_BITS(uint32_t, x) >> 23 & 255);
}

#define TT_FROM_DOUBLE(k, T)                      \
  TT_INLINE T tt_f64_to_##k(double x) {           \
    return tt_f32_to_##k(tt_f64_to_odd(x));       \
  }                                               \
  TT_INLINE T tt_f64_to_##k##_rtz(double x) {     \
    return tt_f32_to_##k##_rtz(tt_f64_to_odd(x)); \
  }
TT_FROM_DOUBLE(f16, _Float16)
TT_FROM_DOUBLE(bf16, __bf16)
TT_FROM_DOUBLE(f8E5M2, uint8_t)
TT_FROM_DOUBLE(f8E4M3, uint8_t)
TT_FROM_DOUBLE(f8E3M4, uint8_t)
TT_FROM_DOUBLE(f8E4M3FN, uint8_t)
TT_FROM_DOUBLE(f8E5M2FNUZ, uint8_t)
TT_FROM_DOUBLE(f8E4M3FNUZ, uint8_t)
TT_FROM_DOUBLE(f8E4M3B11FNUZ, uint8_t)
TT_FROM_DOUBLE(f8E8M0FNU, uint8_t)
#undef TT_FROM_DOUBLE

/* To integers, toward zero. What does not fit gives what the processor gives, as on Triton's own
 * devices; narrow integers are cut from wider ones. */
#define TT_TO_INTEGER(k, F)                                                                      \
  TT_INLINE __attribute__((no_sanitize("float-cast-overflow"))) int32_t tt_##k##_whole(F x) {    \
    return (int32_t)x;                                                                           \
  }                                                                                              \
  TT_INLINE __attribute__((no_sanitize("float-cast-overflow"))) int64_t tt_##k##_to_s_i64(F x) { \
    return (int64_t)x;                                                                           \
  }                                                                                              \
  TT_INLINE __attribute__((no_sanitize("float-cast-overflow"))) int64_t tt_##k##_to_u_i64(F x) { \
    return (int64_t)(uint64_t)x;                                                                 \
  }                                                                                              \
  TT_INLINE uint8_t tt_##k##_to_s_i1(F x) {                                                      \
    return x != 0;                                                                               \
  }                                                                                              \
  TT_INLINE uint8_t tt_##k##_to_u_i1(F x) {                                                      \
    return x != 0;                                                                               \
  }                                                                                              \
  TT_INLINE int8_t tt_##k##_to_s_i8(F x) {                                                       \
    return (int8_t)tt_##k##_whole(x);                                                            \
  }                                                                                              \
  TT_INLINE int16_t tt_##k##_to_s_i16(F x) {                                                     \
    return (int16_t)tt_##k##_whole(x);                                                           \
  }                                                                                              \
  TT_INLINE int32_t tt_##k##_to_s_i32(F x) {                                                     \
    return tt_##k##_whole(x);                                                                    \
  }                                                                                              \
  TT_INLINE int8_t tt_##k##_to_u_i8(F x) {                                                       \
    return (int8_t)tt_##k##_to_s_i64(x);                                                         \
  }                                                                                              \
  TT_INLINE int16_t tt_##k##_to_u_i16(F x) {                                                     \
    return (int16_t)tt_##k##_to_s_i64(x);                                                        \
  }                                                                                              \
  TT_INLINE int32_t tt_##k##_to_u_i32(F x) {                                                     \
    return (int32_t)tt_##k##_to_s_i64(x);                                                        \
  }
TT_TO_INTEGER(f32, float)
TT_TO_INTEGER(f64, double)
#undef TT_TO_INTEGER

#if __has_builtin(__builtin_elementwise_maximum)
#define TT_EXTREMES(k, F, copysign)             \
  TT_INLINE F tt_maximum_##k(F a, F b) {        \
    return __builtin_elementwise_maximum(a, b); \
  }                                             \
  TT_INLINE F tt_minimum_##k(F a, F b) {        \
    return __builtin_elementwise_minimum(a, b); \
  }
#else
#define TT_EXTREMES(k, F, copysign)                                 \
  TT_INLINE F tt_maximum_##k(F a, F b) {                            \
    F equal = copysign((F)1, a) > 0 ? a : b;                        \
    return a != a ? a : b != b ? b : a > b ? a : a < b ? b : equal; \
  }                                                                 \
  TT_INLINE F tt_minimum_##k(F a, F b) {                            \
    F equal = copysign((F)1, a) < 0 ? a : b;                        \
    return a != a ? a : b != b ? b : a < b ? a : a > b ? b : equal; \
  }
#endif
TT_EXTREMES(f32, float, __builtin_copysignf)
TT_EXTREMES(f64, double, __builtin_copysign)
#undef TT_EXTREMES

#endif
