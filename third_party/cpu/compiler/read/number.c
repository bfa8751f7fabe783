/* number.c: conversions by the definition of each format; there are too many formats for tables. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tc_float_format formats[] = {
    {"f16", 16, 5, 10, 15, TC_IEEE},       {"bf16", 16, 8, 7, 127, TC_IEEE},
    {"f32", 32, 8, 23, 127, TC_IEEE},      {"f64", 64, 11, 52, 1023, TC_IEEE},
    {"tf32", 19, 8, 10, 127, TC_IEEE},     {"f8E5M2", 8, 5, 2, 15, TC_IEEE},
    {"f8E4M3", 8, 4, 3, 7, TC_IEEE},       {"f8E3M4", 8, 3, 4, 3, TC_IEEE},
    {"f8E4M3FN", 8, 4, 3, 7, TC_FN},       {"f8E5M2FNUZ", 8, 5, 2, 16, TC_FNUZ},
    {"f8E4M3FNUZ", 8, 4, 3, 8, TC_FNUZ},   {"f8E4M3B11FNUZ", 8, 4, 3, 11, TC_FNUZ},
    {"f8E8M0FNU", 8, 8, 0, 127, TC_POWER}, {"f6E2M3FN", 6, 2, 3, 1, TC_FINITE},
    {"f6E3M2FN", 6, 3, 2, 3, TC_FINITE},   {"f4E2M1FN", 4, 2, 1, 1, TC_FINITE},
};

const tc_float_format *tc_float_format_of(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strlen(formats[i].name) == len && memcmp(formats[i].name, name, len) == 0)
      return &formats[i];
  return NULL;
}

static uint64_t ones(unsigned count) {
  return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

/* The least magnitude that is no finite number any more. */
static uint64_t first_special(const tc_float_format *f) {
  uint64_t magnitude = ones(f->exponent + f->mantissa);
  if (f->specials == TC_IEEE)
    return magnitude - ones(f->mantissa);
  return f->specials == TC_FN || f->specials == TC_POWER ? magnitude : magnitude + 1;
}

static uint64_t encode_nan(const tc_float_format *f) {
  if (f->specials == TC_FNUZ)
    return ones(1) << (f->exponent + f->mantissa);
  if (f->specials == TC_IEEE)
    return first_special(f) | (ones(1) << (f->mantissa - 1));
  return f->specials == TC_FINITE ? 0 : ones(f->exponent + f->mantissa);
}

/* whole * 2^-shift to the nearest integer, ties to even. */
static uint64_t round_shift(uint64_t whole, int shift) {
  if (shift <= 0)
    return whole << -shift;
  if (shift > 62)
    return 0;
  uint64_t half = (uint64_t)1 << (shift - 1), rest = whole & ones((unsigned)shift);
  uint64_t kept = whole >> shift;
  return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

/* The exponent's field of a power of two, which is all that the format has. */
static uint64_t encode_power(const tc_float_format *f, double number) {
  int exponent;
  double fraction = frexp(number, &exponent);
  if (isnan(number) || isinf(number) || number < 0)
    return encode_nan(f);
  exponent += f->bias - 1 + (fraction > 0.75);
  if (number == 0 || exponent < 0)
    return 0;
  return exponent > 255 ? encode_nan(f) : (uint64_t)exponent;
}

uint64_t tc_float_encode(const tc_float_format *f, double number) {
  if (f->specials == TC_POWER)
    return encode_power(f, number);
  if (isnan(number))
    return encode_nan(f);
  uint64_t sign = signbit(number) ? ones(1) << (f->exponent + f->mantissa) : 0;
  uint64_t bits = number == 0 ? 0 : first_special(f);
  if (!isinf(number) && number != 0) {
    int exponent, least = 1 - f->bias, mantissa = (int)f->mantissa;
    double fraction = frexp(fabs(number), &exponent); /* in [0.5, 1) */
    uint64_t whole = (uint64_t)ldexp(fraction, 53);   /* number = whole * 2^(exponent - 53) */
    int top = exponent - 1 > least ? exponent - 1 : least;
    uint64_t digits = round_shift(whole, top - mantissa - (exponent - 53));
    /* A carry out of the digits goes into the exponent, as it should. */
    bits = top >= f->bias + 2 ? bits : ((uint64_t)(top - least) << mantissa) + digits;
  }
  if (bits >= first_special(f)) {
    if (f->specials == TC_FINITE)
      return sign | (first_special(f) - 1);
    if (f->specials != TC_IEEE)
      return f->specials == TC_FN ? sign | encode_nan(f) : encode_nan(f);
    bits = first_special(f);
  }
  return bits == 0 && f->specials == TC_FNUZ ? 0 : sign | bits;
}

double tc_float_decode(const tc_float_format *f, uint64_t bits) {
  uint64_t magnitude = bits & ones(f->exponent + f->mantissa);
  bool negative = f->specials != TC_POWER && (bits >> (f->exponent + f->mantissa) & 1) != 0;
  if (f->specials == TC_POWER)
    return magnitude == 255 ? (double)NAN : ldexp(1.0, (int)magnitude - f->bias);
  if (f->specials == TC_FNUZ && negative && magnitude == 0)
    return (double)NAN;
  if (magnitude >= first_special(f)) {
    double special =
        f->specials == TC_IEEE && magnitude == first_special(f) ? (double)INFINITY : (double)NAN;
    return negative ? -special : special;
  }
  uint64_t digits = magnitude & ones(f->mantissa), exponent = magnitude >> f->mantissa;
  if (exponent > 0)
    digits += ones(1) << f->mantissa;
  double number =
      ldexp((double)digits, (int)(exponent > 0 ? exponent : 1) - f->bias - (int)f->mantissa);
  return negative ? -number : number;
}

/* A number's leading decimal digits, without zeros at their end; the number is
 * 0.DIGITS * 10^point. */
typedef struct decimal {
  char digits[40];
  int count, point;
} decimal;

/* All digits of a finite number from the first that is not 0, as a whole number whose last digit
 * counts 10^*least, and how many bits that whole number has. */
static int exact_digits(double number, char *out, size_t size, int *least, int *bits) {
  int exponent;
  uint64_t whole = (uint64_t)ldexp(frexp(fabs(number), &exponent), 53);
  for (exponent -= 53; whole != 0 && (whole & 1) == 0; exponent++)
    whole >>= 1;
  int decimals = exponent < 0 ? -exponent : 0, len = 0;
  (void)snprintf(out, size, "%.*f", decimals, fabs(number));
  for (const char *at = out; *at != '\0'; at++)
    if (*at != '.' && (len > 0 || *at != '0'))
      out[len++] = *at;
  out[len] = '\0';
  *least = -decimals;
  /* number * 10^decimals = whole * 5^decimals, or whole * 2^exponent */
  long double log = log2l((long double)whole) + (long double)decimals * log2l(5.0L);
  *bits = (int)floorl(log) + 1 + (exponent > 0 ? exponent : 0);
  return len;
}

/* At most `most` digits. Digits are first cut off by an estimate of their number, and only what is
 * left is rounded, half up: LLVM does so, and prints 0.7 in another spelling than 0.1 for it. */
static decimal decimal_of(double number, int most) {
  static const int digits_per_bit[] = {59, 196};
  char all[1500];
  int least, bits, len = number == 0 ? 0 : exact_digits(number, all, sizeof all, &least, &bits);
  decimal made = {.digits = "0", .count = 1, .point = 1};
  if (len == 0)
    return made;
  int wanted = (most * digits_per_bit[1] + digits_per_bit[0] - 1) / digits_per_bit[0];
  int cut = bits > wanted ? (bits - wanted) * digits_per_bit[0] / digits_per_bit[1] : 0;
  made.point = len + least;
  len = cut < len ? len - cut : 1;
  most = most < 1 || most > 32 ? 32 : most;
  made.count = len < most ? len : most;
  memcpy(made.digits, all, (size_t)made.count);
  if (len > most && all[most] >= '5') {
    int at = most - 1;
    while (at >= 0 && made.digits[at] == '9')
      made.digits[at--] = '0';
    if (at >= 0) {
      made.digits[at]++;
    } else {
      made.digits[0] = '1';
      made.point++;
    }
  }
  while (made.count > 1 && made.digits[made.count - 1] == '0')
    made.count--;
  made.digits[made.count] = '\0';
  return made;
}

/* 1.500000e+00: six digits. */
static void spell_short(char *out, size_t size, double number) {
  decimal d = decimal_of(number, 6);
  char padded[] = "0000000";
  memcpy(padded, d.digits, (size_t)d.count);
  int power = number == 0 ? 0 : d.point - 1;
  (void)snprintf(out, size, "%s%c.%se%c%02d", signbit(number) ? "-" : "", padded[0], padded + 1,
                 power < 0 ? '-' : '+', abs(power));
}

/* 0.699999988 or 3.40282347E+38: as many digits as the format can tell apart. */
static void spell_long(char *out, size_t size, double number, const tc_float_format *f) {
  int most = 2 + (int)(f->mantissa + 1) * 59 / 196;
  decimal d = decimal_of(number, most);
  const char *sign = signbit(number) ? "-" : "";
  int least = d.point - d.count; /* the power of ten of the last digit */
  bool scientific =
      least >= 0 ? least > 3 || d.count + least > most : d.point - 1 < 0 && -(d.point - 1) > 3;
  if (scientific)
    (void)snprintf(out, size, "%s%c.%sE%+d", sign, d.digits[0], d.count > 1 ? d.digits + 1 : "0",
                   d.point - 1);
  else if (least >= 0) /* a whole number; MLIR takes the bits then */
    (void)snprintf(out, size, "%s%s", sign, d.digits);
  else if (d.point > 0)
    (void)snprintf(out, size, "%s%.*s.%s", sign, d.point, d.digits, d.digits + d.point);
  else
    (void)snprintf(out, size, "%s0.%.*s%s", sign, -d.point, "000", d.digits);
}

void tc_add_float(tc_text *text, const tc_float_format *f, uint64_t bits) {
  double number = tc_float_decode(f, bits);
  char spelled[128];
  if (!isnan(number) && !isinf(number)) {
    spell_short(spelled, sizeof spelled, number);
    if (tc_float_encode(f, strtod(spelled, NULL)) == bits) {
      tc_add_str(text, spelled);
      return;
    }
    spell_long(spelled, sizeof spelled, number, f);
    if (strchr(spelled, '.') != NULL && tc_float_encode(f, strtod(spelled, NULL)) == bits) {
      tc_add_str(text, spelled);
      return;
    }
  }
  tc_add_format(text, "0x%llX", (unsigned long long)bits);
}
