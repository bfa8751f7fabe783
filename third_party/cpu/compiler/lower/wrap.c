/* wrap.c: where integers may be computed as if they never wrapped around, so that the C compiler
 * sees addresses that go up by one. Triton's analysis of axes makes the same assumption. A hash or
 * a random number, which ends in memory or in bits, is computed exactly. */
#include "lowering.h"

#include <string.h>

#define MOST_DEEP 48

enum { UNSURE, YES, NO };

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

#define ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof *(names))

static bool never(tc_lowering *l, const tc_value *value, int depth) {
  static const char *const ends[] = {"arith.cmpi", "tt.addptr", "tt.load", "tt.store"};
  static const char *const through[] = {"arith.addi",     "arith.subi", "arith.muli",
                                        "arith.extsi",    "tt.splat",   "tt.broadcast",
                                        "tt.expand_dims", "tt.reshape", "tt.trans"};
  tc_info *info = tc_info_of(l, value);
  if (info->wraps != UNSURE || depth > MOST_DEEP)
    return info->wraps == YES;
  bool good = value->uses != NULL;
  for (const tc_use *use = value->uses; good && use != NULL; use = use->next) {
    const tc_op *op = use->op;
    if (strcmp(op->name, "tt.store") == 0 || strcmp(op->name, "tt.load") == 0)
      good = use->index != 1; /* what is stored */
    else if (strcmp(op->name, "scf.for") == 0)
      good = use->index < 3;
    else if (!ONE_OF(op->name, ends))
      good = (ONE_OF(op->name, through) || tc_is_remainder(op)) &&
             never(l, &op->results[0], depth + 1);
  }
  info->wraps = good ? YES : NO;
  return good;
}

bool tc_never_wraps(tc_lowering *l, const tc_value *value) {
  const tc_type *type = tc_element(value->type);
  return type->kind == TC_INT && type->width >= 32 && never(l, value, 0);
}
