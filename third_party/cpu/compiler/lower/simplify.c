/* simplify.c: operations whose value is there already, or is a bit of the place. What is here is
 * what the exchanges of a sort are made of; the C compiler sees to the rest. */
#include "lowering.h"

static bool is_op(const tc_inst *inst, tc_code code) {
  return inst->kind == TC_INST_OP && inst->code == code;
}

/* x ^ (x ^ y) is y. */
static const tc_inst *other_of(const tc_inst *x, const tc_inst *both) {
  if (!is_op(both, TC_CODE_XOR))
    return NULL;
  return both->args[0] == x ? both->args[1] : both->args[1] == x ? both->args[0] : NULL;
}

static const tc_inst *simpler_bitcast(const tc_type *type, const tc_inst *arg) {
  if (is_op(arg, TC_CODE_BITCAST))
    arg = arg->args[0];
  return tc_same_type(arg->type, type) ? arg : NULL;
}

/* A number that is 0 or 1: constant ^ a bit of the loop, if map has one. */
typedef struct parity {
  uint64_t constant;
  tc_map map;
} parity;

static bool parity_of_index(parity *p, const tc_inst *inst) {
  const tc_map *map = &inst->map;
  for (unsigned i = 1; i < map->count; i++)
    if (map->bit[i] != TC_BIT_ZERO)
      return false;
  *p = (parity){.constant = tc_map_fixed(map)};
  if (map->count > 0 && map->bit[0] < TC_BIT_ZERO)
    tc_map_push(&p->map, map->bit[0]);
  return inst->integer == 0;
}

static bool parity_of(parity *p, const tc_inst *inst) {
  parity other;
  if (inst->kind == TC_INST_INDEX)
    return parity_of_index(p, inst);
  if (inst->kind == TC_INST_CONST) {
    *p = (parity){.constant = (uint64_t)inst->integer};
    return p->constant <= 1;
  }
  if (!is_op(inst, TC_CODE_XOR) || !parity_of(p, inst->args[0]) ||
      !parity_of(&other, inst->args[1]) || (p->map.count > 0 && other.map.count > 0))
    return false;
  p->constant ^= other.constant;
  tc_map_append(&p->map, &other.map);
  return true;
}

/* Whether a number that is 0 or 1 is another one: an index of one bit. */
static const tc_inst *simpler_compare(tc_lowering *l, tc_writer *w, int64_t predicate,
                                      const tc_inst *const *args) {
  parity p, other;
  if ((predicate != TC_EQ && predicate != TC_NE) || args[1]->kind != TC_INST_CONST ||
      args[0]->type->width == 1 || !parity_of(&p, args[0]) || !parity_of(&other, args[1]))
    return NULL;
  return tc_write_index(l, w, &tc_i1, &p.map,
                        (int64_t)(p.constant ^ other.constant ^ (predicate == TC_EQ)));
}

const tc_inst *tc_simpler(tc_lowering *l, tc_writer *w, tc_code code, int64_t detail,
                          const tc_type *type, const tc_inst *const *args) {
  const tc_inst *made = NULL;
  switch (code) {
  case TC_CODE_BITCAST:
    return simpler_bitcast(type, args[0]);
  case TC_CODE_XOR:
    made = other_of(args[0], args[1]);
    return made != NULL ? made : other_of(args[1], args[0]);
  case TC_CODE_CMPI:
    return simpler_compare(l, w, detail, args);
  default:
    return NULL;
  }
}
