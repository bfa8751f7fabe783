/* flow.c: blocks, branches and loops. What flows into a block's arguments is assigned all at once.
 */
#include "lowering.h"

static void lower_block(tc_lowering *l, const tc_block *block) {
  for (const tc_op *op = block->first; op != NULL; op = op->next) {
    l->op = op;
    tc_lower_op(l, op);
  }
  if (block->last != NULL)
    l->op = block->last;
}

/* A variable, or a buffer, for what flows in here. */
static void bind_target(tc_lowering *l, const tc_value *value) {
  if (tc_is_tensor(value))
    tc_bind_buffer(l, value, tc_new_buffer(l, value->type->element, tc_bits(l, value->type)), true);
  else
    tc_bind_var(l, value, tc_new_var(l, value->type));
}

/* It stands for the same variable or buffer. */
static void bind_same(tc_lowering *l, const tc_value *value, const tc_value *as) {
  tc_info *to = tc_info_of(l, value);
  const tc_info *from = tc_info_of(l, as);
  to->kind = from->kind;
  to->inst = from->inst;
  to->var = from->var;
  to->buffer = from->buffer;
  to->base = from->base;
  to->owned = from->owned;
}

/* A loop's argument and its result. */
static void begin_with(tc_lowering *l, const tc_value *arg, const tc_value *init) {
  if (tc_is_tensor(arg)) {
    tc_bind_buffer(l, arg, tc_own(l, init, arg->type->element), true);
    return;
  }
  tc_writer *w = tc_straight(l);
  tc_bind_var(l, arg, tc_new_var(l, arg->type));
  tc_write_set(l, w, tc_info_of(l, arg)->var, tc_scalar(l, w, init));
}

static void begin_moved(tc_lowering *l, const tc_value *arg, const tc_value *init) {
  const tc_info *base = tc_info_of(l, init);
  if (base->kind == TC_IS_LAZY && !base->cheap)
    (void)tc_materialise(l, init);
  tc_info *info = tc_info_of(l, arg);
  tc_writer *w = tc_straight(l);
  info->kind = TC_IS_MOVED;
  info->base = init;
  info->var = tc_new_var(l, arg->type->element->kind == TC_PTR ? &tc_i64 : arg->type->element);
  tc_write_set(l, w, info->var, tc_write_const(l, w, info->var->type, 0));
}

void tc_lower_for(tc_lowering *l, const tc_op *op) {
  const tc_block *body = op->regions[0].first;
  const tc_inst *bounds[3];
  for (size_t k = 1; k < body->arg_count; k++) {
    if (tc_is_moved(body->last->operands[k - 1], &body->args[k]))
      begin_moved(l, &body->args[k], op->operands[2 + k]);
    else
      begin_with(l, &body->args[k], op->operands[2 + k]);
  }
  for (size_t i = 0; i < 3; i++)
    bounds[i] = tc_operand(l, op->operands[i]);
  tc_stmt *s = tc_add_stmt(l, TC_STMT_FOR);
  const tc_attr *is_unsigned = tc_attr_of(op, "unsignedCmp");
  s->is_unsigned =
      is_unsigned != NULL && (is_unsigned->kind == TC_ATTR_UNIT || is_unsigned->integer != 0);
  s->low = bounds[0];
  s->high = bounds[1];
  s->step = bounds[2];
  s->var = tc_new_var(l, body->args[0].type);
  tc_bind_var(l, &body->args[0], s->var);
  s->list = tc_take(l, 1, sizeof *s->list);
  tc_list *before = tc_enter(l, s->list);
  lower_block(l, body);
  tc_assign(l, body->last->operands, body->args + 1, body->arg_count - 1);
  (void)tc_enter(l, before);
  l->op = op;
  for (size_t k = 1; k < body->arg_count; k++)
    bind_same(l, &op->results[k - 1], &body->args[k]);
}

static tc_list *lower_arm(tc_lowering *l, const tc_op *op, const tc_region *region) {
  tc_list *list = tc_take(l, 1, sizeof *list), *before = tc_enter(l, list);
  if (region->first != NULL) {
    lower_block(l, region->first);
    tc_assign(l, region->first->last->operands, op->results, op->result_count);
  }
  (void)tc_enter(l, before);
  l->op = op;
  return list;
}

void tc_lower_if(tc_lowering *l, const tc_op *op) {
  const tc_inst *condition = tc_operand(l, op->operands[0]);
  for (size_t i = 0; i < op->result_count; i++)
    bind_target(l, &op->results[i]);
  tc_stmt *s = tc_add_stmt(l, TC_STMT_IF);
  s->condition = condition;
  s->list = lower_arm(l, op, &op->regions[0]);
  bool more = op->regions[1].first != NULL && op->regions[1].first->first->next != NULL;
  if (more || op->result_count > 0)
    s->otherwise = lower_arm(l, op, &op->regions[1]);
}

void tc_lower_while(tc_lowering *l, const tc_op *op) {
  const tc_block *before = op->regions[0].first, *after = op->regions[1].first;
  const tc_op *test = before->last;
  for (size_t i = 0; i < before->arg_count; i++)
    begin_with(l, &before->args[i], op->operands[i]);
  for (size_t i = 0; i < after->arg_count; i++) {
    bind_target(l, &after->args[i]);
    bind_same(l, &op->results[i], &after->args[i]);
  }
  tc_stmt *s = tc_add_stmt(l, TC_STMT_LOOP);
  s->list = tc_take(l, 1, sizeof *s->list);
  tc_list *outside = tc_enter(l, s->list);
  lower_block(l, before);
  const tc_inst *condition = tc_operand(l, test->operands[0]);
  tc_assign(l, test->operands + 1, after->args, after->arg_count);
  tc_add_stmt(l, TC_STMT_BREAK)->condition = condition;
  lower_block(l, after);
  tc_assign(l, after->last->operands, before->args, before->arg_count);
  (void)tc_enter(l, outside);
  l->op = op;
}

static void jump(tc_lowering *l, size_t label, const tc_inst *condition) {
  tc_stmt *s = tc_add_stmt(l, TC_STMT_JUMP);
  s->label = label;
  s->condition = condition;
}

static size_t label_of(const tc_lowering *l, const tc_block *block) {
  return l->first_label + block->index;
}

void tc_lower_branch(tc_lowering *l, const tc_op *op) {
  const tc_block *to = op->successors[0].block;
  if (op->successor_count == 1) {
    tc_assign(l, op->operands, to->args, to->arg_count);
    jump(l, label_of(l, to), NULL);
    return;
  }
  const tc_block *otherwise = op->successors[1].block;
  tc_value **values = op->operands + 1;
  const tc_inst *condition = tc_operand(l, op->operands[0]);
  size_t taken = l->function->label_count++;
  jump(l, taken, condition);
  tc_assign(l, values + to->arg_count, otherwise->args, otherwise->arg_count);
  jump(l, label_of(l, otherwise), NULL);
  tc_add_stmt(l, TC_STMT_LABEL)->label = taken;
  tc_assign(l, values, to->args, to->arg_count);
  jump(l, label_of(l, to), NULL);
}

/* The blocks of a region with several, a label each. The first one's arguments are bound. */
void tc_lower_blocks(tc_lowering *l, const tc_region *region) {
  if (region->block_count == 1) {
    lower_block(l, region->first);
    return;
  }
  size_t before = l->first_label;
  l->first_label = l->function->label_count;
  l->function->label_count += region->block_count;
  for (const tc_block *b = region->first->next; b != NULL; b = b->next)
    for (size_t i = 0; i < b->arg_count; i++)
      bind_target(l, &b->args[i]);
  for (const tc_block *b = region->first; b != NULL; b = b->next) {
    tc_add_stmt(l, TC_STMT_LABEL)->label = label_of(l, b);
    lower_block(l, b);
  }
  l->first_label = before;
}

static const tc_op *return_of(tc_lowering *l, const tc_region *region) {
  for (const tc_block *b = region->first; b != NULL; b = b->next)
    if (b->last != NULL && b->last->successor_count == 0)
      return b->last;
  tc_reject(l, l->op, "", "its region never returns");
}

tc_var **tc_lower_region(tc_lowering *l, const tc_region *region, tc_list *list, size_t *count) {
  const tc_op *op = l->op, *end = return_of(l, region);
  tc_list *before = tc_enter(l, list);
  tc_var **outer = l->returned;
  size_t outer_label = l->return_label;
  *count = end->operand_count;
  tc_var **vars = l->returned = tc_take(l, *count + 1, sizeof(tc_var *));
  for (size_t i = 0; i < *count; i++)
    vars[i] = tc_new_var(l, end->operands[i]->type);
  l->return_label = l->function->label_count++;
  tc_lower_blocks(l, region);
  if (region->block_count > 1)
    tc_add_stmt(l, TC_STMT_LABEL)->label = l->return_label;
  l->returned = outer;
  l->return_label = outer_label;
  (void)tc_enter(l, before);
  l->op = op;
  return vars;
}

/* The end of a region that combines elements. */
void tc_lower_region_return(tc_lowering *l, const tc_op *op) {
  tc_writer *w = tc_straight(l);
  if (l->returned == NULL)
    tc_reject(l, op, "", "it ends no region that combines elements");
  for (size_t i = 0; i < op->operand_count; i++)
    tc_write_set(l, w, l->returned[i], tc_scalar(l, w, op->operands[i]));
  if (op->block->region->block_count > 1)
    jump(l, l->return_label, NULL);
}

static void bind_argument(tc_lowering *l, const tc_value *arg, const tc_value *value) {
  if (tc_is_tensor(arg)) {
    tc_bind_buffer(l, arg, tc_buffer_of(l, value), false);
    return;
  }
  tc_writer *w = tc_straight(l);
  tc_bind_var(l, arg, tc_new_var(l, arg->type));
  tc_write_set(l, w, tc_info_of(l, arg)->var, tc_scalar(l, w, value));
}

void tc_lower_inlined(tc_lowering *l, const tc_op *call) {
  const tc_op *f = tc_find_function(l->module, tc_attr_of(call, "callee")), *outer = l->inlined;
  size_t outer_label = l->return_label;
  for (size_t i = 0; i < call->operand_count; i++)
    bind_argument(l, &f->regions[0].first->args[i], call->operands[i]);
  for (size_t i = 0; i < call->result_count; i++)
    bind_target(l, &call->results[i]);
  l->inlined = call;
  l->return_label = l->function->label_count++;
  tc_lower_blocks(l, &f->regions[0]);
  if (f->regions[0].block_count > 1)
    tc_add_stmt(l, TC_STMT_LABEL)->label = l->return_label;
  l->inlined = outer;
  l->return_label = outer_label;
  l->op = call;
}

static void return_inlined(tc_lowering *l, const tc_op *op) {
  tc_assign(l, op->operands, l->inlined->results, op->operand_count);
  if (op->block->region->block_count > 1)
    jump(l, l->return_label, NULL);
}

void tc_lower_return(tc_lowering *l, const tc_op *op) {
  if (l->inlined != NULL) {
    return_inlined(l, op);
    return;
  }
  const tc_inst **values = tc_take(l, op->operand_count, sizeof *values);
  for (size_t i = 0; i < op->operand_count; i++)
    values[i] = tc_operand(l, op->operands[i]);
  tc_stmt *s = tc_add_stmt(l, TC_STMT_RETURN);
  s->value_count = op->operand_count;
  s->values = values;
}
