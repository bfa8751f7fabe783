/* remainder.c: rows `(start + 0, 1, 2 ...) % size`, with which kernels keep off the end of a
 * matrix. They hide that addresses go up by one. Where no element of the row wraps, which is nearly
 * always, the remainder is a difference; so each nest that uses such a row is written twice, and a
 * flag chooses. */
#include "lowering.h"

/* Whether it is a range plus what is the same for all. */
static bool is_row(const tc_value *value, int depth) {
  const tc_op *op = value->op;
  if (tc_op_is(op, "tt.make_range"))
    return true;
  if (!tc_op_is(op, "arith.addi") || depth > 8)
    return false;
  return (tc_is_uniform(op->operands[0]) && is_row(op->operands[1], depth + 1)) ||
         (tc_is_uniform(op->operands[1]) && is_row(op->operands[0], depth + 1));
}

static tc_map constant_map(unsigned bits, unsigned bit) {
  tc_map map = {0};
  while (map.count < bits)
    tc_map_push(&map, bit);
  return map;
}

bool tc_is_remainder(const tc_op *op) {
  const tc_type *type = op->result_count > 0 ? op->results[0].type : NULL;
  return tc_op_is(op, "arith.remsi") && type->kind == TC_TENSOR && type->rank == 1 &&
         is_row(op->operands[0], 0) && tc_is_uniform(op->operands[1]);
}

bool tc_settle_remainder(tc_lowering *l, const tc_op *op) {
  const tc_value *value = &op->results[0];
  if (!tc_is_remainder(op) || value->uses == NULL)
    return false;
  tc_info *info = tc_info_of(l, value);
  unsigned bits = tc_bits(l, value->type);
  tc_map first_map = constant_map(bits, TC_BIT_ZERO), last_map = constant_map(bits, TC_BIT_ONE);
  (void)tc_materialise(l, value);
  tc_writer *w = tc_straight(l);
  const tc_inst *first = tc_at(l, w, op->operands[0], &first_map);
  const tc_inst *last = tc_at(l, w, op->operands[0], &last_map);
  const tc_inst *size = tc_at(l, w, op->operands[1], &first_map);
  const tc_inst *times = tc_write_binary(l, w, TC_CODE_DIVS, first, size);
  const tc_inst *zero = tc_write_const(l, w, first->type, 0);
  const tc_inst *flag =
      tc_write_compare(l, w, TC_EQ, times, tc_write_binary(l, w, TC_CODE_DIVS, last, size));
  flag = tc_write_binary(l, w, TC_CODE_AND, flag, tc_write_compare(l, w, TC_SGE, first, zero));
  flag = tc_write_binary(l, w, TC_CODE_AND, flag, tc_write_compare(l, w, TC_SLT, zero, size));
  info->flag = tc_new_var(l, &tc_i1);
  info->var = tc_new_var(l, first->type);
  tc_write_set(l, w, info->flag, flag);
  tc_write_set(l, w, info->var, tc_write_binary(l, w, TC_CODE_MUL, times, size));
  return true;
}

const tc_inst *tc_remainder_at(tc_lowering *l, tc_writer *w, const tc_value *value,
                               const tc_map *map) {
  const tc_info *info = tc_info_of(l, value);
  tc_flags *flags = w->flags;
  size_t k = 0;
  while (k < flags->count && flags->vars[k] != info->flag)
    k++;
  if (k == flags->count && k < sizeof flags->vars / sizeof *flags->vars)
    flags->vars[flags->count++] = info->flag;
  else if (k == flags->count)
    return tc_read_buffer(l, w, info->buffer, map);
  tc_inst *inst = (tc_inst *)tc_write_binary(
      l, w, TC_CODE_SUB, tc_at(l, w, value->op->operands[0], map), tc_write_get(l, w, info->var));
  inst->flags = TC_NO_WRAP;
  return inst;
}

/* A variable that holds if all flags do. */
static const tc_inst *write_all(tc_lowering *l, const tc_flags *flags) {
  tc_writer *w = tc_straight(l);
  const tc_inst *all = tc_write_get(l, w, flags->vars[0]);
  for (size_t i = 1; i < flags->count; i++)
    all = tc_write_binary(l, w, TC_CODE_AND, all, tc_write_get(l, w, flags->vars[i]));
  tc_inst *condition = tc_take(l, 1, sizeof *condition);
  condition->kind = TC_INST_GET;
  condition->type = &tc_i1;
  condition->id = l->inst_count++;
  condition->var = tc_new_var(l, &tc_i1);
  tc_write_set(l, w, condition->var, all);
  return condition;
}

static tc_stmt *write_nest(tc_lowering *l, unsigned bits, unsigned pair, tc_body_fn *body,
                           void *context, tc_flags *flags) {
  tc_writer w;
  unsigned halves = pair == TC_NO_PAIR ? 1 : 2;
  tc_stmt *nest = tc_begin_nest(l, &w, TC_STMT_NEST, pair == TC_NO_PAIR ? bits : bits - 1);
  w.flags = flags;
  for (unsigned half = 0; half < halves; half++) {
    tc_map map = pair == TC_NO_PAIR ? tc_identity(bits) : tc_pair_map(bits, pair, half);
    body(l, &w, &map, context);
  }
  if (pair != TC_NO_PAIR)
    tc_drop_unused(l, &nest->nest.body);
  tc_end_nest(nest, 0);
  return nest;
}

void tc_nest_by(tc_lowering *l, unsigned bits, unsigned pair, tc_body_fn *body, void *context) {
  tc_flags flags = {0};
  tc_list *list = l->list, before = *list;
  tc_stmt *fast = write_nest(l, bits, pair, body, context, &flags);
  if (flags.count == 0)
    return;
  *list = before;
  if (list->last != NULL)
    list->last->next = NULL;
  l->straight = NULL;
  const tc_inst *condition = write_all(l, &flags);
  tc_stmt *choice = tc_add_stmt(l, TC_STMT_IF);
  choice->condition = condition;
  choice->list = tc_take(l, 1, sizeof *choice->list);
  choice->list->first = choice->list->last = fast;
  choice->otherwise = tc_take(l, 1, sizeof *choice->otherwise);
  (void)tc_enter(l, choice->otherwise);
  (void)write_nest(l, bits, pair, body, context, NULL);
  (void)tc_enter(l, list);
}
