/* codes.h: the operations on single elements. What arith, math and tt spell in many ways is one
 * code each here; two emitters print them. */
#ifndef TTCPU_CODES_H
#define TTCPU_CODES_H

#include <stddef.h>

/* X(code, name in tc_tile_print, number of arguments). The types of arguments and value are those
 * of the TTIR operation. */
/* clang-format off */
#define TC_CODES(X) X(NONE, "none", 0) \
  TC_INTEGER_CODES(X) TC_COMPARE_CODES(X) TC_FLOAT_CODES(X) TC_CAST_CODES(X) TC_PROGRAM_CODES(X) TC_RMW_CODES(X)

/* add, sub and mul wrap around unless TC_NO_WRAP; division by 0 gives 0, and the most negative number
 * divided by -1 itself; shifts take their amount modulo the width. */
#define TC_INTEGER_CODES(X) \
  X(ADD, "add", 2) X(SUB, "sub", 2) X(MUL, "mul", 2) X(DIVS, "divs", 2) X(DIVU, "divu", 2) \
  X(REMS, "rems", 2) X(REMU, "remu", 2) X(CEILDIVS, "ceildivs", 2) X(CEILDIVU, "ceildivu", 2) \
  X(FLOORDIVS, "floordivs", 2) X(AND, "and", 2) X(OR, "or", 2) X(XOR, "xor", 2) X(SHL, "shl", 2) \
  X(SHRS, "shrs", 2) X(SHRU, "shru", 2) X(MAXS, "maxs", 2) X(MAXU, "maxu", 2) X(MINS, "mins", 2) \
  X(MINU, "minu", 2) X(MULHS, "mulhs", 2) X(MULHU, "mulhu", 2) X(CARRY, "carry", 2) \
  X(BORROW, "borrow", 2) X(ABSI, "absi", 1) X(CLZ, "clz", 1) X(CTZ, "ctz", 1) \
  X(POPCOUNT, "popcount", 1) X(IPOW, "ipow", 2)

/* integer: MLIR's predicate of arith.cmpi and arith.cmpf. */
#define TC_COMPARE_CODES(X) X(CMPI, "cmpi", 2) X(CMPF, "cmpf", 2) X(SELECT, "select", 3)

/* Floats of 16 bits are rounded after every operation. maximum and minimum give NaN if either is, and
 * -0 is less than 0; maxnum and minnum give the other. clamp: x, low, high; integer 1: NaN is kept, 0:
 * becomes low. */
#define TC_FLOAT_CODES(X) \
  X(FADD, "fadd", 2) X(FSUB, "fsub", 2) X(FMUL, "fmul", 2) X(FDIV, "fdiv", 2) X(FREM, "frem", 2) \
  X(FNEG, "fneg", 1) X(FMA, "fma", 3) X(MAXNUM, "maxnum", 2) X(MINNUM, "minnum", 2) \
  X(MAXIMUM, "maximum", 2) X(MINIMUM, "minimum", 2) X(CLAMP, "clamp", 3) X(ABSF, "absf", 1) \
  X(SQRT, "sqrt", 1) X(RSQRT, "rsqrt", 1) X(CBRT, "cbrt", 1) X(EXP, "exp", 1) X(EXP2, "exp2", 1) \
  X(EXPM1, "expm1", 1) X(LOG, "log", 1) X(LOG2, "log2", 1) X(LOG10, "log10", 1) X(LOG1P, "log1p", 1) \
  X(SIN, "sin", 1) X(COS, "cos", 1) X(TAN, "tan", 1) X(ASIN, "asin", 1) X(ACOS, "acos", 1) \
  X(ATAN, "atan", 1) X(SINH, "sinh", 1) X(COSH, "cosh", 1) X(TANH, "tanh", 1) X(ASINH, "asinh", 1) \
  X(ACOSH, "acosh", 1) X(ATANH, "atanh", 1) X(ERF, "erf", 1) X(ERFC, "erfc", 1) X(FLOOR, "floor", 1) \
  X(CEIL, "ceil", 1) X(TRUNC, "trunc", 1) X(ROUND, "round", 1) X(ROUNDEVEN, "roundeven", 1) \
  X(ATAN2, "atan2", 2) X(COPYSIGN, "copysign", 2) X(POW, "pow", 2)

/* fpcast is between formats; integer: 0 toward zero, 1 to nearest even. addptr: pointer, integer; in
 * elements, never wraps. */
#define TC_CAST_CODES(X) \
  X(SEXT, "sext", 1) X(ZEXT, "zext", 1) X(TRUNCI, "trunci", 1) X(FPCAST, "fpcast", 1) \
  X(SITOFP, "sitofp", 1) X(UITOFP, "uitofp", 1) X(FPTOSI, "fptosi", 1) X(FPTOUI, "fptoui", 1) \
  X(BITCAST, "bitcast", 1) X(PTRTOINT, "ptrtoint", 1) X(INTTOPTR, "inttoptr", 1) X(ADDPTR, "addptr", 2)

/* pid and npid, integer: the axis. extern, text: the C function. assume: holds, and has no value. */
#define TC_PROGRAM_CODES(X) \
  X(PID, "pid", 0) X(NPID, "npid", 0) X(EXTERN, "extern", -1) X(ASSUME, "assume", 1)

/* Of TC_INST_RMW, in the order of tt.atomic_rmw's numbers from 1 on. */
#define TC_RMW_CODES(X) \
  X(RMW_AND, "rmw_and", 0) X(RMW_OR, "rmw_or", 0) X(RMW_XOR, "rmw_xor", 0) X(RMW_ADD, "rmw_add", 0) \
  X(RMW_FADD, "rmw_fadd", 0) X(RMW_MAX, "rmw_max", 0) X(RMW_MIN, "rmw_min", 0) \
  X(RMW_UMAX, "rmw_umax", 0) X(RMW_UMIN, "rmw_umin", 0) X(RMW_XCHG, "rmw_xchg", 0)
/* clang-format on */

typedef enum tc_code {
#define X(code, name, args) TC_CODE_##code,
  TC_CODES(X)
#undef X
      TC_CODE_COUNT
} tc_code;

/* The name that tc_tile_print gives it. */
const char *tc_code_name(tc_code code);
/* The code of a TTIR operation that maps one to one: "arith.addi" is TC_CODE_ADD. TC_CODE_NONE for
 * others. */
tc_code tc_code_of(const char *op_name);

#endif
