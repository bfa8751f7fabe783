/* ttrt_math.h: functions of f32 without branches, within 3 units in the last place
 * (tests/cpu/test_math.py measures them), and of f64 as the C library has them. The coefficients
 * are least-maximum fits. */
#ifndef TTRT_MATH_H
#define TTRT_MATH_H

/* p * x + c */
#define TT_STEP(p, x, c) __builtin_fmaf(p, x, c)

TT_INLINE float tt_rsqrt_f32(float x) {
  return 1.0f / __builtin_sqrtf(x);
}

/* x, a whole number; anything if it is NaN, which the callers do not use then. */
TT_INLINE __attribute__((no_sanitize("float-cast-overflow"))) int32_t tt_whole(float x) {
  return (int32_t)x;
}

/* x * 2^n for n from -252 to 254, rounded once where the result is normal. */
TT_INLINE float tt_scale(float x, int32_t n) {
  int32_t half = n >> 1;
  return x * TT_BITS(float, (half + 127) << 23) * TT_BITS(float, (n - half + 127) << 23);
}

/* Exponentials. */

/* e^r - 1 for |r| up to log(2) / 2 */
TT_INLINE float tt_expm1_small(float r) {
  float p = 1.991797026e-04f;
  p = TT_STEP(p, r, 1.394618977e-03f);
  p = TT_STEP(p, r, 8.333265168e-03f);
  p = TT_STEP(p, r, 4.166626826e-02f);
  p = TT_STEP(p, r, 1.666666686e-01f);
  p = TT_STEP(p, r, 5.000000078e-01f);
  return TT_STEP(p * r, r, r);
}

/* e^r for |r| up to log(2) */
TT_INLINE float tt_exp_small(float r) {
  float p = 1.961032835e-04f;
  p = TT_STEP(p, r, 1.410550711e-03f);
  p = TT_STEP(p, r, 8.336131634e-03f);
  p = TT_STEP(p, r, 4.166121729e-02f);
  p = TT_STEP(p, r, 1.666661335e-01f);
  p = TT_STEP(p, r, 5.000003511e-01f);
  p = TT_STEP(p, r, 1.0f);
  return TT_STEP(p, r, 1.0f);
}

/* t - n log(2) */
TT_INLINE float tt_less_powers(float t, float n) {
  return TT_STEP(n, 2.12194440e-4f, TT_STEP(n, -0.693359375f, t));
}

/* A whole number n from -2^21 to 2^21 as n + TT_WHOLE: its bits end in those of n. */
#define TT_WHOLE 12582912.0f

/* e^r 2^(2 n) of n + TT_WHOLE, n from -76 to 64. Powers of four, so that one factor 2^n is within
 * the range of f32 and taken twice; NaN of NaN. */
TT_INLINE float tt_exp_parts(float r, float whole) {
  uint32_t power = (TT_BITS(uint32_t, whole) << 23) + 0x3f800000; /* TT_WHOLE goes over the edge */
  return tt_exp_small(r) * TT_BITS(float, power) * TT_BITS(float, power);
}

TT_INLINE float tt_exp_f32(float x) {
  float t = x < -104.0f ? -104.0f : x; /* below it is 0, above infinite; NaN stays */
  t = t > 89.0f ? 89.0f : t;
  float whole = TT_STEP(t, 0.721347520f, TT_WHOLE), n = whole - TT_WHOLE;
  float r = TT_STEP(n, -1.38671875f, t);
  return tt_exp_parts(TT_STEP(n, 4.24388880e-4f, r), whole);
}

TT_INLINE float tt_exp2_f32(float x) {
  float t = x < -151.0f ? -151.0f : x;
  t = t > 129.0f ? 129.0f : t;
  float whole = TT_STEP(t, 0.5f, TT_WHOLE), n = whole - TT_WHOLE;
  return tt_exp_parts(TT_STEP(n, -2.0f, t) * 0.693147181f, whole);
}

TT_INLINE float tt_expm1_f32(float x) {
  float t = x < -30.0f ? -30.0f : x;
  t = t > 89.0f ? 89.0f : t;
  float n = __builtin_roundevenf(t * 1.44269504f);
  float p = tt_expm1_small(tt_less_powers(t, n));
  float half = tt_scale(0.5f, tt_whole(n));
  float y = 2.0f * TT_STEP(p, half, half - 0.5f);
  return x != x || x == 0 ? x : y;
}

/* Logarithms. */

/* x as (1 + rest) * 2^power, 1 + rest from sqrt(1/2) to sqrt(2); log(1 + rest) is rest + more. */
typedef struct tt_parts {
  float power, rest, more;
} tt_parts;

TT_INLINE tt_parts tt_split(float x) {
  int small = x < 0x1p-126f;
  uint32_t bits = TT_BITS(uint32_t, small ? x * 0x1p23f : x);
  int32_t power = (int32_t)(bits - 0x3f3504f3) >> 23;
  float r = TT_BITS(float, bits - ((uint32_t)power << 23)) - 1.0f;
  float p = 6.921788915e-02f;
  p = TT_STEP(p, r, -1.180587743e-01f);
  p = TT_STEP(p, r, 1.187870707e-01f);
  p = TT_STEP(p, r, -1.238219837e-01f);
  p = TT_STEP(p, r, 1.421765623e-01f);
  p = TT_STEP(p, r, -1.666933192e-01f);
  p = TT_STEP(p, r, 2.000227538e-01f);
  p = TT_STEP(p, r, -2.499998582e-01f);
  p = TT_STEP(p, r, 3.333330978e-01f);
  float s = r * r;
  return (tt_parts){(float)(power - (small ? 23 : 0)), r, TT_STEP(s * r, p, -0.5f * s)};
}

/* y where a logarithm is finite. */
TT_INLINE float tt_log_special(float x, float y) {
  y = x == 0 ? -TT_INFINITY : y;
  y = x < 0 ? TT_NAN : y;
  return x - x != 0 && !(x < 0) ? x : y;
}

TT_INLINE float tt_log_f32(float x) {
  tt_parts a = tt_split(x);
  float y = TT_STEP(a.power, -2.12194440e-4f, a.more) + a.rest;
  return tt_log_special(x, TT_STEP(a.power, 0.693359375f, y));
}

TT_INLINE float tt_log2_f32(float x) {
  const float less = 0.44269504088896341f; /* log2(e) - 1 */
  tt_parts a = tt_split(x);
  float y = TT_STEP(a.rest, less, a.more * less);
  return tt_log_special(x, y + a.more + a.rest + a.power);
}

TT_INLINE float tt_log10_f32(float x) {
  tt_parts a = tt_split(x);
  float y = TT_STEP(a.rest, 7.00731903251827651e-4f, a.more * 7.00731903251827651e-4f);
  y = TT_STEP(a.power, 2.48745663981195214e-4f, y);
  y = TT_STEP(a.more, 4.3359375e-1f, y);
  y = TT_STEP(a.rest, 4.3359375e-1f, y);
  return tt_log_special(x, TT_STEP(a.power, 3.0078125e-1f, y));
}

TT_INLINE float tt_log1p_f32(float x) {
  float sum = 1.0f + x, lost = x - (sum - 1.0f); /* what the sum has lost of x */
  lost = x > 0x1p24f ? 0.0f : lost;
  float y = tt_log_f32(sum) + (sum > 0 ? lost / sum : 0.0f);
  return x == 0 || x == TT_INFINITY ? x : y;
}

/* Hyperbolic functions. */

TT_INLINE float tt_tanh_f32(float x) {
  float t = __builtin_fabsf(x), s = x * x;
  float p = -5.679303840e-03f;
  p = TT_STEP(p, s, 2.061812182e-02f);
  p = TT_STEP(p, s, -5.373399969e-02f);
  p = TT_STEP(p, s, 1.333138364e-01f);
  p = TT_STEP(p, s, -3.333328022e-01f);
  float low = TT_STEP(p * s, x, x);
  float high = 1.0f - 2.0f / (tt_exp_f32(2.0f * (t > 10.0f ? 10.0f : t)) + 1.0f);
  return x != x || x == 0 ? x : t < 0.625f ? low : __builtin_copysignf(high, x);
}

TT_INLINE float tt_sinh_f32(float x) {
  float t = __builtin_fabsf(x);
  float e = tt_expm1_f32(t > 80.0f ? 80.0f : t), half = tt_exp_f32(0.5f * t);
  float y = t > 80.0f ? 0.5f * half * half : 0.5f * (e + e / (e + 1.0f));
  return x != x ? x : __builtin_copysignf(y, x);
}

TT_INLINE float tt_cosh_f32(float x) {
  float t = __builtin_fabsf(x);
  float e = tt_exp_f32(t > 80.0f ? 80.0f : t), half = tt_exp_f32(0.5f * t);
  return x != x ? x : t > 80.0f ? 0.5f * half * half : 0.5f * e + 0.5f / e;
}

TT_INLINE float tt_asinh_f32(float x) {
  float t = __builtin_fabsf(x), s = t * t;
  float near = tt_log1p_f32(t + s / (1.0f + __builtin_sqrtf(s + 1.0f)));
  float far = tt_log_f32(t) + 0.693147181f;
  return x != x ? x : __builtin_copysignf(t > 0x1p28f ? far : near, x);
}

TT_INLINE float tt_acosh_f32(float x) {
  float t = x - 1.0f;
  float near = tt_log1p_f32(t + __builtin_sqrtf(2.0f * t + t * t));
  return x < 1 ? TT_NAN : x > 0x1p28f ? tt_log_f32(x) + 0.693147181f : near;
}

TT_INLINE float tt_atanh_f32(float x) {
  float t = __builtin_fabsf(x);
  float y = 0.5f * tt_log1p_f32(2.0f * t / (1.0f - t));
  y = t > 1 ? TT_NAN : t == 1 ? TT_INFINITY : y;
  return x != x ? x : __builtin_copysignf(y, x);
}

/* Inverses of circular functions. */

/* Of a number from 0 to 1. */
TT_INLINE float tt_atan_small(float x) {
  float s = x * x;
  float p = -1.827184641e-03f;
  p = TT_STEP(p, s, 1.106431499e-02f);
  p = TT_STEP(p, s, -3.145546905e-02f);
  p = TT_STEP(p, s, 5.823432002e-02f);
  p = TT_STEP(p, s, -8.419445963e-02f);
  p = TT_STEP(p, s, 1.095757185e-01f);
  p = TT_STEP(p, s, -1.426524460e-01f);
  p = TT_STEP(p, s, 1.999863855e-01f);
  p = TT_STEP(p, s, -3.333330186e-01f);
  return TT_STEP(p * s, x, x);
}

TT_INLINE float tt_atan_f32(float x) {
  float t = __builtin_fabsf(x);
  float a = tt_atan_small(t > 1 ? 1.0f / t : t);
  a = t > 1 ? 1.57079633f - (a + 4.37113883e-8f) : a;
  return x != x ? x : __builtin_copysignf(a, x);
}

TT_INLINE float tt_atan2_f32(float y, float x) {
  float u = __builtin_fabsf(y), v = __builtin_fabsf(x);
  float less = u < v ? u : v, more = u < v ? v : u;
  float ratio = more == 0 ? 0.0f : less == TT_INFINITY ? 1.0f : less / more;
  float a = tt_atan_small(ratio);
  a = u > v ? 1.57079633f - (a + 4.37113883e-8f) : a;
  a = __builtin_signbitf(x) ? 3.14159265f - (a + 8.74227766e-8f) : a;
  return x != x || y != y ? x + y : __builtin_copysignf(a, y);
}

/* asin(x) for |x| up to 1/2 */
TT_INLINE float tt_asin_small(float x) {
  float s = x * x;
  float p = 3.757815673e-02f;
  p = TT_STEP(p, s, 1.439380569e-02f);
  p = TT_STEP(p, s, 3.181981928e-02f);
  p = TT_STEP(p, s, 4.451547101e-02f);
  p = TT_STEP(p, s, 7.500512133e-02f);
  p = TT_STEP(p, s, 1.666665985e-01f);
  return TT_STEP(p * s, x, x);
}

TT_INLINE float tt_asin_f32(float x) {
  float t = __builtin_fabsf(x);
  float a = tt_asin_small(t > 0.5f ? __builtin_sqrtf(0.5f - 0.5f * t) : t);
  a = t > 0.5f ? 1.57079633f - (2.0f * a + 4.37113883e-8f) : a;
  return t > 1 ? TT_NAN : __builtin_copysignf(a, x);
}

TT_INLINE float tt_acos_f32(float x) {
  float t = __builtin_fabsf(x);
  float a = tt_asin_small(t > 0.5f ? __builtin_sqrtf(0.5f - 0.5f * t) : x);
  float far = x < 0 ? 3.14159265f - (2.0f * a + 8.74227766e-8f) : 2.0f * a;
  return t > 1 ? TT_NAN : t > 0.5f ? far : 1.57079633f - (a + 4.37113883e-8f);
}

/* The error function. */

TT_INLINE float tt_erf_f32(float x) {
  float t = __builtin_fabsf(x), s = x * x;
  float p = 8.345224872e-05f;
  p = TT_STEP(p, s, -8.137437559e-04f);
  p = TT_STEP(p, s, 5.200634306e-03f);
  p = TT_STEP(p, s, -2.685927078e-02f);
  p = TT_STEP(p, s, 1.128369394e-01f);
  p = TT_STEP(p, s, -3.761263370e-01f);
  p = TT_STEP(p, s, 1.283791666e-01f);
  float low = TT_STEP(p, x, x);
  t = t > 4.0f ? 4.0f : t;
  float q = 2.082863098e-05f;
  q = TT_STEP(q, t, -4.313936973e-04f);
  q = TT_STEP(q, t, 4.156255494e-03f);
  q = TT_STEP(q, t, -2.508061788e-02f);
  q = TT_STEP(q, t, 1.082203860e-01f);
  q = TT_STEP(q, t, 6.334008492e-01f);
  q = TT_STEP(q, t, 1.129488407e+00f);
  q = TT_STEP(q, t, -1.692052681e-04f);
  float high = 1.0f - tt_exp_f32(-q);
  return x != x ? x : t < 0.93f ? low : __builtin_copysignf(high, x);
}

/* Powers: 2^(y log2(x)) in f64. */

TT_INLINE double tt_log2_double(float x) {
  int small = x < 0x1p-126f;
  uint32_t bits = TT_BITS(uint32_t, small ? x * 0x1p23f : x);
  int32_t power = (int32_t)(bits - 0x3f3504f3) >> 23;
  double m = TT_BITS(float, bits - ((uint32_t)power << 23));
  double t = (m - 1.0) / (m + 1.0), s = t * t;
  double p = 2.8853900817779268 / 15; /* 2 log2(e) (t + t^3/3 + ...) */
  p = p * s + 2.8853900817779268 / 13;
  p = p * s + 2.8853900817779268 / 11;
  p = p * s + 2.8853900817779268 / 9;
  p = p * s + 2.8853900817779268 / 7;
  p = p * s + 2.8853900817779268 / 5;
  p = p * s + 2.8853900817779268 / 3;
  p = p * s + 2.8853900817779268;
  return p * t + (power - (small ? 23 : 0));
}

TT_INLINE float tt_exp2_double(double x) {
  double t = x < -1000.0 ? -1000.0 : x;
  t = t > 1000.0 ? 1000.0 : t;
  double n = __builtin_roundeven(t), r = (t - n) * 0.69314718055994531;
  double p = 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  int64_t power = (int64_t)((int32_t)n + 1023) << 52;
  return (float)(p * TT_BITS(double, power));
}

TT_INLINE float tt_pow_f32(float x, float y) {
  float t = __builtin_fabsf(x);
  double l = t == 0 ? -__builtin_inf() : t == TT_INFINITY ? __builtin_inf() : tt_log2_double(t);
  float p = tt_exp2_double((double)y * l);
  float v = __builtin_fabsf(y), cut = __builtin_truncf(y);
  int whole = cut == y, odd = whole && v < 0x1p24f && __builtin_truncf(0.5f * y) * 2.0f != y;
  p = odd ? __builtin_copysignf(p, x) : p;
  p = x < 0 && !whole && t != TT_INFINITY ? TT_NAN : p;
  p = x != x || y != y ? x + y : p;
  return y == 0 || x == 1 || (t == 1 && v == TT_INFINITY) ? 1.0f : p;
}

/* What the C library has. */

#define TT_LIBRARY(name)                       \
  TT_INLINE double tt_##name##_f64(double x) { \
    return __builtin_##name(x);                \
  }
#define TT_LIBRARY2(name)                                \
  TT_INLINE double tt_##name##_f64(double x, double y) { \
    return __builtin_##name(x, y);                       \
  }
TT_LIBRARY(exp)
TT_LIBRARY(exp2)
TT_LIBRARY(expm1)
TT_LIBRARY(log)
TT_LIBRARY(log2)
TT_LIBRARY(log10)
TT_LIBRARY(log1p)
TT_LIBRARY(sinh)
TT_LIBRARY(cosh)
TT_LIBRARY(tanh)
TT_LIBRARY(asin)
TT_LIBRARY(acos)
TT_LIBRARY(atan)
TT_LIBRARY(asinh)
TT_LIBRARY(acosh)
TT_LIBRARY(atanh)
TT_LIBRARY(erf)
TT_LIBRARY(erfc)
TT_LIBRARY(cbrt)
TT_LIBRARY2(atan2)
TT_LIBRARY2(pow)
#undef TT_LIBRARY
#undef TT_LIBRARY2

TT_INLINE double tt_rsqrt_f64(double x) {
  return 1.0 / __builtin_sqrt(x);
}

TT_INLINE float tt_erfc_f32(float x) {
  return __builtin_erfcf(x);
}

TT_INLINE float tt_cbrt_f32(float x) {
  return __builtin_cbrtf(x);
}

#endif
