/* ttlibdevice.h: the functions of tl.extra.libdevice, which triton_cpu/libdevice.py lists. Included
 * behind ttrt.h where a kernel calls one. A function is named tt_ld_<name>_<types of its arguments,
 * repeated ones once>. What has no short form in libm is computed in f64. */
#ifndef TTLIBDEVICE_H
#define TTLIBDEVICE_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>

#define TT_LD static inline __attribute__((unused))

/* --- one function of libm, or one expression, for f32 and f64 ----------------------------------
 */

#define TT_LD_EXPR1(name, f32, f64)            \
  TT_LD float tt_ld_##name##_fp32(float x) {   \
    return f32;                                \
  }                                            \
  TT_LD double tt_ld_##name##_fp64(double x) { \
    return f64;                                \
  }
#define TT_LD_EXPR2(name, f32, f64)                      \
  TT_LD float tt_ld_##name##_fp32(float x, float y) {    \
    return f32;                                          \
  }                                                      \
  TT_LD double tt_ld_##name##_fp64(double x, double y) { \
    return f64;                                          \
  }
#define TT_LD_LIBM1(name) TT_LD_EXPR1(name, name##f(x), name(x))
#define TT_LD_LIBM2(name) TT_LD_EXPR2(name, name##f(x, y), name(x, y))
TT_LD_LIBM1(floor)
TT_LD_LIBM1(ceil)
TT_LD_LIBM1(trunc)
TT_LD_LIBM1(sqrt)
TT_LD_LIBM1(rint)
TT_LD_LIBM1(nearbyint)
TT_LD_LIBM1(round)
TT_LD_LIBM1(exp)
TT_LD_LIBM1(exp2)
TT_LD_LIBM1(expm1)
TT_LD_LIBM1(log)
TT_LD_LIBM1(log2)
TT_LD_LIBM1(log10)
TT_LD_LIBM1(log1p)
TT_LD_LIBM1(sin)
TT_LD_LIBM1(cos)
TT_LD_LIBM1(tan)
TT_LD_LIBM1(asin)
TT_LD_LIBM1(acos)
TT_LD_LIBM1(atan)
TT_LD_LIBM1(sinh)
TT_LD_LIBM1(cosh)
TT_LD_LIBM1(tanh)
TT_LD_LIBM1(asinh)
TT_LD_LIBM1(acosh)
TT_LD_LIBM1(atanh)
TT_LD_LIBM1(cbrt)
TT_LD_LIBM1(erf)
TT_LD_LIBM1(erfc)
TT_LD_LIBM1(lgamma)
TT_LD_LIBM1(tgamma)
TT_LD_LIBM1(logb)
TT_LD_LIBM2(atan2)
TT_LD_LIBM2(hypot)
TT_LD_LIBM2(fmod)
TT_LD_LIBM2(remainder)
TT_LD_LIBM2(pow)
TT_LD_LIBM2(fdim)
TT_LD_LIBM2(copysign)
TT_LD_LIBM2(nextafter)
TT_LD_EXPR1(abs, fabsf(x), fabs(x))
TT_LD_EXPR1(rsqrt, 1 / sqrtf(x), 1 / sqrt(x))
TT_LD_EXPR1(rcbrt, 1 / cbrtf(x), 1 / cbrt(x))
TT_LD_EXPR1(exp10, (float)pow(10, (double)x), pow(10, x))
TT_LD_EXPR2(rhypot, 1 / hypotf(x, y), 1 / hypot(x, y))

/* sin(pi x) and cos(pi x): the argument is reduced before it is multiplied. */
TT_LD double tt_ld_sinpi_fp64(double x) {
  double r = x - 2 * nearbyint(x / 2); /* -1 to 1 */
  double folded = fabs(r) > 0.5 ? copysign(1, r) - r : r;
  return x == trunc(x) ? copysign(0, x) : sin(folded * 3.14159265358979323846);
}
TT_LD double tt_ld_cospi_fp64(double x) {
  double r = fabs(x - 2 * nearbyint(x / 2));
  return r > 0.25 && r < 0.75 ? sin((0.5 - r) * 3.14159265358979323846)
                              : cos(r * 3.14159265358979323846);
}

/* --- functions that libm lacks -----------------------------------------------------------------
 */

TT_LD double tt_ld_normcdf_fp64(double x) {
  return 0.5 * erfc(-x * 0.70710678118654752440);
}

/* exp(x^2) erfc(x): far out by the series in 1 / x^2. */
TT_LD double tt_ld_erfcx_fp64(double x) {
  if (x < 0)
    return 2 * exp(x * x) - tt_ld_erfcx_fp64(-x);
  if (x < 10)
    return exp(x * x) * erfc(x);
  double term = 1, sum = 1;
  for (int k = 1; k < 14; k++)
    sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum * 0.56418958354775628695 / x;
}

/* The y with erfc(y) = x: a rational first guess, then Halley's steps. */
TT_LD double tt_ld_erfcinv_fp64(double x) {
  if (!(x > 0 && x < 2))
    return x == 0 ? INFINITY : x == 2 ? -INFINITY : NAN;
  double small = x < 1 ? x : 2 - x;
  double t = sqrt(-2 * log(small / 2));
  double y = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 4; i++) {
    double error = erfc(y) - small;
    y += error / (1.12837916709551257390 * exp(-y * y) - y * error);
  }
  return x < 1 ? y : -y;
}

TT_LD double tt_ld_erfinv_fp64(double x) {
  if (!(fabs(x) < 0.5))
    return x < 0 ? -tt_ld_erfcinv_fp64(1 + x) : tt_ld_erfcinv_fp64(1 - x);
  double y = x * 0.88622692545275801365;
  for (int i = 0; i < 5; i++) {
    double error = erf(y) - x;
    y -= error / (1.12837916709551257390 * exp(-y * y) + y * error);
  }
  return y;
}

TT_LD double tt_ld_normcdfinv_fp64(double x) {
  return -1.41421356237309504880 * tt_ld_erfcinv_fp64(2 * x);
}

/* The series of a modified Bessel function of order 0 or 1, whose terms are all positive. */
TT_LD double tt_ld_bessel_i(double x, int order) {
  double quarter = x * x / 4, term = 1, sum = 1;
  if (isinf(x) || fabs(x) > 720)
    return x < 0 && order == 1 ? -INFINITY : INFINITY;
  for (int k = 1; term > sum * 1e-17; k++)
    sum += term *= quarter / ((double)k * (k + order));
  return order == 0 ? sum : sum * x / 2;
}
TT_LD double tt_ld_cyl_bessel_i0_fp64(double x) {
  return tt_ld_bessel_i(x, 0);
}
TT_LD double tt_ld_cyl_bessel_i1_fp64(double x) {
  return tt_ld_bessel_i(x, 1);
}

/* libm's, declared here: ISO C has no such names. */
double j0(double), j1(double), y0(double), y1(double), jn(int, double), yn(int, double);
TT_LD double tt_ld_j0_fp64(double x) {
  return j0(x);
}
TT_LD double tt_ld_j1_fp64(double x) {
  return j1(x);
}
TT_LD double tt_ld_y0_fp64(double x) {
  return y0(x);
}
TT_LD double tt_ld_y1_fp64(double x) {
  return y1(x);
}
TT_LD double tt_ld_jn_i32_fp64(int32_t n, double x) {
  return jn(n, x);
}
TT_LD double tt_ld_yn_i32_fp64(int32_t n, double x) {
  return yn(n, x);
}
TT_LD float tt_ld_jn_i32_fp32(int32_t n, float x) {
  return (float)jn(n, x);
}
TT_LD float tt_ld_yn_i32_fp32(int32_t n, float x) {
  return (float)yn(n, x);
}

#define TT_LD_BY_F64(name)                   \
  TT_LD float tt_ld_##name##_fp32(float x) { \
    return (float)tt_ld_##name##_fp64(x);    \
  }
TT_LD_BY_F64(sinpi)
TT_LD_BY_F64(cospi)
TT_LD_BY_F64(normcdf)
TT_LD_BY_F64(normcdfinv)
TT_LD_BY_F64(erfcx)
TT_LD_BY_F64(erfinv)
TT_LD_BY_F64(erfcinv)
TT_LD_BY_F64(cyl_bessel_i0)
TT_LD_BY_F64(cyl_bessel_i1)
TT_LD_BY_F64(j0)
TT_LD_BY_F64(j1)
TT_LD_BY_F64(y0)
TT_LD_BY_F64(y1)

#define TT_LD_NORMS(T, k, root)                                                    \
  TT_LD T tt_ld_norm3d_##k(T x, T y, T z) {                                        \
    return (T)root((double)x * x + (double)y * y + (double)z * z);                 \
  }                                                                                \
  TT_LD T tt_ld_rnorm3d_##k(T x, T y, T z) {                                       \
    return 1 / tt_ld_norm3d_##k(x, y, z);                                          \
  }                                                                                \
  TT_LD T tt_ld_norm4d_##k(T x, T y, T z, T w) {                                   \
    return (T)root((double)x * x + (double)y * y + (double)z * z + (double)w * w); \
  }                                                                                \
  TT_LD T tt_ld_rnorm4d_##k(T x, T y, T z, T w) {                                  \
    return 1 / tt_ld_norm4d_##k(x, y, z, w);                                       \
  }
TT_LD_NORMS(float, fp32, sqrt)
TT_LD_NORMS(double, fp64, sqrt)

/* x^n by squaring; the negative powers are of the reciprocal. */
TT_LD double tt_ld_pow_fp64_i32(double x, int32_t n) {
  double result = 1;
  uint32_t left = n < 0 ? -(uint32_t)n : (uint32_t)n;
  for (double power = x; left != 0; left >>= 1, power *= power)
    result *= left & 1 ? power : 1;
  return n < 0 ? 1 / result : result;
}
TT_LD float tt_ld_pow_fp32_i32(float x, int32_t n) {
  return (float)tt_ld_pow_fp64_i32(x, n);
}

#define TT_LD_PARTS(T, k, s)                       \
  TT_LD T tt_ld_ldexp_##k##_i32(T x, int32_t n) {  \
    return ldexp##s(x, n);                         \
  }                                                \
  TT_LD T tt_ld_scalbn_##k##_i32(T x, int32_t n) { \
    return scalbn##s(x, n);                        \
  }                                                \
  TT_LD T tt_ld_fma_##k(T x, T y, T z) {           \
    return fma##s(x, y, z);                        \
  }                                                \
  TT_LD int32_t tt_ld_ilogb_##k(T x) {             \
    return ilogb##s(x);                            \
  }                                                \
  TT_LD int64_t tt_ld_llrint_##k(T x) {            \
    return llrint##s(x);                           \
  }                                                \
  TT_LD int64_t tt_ld_llround_##k(T x) {           \
    return llround##s(x);                          \
  }                                                \
  TT_LD uint8_t tt_ld_isnan_##k(T x) {             \
    return x != x;                                 \
  }                                                \
  TT_LD uint8_t tt_ld_isinf_##k(T x) {             \
    return __builtin_isinf(x) != 0;                \
  }                                                \
  TT_LD uint8_t tt_ld_finite_##k(T x) {            \
    return __builtin_isfinite(x) != 0;             \
  }                                                \
  TT_LD int32_t tt_ld_signbit_##k(T x) {           \
    return __builtin_signbit(x) != 0;              \
  }
TT_LD_PARTS(float, fp32, f)
TT_LD_PARTS(double, fp64, )

TT_LD float tt_ld_saturatef_fp32(float x) {
  return x > 0 ? x < 1 ? x : 1 : 0; /* NaN becomes 0 */
}
/* The upper half of the reciprocal's bits, the lower half 0. */
TT_LD double tt_ld_rcp64h_fp64(double x) {
  return TT_BITS(double, TT_BITS(uint64_t, 1 / x) >> 32 << 32);
}

/* --- operations with a rounding of their own ----------------------------------------------------
 */

/* The operands are read and the result is written while the rounding holds: volatile says so. */
#define TT_LD_ROUNDED(name, how, mode, R, T, k, parameters, copies, expression)      \
  static __attribute__((noinline, unused)) R tt_ld_##name##_##how##_##k parameters { \
    volatile T copies;                                                               \
    int before = fegetround();                                                       \
    fesetround(mode);                                                                \
    volatile R result = (R)(expression);                                             \
    fesetround(before);                                                              \
    return result;                                                                   \
  }
#define TT_LD_ARITHMETIC(how, mode, T, k, s)                                         \
  TT_LD_ROUNDED(add, how, mode, T, T, k, (T x, T y), a = x; volatile T b = y, a + b) \
  TT_LD_ROUNDED(sub, how, mode, T, T, k, (T x, T y), a = x; volatile T b = y, a - b) \
  TT_LD_ROUNDED(mul, how, mode, T, T, k, (T x, T y), a = x; volatile T b = y, a * b) \
  TT_LD_ROUNDED(div, how, mode, T, T, k, (T x, T y), a = x; volatile T b = y, a / b) \
  TT_LD_ROUNDED(rcp, how, mode, T, T, k, (T x), a = x; volatile T b = 1, b / a)      \
  TT_LD_ROUNDED(sqrt, how, mode, T, T, k, (T x), a = x, __builtin_sqrt##s(a))        \
  TT_LD_ROUNDED(fma, how, mode, T, T, k, (T x, T y, T z), a = x; volatile T b = y;   \
                volatile T c = z, __builtin_fma##s(a, b, c))
#define TT_LD_TO_INTEGERS(how, round)                      \
  TT_LD int32_t tt_ld_double2int_##how##_fp64(double x) {  \
    return tt_ld_to_i32(round(x));                         \
  }                                                        \
  TT_LD int32_t tt_ld_double2uint_##how##_fp64(double x) { \
    return (int32_t)tt_ld_to_u32(round(x));                \
  }                                                        \
  TT_LD int64_t tt_ld_double2ll_##how##_fp64(double x) {   \
    return tt_ld_to_i64(round(x));                         \
  }                                                        \
  TT_LD int64_t tt_ld_double2ull_##how##_fp64(double x) {  \
    return (int64_t)tt_ld_to_u64(round(x));                \
  }                                                        \
  TT_LD int32_t tt_ld_float2int_##how##_fp32(float x) {    \
    return tt_ld_to_i32(round(x));                         \
  }                                                        \
  TT_LD int32_t tt_ld_float2uint_##how##_fp32(float x) {   \
    return (int32_t)tt_ld_to_u32(round(x));                \
  }                                                        \
  TT_LD int64_t tt_ld_float2ll_##how##_fp32(float x) {     \
    return tt_ld_to_i64(round(x));                         \
  }                                                        \
  TT_LD int64_t tt_ld_float2ull_##how##_fp32(float x) {    \
    return (int64_t)tt_ld_to_u64(round(x));                \
  }
#define TT_LD_FROM_INTEGERS(how, mode)                                                \
  TT_LD_ROUNDED(int2float, how, mode, float, int32_t, i32, (int32_t x), a = x, a)     \
  TT_LD_ROUNDED(uint2float, how, mode, float, uint32_t, u32, (uint32_t x), a = x, a)  \
  TT_LD_ROUNDED(ll2float, how, mode, float, int64_t, i64, (int64_t x), a = x, a)      \
  TT_LD_ROUNDED(ull2float, how, mode, float, uint64_t, u64, (uint64_t x), a = x, a)   \
  TT_LD_ROUNDED(ll2double, how, mode, double, int64_t, i64, (int64_t x), a = x, a)    \
  TT_LD_ROUNDED(ull2double, how, mode, double, uint64_t, u64, (uint64_t x), a = x, a) \
  TT_LD_ROUNDED(double2float, how, mode, float, double, fp64, (double x), a = x, a)

/* The nearest that there is; NaN becomes 0. */
#define TT_LD_SATURATE(k, T, low, high, beyond)                               \
  TT_LD T tt_ld_to_##k(double x) {                                            \
    return x != x ? 0 : x <= low ? (T)(low) : x >= beyond ? (T)(high) : (T)x; \
  }
TT_LD_SATURATE(i32, int32_t, -0x1p31, INT32_MAX, 0x1p31)
TT_LD_SATURATE(u32, uint32_t, 0.0, UINT32_MAX, 0x1p32)
TT_LD_SATURATE(i64, int64_t, -0x1p63, INT64_MAX, 0x1p63)
TT_LD_SATURATE(u64, uint64_t, 0.0, UINT64_MAX, 0x1p64)

#define TT_LD_DIRECTION(how, mode, round)     \
  TT_LD_ARITHMETIC(how, mode, float, fp32, f) \
  TT_LD_ARITHMETIC(how, mode, double, fp64, ) \
  TT_LD_TO_INTEGERS(how, round)               \
  TT_LD_FROM_INTEGERS(how, mode)
TT_LD_DIRECTION(rn, FE_TONEAREST, __builtin_roundeven)
TT_LD_DIRECTION(rz, FE_TOWARDZERO, __builtin_trunc)
TT_LD_DIRECTION(rd, FE_DOWNWARD, __builtin_floor)
TT_LD_DIRECTION(ru, FE_UPWARD, __builtin_ceil)
TT_LD double tt_ld_int2double_rn_i32(int32_t x) {
  return x;
}
TT_LD double tt_ld_uint2double_rn_u32(uint32_t x) {
  return x;
}

/* --- bits and integers --------------------------------------------------------------------------
 */

TT_LD double tt_ld_hiloint2double_i32(int32_t high, int32_t low) {
  return TT_BITS(double, (uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}
TT_LD int32_t tt_ld_double2loint_fp64(double x) {
  return (int32_t)TT_BITS(uint64_t, x);
}
TT_LD int32_t tt_ld_double2hiint_fp64(double x) {
  return (int32_t)(TT_BITS(uint64_t, x) >> 32);
}
TT_LD float tt_ld_as_float_i32(int32_t x) {
  return TT_BITS(float, x);
}
TT_LD int32_t tt_ld_as_int_fp32(float x) {
  return TT_BITS(int32_t, x);
}
TT_LD double tt_ld_as_double_i64(int64_t x) {
  return TT_BITS(double, x);
}
TT_LD int64_t tt_ld_as_longlong_fp64(double x) {
  return TT_BITS(int64_t, x);
}

#define TT_LD_COUNTS(T, U, k, s, bits)             \
  TT_LD int32_t tt_ld_clz_##k(T x) {               \
    return x == 0 ? bits : __builtin_clz##s((U)x); \
  }                                                \
  TT_LD int32_t tt_ld_popc_##k(T x) {              \
    return __builtin_popcount##s((U)x);            \
  }                                                \
  TT_LD int32_t tt_ld_ffs_##k(T x) {               \
    return __builtin_ffs##s(x);                    \
  }                                                \
  TT_LD T tt_ld_brev_##k(T x) {                    \
    return (T)__builtin_bitreverse##bits((U)x);    \
  }                                                \
  TT_LD T tt_ld_abs_##k(T x) {                     \
    return (T)(x < 0 ? -(U)x : (U)x);              \
  }
TT_LD_COUNTS(int32_t, uint32_t, i32, , 32)
TT_LD_COUNTS(int64_t, uint64_t, i64, ll, 64)

TT_LD int32_t tt_ld_mulhi_i32(int32_t x, int32_t y) {
  return (int32_t)((int64_t)x * y >> 32);
}
TT_LD uint32_t tt_ld_mulhi_u32(uint32_t x, uint32_t y) {
  return (uint32_t)((uint64_t)x * y >> 32);
}
TT_LD int64_t tt_ld_mulhi_i64(int64_t x, int64_t y) {
  return (int64_t)((__int128)x * y >> 64);
}
TT_LD uint64_t tt_ld_mulhi_u64(uint64_t x, uint64_t y) {
  return (uint64_t)((unsigned __int128)x * y >> 64);
}
/* The lower 24 bits of each, as signed or unsigned numbers. */
TT_LD int32_t tt_ld_mul24_i32(int32_t x, int32_t y) {
  return (int32_t)((uint32_t)((int32_t)((uint32_t)x << 8) >> 8) *
                   (uint32_t)((int32_t)((uint32_t)y << 8) >> 8));
}
TT_LD uint32_t tt_ld_mul24_u32(uint32_t x, uint32_t y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
/* |x - y| + z */
TT_LD int32_t tt_ld_sad_i32_u32(int32_t x, int32_t y, uint32_t z) {
  return (int32_t)((x < y ? (uint32_t)y - (uint32_t)x : (uint32_t)x - (uint32_t)y) + z);
}
TT_LD uint32_t tt_ld_sad_u32(uint32_t x, uint32_t y, uint32_t z) {
  return (x < y ? y - x : x - y) + z;
}
/* The mean, rounded down or up. */
TT_LD int32_t tt_ld_hadd_i32(int32_t x, int32_t y) {
  return (int32_t)(((int64_t)x + y) >> 1);
}
TT_LD uint32_t tt_ld_hadd_u32(uint32_t x, uint32_t y) {
  return (uint32_t)(((uint64_t)x + y) >> 1);
}
TT_LD int32_t tt_ld_rhadd_i32(int32_t x, int32_t y) {
  return (int32_t)(((int64_t)x + y + 1) >> 1);
}
TT_LD uint32_t tt_ld_rhadd_u32(uint32_t x, uint32_t y) {
  return (uint32_t)(((uint64_t)x + y + 1) >> 1);
}
/* Each byte of the result is the one of the eight of y:x that a nibble of how names. */
TT_LD int32_t tt_ld_byte_perm_i32(int32_t x, int32_t y, int32_t how) {
  uint64_t bytes = (uint64_t)(uint32_t)y << 32 | (uint32_t)x;
  uint32_t result = 0;
  for (int i = 0; i < 4; i++)
    result |= (uint32_t)(bytes >> 8 * ((uint32_t)how >> 4 * i & 7) & 0xff) << 8 * i;
  return (int32_t)result;
}

#endif
