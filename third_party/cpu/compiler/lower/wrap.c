/* wrap.c: where integers may be computed as if they never wrapped around, so that the C compiler
 * sees addresses that go up by one. Triton's analysis of axes makes the same assumption. A hash or
 * a random number, which ends in memory or in bits, is computed exactly. */
#include "lowering.h"

#define MOST_DEEP 48

enum { UNSURE, YES, NO };

static bool never(tc_lowering *l, const tc_value *value, int depth) {
  static const char *const ends[] = {"arith.cmpi", "tt.addptr", NULL};
  static const char *const through[] = {
      "arith.addi",   "arith.subi",     "arith.muli", "arith.extsi", "tt.splat",
      "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans",    NULL};
  tc_info *info = tc_info_of(l, value);
  if (info->wraps != UNSURE || depth > MOST_DEEP)
    return info->wraps == YES;
  bool good = value->uses != NULL;
  for (const tc_use *use = value->uses; good && use != NULL; use = use->next) {
    const tc_op *op = use->op;
    if (tc_op_is(op, "tt.store") || tc_op_is(op, "tt.load"))
      good = use->index != 1; /* what is stored */
    else if (tc_op_is(op, "scf.for"))
      good = use->index < 3;
    else if (!tc_op_is_one_of(op, ends))
      good = (tc_op_is_one_of(op, through) || tc_is_remainder(op)) &&
             never(l, &op->results[0], depth + 1);
  }
  info->wraps = good ? YES : NO;
  return good;
}

bool tc_never_wraps(tc_lowering *l, const tc_value *value) {
  const tc_type *type = tc_element(value->type);
  return type->kind == TC_INT && type->width >= 32 && never(l, value, 0);
}
