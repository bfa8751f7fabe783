/* pairs.c: expressions that combine two elements and use the result for each of them: a sort finds
 * an element's partner so, x ^ (x ^ y). Their nests take both at one position: nothing is read or
 * computed twice, and places that differ in that bit alone are constants apart. */
#include "lowering.h"

#include <string.h>

/* Values that are looked at before the search is given up. */
enum { MOST_SEEN = 64 };

typedef struct search {
  tc_lowering *l;
  unsigned bits; /* of the nest */
  unsigned left; /* values that may still be looked at */
} search;

/* The only bit of the nest that the map lacks. */
static unsigned lacking(const tc_map *map, unsigned bits) {
  uint64_t lacking = (UINT64_C(1) << bits) - 1;
  for (unsigned i = 0; i < map->count; i++)
    if (map->bit[i] < bits)
      lacking &= ~(UINT64_C(1) << map->bit[i]);
  unsigned bit = 0;
  while (bit < bits && (lacking >> bit & 1) == 0)
    bit++;
  return bit < bits && lacking >> bit == 1 ? bit : TC_NO_PAIR;
}

static unsigned find(search *s, const tc_value *value, const tc_map *map) {
  const tc_info *info = tc_is_tensor(value) ? tc_info_of(s->l, value) : NULL;
  const tc_op *op = value->op;
  if (s->left == 0 || info == NULL || info->kind != TC_IS_LAZY || info->spread < 2)
    return TC_NO_PAIR;
  s->left--;
  if (tc_op_is(op, "tt.reduce"))
    return op->operands[0]->type->shape[tc_axis_of(op)] == 2 ? lacking(map, s->bits) : TC_NO_PAIR;
  bool view = tc_is_view(op) && !tc_op_is(op, "tt.split");
  if (!view && !tc_is_element_op(op))
    return TC_NO_PAIR;
  tc_map rest = view ? tc_view_map(op, map) : *map;
  unsigned bit = TC_NO_PAIR;
  for (size_t i = 0; i < op->operand_count && bit == TC_NO_PAIR; i++)
    bit = find(s, op->operands[i], &rest);
  return bit;
}

unsigned tc_pair_of(tc_lowering *l, const tc_value *value) {
  tc_map map = tc_identity(tc_is_tensor(value) ? tc_bits(l, value->type) : 0);
  search s = {.l = l, .bits = map.count, .left = MOST_SEEN};
  return find(&s, value, &map);
}

tc_map tc_pair_map(unsigned bits, unsigned pair, unsigned half) {
  tc_map map = tc_identity(pair), above = tc_map_bits(pair, bits - pair - 1);
  tc_map_push(&map, half == 0 ? TC_BIT_ZERO : TC_BIT_ONE);
  tc_map_append(&map, &above);
  return map;
}

/* Whether the instruction is of no use but for its value. */
static bool is_pure(const tc_inst *inst) {
  switch (inst->kind) {
  case TC_INST_CONST:
  case TC_INST_GET:
  case TC_INST_INDEX:
  case TC_INST_READ:
  case TC_INST_READ_AT:
    return true;
  case TC_INST_OP:
    return inst->code != TC_CODE_EXTERN && inst->code != TC_CODE_ASSUME;
  default:
    return false;
  }
}

void tc_drop_unused(tc_lowering *l, tc_code_block *body) {
  if (body->count == 0)
    return;
  size_t first = body->insts[0]->id, last = body->insts[body->count - 1]->id, kept = body->count;
  bool *used = tc_take_scratch(l, last - first + 1, sizeof *used);
  for (size_t i = body->count; i-- > 0;) {
    tc_inst *inst = body->insts[i];
    if (is_pure(inst) && !used[inst->id - first])
      continue;
    for (size_t k = 0; k < inst->arg_count; k++)
      used[inst->args[k]->id - first] = true;
    body->insts[--kept] = inst;
  }
  body->count -= kept;
  memmove(body->insts, body->insts + kept, body->count * sizeof *body->insts);
}
