/* codes.c: the codes' names, and which operation of TTIR is which code. */
#include "codes.h"

#include <string.h>

static const char *const names[] = {
#define X(code, name, args) name,
    TC_CODES(X)
#undef X
};

static const struct {
  const char *op;
  tc_code code;
} ops[] = {
    {"arith.addi", TC_CODE_ADD},
    {"arith.subi", TC_CODE_SUB},
    {"arith.muli", TC_CODE_MUL},
    {"arith.divsi", TC_CODE_DIVS},
    {"arith.divui", TC_CODE_DIVU},
    {"arith.remsi", TC_CODE_REMS},
    {"arith.remui", TC_CODE_REMU},
    {"arith.ceildivsi", TC_CODE_CEILDIVS},
    {"arith.ceildivui", TC_CODE_CEILDIVU},
    {"arith.floordivsi", TC_CODE_FLOORDIVS},
    {"arith.andi", TC_CODE_AND},
    {"arith.ori", TC_CODE_OR},
    {"arith.xori", TC_CODE_XOR},
    {"arith.shli", TC_CODE_SHL},
    {"arith.shrsi", TC_CODE_SHRS},
    {"arith.shrui", TC_CODE_SHRU},
    {"arith.maxsi", TC_CODE_MAXS},
    {"arith.maxui", TC_CODE_MAXU},
    {"arith.minsi", TC_CODE_MINS},
    {"arith.minui", TC_CODE_MINU},
    {"arith.addf", TC_CODE_FADD},
    {"arith.subf", TC_CODE_FSUB},
    {"arith.mulf", TC_CODE_FMUL},
    {"arith.divf", TC_CODE_FDIV},
    {"arith.remf", TC_CODE_FREM},
    {"arith.negf", TC_CODE_FNEG},
    {"arith.maxnumf", TC_CODE_MAXNUM},
    {"arith.minnumf", TC_CODE_MINNUM},
    {"arith.maximumf", TC_CODE_MAXIMUM},
    {"arith.minimumf", TC_CODE_MINIMUM},
    {"arith.cmpi", TC_CODE_CMPI},
    {"arith.cmpf", TC_CODE_CMPF},
    {"arith.select", TC_CODE_SELECT},
    {"arith.extsi", TC_CODE_SEXT},
    {"arith.extui", TC_CODE_ZEXT},
    {"arith.trunci", TC_CODE_TRUNCI},
    {"arith.extf", TC_CODE_FPCAST},
    {"arith.truncf", TC_CODE_FPCAST},
    {"arith.convertf", TC_CODE_FPCAST},
    {"arith.sitofp", TC_CODE_SITOFP},
    {"arith.uitofp", TC_CODE_UITOFP},
    {"arith.fptosi", TC_CODE_FPTOSI},
    {"arith.fptoui", TC_CODE_FPTOUI},
    {"arith.bitcast", TC_CODE_BITCAST},
    {"math.absf", TC_CODE_ABSF},
    {"math.absi", TC_CODE_ABSI},
    {"math.acos", TC_CODE_ACOS},
    {"math.acosh", TC_CODE_ACOSH},
    {"math.asin", TC_CODE_ASIN},
    {"math.asinh", TC_CODE_ASINH},
    {"math.atan", TC_CODE_ATAN},
    {"math.atanh", TC_CODE_ATANH},
    {"math.cbrt", TC_CODE_CBRT},
    {"math.ceil", TC_CODE_CEIL},
    {"math.cos", TC_CODE_COS},
    {"math.cosh", TC_CODE_COSH},
    {"math.ctlz", TC_CODE_CLZ},
    {"math.ctpop", TC_CODE_POPCOUNT},
    {"math.cttz", TC_CODE_CTZ},
    {"math.erf", TC_CODE_ERF},
    {"math.erfc", TC_CODE_ERFC},
    {"math.exp", TC_CODE_EXP},
    {"math.exp2", TC_CODE_EXP2},
    {"math.expm1", TC_CODE_EXPM1},
    {"math.floor", TC_CODE_FLOOR},
    {"math.log", TC_CODE_LOG},
    {"math.log10", TC_CODE_LOG10},
    {"math.log1p", TC_CODE_LOG1P},
    {"math.log2", TC_CODE_LOG2},
    {"math.round", TC_CODE_ROUND},
    {"math.roundeven", TC_CODE_ROUNDEVEN},
    {"math.rsqrt", TC_CODE_RSQRT},
    {"math.sin", TC_CODE_SIN},
    {"math.sinh", TC_CODE_SINH},
    {"math.sqrt", TC_CODE_SQRT},
    {"math.tan", TC_CODE_TAN},
    {"math.tanh", TC_CODE_TANH},
    {"math.trunc", TC_CODE_TRUNC},
    {"math.atan2", TC_CODE_ATAN2},
    {"math.copysign", TC_CODE_COPYSIGN},
    {"math.powf", TC_CODE_POW},
    {"math.ipowi", TC_CODE_IPOW},
    {"math.fma", TC_CODE_FMA},
    {"tt.addptr", TC_CODE_ADDPTR},
    {"tt.ptr_to_int", TC_CODE_PTRTOINT},
    {"tt.int_to_ptr", TC_CODE_INTTOPTR},
    {"tt.bitcast", TC_CODE_BITCAST},
    {"tt.fp_to_fp", TC_CODE_FPCAST},
    {"tt.clampf", TC_CODE_CLAMP},
    {"tt.precise_sqrt", TC_CODE_SQRT},
    {"tt.precise_divf", TC_CODE_FDIV},
    {"tt.approx_divf", TC_CODE_FDIV},
    {"tt.mulhiui", TC_CODE_MULHU},
    {"tt.get_program_id", TC_CODE_PID},
    {"tt.get_num_programs", TC_CODE_NPID},
    {"tt.extern_elementwise", TC_CODE_EXTERN},
    {"llvm.intr.assume", TC_CODE_ASSUME},
};

const char *tc_code_name(tc_code code) {
  return names[code];
}

tc_code tc_code_of(const char *op_name) {
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (strcmp(ops[i].op, op_name) == 0)
      return ops[i].code;
  return TC_CODE_NONE;
}
