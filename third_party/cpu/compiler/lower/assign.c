/* assign.c: values into the arguments of a block, all at once: none may be overwritten while
 * another still reads it. Tensors that are computed here are written where they go, if that is
 * safe; what only moves on by the same distance everywhere is one variable. */
#include "lowering.h"

enum { MOST_DEEP = 32, MOST_UNIFORM = 128 };

/* One tensor on its way. */
typedef struct transfer {
  const tc_value *value;
  tc_buffer *to;
  tc_buffer *by;       /* written in its place; NULL for none */
  tc_stmt *nest;       /* that computes it; NULL for a copy */
  const tc_inst *inst; /* in the nest */
  bool read;           /* where it goes to is read by others, or in another order */
} transfer;

/* Whether all elements are the same. */
static bool all_same(const tc_value *value, int *left) {
  const tc_op *op = value->op;
  if (!tc_is_tensor(value))
    return true;
  if (op == NULL || --*left < 0 || tc_op_is(op, "tt.split"))
    return false;
  if (tc_op_is(op, "arith.constant"))
    return tc_attr_of(op, "value")->kind == TC_ATTR_DENSE && tc_attr_of(op, "value")->splat;
  if (!tc_is_view(op) && !tc_is_element_op(op))
    return false;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!all_same(op->operands[i], left))
      return false;
  return op->operand_count > 0 && op->result_count == 1;
}

bool tc_is_uniform(const tc_value *value) {
  int left = MOST_UNIFORM;
  return all_same(value, &left);
}

/* The operand that moves on, and by which operand; false if it is no move. */
static bool find_move(const tc_value *value, const tc_value **from, const tc_value **by) {
  const tc_op *op = value->op;
  if (!tc_op_is(op, "tt.addptr") && !tc_op_is(op, "arith.addi"))
    return false;
  size_t moved = tc_op_is(op, "arith.addi") && tc_is_uniform(op->operands[0]) ? 1 : 0;
  *from = op->operands[moved];
  *by = op->operands[1 - moved];
  return tc_is_uniform(*by);
}

static bool moves_from(const tc_value *value, const tc_value *arg, int depth) {
  const tc_value *from, *by;
  const tc_op *op = value->op;
  if (value == arg || depth > MOST_DEEP)
    return value == arg;
  if (tc_op_is(op, "scf.for")) {
    const tc_block *body = op->regions[0].first;
    size_t k = value->index;
    return moves_from(op->operands[3 + k], arg, depth + 1) &&
           moves_from(body->last->operands[k], &body->args[1 + k], depth + 1);
  }
  return find_move(value, &from, &by) && moves_from(from, arg, depth + 1);
}

bool tc_is_moved(const tc_value *value, const tc_value *arg) {
  const tc_type *element = tc_element(arg->type);
  return tc_is_tensor(arg) && value != arg &&
         (element->kind == TC_PTR || (element->kind == TC_INT && element->width >= 32)) &&
         moves_from(value, arg, 0);
}

static const tc_inst *write_distance(tc_lowering *l, tc_writer *w, const tc_value *by,
                                     const tc_type *type) {
  tc_map map = {0};
  for (unsigned i = tc_bits(l, by->type); i > 0; i--)
    tc_map_push(&map, TC_BIT_ZERO);
  const tc_inst *inst = tc_at(l, w, by, &map);
  return inst->type->width < type->width ? tc_write_unary(l, w, TC_CODE_SEXT, type, inst) : inst;
}

/* How far the value is from arg's base. */
static const tc_inst *write_moved(tc_lowering *l, tc_writer *w, const tc_value *value,
                                  const tc_value *arg, tc_var *var) {
  const tc_value *from = NULL, *by = NULL;
  if (value == arg)
    return tc_write_get(l, w, var);
  const tc_inst *more, *rest;
  if (tc_op_is(value->op, "scf.for")) {
    more = tc_write_get(l, w, tc_info_of(l, value)->var);
    from = value->op->operands[3 + value->index];
    if (tc_info_of(l, value)->kind != TC_IS_MOVED) /* its argument is yielded as it is */
      return write_moved(l, w, from, arg, var);
  } else {
    (void)find_move(value, &from, &by);
    more = write_distance(l, w, by, var->type);
  }
  rest = write_moved(l, w, from, arg, var);
  return tc_write_binary(l, w, TC_CODE_ADD, rest, more);
}

/* Whether the value is a buffer that only needs copying. */
static bool is_copy(tc_lowering *l, const transfer *t) {
  const tc_info *info = tc_info_of(l, t->value);
  return info->kind == TC_IS_BUFFER && tc_same_type(info->buffer->element, t->to->element);
}

/* Begins nests for what is not a buffer yet, one for each size. */
static void compute(tc_lowering *l, transfer *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (all[i].nest != NULL || is_copy(l, &all[i]))
      continue;
    tc_writer w;
    unsigned bits = all[i].to->bits;
    tc_map map = tc_identity(bits);
    tc_stmt *nest = tc_begin_nest(l, &w, TC_STMT_NEST, bits);
    for (size_t k = i; k < count; k++)
      if (all[k].to->bits == bits && !is_copy(l, &all[k])) {
        all[k].nest = nest;
        all[k].inst = tc_at(l, &w, all[k].value, &map);
      }
  }
}

static bool is_identity(const tc_map *map) {
  for (unsigned i = 0; i < map->count; i++)
    if (map->bit[i] != i)
      return false;
  return true;
}

/* Whether it must not be written before all is read. */
static bool is_read(tc_lowering *l, const transfer *t, const transfer *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (all[i].nest == NULL) {
      if (tc_info_of(l, all[i].value)->buffer == t->to && &all[i] != t)
        return true;
      continue;
    }
    if (i > 0 && all[i].nest == all[i - 1].nest)
      continue;
    const tc_code_block *body = &all[i].nest->nest.body;
    for (size_t k = 0; k < body->count; k++)
      if (body->insts[k]->buffer == t->to &&
          (body->insts[k]->kind != TC_INST_READ || all[i].nest != t->nest ||
           !is_identity(&body->insts[k]->map)))
        return true;
  }
  return false;
}

static void write_transfers(tc_lowering *l, transfer *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (all[i].nest != NULL) {
      tc_writer w = {.body = &all[i].nest->nest.body};
      tc_buffer *to = all[i].by != NULL ? all[i].by : all[i].to;
      tc_map map = tc_identity(to->bits);
      tc_write_buffer(l, &w, to, &map, all[i].inst);
    }
  for (size_t i = 0; i < count; i++)
    if (all[i].nest != NULL && all[i].nest->nest.dim_count == 0)
      tc_end_nest(all[i].nest, 0);
  for (size_t i = 0; i < count; i++)
    if (all[i].nest == NULL && all[i].by != NULL)
      tc_copy_buffer(l, all[i].by, tc_info_of(l, all[i].value)->buffer);
  for (size_t i = 0; i < count; i++)
    if (all[i].nest == NULL && all[i].by == NULL)
      tc_copy_buffer(l, all[i].to, tc_info_of(l, all[i].value)->buffer);
  for (size_t i = 0; i < count; i++)
    if (all[i].by != NULL)
      tc_copy_buffer(l, all[i].to, all[i].by);
}

static void assign_tensors(tc_lowering *l, tc_value *const *values, const tc_value *targets,
                           size_t count) {
  transfer *all = tc_take_scratch(l, count, sizeof *all);
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    const tc_info *target = tc_info_of(l, &targets[i]), *info = tc_info_of(l, values[i]);
    if (!tc_is_tensor(&targets[i]) || target->kind == TC_IS_MOVED ||
        (info->kind == TC_IS_BUFFER && info->buffer == target->buffer))
      continue;
    all[used++] = (transfer){.value = values[i], .to = target->buffer};
  }
  compute(l, all, used);
  for (size_t i = 0; i < used; i++)
    if (is_read(l, &all[i], all, used))
      all[i].by = tc_new_buffer(l, all[i].to->element, all[i].to->bits);
  write_transfers(l, all, used);
}

static void assign_scalars(tc_lowering *l, tc_value *const *values, const tc_value *targets,
                           size_t count) {
  const tc_inst **made = tc_take_scratch(l, count, sizeof *made);
  tc_writer *w = NULL;
  for (size_t i = 0; i < count; i++) {
    const tc_info *target = tc_info_of(l, &targets[i]);
    bool moved = target->kind == TC_IS_MOVED;
    if (!moved && (tc_is_tensor(&targets[i]) || values[i] == &targets[i]))
      continue;
    w = w != NULL ? w : tc_straight(l);
    made[i] =
        moved ? write_moved(l, w, values[i], &targets[i], target->var) : tc_scalar(l, w, values[i]);
  }
  for (size_t i = 0; i < count; i++)
    if (made[i] != NULL)
      tc_write_set(l, w, tc_info_of(l, &targets[i])->var, made[i]);
}

void tc_assign(tc_lowering *l, tc_value *const *values, const tc_value *targets, size_t count) {
  if (count == 0)
    return;
  assign_tensors(l, values, targets, count);
  assign_scalars(l, values, targets, count);
}
