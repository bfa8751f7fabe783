/* op_table.c: every operation that Triton's front end leaves in a module, and that its passes of
 * canonicalization may make of it. The counts are those of Triton 3.0 to 3.9 together. */
#include "ops.h"

#include <string.h>

/* clang-format off */
#define UNARY(name, of)       {name, 1, 1, 1, 1, 0, 0, 0, false, TC_SAME, of, of, "", NULL}
#define BINARY(name, of)      {name, 2, 2, 1, 1, 0, 0, 0, false, TC_SAME, of, of, "", NULL}
#define TERNARY(name, of)     {name, 3, 3, 1, 1, 0, 0, 0, false, TC_SAME, of, of, "", NULL}
#define CAST(name, from, to)  {name, 1, 1, 1, 1, 0, 0, 0, false, TC_SHAPED, from, to, "", NULL}
#define COMPARE(name, of)     {name, 2, 2, 1, 1, 0, 0, 0, false, TC_COMPARE, of, 'b', "predicate:i", NULL}
#define EXTENDED(name)        {name, 2, 2, 2, 2, 0, 0, 0, false, TC_SHAPED, 'i', 'i', "", NULL}
#define PLAIN(name, o, r, attributes, check) \
  {name, o, o, r, r, 0, 0, 0, false, TC_FREE, '*', '*', attributes, check}
#define RANGE(name, o1, o2, r1, r2, attributes, check) \
  {name, o1, o2, r1, r2, 0, 0, 0, false, TC_FREE, '*', '*', attributes, check}
#define SEGMENTS(name, o1, o2, r, segments, attributes, check) \
  {name, o1, o2, r, r, 0, 0, segments, false, TC_FREE, '*', '*', attributes, check}
#define NESTED(name, o1, o2, r1, r2, regions, attributes, check) \
  {name, o1, o2, r1, r2, regions, 0, 0, false, TC_FREE, '*', '*', attributes, check}
#define ENDING(name, successors, segments, check) \
  {name, 0, TC_ANY, 0, 0, 0, successors, segments, true, TC_FREE, '*', '*', "", check}

const tc_op_row tc_op_rows[] = {
    NESTED("builtin.module", 0, 0, 0, 0, 1, "", NULL),

    {"arith.constant", 0, 0, 1, 1, 0, 0, 0, false, TC_FREE, '*', 'n', "value:d", tc_check_constant},
    BINARY("arith.addi", 'i'), BINARY("arith.subi", 'i'), BINARY("arith.muli", 'i'),
    BINARY("arith.divsi", 'i'), BINARY("arith.divui", 'i'), BINARY("arith.remsi", 'i'),
    BINARY("arith.remui", 'i'), BINARY("arith.ceildivsi", 'i'), BINARY("arith.ceildivui", 'i'),
    BINARY("arith.floordivsi", 'i'),
    BINARY("arith.andi", 'i'), BINARY("arith.ori", 'i'), BINARY("arith.xori", 'i'),
    BINARY("arith.shli", 'i'), BINARY("arith.shrsi", 'i'), BINARY("arith.shrui", 'i'),
    BINARY("arith.maxsi", 'i'), BINARY("arith.maxui", 'i'), BINARY("arith.minsi", 'i'),
    BINARY("arith.minui", 'i'),
    EXTENDED("arith.addui_extended"), EXTENDED("arith.subui_extended"),
    EXTENDED("arith.mulsi_extended"), EXTENDED("arith.mului_extended"),
    BINARY("arith.addf", 'f'), BINARY("arith.subf", 'f'), BINARY("arith.mulf", 'f'),
    BINARY("arith.divf", 'f'), BINARY("arith.remf", 'f'), UNARY("arith.negf", 'f'),
    BINARY("arith.maxnumf", 'f'), BINARY("arith.minnumf", 'f'), BINARY("arith.maximumf", 'f'),
    BINARY("arith.minimumf", 'f'),
    COMPARE("arith.cmpi", 'i'), COMPARE("arith.cmpf", 'f'),
    PLAIN("arith.select", 3, 1, "", tc_check_select),
    CAST("arith.extsi", 'i', 'i'), CAST("arith.extui", 'i', 'i'), CAST("arith.trunci", 'i', 'i'),
    CAST("arith.extf", 'f', 'f'), CAST("arith.truncf", 'f', 'f'), CAST("arith.convertf", 'f', 'f'),
    CAST("arith.sitofp", 'i', 'f'), CAST("arith.uitofp", 'i', 'f'), CAST("arith.fptosi", 'f', 'i'),
    CAST("arith.fptoui", 'f', 'i'), CAST("arith.bitcast", 'n', 'n'),
    CAST("arith.index_cast", 'i', 'i'), CAST("arith.index_castui", 'i', 'i'),

    UNARY("math.absf", 'f'), UNARY("math.absi", 'i'), UNARY("math.acos", 'f'),
    UNARY("math.acosh", 'f'), UNARY("math.asin", 'f'), UNARY("math.asinh", 'f'),
    UNARY("math.atan", 'f'), UNARY("math.atanh", 'f'), UNARY("math.cbrt", 'f'),
    UNARY("math.ceil", 'f'), UNARY("math.cos", 'f'), UNARY("math.cosh", 'f'),
    UNARY("math.ctlz", 'i'), UNARY("math.ctpop", 'i'), UNARY("math.cttz", 'i'),
    UNARY("math.erf", 'f'), UNARY("math.erfc", 'f'), UNARY("math.exp", 'f'),
    UNARY("math.exp2", 'f'), UNARY("math.expm1", 'f'), UNARY("math.floor", 'f'),
    UNARY("math.log", 'f'), UNARY("math.log10", 'f'), UNARY("math.log1p", 'f'),
    UNARY("math.log2", 'f'), UNARY("math.round", 'f'), UNARY("math.roundeven", 'f'),
    UNARY("math.rsqrt", 'f'), UNARY("math.sin", 'f'), UNARY("math.sinh", 'f'),
    UNARY("math.sqrt", 'f'), UNARY("math.tan", 'f'), UNARY("math.tanh", 'f'),
    UNARY("math.trunc", 'f'), BINARY("math.atan2", 'f'), BINARY("math.copysign", 'f'),
    BINARY("math.powf", 'f'), BINARY("math.ipowi", 'i'), TERNARY("math.fma", 'f'),

    NESTED("scf.for", 3, TC_ANY, 0, TC_ANY, 1, "", tc_check_for),
    NESTED("scf.if", 1, 1, 0, TC_ANY, 2, "", tc_check_if),
    NESTED("scf.while", 0, TC_ANY, 0, TC_ANY, 2, "", tc_check_while),
    ENDING("scf.yield", 0, 0, NULL),
    {"scf.condition", 1, TC_ANY, 0, 0, 0, 0, 0, true, TC_FREE, '*', '*', "", NULL},
    {"cf.br", 0, TC_ANY, 0, 0, 0, 1, 0, true, TC_FREE, '*', '*', "", tc_check_branch},
    {"cf.cond_br", 1, TC_ANY, 0, 0, 0, 2, 3, true, TC_FREE, '*', '*', "", tc_check_branch},
    PLAIN("ub.poison", 0, 1, "", NULL), ENDING("ub.unreachable", 0, 0, NULL),
    RANGE("llvm.intr.assume", 1, TC_ANY, 0, 0, "", NULL),
    PLAIN("gpu.barrier", 0, 0, "", NULL), PLAIN("ttg.barrier", 0, 0, "", NULL),
    PLAIN("ttg.local_barrier", 0, 0, "", NULL),

    NESTED("tt.func", 0, 0, 0, 0, 1, "sym_name:s function_type:t", tc_check_function),
    ENDING("tt.return", 0, 0, tc_check_return),
    RANGE("tt.call", 0, TC_ANY, 0, TC_ANY, "callee:y", tc_check_call),
    PLAIN("tt.get_program_id", 0, 1, "axis:i", NULL),
    PLAIN("tt.get_num_programs", 0, 1, "axis:i", NULL),
    PLAIN("tt.make_range", 0, 1, "start:i end:i", tc_check_range),
    PLAIN("tt.splat", 1, 1, "", tc_check_splat), PLAIN("tt.unsplat", 1, 1, "", tc_check_splat),
    PLAIN("tt.broadcast", 1, 1, "", tc_check_broadcast),
    PLAIN("tt.expand_dims", 1, 1, "axis:i", tc_check_expand),
    PLAIN("tt.reshape", 1, 1, "", tc_check_reshape),
    PLAIN("tt.trans", 1, 1, "order:r", tc_check_trans),
    PLAIN("tt.cat", 2, 1, "", NULL), PLAIN("tt.join", 2, 1, "", NULL), PLAIN("tt.split", 1, 2, "", NULL),
    PLAIN("tt.gather", 2, 1, "axis:i", tc_check_axis),
    RANGE("tt.histogram", 1, 2, 1, 1, "", NULL),

    PLAIN("tt.addptr", 2, 1, "", tc_check_addptr),
    CAST("tt.ptr_to_int", 'p', 'i'), CAST("tt.int_to_ptr", 'i', 'p'), CAST("tt.bitcast", '*', '*'),
    SEGMENTS("tt.load", 1, 3, 1, 3, "", tc_check_pointer),
    RANGE("tt.store", 2, 3, 0, 0, "", tc_check_pointer),
    RANGE("tt.atomic_rmw", 2, 3, 1, 1, "atomic_rmw_op:i sem:i scope:i", tc_check_pointer),
    PLAIN("tt.atomic_cas", 3, 1, "sem:i scope:i", tc_check_pointer),
    RANGE("tt.atomic_load", 1, 2, 1, 1, "sem:i scope:i", tc_check_pointer),
    RANGE("tt.atomic_store", 2, 3, 0, 0, "sem:i scope:i", tc_check_pointer),
    RANGE("tt.atomic_poll", 2, 3, 1, 1, "sem:i scope:i", NULL),
    RANGE("tt.make_tensor_ptr", 1, TC_ANY, 1, 1, "order:r", NULL),
    RANGE("tt.advance", 1, TC_ANY, 1, 1, "", NULL),
    RANGE("tt.make_tensor_descriptor", 3, TC_ANY, 1, 1, "", NULL),
    RANGE("tt.descriptor_load", 2, TC_ANY, 1, 1, "", NULL),
    RANGE("tt.descriptor_store", 3, TC_ANY, 0, 0, "", NULL),
    RANGE("tt.descriptor_reduce", 3, TC_ANY, 0, 0, "kind:i", NULL),
    PLAIN("tt.descriptor_gather", 3, 1, "", NULL), PLAIN("tt.descriptor_scatter", 4, 0, "", NULL),

    CAST("tt.fp_to_fp", 'f', 'f'), TERNARY("tt.clampf", 'f'), UNARY("tt.precise_sqrt", 'f'),
    BINARY("tt.precise_divf", 'f'), BINARY("tt.approx_divf", 'f'), BINARY("tt.mulhiui", 'i'),
    PLAIN("tt.dot", 3, 1, "inputPrecision:i", tc_check_dot),
    SEGMENTS("tt.dot_scaled", 3, 5, 1, 5, "a_elem_type:i b_elem_type:i", NULL),
    NESTED("tt.reduce", 1, TC_ANY, 1, TC_ANY, 1, "axis:i", tc_check_combine),
    ENDING("tt.reduce.return", 0, 0, NULL),
    NESTED("tt.scan", 1, TC_ANY, 1, TC_ANY, 1, "axis:i reverse:b", tc_check_combine),
    ENDING("tt.scan.return", 0, 0, NULL),
    NESTED("tt.map_elementwise", 1, TC_ANY, 1, TC_ANY, 1, "pack:i", NULL),
    ENDING("tt.map_elementwise.return", 0, 0, NULL),
    RANGE("tt.extern_elementwise", 0, TC_ANY, 1, 1, "symbol:s", NULL),
    RANGE("tt.elementwise_inline_asm", 0, TC_ANY, 1, TC_ANY, "asm_string:s constraints:s", NULL),
    RANGE("tt.print", 0, TC_ANY, 0, 0, "prefix:s", NULL),
    PLAIN("tt.assert", 1, 0, "message:s", NULL),
};
/* clang-format on */

const size_t tc_op_row_count = sizeof tc_op_rows / sizeof *tc_op_rows;

const tc_op_row *tc_op_row_of(const char *name, size_t len) {
  for (size_t i = 0; i < tc_op_row_count; i++)
    if (strlen(tc_op_rows[i].name) == len && memcmp(tc_op_rows[i].name, name, len) == 0)
      return &tc_op_rows[i];
  return NULL;
}
