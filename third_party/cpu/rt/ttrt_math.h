/* ttrt_math.h: functions of f32 and f64. */
#ifndef TTRT_MATH_H
#define TTRT_MATH_H

#define TT_LIBM1(name)                         \
  TT_INLINE float tt_##name##_f32(float x) {   \
    return __builtin_##name##f(x);             \
  }                                            \
  TT_INLINE double tt_##name##_f64(double x) { \
    return __builtin_##name(x);                \
  }
#define TT_LIBM2(name)                                   \
  TT_INLINE float tt_##name##_f32(float x, float y) {    \
    return __builtin_##name##f(x, y);                    \
  }                                                      \
  TT_INLINE double tt_##name##_f64(double x, double y) { \
    return __builtin_##name(x, y);                       \
  }
TT_LIBM1(cbrt)
TT_LIBM1(expm1)
TT_LIBM1(log)
TT_LIBM1(log2)
TT_LIBM1(log10)
TT_LIBM1(log1p)
TT_LIBM1(sin)
TT_LIBM1(cos)
TT_LIBM1(tan)
TT_LIBM1(asin)
TT_LIBM1(acos)
TT_LIBM1(atan)
TT_LIBM1(sinh)
TT_LIBM1(cosh)
TT_LIBM1(tanh)
TT_LIBM1(asinh)
TT_LIBM1(acosh)
TT_LIBM1(atanh)
TT_LIBM1(erf)
TT_LIBM1(erfc)
TT_LIBM2(atan2)
TT_LIBM2(pow)

TT_INLINE float tt_rsqrt_f32(float x) {
  return 1.0f / __builtin_sqrtf(x);
}

TT_INLINE double tt_rsqrt_f64(double x) {
  return 1.0 / __builtin_sqrt(x);
}

TT_INLINE double tt_exp_f64(double x) {
  return __builtin_exp(x);
}

TT_INLINE double tt_exp2_f64(double x) {
  return __builtin_exp2(x);
}

/* x * 2^n for n from -252 to 254, rounded once. */
TT_INLINE float tt_scale(float x, int32_t n) {
  int32_t half = n >> 1;
  return x * TT_BITS(float, (half + 127) << 23) * TT_BITS(float, (n - half + 127) << 23);
}

TT_INLINE float tt_exp_f32(float x) {
  float t = x < -104.0f ? -104.0f : x; /* below that it is 0, above infinite; NaN stays */
  t = t > 89.0f ? 89.0f : t;
  float n = __builtin_roundevenf(t * 1.44269504f);
  float r = __builtin_fmaf(n, -0.693359375f, t);
  r = __builtin_fmaf(n, 2.12194440e-4f, r);
  float p = 1.98412698e-4f; /* the series to r^7 / 7! */
  p = __builtin_fmaf(p, r, 1.38888889e-3f);
  p = __builtin_fmaf(p, r, 8.33333333e-3f);
  p = __builtin_fmaf(p, r, 4.16666667e-2f);
  p = __builtin_fmaf(p, r, 1.66666667e-1f);
  p = __builtin_fmaf(p, r, 0.5f);
  p = __builtin_fmaf(p * r, r, r) + 1.0f;
  float y = tt_scale(p, (int32_t)n);
  return x != x ? x : y;
}

TT_INLINE float tt_exp2_f32(float x) {
  float t = x < -151.0f ? -151.0f : x;
  t = t > 129.0f ? 129.0f : t;
  float n = __builtin_roundevenf(t), r = t - n;
  float p = 1.52527338e-5f; /* the series to (r log 2)^7 / 7! */
  p = __builtin_fmaf(p, r, 1.54035304e-4f);
  p = __builtin_fmaf(p, r, 1.33335581e-3f);
  p = __builtin_fmaf(p, r, 9.61812911e-3f);
  p = __builtin_fmaf(p, r, 5.55041087e-2f);
  p = __builtin_fmaf(p, r, 2.40226507e-1f);
  p = __builtin_fmaf(p, r, 6.93147181e-1f);
  p = __builtin_fmaf(p, r, 1.0f);
  float y = tt_scale(p, (int32_t)n);
  return x != x ? x : y;
}

#undef TT_LIBM1
#undef TT_LIBM2

#endif
