/* float.c: conversions between formats of floating-point numbers. Those of 8 bits and
 * less go through tables, which number.c computes, and share nothing with what C is given. */
#include "emit_linalg.h"
#include "read/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *tc_mlir_wide_type(const tc_type *type) {
  return type->width == 64 ? "f64" : "f32";
}

/* Adds a constant array of 32-bit words to the module. */
static void add_table(tc_mlir *e, const char *name, const char *element, const uint32_t *words,
                      unsigned count) {
  tc_add_format(&e->globals,
                "  memref.global \"private\" constant @%s : memref<%ux%s> = dense<\"0x", name,
                count, element);
  for (unsigned i = 0; i < count; i++)
    for (unsigned byte = 0; byte < 4; byte++)
      tc_add_format(&e->globals, "%02X", words[i] >> (8 * byte) & 0xffu);
  tc_add_str(&e->globals, "\">\n");
}

static uint32_t bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void add_decoder(tc_mlir *e, const tc_float_format *format, const char *name) {
  uint32_t words[256];
  unsigned count = 1u << format->width;
  char table[64];
  for (unsigned code = 0; code < count; code++)
    words[code] = bits_of((float)tc_float_decode(format, code));
  (void)snprintf(table, sizeof table, "numbers_%s", format->name);
  add_table(e, table, "f32", words, count);
  tc_add_format(&e->globals,
                "  func.func private @%s(%%code: i8) -> f32 {\n"
                "    %%table = memref.get_global @%s : memref<%uxf32>\n"
                "    %%mask = arith.constant %d : i8\n"
                "    %%masked = arith.andi %%code, %%mask : i8\n"
                "    %%at = arith.index_castui %%masked : i8 to index\n"
                "    %%number = memref.load %%table[%%at] : memref<%uxf32>\n"
                "    func.return %%number : f32\n"
                "  }\n",
                name, table, count, (int)(int8_t)(uint8_t)(count - 1), count);
}

/* A float of at most 8 bits as f32. */
static tc_ssa decode(tc_mlir *e, tc_ssa a, const tc_float_format *format) {
  char name[64];
  tc_ssa made = tc_mlir_new(e);
  (void)snprintf(name, sizeof name, "decode_%s", format->name);
  if (tc_mlir_declare(e, name))
    add_decoder(e, format, name);
  tc_mlir_line(e, "%%v%zu = func.call @%s(%%v%zu) : (i8) -> f32", made, name, a);
  return made;
}

/* The codes of a format's numbers that are not negative, in their order. */
typedef struct tc_codes_of {
  unsigned last; /* the largest finite number */
  unsigned over; /* what is too large: infinity, NaN, or last itself */
  unsigned nan;
} tc_codes_of;

static tc_codes_of codes_of(const tc_float_format *format) {
  unsigned all = (1u << (format->width - 1)) - 1;
  unsigned infinity = all - ((1u << format->mantissa) - 1);
  switch (format->specials) {
  case TC_IEEE:
    return (tc_codes_of){infinity - 1, infinity, infinity | 1u << (format->mantissa - 1)};
  case TC_FN:
    return (tc_codes_of){all - 1, all, all};
  case TC_FNUZ:
    return (tc_codes_of){all, all + 1, all + 1};
  default:
    return (tc_codes_of){all, all, 0};
  }
}

/* The least bits of an f32 that become each code from 0 on; all ones where none does. */
static unsigned thresholds(const tc_float_format *format, bool to_nearest, uint32_t *words) {
  unsigned count = 1u << (format->width - 1);
  tc_codes_of codes = codes_of(format);
  words[0] = 0;
  for (unsigned code = 1; code <= count; code++) {
    double below = tc_float_decode(format, code - 1), here = tc_float_decode(format, code);
    bool up = code % 2 == 1; /* a tie goes to the even code, the one below */
    words[code] = UINT32_MAX;
    if (code > codes.last + 1 || code > codes.over)
      continue;
    if (code == codes.over && code > codes.last) /* were there one more number */
      here = below + (below - tc_float_decode(format, code - 2));
    if (code == codes.over && format->specials == TC_IEEE && !to_nearest)
      here = (double)INFINITY;
    words[code] = bits_of((float)(to_nearest ? (below + here) / 2 : here)) + (to_nearest && up);
  }
  return count;
}

/* The search for the largest code whose threshold is not above the magnitude. */
static void add_search(tc_text *out, unsigned count) {
  tc_add_str(out, "    %k0 = arith.constant 0 : i32\n");
  unsigned step_number = 0;
  for (unsigned step = count / 2; step > 0; step /= 2, step_number++) {
    unsigned n = step_number;
    tc_add_format(out,
                  "    %%step%u = arith.constant %u : i32\n"
                  "    %%next%u = arith.addi %%k%u, %%step%u : i32\n"
                  "    %%at%u = arith.index_castui %%next%u : i32 to index\n"
                  "    %%least%u = memref.load %%table[%%at%u] : memref<%uxi32>\n"
                  "    %%is%u = arith.cmpi ule, %%least%u, %%magnitude : i32\n"
                  "    %%k%u = arith.select %%is%u, %%next%u, %%k%u : i32\n",
                  n, step, n, n, n, n, n, n, n, count, n, n, n + 1, n, n, n);
  }
  tc_add_format(out, "    %%code = arith.addi %%k%u, %%k0 : i32\n", step_number);
}

static void add_encoder(tc_mlir *e, const tc_float_format *format, bool to_nearest,
                        const char *name) {
  uint32_t words[129];
  char table[80];
  unsigned count = thresholds(format, to_nearest, words);
  (void)snprintf(table, sizeof table, "thresholds_%s", name);
  add_table(e, table, "i32", words, count);
  tc_text *out = &e->globals;
  tc_add_format(out,
                "  func.func private @%s(%%number: f32) -> i8 {\n"
                "    %%table = memref.get_global @%s : memref<%uxi32>\n"
                "    %%bits = arith.bitcast %%number : f32 to i32\n"
                "    %%low = arith.constant 0x7FFFFFFF : i32\n"
                "    %%magnitude = arith.andi %%bits, %%low : i32\n"
                "    %%c31 = arith.constant 31 : i32\n"
                "    %%negative = arith.shrui %%bits, %%c31 : i32\n"
                "    %%place = arith.constant %u : i32\n"
                "    %%shifted = arith.shli %%negative, %%place : i32\n",
                name, table, count, format->width - 1);
  add_search(out, count);
  if (format->specials == TC_FNUZ) /* its negative zero is the NaN */
    tc_add_str(out, "    %zero = arith.cmpi eq, %code, %k0 : i32\n"
                    "    %sign = arith.select %zero, %k0, %shifted : i32\n");
  else
    tc_add_str(out, "    %sign = arith.addi %shifted, %k0 : i32\n");
  /* NaNs, and what is too large for a format whose one NaN is the negative zero. */
  bool is_fnuz = format->specials == TC_FNUZ;
  bool has_sign = format->specials == TC_IEEE || format->specials == TC_FN;
  tc_add_format(out,
                "    %%both = arith.ori %%code, %%sign : i32\n"
                "    %%limit = arith.constant %u : i32\n"
                "    %%beyond = arith.cmpi uge, %%magnitude, %%limit : i32\n"
                "    %%nan = arith.constant %u : i32\n"
                "    %%other = arith.ori %%nan, %%%s : i32\n"
                "    %%made = arith.select %%beyond, %%other, %%both : i32\n"
                "    %%byte = arith.trunci %%made : i32 to i8\n"
                "    func.return %%byte : i8\n"
                "  }\n",
                is_fnuz ? words[count] : 0x7F800001u, codes_of(format).nan,
                has_sign ? "sign" : "k0");
}

/* And an f32 as one of those. */
static tc_ssa encode(tc_mlir *e, tc_ssa a, const tc_float_format *format, bool to_nearest) {
  char name[64];
  tc_ssa made = tc_mlir_new(e);
  if (format->specials == TC_POWER)
    tc_mlir_refuse(e, "a conversion to '%s' has no form in linalg", format->name);
  (void)snprintf(name, sizeof name, "encode_%s%s", format->name, to_nearest ? "" : "_toward_zero");
  if (e->status == TC_OK && tc_mlir_declare(e, name))
    add_encoder(e, format, to_nearest, name);
  tc_mlir_line(e, "%%v%zu = func.call @%s(%%v%zu) : (f32) -> i8", made, name, a);
  return made;
}

/* The number toward zero: of two neighbours the nearest one is at most one off. With to_odd, what
 * is not exact gets an odd last bit: rounding that again to fewer bits gives what one rounding
 * gives. */
static tc_ssa toward_zero(tc_mlir *e, tc_ssa a, const char *wide, const char *narrow, bool to_odd) {
  const char *bits = strcmp(narrow, "f32") == 0 ? "i32" : "i16";
  tc_ssa nearest = tc_mlir_cast(e, "arith.truncf", a, wide, narrow);
  tc_ssa again = tc_mlir_cast(e, "arith.extf", nearest, narrow, wide);
  tc_ssa above = tc_mlir_binary(e, "arith.cmpf ogt,", tc_mlir_unary(e, "math.absf", again, wide),
                                tc_mlir_unary(e, "math.absf", a, wide), wide);
  tc_ssa number = tc_mlir_cast(e, "arith.bitcast", nearest, narrow, bits);
  tc_ssa one = tc_mlir_number(e, 1, bits);
  tc_ssa less = tc_mlir_binary(e, "arith.subi", number, one, bits);
  tc_ssa made = tc_mlir_select(e, above, less, number, bits);
  if (to_odd) {
    tc_ssa inexact = tc_mlir_binary(e, "arith.cmpf one,", again, a, wide);
    made = tc_mlir_select(e, inexact, tc_mlir_binary(e, "arith.ori", made, one, bits), made, bits);
  }
  return tc_mlir_cast(e, "arith.bitcast", made, bits, narrow);
}

tc_ssa tc_mlir_widen(tc_mlir *e, tc_ssa a, const tc_type *type) {
  if (tc_mlir_is_small(type))
    return decode(e, a, type->format);
  return type->width < 32 ? tc_mlir_cast(e, "arith.extf", a, type->format->name, "f32") : a;
}

tc_ssa tc_mlir_narrow(tc_mlir *e, tc_ssa a, const char *wide, const tc_type *type,
                      bool to_nearest) {
  bool is_double = strcmp(wide, "f64") == 0;
  if (type->width == 64)
    return is_double ? a : tc_mlir_cast(e, "arith.extf", a, "f32", "f64");
  if (is_double) {
    if (type->width == 32 && to_nearest)
      return tc_mlir_cast(e, "arith.truncf", a, "f64", "f32");
    a = toward_zero(e, a, "f64", "f32", type->width < 32 && to_nearest);
  }
  if (type->width == 32)
    return a;
  if (tc_mlir_is_small(type))
    return encode(e, a, type->format, to_nearest);
  if (to_nearest)
    return tc_mlir_cast(e, "arith.truncf", a, "f32", type->format->name);
  return toward_zero(e, a, "f32", type->format->name, false);
}
