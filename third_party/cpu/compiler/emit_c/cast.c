/* cast.c: from one type to another. */
#include "emit_c.h"

#include <string.h>

static const char *value_of(tc_c *e, const tc_inst *inst) {
  return tc_c_value(e, inst->args[0]);
}

/* An i1 as a number: its one bit is the sign, or a 1. */
static const char *extended(tc_c *e, const tc_inst *inst, bool is_signed) {
  const tc_type *from = inst->args[0]->type;
  const char *value = value_of(e, inst);
  if (tc_c_class_of(from) == TC_C_BOOL)
    return is_signed ? tc_c_format(e, "-(int32_t)%s", value) : value;
  return is_signed ? value : tc_c_format(e, "(uint%u_t)%s", tc_width(from), value);
}

/* value, a number of C that an f32 or f64 holds or a 16-bit float, as type. */
static const char *rounded(tc_c *e, const tc_type *type, const char *value, bool from_double,
                           bool to_zero) {
  const char *suffix = tc_c_suffix(e, type);
  tc_c_class class = tc_c_class_of(type);
  if (class == TC_C_FLOAT && !to_zero)
    return tc_c_format(e, "(%s)%s", tc_c_type(e, type), value);
  return tc_c_format(e, "tt_%s_to_%s%s(%s)", from_double ? "f64" : "f32", suffix,
                     to_zero ? "_rtz" : "", value);
}

static const char *fpcast(tc_c *e, const tc_inst *inst) {
  const tc_type *from = inst->args[0]->type;
  const char *value = value_of(e, inst);
  if (strcmp(tc_c_suffix(e, from), tc_c_suffix(e, inst->type)) == 0)
    return value;
  bool twice = tc_c_class_of(from) == TC_C_FLOAT && tc_width(from) == 64;
  if (tc_c_class_of(from) != TC_C_FLOAT)
    value = tc_c_format(e, "tt_%s_to_f32(%s)", tc_c_suffix(e, from), value);
  bool narrows = tc_width(inst->type) < tc_width(from) || tc_c_class_of(inst->type) == TC_C_HALF ||
                 tc_c_class_of(inst->type) == TC_C_BYTE;
  return rounded(e, inst->type, value, twice, inst->integer == 0 && narrows);
}

static const char *from_integer(tc_c *e, const tc_inst *inst, bool is_signed) {
  const char *value = extended(e, inst, is_signed);
  if (tc_c_class_of(inst->type) == TC_C_FLOAT)
    return tc_c_format(e, "(%s)%s", tc_c_type(e, inst->type), value);
  return rounded(e, inst->type, tc_c_format(e, "(float)%s", value), false, false);
}

static const char *to_integer(tc_c *e, const tc_inst *inst, const char *name) {
  const tc_type *from = inst->args[0]->type;
  const char *value = value_of(e, inst);
  if (tc_c_class_of(from) != TC_C_FLOAT)
    value = tc_c_format(e, "tt_%s_to_f32(%s)", tc_c_suffix(e, from), value);
  bool twice = from->width == 64;
  return tc_c_format(e, "tt_%s_%s_%s(%s)", twice ? "f64" : "f32", name, tc_c_suffix(e, inst->type),
                     value);
}

static const char *bitcast(tc_c *e, const tc_inst *inst) {
  const tc_type *from = inst->args[0]->type;
  const char *value = value_of(e, inst), *type = tc_c_type(e, inst->type);
  if (inst->type->kind == TC_PTR || strcmp(type, tc_c_type(e, from)) == 0 ||
      (from->kind != TC_FLOAT && inst->type->kind != TC_FLOAT))
    return tc_c_format(e, "(%s)%s", type, value);
  if (tc_c_class_of(from) == TC_C_BYTE || tc_c_class_of(inst->type) == TC_C_BYTE)
    return tc_c_format(e, "(%s)%s", type, value); /* bytes, with a sign or without */
  return tc_c_format(e, "TT_BITS(%s, %s)", type, value);
}

const char *tc_c_cast(tc_c *e, const tc_inst *inst) {
  switch (inst->code) {
  case TC_CODE_SEXT:
    return tc_c_format(e, "(%s)%s", tc_c_type(e, inst->type), extended(e, inst, true));
  case TC_CODE_ZEXT:
    return tc_c_format(e, "(%s)%s", tc_c_type(e, inst->type), extended(e, inst, false));
  case TC_CODE_TRUNCI:
    return tc_c_format(e, tc_c_class_of(inst->type) == TC_C_BOOL ? "(%s)(%s & 1)" : "(%s)%s",
                       tc_c_type(e, inst->type), value_of(e, inst));
  case TC_CODE_FPCAST:
    return fpcast(e, inst);
  case TC_CODE_SITOFP:
    return from_integer(e, inst, true);
  case TC_CODE_UITOFP:
    return from_integer(e, inst, false);
  case TC_CODE_FPTOSI:
    return to_integer(e, inst, "to_s");
  case TC_CODE_FPTOUI:
    return to_integer(e, inst, "to_u");
  case TC_CODE_BITCAST:
    return bitcast(e, inst);
  case TC_CODE_PTRTOINT:
  case TC_CODE_INTTOPTR:
    return tc_c_format(e, "(%s)(intptr_t)%s", tc_c_type(e, inst->type), value_of(e, inst));
  default:
    return NULL;
  }
}
