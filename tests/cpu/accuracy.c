/* accuracy.c: how far the functions of ttrt_math.h and ttrt_trig.h are from the C library's of
 * double, in units of the last place of f32: "NAME MOST ARGUMENT" a line, over every STRIDE-th f32
 * and what is special. Differences where the true number is below the normal ones count in units
 * of the least. */
#include "ttrt.h"

#include "ttrt_float.h"
#include "ttrt_math.h"
#include "ttrt_trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double distance(float got, double wanted) {
  float near = (float)wanted;
  if (isnan(near) || isnan(got))
    return isnan(near) && isnan(got) ? 0 : INFINITY;
  if (isinf(near) || isinf(got)) /* the largest number may be rounded to infinity */
    return near == got                                                 ? 0
           : fabs(wanted) > 3.4028e38 && signbit(got) == signbit(near) ? 1
                                                                       : INFINITY;
  if (wanted == 0 && got == 0)
    return signbit(wanted) == signbit(got) ? 0 : INFINITY;
  int power;
  (void)frexp(wanted, &power);
  double unit = ldexp(1, power - 24 < -149 ? -149 : power - 24);
  return fabs(got - wanted) / unit;
}

static double inverse_root(double x) {
  return 1 / sqrt(x);
}

typedef struct one {
  const char *name;
  float (*ours)(float);
  double (*theirs)(double);
} one;

#define OURS(name)                    \
  static float ours_##name(float x) { \
    return tt_##name##_f32(x);        \
  }
#define ALL(X)                                                                                   \
  X(exp)                                                                                         \
  X(exp2)                                                                                        \
  X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) \
      X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(cbrt)
ALL(OURS)
OURS(rsqrt)

static const one functions[] = {
#define ROW(name) {#name, ours_##name, name},
    ALL(ROW){"rsqrt", ours_rsqrt, inverse_root}};

static void measure(const one *f, uint64_t stride) {
  static const float special[] = {0.0f, -0.0f,     1.0f,       -1.0f,     INFINITY, -INFINITY,
                                  NAN,  0x1p-149f, -0x1p-149f, 0x1p-126f, 0.5f,     -0.5f};
  double most = 0;
  float at = 0;
  for (uint64_t bits = 0; bits < (UINT64_C(1) << 32) + 12 * stride; bits += stride) {
    uint64_t n = bits < UINT64_C(1) << 32 ? 12 : (bits - (UINT64_C(1) << 32)) / stride;
    float x = n < 12 ? special[n] : TT_BITS(float, (uint32_t)bits);
    double d = distance(f->ours(x), f->theirs(x));
    if (d > most) {
      most = d;
      at = x;
    }
  }
  printf("%s %.3f %a\n", f->name, most, (double)at);
}

/* Two arguments: all pairs of numbers whose logarithms are spread, of both signs, and special ones.
 */
static void measure_pairs(const char *name, float (*ours)(float, float),
                          double (*theirs)(double, double)) {
  double most = 0;
  float at[2] = {0, 0};
  uint32_t state = 1;
  for (int i = 0; i < 2000000; i++) {
    float v[2];
    for (int k = 0; k < 2; k++) {
      state = state * 1664525 + 1013904223;
      uint32_t kind = state >> 29;
      state = state * 1664525 + 1013904223;
      static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY,
                                      NAN,  2.0f,  3.0f, -3.0f, 0.5f,     -2.5f};
      v[k] = kind == 0  ? special[(state >> 16) % 12]
             : kind < 4 ? (float)(int32_t)(state >> 8) * 0x1p-17f - 64.0f
                        : TT_BITS(float, state);
    }
    double d = distance(ours(v[0], v[1]), theirs(v[0], v[1]));
    if (d > most) {
      most = d;
      at[0] = v[0];
      at[1] = v[1];
    }
  }
  printf("%s %.3f %a,%a\n", name, most, (double)at[0], (double)at[1]);
}

static float ours_pow(float x, float y) {
  return tt_pow_f32(x, y);
}

static float ours_atan2(float x, float y) {
  return tt_atan2_f32(x, y);
}

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  if (stride == 0) {
    (void)fputs("usage: accuracy STRIDE\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    measure(&functions[i], stride);
  measure_pairs("pow", ours_pow, pow);
  measure_pairs("atan2", ours_atan2, atan2);
  return 0;
}
