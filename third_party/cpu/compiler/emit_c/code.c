/* code.c: operations on elements, a template each. */
#include "emit_c.h"

#include <string.h>

/* $0 $1 $2 arguments, $T the value's type, $U and $V the first argument's unsigned type and one of
 * at least 32 bits, $n its bits less one, $k its suffix, $f the ending of C's functions. An i1 is a
 * byte, so it has templates of its own; integers of at least 8 bits have the first column. */
typedef struct tc_c_template {
  const char *integer, *boolean, *number; /* NULL: not for such a type */
} tc_c_template;

#define INTEGER(code, integer_, boolean_) \
  [TC_CODE_##code] = {.integer = (integer_), .boolean = (boolean_)}
#define FLOAT(code, number_) [TC_CODE_##code] = {.number = (number_)}

static const tc_c_template templates[TC_CODE_COUNT] = {
    INTEGER(ADD, "($T)(($V)$0 + ($V)$1)", "$0 ^ $1"),
    INTEGER(SUB, "($T)(($V)$0 - ($V)$1)", "$0 ^ $1"),
    INTEGER(MUL, "($T)(($V)$0 * ($V)$1)", "$0 & $1"),
    INTEGER(DIVS, "tt_divs_$k($0, $1)", "$0 & $1"),
    INTEGER(DIVU, "tt_divu_$k($0, $1)", "$0 & $1"),
    INTEGER(REMS, "tt_rems_$k($0, $1)", "0"),
    INTEGER(REMU, "tt_remu_$k($0, $1)", "0"),
    INTEGER(CEILDIVS, "tt_ceildivs_$k($0, $1)", "$0 & $1"),
    INTEGER(CEILDIVU, "tt_ceildivu_$k($0, $1)", "$0 & $1"),
    INTEGER(FLOORDIVS, "tt_floordivs_$k($0, $1)", "$0 & $1"),
    INTEGER(AND, "$0 & $1", "$0 & $1"),
    INTEGER(OR, "$0 | $1", "$0 | $1"),
    INTEGER(XOR, "$0 ^ $1", "$0 ^ $1"),
    INTEGER(SHL, "($T)(($V)$0 << ($1 & $n))", "$0"),
    INTEGER(SHRS, "$0 >> ($1 & $n)", "$0"),
    INTEGER(SHRU, "($T)(($U)$0 >> ($1 & $n))", "$0"),
    INTEGER(MAXS, "$0 > $1 ? $0 : $1", "$0 & $1"),
    INTEGER(MAXU, "($U)$0 > ($U)$1 ? $0 : $1", "$0 | $1"),
    INTEGER(MINS, "$0 < $1 ? $0 : $1", "$0 | $1"),
    INTEGER(MINU, "($U)$0 < ($U)$1 ? $0 : $1", "$0 & $1"),
    INTEGER(MULHS, "tt_mulhs_$k($0, $1)", "0"),
    INTEGER(MULHU, "tt_mulhu_$k($0, $1)", "0"),
    INTEGER(CARRY, "($U)(($V)$0 + ($V)$1) < ($U)$0", "$0 & $1"),
    INTEGER(BORROW, "($U)$0 < ($U)$1", "!$0 & $1"),
    INTEGER(ABSI, "($T)($0 < 0 ? -($V)$0 : ($V)$0)", "$0"),
    INTEGER(CLZ, "tt_clz_$k($0)", "!$0"),
    INTEGER(CTZ, "tt_ctz_$k($0)", "!$0"),
    INTEGER(POPCOUNT, "tt_popcount_$k($0)", "$0"),
    INTEGER(IPOW, "tt_ipow_$k($0, $1)", "$0 | !$1"),

    FLOAT(FADD, "$0 + $1"),
    FLOAT(FSUB, "$0 - $1"),
    FLOAT(FMUL, "$0 * $1"),
    FLOAT(FDIV, "$0 / $1"),
    FLOAT(FREM, "__builtin_fmod$f($0, $1)"),
    FLOAT(FNEG, "-$0"),
    FLOAT(FMA, "__builtin_fma$f($0, $1, $2)"),
    FLOAT(MAXNUM, "tt_maxnum_$k($0, $1)"),
    FLOAT(MINNUM, "tt_minnum_$k($0, $1)"),
    FLOAT(MAXIMUM, "tt_maximum_$k($0, $1)"),
    FLOAT(MINIMUM, "tt_minimum_$k($0, $1)"),
    FLOAT(CLAMP, "tt_minnum_$k(tt_maxnum_$k($0, $1), $2)"),
    FLOAT(ABSF, "__builtin_fabs$f($0)"),
    FLOAT(SQRT, "__builtin_sqrt$f($0)"),
    FLOAT(FLOOR, "__builtin_floor$f($0)"),
    FLOAT(CEIL, "__builtin_ceil$f($0)"),
    FLOAT(TRUNC, "__builtin_trunc$f($0)"),
    FLOAT(ROUND, "__builtin_round$f($0)"),
    FLOAT(ROUNDEVEN, "__builtin_roundeven$f($0)"),
    FLOAT(COPYSIGN, "__builtin_copysign$f($0, $1)"),
    FLOAT(RSQRT, "tt_rsqrt_$k($0)"),
    FLOAT(CBRT, "tt_cbrt_$k($0)"),
    FLOAT(EXP, "tt_exp_$k($0)"),
    FLOAT(EXP2, "tt_exp2_$k($0)"),
    FLOAT(EXPM1, "tt_expm1_$k($0)"),
    FLOAT(LOG, "tt_log_$k($0)"),
    FLOAT(LOG2, "tt_log2_$k($0)"),
    FLOAT(LOG10, "tt_log10_$k($0)"),
    FLOAT(LOG1P, "tt_log1p_$k($0)"),
    FLOAT(SIN, "tt_sin_$k($0)"),
    FLOAT(COS, "tt_cos_$k($0)"),
    FLOAT(TAN, "tt_tan_$k($0)"),
    FLOAT(ASIN, "tt_asin_$k($0)"),
    FLOAT(ACOS, "tt_acos_$k($0)"),
    FLOAT(ATAN, "tt_atan_$k($0)"),
    FLOAT(SINH, "tt_sinh_$k($0)"),
    FLOAT(COSH, "tt_cosh_$k($0)"),
    FLOAT(TANH, "tt_tanh_$k($0)"),
    FLOAT(ASINH, "tt_asinh_$k($0)"),
    FLOAT(ACOSH, "tt_acosh_$k($0)"),
    FLOAT(ATANH, "tt_atanh_$k($0)"),
    FLOAT(ERF, "tt_erf_$k($0)"),
    FLOAT(ERFC, "tt_erfc_$k($0)"),
    FLOAT(ATAN2, "tt_atan2_$k($0, $1)"),
    FLOAT(POW, "tt_pow_$k($0, $1)"),
};

/* Argument i as the template wants it: a 16-bit float as f32. */
static const char *argument(tc_c *e, const tc_inst *inst, size_t i) {
  if (i >= inst->arg_count)
    return "0";
  const char *value = tc_c_value(e, inst->args[i]);
  if (tc_c_class_of(inst->args[i]->type) == TC_C_HALF)
    return tc_c_format(e, "tt_%s_to_f32(%s)", tc_c_suffix(e, inst->args[i]->type), value);
  return value;
}

static const char *placeholder(tc_c *e, const tc_inst *inst, char letter) {
  const tc_type *type = inst->arg_count > 0 ? inst->args[0]->type : inst->type;
  unsigned width = tc_width(type);
  bool half = tc_c_class_of(type) == TC_C_HALF;
  switch (letter) {
  case 'T':
    return tc_c_type(e, inst->type);
  case 'U':
    return tc_c_format(e, "uint%u_t", width);
  case 'V':
    return tc_c_format(e, "uint%u_t", width < 32 ? 32 : width);
  case 'n':
    return tc_c_format(e, "%u", width - 1);
  case 'k':
    return half ? "f32" : tc_c_suffix(e, type);
  case 'f':
    return width == 64 ? "" : "f";
  default:
    return argument(e, inst, (size_t)(letter - '0'));
  }
}

static const char *fill(tc_c *e, const tc_inst *inst, const char *template) {
  const char *out = "";
  while (*template != '\0') {
    const char *next = strchr(template, '$');
    size_t len = next == NULL ? strlen(template) : (size_t)(next - template);
    out = tc_c_format(e, "%s%.*s", out, (int)len, template);
    if (next == NULL)
      break;
    out = tc_c_format(e, "%s%s", out, placeholder(e, inst, next[1]));
    template = next + 2;
  }
  return out;
}

static const char *compare_integers(tc_c *e, const tc_inst *inst) {
  static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
  const tc_type *type = inst->args[0]->type;
  const char *a = tc_c_value(e, inst->args[0]), *b = tc_c_value(e, inst->args[1]);
  if (inst->integer < 0 || inst->integer > 9) {
    tc_c_refuse(e, "arith.cmpi has no predicate %lld", (long long)inst->integer);
    return "0";
  }
  const char *sign = signs[inst->integer];
  if (tc_c_class_of(type) == TC_C_BOOL && inst->integer >= 2 && inst->integer <= 5)
    return tc_c_format(e, "-%s %s -%s", a, sign, b);
  if (type->kind == TC_PTR)
    return tc_c_format(e, "(uintptr_t)%s %s (uintptr_t)%s", a, sign, b);
  if (inst->integer >= 6 && tc_c_class_of(type) != TC_C_BOOL)
    return fill(e, inst, tc_c_format(e, "($U)$0 %s ($U)$1", sign));
  return tc_c_format(e, "%s %s %s", a, sign, b);
}

static const char *compare_floats(tc_c *e, const tc_inst *inst) {
  static const char *const predicates[] = {
      "0",
      "$0 == $1",
      "$0 > $1",
      "$0 >= $1",
      "$0 < $1",
      "$0 <= $1",
      "($0 < $1) | ($0 > $1)",
      "!__builtin_isunordered($0, $1)",
      "!(($0 < $1) | ($0 > $1))",
      "!($0 <= $1)",
      "!($0 < $1)",
      "!($0 >= $1)",
      "!($0 > $1)",
      "$0 != $1",
      "__builtin_isunordered($0, $1)",
      "1",
  };
  if (inst->integer < 0 || inst->integer > 15) {
    tc_c_refuse(e, "arith.cmpf has no predicate %lld", (long long)inst->integer);
    return "0";
  }
  return fill(e, inst, predicates[inst->integer]);
}

/* The operations whose template depends on more than the type; NULL for the others. */
static const char *special(tc_c *e, const tc_inst *inst) {
  switch (inst->code) {
  case TC_CODE_CMPI:
    return compare_integers(e, inst);
  case TC_CODE_CMPF:
    return compare_floats(e, inst);
  case TC_CODE_SELECT:
    if (tc_c_class_of(inst->type) == TC_C_HALF && inst->type->format->exponent == 8)
      return tc_c_format(
          e, "TT_BITS(__bf16, (int16_t)(%s ? TT_BITS(int16_t, %s) : TT_BITS(int16_t, %s)))",
          tc_c_value(e, inst->args[0]), tc_c_value(e, inst->args[1]), tc_c_value(e, inst->args[2]));
    return tc_c_format(e, "%s ? %s : %s", tc_c_value(e, inst->args[0]),
                       tc_c_value(e, inst->args[1]), tc_c_value(e, inst->args[2]));
  case TC_CODE_ADDPTR:
    return tc_c_format(e, "%s + %s%s", tc_c_value(e, inst->args[0]),
                       tc_width(inst->args[1]->type) < 64 ? "(int64_t)" : "",
                       tc_c_value(e, inst->args[1]));
  case TC_CODE_PID:
    return tc_c_format(e, "env->id[%d]", (int)inst->integer);
  case TC_CODE_NPID:
    return tc_c_format(e, "env->count[%d]", (int)inst->integer);
  default:
    return tc_c_cast(e, inst);
  }
}

/* Functions of C's math.h, of double; those of float end in f. */
static const char library[] =
    " acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1"
    " fabs fdim floor fma fmod hypot ilogb lgamma llrint llround log log10 log1p log2 "
    "logb"
    " nearbyint nextafter pow remainder rint round scalbn sin sinh sqrt tan tanh tgamma trunc ";

static bool is_library(tc_c *e, const char *symbol) {
  size_t len = strlen(symbol);
  if (strpbrk(symbol, " ") != NULL || len == 0)
    return false;
  if (strstr(library, tc_c_format(e, " %s ", symbol)) != NULL)
    return true;
  return symbol[len - 1] == 'f' &&
         strstr(library, tc_c_format(e, " %.*s ", (int)len - 1, symbol)) != NULL;
}

/* What is called for one of C's functions that clang must not know: see tt_maxnum_f32 in ttrt.h. */
static const char *stand_in(const char *symbol) {
  static const char *const rows[][2] = {{"fmax", "tt_maxnum_f64"},
                                        {"fmaxf", "tt_maxnum_f32"},
                                        {"fmin", "tt_minnum_f64"},
                                        {"fminf", "tt_minnum_f32"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i][0], symbol) == 0)
      return rows[i][1];
  return NULL;
}

static const char *extern_call(tc_c *e, const tc_inst *inst) {
  const char *ours = "tt_ld_", *symbol = inst->text, *other = stand_in(symbol);
  if (other != NULL)
    symbol = other;
  else if (is_library(e, symbol))
    e->needs_library = true;
  else if (strncmp(symbol, ours, strlen(ours)) != 0 ||
           symbol[strspn(symbol, "abcdefghijklmnopqrstuvwxyz_0123456789")] != '\0')
    tc_c_refuse(e, "there is no function '%.200s' for the CPU", symbol);
  const char *out = tc_c_format(e, "%s(", symbol);
  for (size_t i = 0; i < inst->arg_count; i++)
    out = tc_c_format(e, "%s%s%s", out, i == 0 ? "" : ", ", tc_c_value(e, inst->args[i]));
  return tc_c_format(e, "%s)", out);
}

/* Whether the second argument is a number by which C may divide as it is. */
static bool divides_plainly(const tc_inst *inst) {
  if (inst->arg_count != 2 || inst->args[1]->kind != TC_INST_CONST)
    return false;
  unsigned width = tc_width(inst->type);
  uint64_t bits = (uint64_t)inst->args[1]->integer << (64 - width);
  return bits != 0 && bits >> (64 - width) != UINT64_MAX >> (64 - width);
}

static const char *template_of(const tc_inst *inst, tc_c_class class) {
  const tc_c_template *t = &templates[inst->code];
  if (class == TC_C_BOOL)
    return t->boolean;
  if (class != TC_C_INT && inst->code == TC_CODE_CLAMP && inst->integer != 0)
    return "tt_minimum_$k(tt_maximum_$k($0, $1), $2)";
  if (class != TC_C_INT)
    return t->number;
  bool no_wrap = (inst->flags & TC_NO_WRAP) != 0, plain = divides_plainly(inst);
  switch (inst->code) {
  case TC_CODE_ADD:
    return no_wrap ? "$0 + $1" : t->integer;
  case TC_CODE_SUB:
    return no_wrap ? "$0 - $1" : t->integer;
  case TC_CODE_MUL:
    return no_wrap ? "$0 * $1" : t->integer;
  case TC_CODE_DIVS:
    return plain ? "$0 / $1" : t->integer;
  case TC_CODE_REMS:
    return plain ? "$0 % $1" : t->integer;
  case TC_CODE_DIVU:
    return plain ? "($T)(($U)$0 / ($U)$1)" : t->integer;
  case TC_CODE_REMU:
    return plain ? "($T)(($U)$0 % ($U)$1)" : t->integer;
  default:
    return t->integer;
  }
}

const char *tc_c_operation(tc_c *e, const tc_inst *inst) {
  if (inst->code == TC_CODE_EXTERN)
    return extern_call(e, inst);
  const char *out = special(e, inst);
  if (out != NULL)
    return out;
  const tc_type *type = inst->arg_count > 0 ? inst->args[0]->type : inst->type;
  tc_c_class class = tc_c_class_of(type);
  const char *template = template_of(inst, class);
  if (template == NULL || class == TC_C_PTR || class == TC_C_BYTE) {
    tc_c_refuse(e, "operation '%s' on '%s' has no counterpart in C", tc_code_name(inst->code),
                type->text);
    return "0";
  }
  out = fill(e, inst, template);
  if (class == TC_C_HALF)
    out = tc_c_format(e, "tt_f32_to_%s(%s)", tc_c_suffix(e, inst->type), out);
  return out;
}
