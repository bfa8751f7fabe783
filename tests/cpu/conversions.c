/* conversions.c: the conversions of ttrt_float.h against the compiler's number.c, which follows the
 * definition of each format: every number of 8 and 16 bits decoded, every STRIDE-th f32 and many
 * f64 encoded, to nearest and toward zero. Prints "FORMAT WRONG", the number of differences, a
 * line. */
#include "ttrt.h"

#include "ttrt_float.h"

#include "compiler/read/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct one {
  const char *name;
  float (*decode)(uint32_t bits);
  uint32_t (*encode)(float x), (*zeroward)(float x), (*narrow)(double x);
} one;

#define FORMAT(k, T, I)                         \
  static float decode_##k(uint32_t bits) {      \
    I narrow = (I)bits;                         \
    return tt_##k##_to_f32(TT_BITS(T, narrow)); \
  }                                             \
  static uint32_t encode_##k(float x) {         \
    return TT_BITS(I, tt_f32_to_##k(x));        \
  }                                             \
  static uint32_t zeroward_##k(float x) {       \
    return TT_BITS(I, tt_f32_to_##k##_rtz(x));  \
  }                                             \
  static uint32_t narrow_##k(double x) {        \
    return TT_BITS(I, tt_f64_to_##k(x));        \
  }
#define ALL(X)                    \
  X(f16, _Float16, uint16_t)      \
  X(bf16, __bf16, uint16_t)       \
  X(f8E5M2, uint8_t, uint8_t)     \
  X(f8E4M3, uint8_t, uint8_t)     \
  X(f8E3M4, uint8_t, uint8_t)     \
  X(f8E4M3FN, uint8_t, uint8_t)   \
  X(f8E5M2FNUZ, uint8_t, uint8_t) \
  X(f8E4M3FNUZ, uint8_t, uint8_t) \
  X(f8E4M3B11FNUZ, uint8_t, uint8_t)
ALL(FORMAT)

static const one formats[] = {
#define ROW(k, T, I) {#k, decode_##k, encode_##k, zeroward_##k, narrow_##k},
    ALL(ROW)};

static uint32_t magnitude(const tc_float_format *f, uint32_t bits) {
  return bits & ((1u << (f->width - 1)) - 1);
}

/* Whether bits are those that the definition wants, NaNs of any sign and payload. */
static bool is_nearest(const tc_float_format *f, uint32_t bits, double x) {
  double wanted = tc_float_decode(f, tc_float_encode(f, x)), got = tc_float_decode(f, bits);
  if (isnan(wanted))
    return isnan(got) != 0;
  return got == wanted && !signbit(got) == !signbit(wanted);
}

/* The nearest number that is no larger; what is finite stays so in the formats with infinities. */
static bool is_zeroward(const tc_float_format *f, uint32_t bits, float x) {
  double got = tc_float_decode(f, bits), most = tc_float_decode(f, tc_float_encode(f, x));
  if (isnan(got)) /* of NaN, or of what the format cannot hold */
    return isnan(most) || f->specials != TC_IEEE;
  if (isinf(x))
    return isinf(got) && !signbit(got) == !signbit(x);
  if (!isfinite(got) || fabs(got) > fabs((double)x) || (got != 0 && signbit(got) != signbit(x)))
    return false;
  double next = tc_float_decode(f, magnitude(f, bits) + 1);
  return !isfinite(next) || next > fabs((double)x);
}

static size_t check(const one *o, uint64_t stride) {
  const tc_float_format *f = tc_float_format_of(o->name, strlen(o->name));
  size_t wrong = 0;
  for (uint32_t bits = 0; bits < 1u << f->width; bits++) {
    double wanted = tc_float_decode(f, bits), got = o->decode(bits);
    wrong += !(isnan(wanted) ? isnan(got) : got == wanted && !signbit(got) == !signbit(wanted));
    /* Halfway to the next number, and a hair to either side. */
    double next = tc_float_decode(f, bits + 1 < 1u << f->width ? bits + 1 : bits);
    for (int k = -1; k <= 1 && isfinite(wanted) && isfinite(next); k++) {
      double half = (wanted + next) / 2, near = half + k * fabs(half) * 0x1p-40;
      wrong += !is_nearest(f, o->narrow(near), near);
      wrong += !is_nearest(f, o->encode((float)near), (float)near);
    }
  }
  for (uint64_t bits = 0; bits < UINT64_C(1) << 32; bits += stride) {
    float x = TT_BITS(float, (uint32_t)bits);
    wrong += !is_nearest(f, o->encode(x), x) + !is_zeroward(f, o->zeroward(x), x);
  }
  return wrong;
}

int main(int argc, char **argv) {
  uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  if (stride == 0) {
    (void)fputs("usage: conversions STRIDE\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    printf("%s %zu\n", formats[i].name, check(&formats[i], stride));
  return 0;
}
