/* ops.h: the operations that the compiler knows, a row each, and what each must keep. */
#ifndef TTCPU_OPS_H
#define TTCPU_OPS_H

#include "ir.h"
#include "scan.h"

#define TC_ANY 65535 /* no upper limit */

/* How the types of operands and results hang together. */
typedef enum tc_rule {
  TC_FREE,   /* by the row's check, if at all */
  TC_SAME,   /* all of one type */
  TC_SHAPED, /* all scalars, or all tensors of one shape */
  TC_COMPARE /* operands of one type; the result i1 in their shape */
} tc_rule;

typedef struct tc_op_row {
  const char *name;
  unsigned short operands_least, operands_most, results_least, results_most;
  unsigned char regions, successors;
  unsigned char segments; /* groups of operands that operandSegmentSizes counts, 0 for none */
  bool terminator;
  tc_rule rule;
  /* Classes of elements of operands and results: 'i' integers and index, 'b' i1, 'f' floats, 'n'
   * numbers, 'p' pointers, '*' any. */
  char operands_of, results_of;
  /* Attributes that must be there, "axis:i prefix:s": i integer, b boolean, s string, y symbol, t
   * type, r array of integers, d number or dense elements, * any. */
  const char *attributes;
  /* What else must hold; NULL for nothing. */
  bool (*check)(tc_scan *scan, const tc_op *op);
} tc_op_row;

extern const tc_op_row tc_op_rows[];
extern const size_t tc_op_row_count;

/* The row of that name, or NULL. */
const tc_op_row *tc_op_row_of(const char *name, size_t len);

/* Notes "op 'x': ..." at the operation; always false. */
bool tc_op_wrong(tc_scan *scan, const tc_op *op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether the module keeps what the table states; else the first fault is noted. */
bool tc_check_module(tc_scan *scan, const tc_op *module);
/* Whether each use in a region of several blocks is reached through the value's definition only. */
bool tc_check_dominance(tc_scan *scan, tc_arena *arena, const tc_op *op);

/* Checks of single rows, in check_ops.c and check_flow.c. */
bool tc_check_constant(tc_scan *scan, const tc_op *op);
bool tc_check_select(tc_scan *scan, const tc_op *op);
bool tc_check_range(tc_scan *scan, const tc_op *op);
bool tc_check_splat(tc_scan *scan, const tc_op *op);
bool tc_check_broadcast(tc_scan *scan, const tc_op *op);
bool tc_check_expand(tc_scan *scan, const tc_op *op);
bool tc_check_reshape(tc_scan *scan, const tc_op *op);
bool tc_check_trans(tc_scan *scan, const tc_op *op);
bool tc_check_pointer(tc_scan *scan, const tc_op *op);
bool tc_check_addptr(tc_scan *scan, const tc_op *op);
bool tc_check_dot(tc_scan *scan, const tc_op *op);
bool tc_check_axis(tc_scan *scan, const tc_op *op);
bool tc_check_function(tc_scan *scan, const tc_op *op);
bool tc_check_return(tc_scan *scan, const tc_op *op);
bool tc_check_call(tc_scan *scan, const tc_op *op);
bool tc_check_branch(tc_scan *scan, const tc_op *op);
bool tc_check_for(tc_scan *scan, const tc_op *op);
bool tc_check_if(tc_scan *scan, const tc_op *op);
bool tc_check_while(tc_scan *scan, const tc_op *op);
bool tc_check_combine(tc_scan *scan, const tc_op *op);

#endif
