/* op.c: the operation of a TC_INST_OP in arith and math. */
#include "emit_linalg.h"

#include <stdio.h>
#include <string.h>

/* How an operation is printed: all but the first are table rows that name MLIR's operation. */
typedef enum tc_op_form {
  FORM_OTHER,
  FORM_INTEGER, /* of integers of one type */
  FORM_WRAPS,   /* the same, where TC_NO_WRAP may say that it does not */
  FORM_DIVIDE,  /* the same, with a divisor that may be 0; overflows too where it is signed */
  FORM_SHIFT,
  FORM_FLOAT, /* of floats of one type, computed in f32 or f64 */
  FORM_CHOICE /* the same, the operand for which it holds; a NaN for neither */
} tc_op_form;

typedef struct tc_mlir_row {
  tc_op_form form;
  const char *op;
  bool is_signed;
} tc_mlir_row;

static const tc_mlir_row rows[TC_CODE_COUNT] = {
    [TC_CODE_ADD] = {FORM_WRAPS, "arith.addi", false},
    [TC_CODE_SUB] = {FORM_WRAPS, "arith.subi", false},
    [TC_CODE_MUL] = {FORM_WRAPS, "arith.muli", false},
    [TC_CODE_DIVS] = {FORM_DIVIDE, "arith.divsi", true},
    [TC_CODE_DIVU] = {FORM_DIVIDE, "arith.divui", false},
    [TC_CODE_REMS] = {FORM_DIVIDE, "arith.remsi", true},
    [TC_CODE_REMU] = {FORM_DIVIDE, "arith.remui", false},
    [TC_CODE_CEILDIVS] = {FORM_DIVIDE, "arith.ceildivsi", true},
    [TC_CODE_CEILDIVU] = {FORM_DIVIDE, "arith.ceildivui", false},
    [TC_CODE_FLOORDIVS] = {FORM_DIVIDE, "arith.floordivsi", true},
    [TC_CODE_AND] = {FORM_INTEGER, "arith.andi", false},
    [TC_CODE_OR] = {FORM_INTEGER, "arith.ori", false},
    [TC_CODE_XOR] = {FORM_INTEGER, "arith.xori", false},
    [TC_CODE_SHL] = {FORM_SHIFT, "arith.shli", false},
    [TC_CODE_SHRS] = {FORM_SHIFT, "arith.shrsi", false},
    [TC_CODE_SHRU] = {FORM_SHIFT, "arith.shrui", false},
    [TC_CODE_MAXS] = {FORM_INTEGER, "arith.maxsi", false},
    [TC_CODE_MAXU] = {FORM_INTEGER, "arith.maxui", false},
    [TC_CODE_MINS] = {FORM_INTEGER, "arith.minsi", false},
    [TC_CODE_MINU] = {FORM_INTEGER, "arith.minui", false},
    [TC_CODE_ABSI] = {FORM_INTEGER, "math.absi", false},
    [TC_CODE_CLZ] = {FORM_INTEGER, "math.ctlz", false},
    [TC_CODE_CTZ] = {FORM_INTEGER, "math.cttz", false},
    [TC_CODE_POPCOUNT] = {FORM_INTEGER, "math.ctpop", false},
    [TC_CODE_IPOW] = {FORM_INTEGER, "math.ipowi", false},
    [TC_CODE_FADD] = {FORM_FLOAT, "arith.addf", false},
    [TC_CODE_FSUB] = {FORM_FLOAT, "arith.subf", false},
    [TC_CODE_FMUL] = {FORM_FLOAT, "arith.mulf", false},
    [TC_CODE_FDIV] = {FORM_FLOAT, "arith.divf", false},
    [TC_CODE_FREM] = {FORM_FLOAT, "arith.remf", false},
    [TC_CODE_FNEG] = {FORM_FLOAT, "arith.negf", false},
    [TC_CODE_FMA] = {FORM_FLOAT, "math.fma", false},
    [TC_CODE_MAXNUM] = {FORM_CHOICE, "arith.cmpf ogt,", false},
    [TC_CODE_MINNUM] = {FORM_CHOICE, "arith.cmpf olt,", false},
    [TC_CODE_MAXIMUM] = {FORM_FLOAT, "arith.maximumf", false},
    [TC_CODE_MINIMUM] = {FORM_FLOAT, "arith.minimumf", false},
    [TC_CODE_ABSF] = {FORM_FLOAT, "math.absf", false},
    [TC_CODE_SQRT] = {FORM_FLOAT, "math.sqrt", false},
    [TC_CODE_RSQRT] = {FORM_FLOAT, "math.rsqrt", false},
    [TC_CODE_CBRT] = {FORM_FLOAT, "math.cbrt", false},
    [TC_CODE_EXP] = {FORM_FLOAT, "math.exp", false},
    [TC_CODE_EXP2] = {FORM_FLOAT, "math.exp2", false},
    [TC_CODE_EXPM1] = {FORM_FLOAT, "math.expm1", false},
    [TC_CODE_LOG] = {FORM_FLOAT, "math.log", false},
    [TC_CODE_LOG2] = {FORM_FLOAT, "math.log2", false},
    [TC_CODE_LOG10] = {FORM_FLOAT, "math.log10", false},
    [TC_CODE_LOG1P] = {FORM_FLOAT, "math.log1p", false},
    [TC_CODE_SIN] = {FORM_FLOAT, "math.sin", false},
    [TC_CODE_COS] = {FORM_FLOAT, "math.cos", false},
    [TC_CODE_TAN] = {FORM_FLOAT, "math.tan", false},
    [TC_CODE_ASIN] = {FORM_FLOAT, "math.asin", false},
    [TC_CODE_ACOS] = {FORM_FLOAT, "math.acos", false},
    [TC_CODE_ATAN] = {FORM_FLOAT, "math.atan", false},
    [TC_CODE_SINH] = {FORM_FLOAT, "math.sinh", false},
    [TC_CODE_COSH] = {FORM_FLOAT, "math.cosh", false},
    [TC_CODE_TANH] = {FORM_FLOAT, "math.tanh", false},
    [TC_CODE_ASINH] = {FORM_FLOAT, "math.asinh", false},
    [TC_CODE_ACOSH] = {FORM_FLOAT, "math.acosh", false},
    [TC_CODE_ATANH] = {FORM_FLOAT, "math.atanh", false},
    [TC_CODE_ERF] = {FORM_FLOAT, "math.erf", false},
    [TC_CODE_ERFC] = {FORM_FLOAT, "math.erfc", false},
    [TC_CODE_FLOOR] = {FORM_FLOAT, "math.floor", false},
    [TC_CODE_CEIL] = {FORM_FLOAT, "math.ceil", false},
    [TC_CODE_TRUNC] = {FORM_FLOAT, "math.trunc", false},
    [TC_CODE_ROUND] = {FORM_FLOAT, "math.round", false},
    [TC_CODE_ROUNDEVEN] = {FORM_FLOAT, "math.roundeven", false},
    [TC_CODE_ATAN2] = {FORM_FLOAT, "math.atan2", false},
    [TC_CODE_COPYSIGN] = {FORM_FLOAT, "math.copysign", false},
    [TC_CODE_POW] = {FORM_FLOAT, "math.powf", false},
};

/* An operation of up to three operands of one type. */
static tc_ssa apply(tc_mlir *e, const char *op, const tc_ssa *args, size_t count,
                    const char *type) {
  if (count == 1)
    return tc_mlir_unary(e, op, args[0], type);
  if (count == 2)
    return tc_mlir_binary(e, op, args[0], args[1], type);
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = %s %%v%zu, %%v%zu, %%v%zu : %s", made, op, args[0], args[1], args[2],
               type);
  return made;
}

/* By 0 it gives 0; the most negative number by -1 itself: both become a division by 1. */
static tc_ssa divide(tc_mlir *e, const tc_mlir_row *row, const tc_ssa *args, const tc_type *type) {
  const char *name = tc_mlir_type(e, type);
  unsigned width = tc_width(type);
  tc_ssa zero = tc_mlir_number(e, 0, name), one = tc_mlir_number(e, 1, name);
  tc_ssa by_zero = tc_mlir_binary(e, "arith.cmpi eq,", args[1], zero, name);
  tc_ssa unfit = by_zero;
  if (row->is_signed) {
    tc_ssa least = tc_mlir_number(e, width == 64 ? INT64_MIN : -((int64_t)1 << (width - 1)), name);
    tc_ssa minus = tc_mlir_number(e, -1, name);
    tc_ssa is_least = tc_mlir_binary(e, "arith.cmpi eq,", args[0], least, name);
    tc_ssa is_minus = tc_mlir_binary(e, "arith.cmpi eq,", args[1], minus, name);
    tc_ssa both = tc_mlir_binary(e, "arith.andi", is_least, is_minus, "i1");
    unfit = tc_mlir_binary(e, "arith.ori", by_zero, both, "i1");
  }
  tc_ssa by = tc_mlir_select(e, unfit, one, args[1], name);
  tc_ssa made = tc_mlir_binary(e, row->op, args[0], by, name);
  return tc_mlir_select(e, by_zero, zero, made, name);
}

static tc_ssa wraps(tc_mlir *e, const tc_inst *inst, const char *op, const tc_ssa *args) {
  const char *type = tc_mlir_type(e, inst->type);
  if ((inst->flags & TC_NO_WRAP) == 0)
    return tc_mlir_binary(e, op, args[0], args[1], type);
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = %s %%v%zu, %%v%zu overflow<nsw> : %s", made, op, args[0], args[1],
               type);
  return made;
}

static tc_ssa compare(tc_mlir *e, const tc_inst *inst, tc_ssa *args) {
  static const char *const of_integers[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                            "sge", "ult", "ule", "ugt", "uge"};
  static const char *const of_floats[] = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                          "one",   "ord", "ueq", "ugt", "uge", "ult",
                                          "ule",   "une", "uno", "true"};
  const tc_type *type = inst->args[0]->type;
  const char *name = tc_mlir_type(e, type);
  bool is_float = inst->code == TC_CODE_CMPF;
  char op[32];
  if (inst->integer < 0 || inst->integer >= (is_float ? 16 : 10)) {
    tc_mlir_refuse(e, "a comparison has no predicate %lld", (long long)inst->integer);
    return 0;
  }
  if (is_float) {
    for (size_t i = 0; i < 2; i++)
      args[i] = tc_mlir_widen(e, args[i], type);
    name = tc_mlir_wide_type(type);
  }
  (void)snprintf(op, sizeof op, "arith.%s %s,", is_float ? "cmpf" : "cmpi",
                 is_float ? of_floats[inst->integer] : of_integers[inst->integer]);
  return tc_mlir_binary(e, op, args[0], args[1], name);
}

/* The operand for which the comparison with the other holds, and the number where that is NaN. Not
 * arith.maxnumf: see tt_maxnum_f32 in rt/ttrt.h. */
static tc_ssa choose(tc_mlir *e, const char *compare, tc_ssa a, tc_ssa b, const char *type) {
  tc_ssa holds = tc_mlir_binary(e, compare, a, b, type);
  tc_ssa is_nan = tc_mlir_binary(e, "arith.cmpf uno,", b, b, type);
  return tc_mlir_select(e, is_nan, a, tc_mlir_select(e, holds, a, b, type), type);
}

static tc_ssa clamp(tc_mlir *e, const tc_inst *inst, tc_ssa *args) {
  const char *wide = tc_mlir_wide_type(inst->type);
  for (size_t i = 0; i < 3; i++)
    args[i] = tc_mlir_widen(e, args[i], inst->type);
  tc_ssa above = choose(e, "arith.cmpf ogt,", args[0], args[1], wide);
  tc_ssa made = choose(e, "arith.cmpf olt,", above, args[2], wide);
  if (inst->integer != 0) {
    tc_ssa is_nan = tc_mlir_binary(e, "arith.cmpf uno,", args[0], args[0], wide);
    made = tc_mlir_select(e, is_nan, args[0], made, wide);
  }
  return tc_mlir_narrow(e, made, wide, inst->type, true);
}

/* The second result of an operation that has two. */
static tc_ssa second(tc_mlir *e, const char *op, const tc_ssa *args, const char *types) {
  tc_ssa first = tc_mlir_new(e), made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu, %%v%zu = %s %%v%zu, %%v%zu : %s", first, made, op, args[0], args[1],
               types);
  return made;
}

static tc_ssa extended(tc_mlir *e, const tc_inst *inst, const tc_ssa *args) {
  const char *type = tc_mlir_type(e, inst->args[0]->type);
  char types[32];
  if (inst->code == TC_CODE_MULHS)
    return second(e, "arith.mulsi_extended", args, type);
  if (inst->code == TC_CODE_MULHU)
    return second(e, "arith.mului_extended", args, type);
  (void)snprintf(types, sizeof types, "%s, i1", type);
  tc_ssa made = inst->code == TC_CODE_CARRY
                    ? second(e, "arith.addui_extended", args, types)
                    : tc_mlir_binary(e, "arith.cmpi ult,", args[0], args[1], type);
  return tc_mlir_resize(e, made, 1, tc_width(inst->type), false);
}

/* From a float to an integer, as the C does it: signed ones of fewer bits through 32 bits, unsigned
 * ones through 64; what those do not hold is any number. */
static tc_ssa to_integer(tc_mlir *e, const tc_inst *inst, tc_ssa a) {
  const tc_type *from = inst->args[0]->type;
  const char *wide = tc_mlir_wide_type(from);
  unsigned width = tc_width(inst->type);
  bool is_signed = inst->code == TC_CODE_FPTOSI, through_32 = is_signed && width <= 32;
  a = tc_mlir_widen(e, a, from);
  if (width == 1)
    return tc_mlir_binary(e, "arith.cmpf une,", a, tc_mlir_float(e, 0, wide), wide);
  a = tc_mlir_cast(e, is_signed || width < 64 ? "arith.fptosi" : "arith.fptoui", a, wide,
                   through_32 ? "i32" : "i64");
  return tc_mlir_resize(e, a, through_32 ? 32 : 64, width, false);
}

static tc_ssa cast(tc_mlir *e, const tc_inst *inst, tc_ssa a) {
  const tc_type *from = inst->args[0]->type, *to = inst->type;
  const char *from_name = tc_mlir_type(e, from), *to_name = tc_mlir_type(e, to);
  switch (inst->code) {
  case TC_CODE_FPTOSI:
  case TC_CODE_FPTOUI:
    return to_integer(e, inst, a);
  case TC_CODE_SITOFP:
  case TC_CODE_UITOFP:
    a = tc_mlir_cast(e, inst->code == TC_CODE_SITOFP ? "arith.sitofp" : "arith.uitofp", a,
                     from_name, tc_mlir_wide_type(to));
    return tc_mlir_narrow(e, a, tc_mlir_wide_type(to), to, true);
  case TC_CODE_FPCAST:
    if (from->format == to->format)
      return a;
    a = tc_mlir_widen(e, a, from);
    return tc_mlir_narrow(e, a, tc_mlir_wide_type(from), to, inst->integer != 0);
  case TC_CODE_BITCAST:
    return strcmp(from_name, to_name) == 0
               ? a
               : tc_mlir_cast(e, "arith.bitcast", a, from_name, to_name);
  default: /* integers and pointers */
    return tc_mlir_resize(e, a, tc_width(from), tc_width(to), inst->code == TC_CODE_SEXT);
  }
}

static tc_ssa address(tc_mlir *e, const tc_inst *inst, const tc_ssa *args) {
  const tc_type *element = inst->type->element;
  unsigned bits = element != NULL ? tc_width(element) : 8;
  tc_ssa index = tc_mlir_resize(e, args[1], tc_width(inst->args[1]->type), 64, true);
  if (bits > 8) {
    tc_ssa size = tc_mlir_number(e, bits / 8, "i64"), bytes = tc_mlir_new(e);
    tc_mlir_line(e, "%%v%zu = arith.muli %%v%zu, %%v%zu overflow<nsw> : i64", bytes, index, size);
    index = bytes;
  }
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = arith.addi %%v%zu, %%v%zu overflow<nsw> : i64", made, args[0], index);
  return made;
}

/* A call of a C function, declared once with the types of its first call. */
static tc_ssa external(tc_mlir *e, const tc_inst *inst, const tc_ssa *args) {
  tc_text types = {0}, values = {0};
  tc_ssa made = tc_mlir_new(e);
  for (size_t i = 0; i < inst->arg_count; i++) {
    tc_add_format(&types, "%s%s", i > 0 ? ", " : "", tc_mlir_type(e, inst->args[i]->type));
    tc_add_format(&values, "%s%%v%zu", i > 0 ? ", " : "", args[i]);
  }
  const char *type = tc_mlir_type(e, inst->type);
  if (types.failed || values.failed) {
    e->out->failed = true;
  } else {
    const char *in = types.data != NULL ? types.data : "";
    if (tc_mlir_declare(e, inst->text))
      tc_add_format(&e->globals, "  func.func private @ttx_%s(%s) -> %s\n", inst->text, in, type);
    tc_mlir_line(e, "%%v%zu = func.call @ttx_%s(%s) : (%s) -> %s", made, inst->text,
                 values.data != NULL ? values.data : "", in, type);
  }
  tc_text_free(&types);
  tc_text_free(&values);
  return made;
}

static tc_ssa other(tc_mlir *e, const tc_inst *inst, tc_ssa *args) {
  switch (inst->code) {
  case TC_CODE_CMPI:
  case TC_CODE_CMPF:
    return compare(e, inst, args);
  case TC_CODE_SELECT:
    return tc_mlir_select(e, args[0], args[1], args[2], tc_mlir_type(e, inst->type));
  case TC_CODE_CLAMP:
    return clamp(e, inst, args);
  case TC_CODE_MULHS:
  case TC_CODE_MULHU:
  case TC_CODE_CARRY:
  case TC_CODE_BORROW:
    return extended(e, inst, args);
  case TC_CODE_ADDPTR:
    return address(e, inst, args);
  case TC_CODE_PID:
  case TC_CODE_NPID:
    return e->ids + (size_t)inst->integer + (inst->code == TC_CODE_NPID ? 3 : 0);
  case TC_CODE_ASSUME:
    tc_mlir_line(e, "llvm.intr.assume %%v%zu : i1", args[0]);
    return 0;
  default:
    return cast(e, inst, args[0]);
  }
}

tc_ssa tc_mlir_op(tc_mlir *e, const tc_inst *inst) {
  tc_ssa few[8], *args = few;
  if (inst->arg_count > 8 &&
      (args = tc_alloc_array(e->arena, inst->arg_count, sizeof *args)) == NULL) {
    e->out->failed = true;
    return 0;
  }
  for (size_t i = 0; i < inst->arg_count; i++)
    args[i] = tc_mlir_value(e, inst->args[i]);
  if (inst->code == TC_CODE_EXTERN)
    return external(e, inst, args);
  const tc_mlir_row *row = &rows[inst->code];
  if (row->form == FORM_OTHER)
    return other(e, inst, args);
  const char *type = tc_mlir_type(e, inst->type);
  if (row->form == FORM_INTEGER)
    return apply(e, row->op, args, inst->arg_count, type);
  if (row->form == FORM_WRAPS)
    return wraps(e, inst, row->op, args);
  if (row->form == FORM_DIVIDE)
    return divide(e, row, args, inst->type);
  if (row->form == FORM_SHIFT) {
    tc_ssa mask = tc_mlir_number(e, (int64_t)tc_width(inst->type) - 1, type);
    args[1] = tc_mlir_binary(e, "arith.andi", args[1], mask, type);
    return apply(e, row->op, args, 2, type);
  }
  for (size_t i = 0; i < inst->arg_count; i++)
    args[i] = tc_mlir_widen(e, args[i], inst->type);
  const char *wide = tc_mlir_wide_type(inst->type);
  tc_ssa made = row->form == FORM_CHOICE ? choose(e, row->op, args[0], args[1], wide)
                                         : apply(e, row->op, args, inst->arg_count, wide);
  return tc_mlir_narrow(e, made, wide, inst->type, true);
}
