/* combine.c: regions that make elements of elements, and the operations that have them. A region of
 * plain operations is written into the nest; one with loops or several blocks becomes statements of
 * their own within the nest. */
#include "lowering.h"

enum { MOST_INLINE = 4096, LAZY_REDUCE = 16, MOST_NESTED = 32 };

/* Whether the region is operations on scalars alone, at most *left of them. */
static bool is_plain(const tc_region *region, bool calls, size_t *left, int depth) {
  if (region->block_count == 0)
    return true;
  if (region->block_count != 1 || depth > MOST_NESTED)
    return false;
  for (const tc_op *op = region->first->first; op != NULL; op = op->next) {
    if (*left == 0)
      return false;
    --*left;
    bool arms = tc_op_is(op, "scf.if") && is_plain(&op->regions[0], false, left, depth + 1) &&
                is_plain(&op->regions[1], false, left, depth + 1);
    bool good = tc_is_element_op(op) || tc_is_constant(op) || arms ||
                (tc_op_is(op, "tt.call") && calls) ||
                (op->next == NULL && op->region_count == 0 && op->successor_count == 0);
    if (!good)
      return false;
  }
  return true;
}

/* A call: its results by way of variables. */
static void write_call(tc_lowering *l, tc_writer *w, const tc_op *op) {
  const tc_inst **args = tc_take(l, op->operand_count, sizeof *args);
  for (size_t i = 0; i < op->operand_count; i++)
    args[i] = tc_scalar(l, w, op->operands[i]);
  const tc_inst *none[3] = {NULL};
  tc_function *callee = tc_function_of(l, tc_attr_of(op, "callee"), op);
  tc_inst *call = tc_write_effect(l, w, TC_INST_CALL, none);
  call->callee = callee;
  call->args = args;
  call->arg_count = op->operand_count;
  call->var_count = op->result_count;
  call->vars = tc_take(l, op->result_count, sizeof(tc_var *));
  for (size_t i = 0; i < op->result_count; i++) {
    call->vars[i] = tc_new_var(l, op->results[i].type);
    tc_bind_scalar(l, &op->results[i], tc_write_get(l, w, call->vars[i]), w);
  }
}

void tc_lower_call(tc_lowering *l, const tc_op *op) {
  if (tc_passes_tensors(op))
    tc_lower_inlined(l, op);
  else
    write_call(l, tc_straight(l), op);
}

static void write_plain(tc_lowering *l, tc_writer *w, const tc_block *block,
                        const tc_inst **results);

/* Both arms, and a choice. */
static void write_choice(tc_lowering *l, tc_writer *w, const tc_op *op) {
  const tc_inst **arms[2], *condition = tc_scalar(l, w, op->operands[0]);
  for (size_t i = 0; i < 2; i++) {
    arms[i] = tc_take_scratch(l, op->result_count + 1, sizeof *arms[i]);
    if (op->regions[i].first != NULL)
      write_plain(l, w, op->regions[i].first, arms[i]);
  }
  for (size_t k = 0; k < op->result_count; k++) {
    const tc_inst *args[3] = {condition, arms[0][k], arms[1][k]};
    tc_bind_scalar(l, &op->results[k], tc_write_op(l, w, TC_CODE_SELECT, args[1]->type, args), w);
  }
}

static void write_plain_op(tc_lowering *l, tc_writer *w, const tc_op *op) {
  const tc_op *before = l->op;
  l->op = op;
  if (tc_op_is(op, "scf.if")) {
    write_choice(l, w, op);
  } else if (tc_op_is(op, "tt.call")) {
    write_call(l, w, op);
  } else if (!tc_is_constant(op)) {
    tc_bind_element_op(l, w, op);
  }
  l->op = before;
}

static void write_plain(tc_lowering *l, tc_writer *w, const tc_block *block,
                        const tc_inst **results) {
  const tc_op *op = block->first;
  for (; op != NULL && op->next != NULL; op = op->next)
    write_plain_op(l, w, op);
  for (size_t i = 0; op != NULL && i < op->operand_count; i++)
    results[i] = tc_scalar(l, w, op->operands[i]);
}

/* Statements within the nest, with variables for what goes in and comes out. */
static void write_statements(tc_lowering *l, tc_writer *w, const tc_region *region,
                             const tc_inst *const *args, const tc_inst **results) {
  const tc_block *entry = region->first;
  const tc_inst *none[3] = {NULL};
  for (size_t i = 0; i < entry->arg_count; i++) {
    tc_var *var = tc_new_var(l, entry->args[i].type);
    tc_write_set(l, w, var, args[i]);
    tc_bind_var(l, &entry->args[i], var);
  }
  tc_inst *inst = tc_write_effect(l, w, TC_INST_SCALARS, none);
  inst->list = tc_take(l, 1, sizeof *inst->list);
  size_t count = 0;
  tc_var **vars = tc_lower_region(l, region, inst->list, &count);
  for (size_t i = 0; i < count; i++) {
    tc_inst *get = tc_write(l, w, TC_INST_GET, vars[i]->type);
    get->var = vars[i];
    results[i] = get;
  }
}

void tc_write_region(tc_lowering *l, tc_writer *w, const tc_region *region,
                     const tc_inst *const *args, const tc_inst **results) {
  size_t left = MOST_INLINE;
  if (region->first == NULL)
    tc_reject(l, l->op, "", "its region is empty");
  if (!is_plain(region, true, &left, 0)) {
    write_statements(l, w, region, args, results);
    return;
  }
  for (size_t i = 0; i < region->first->arg_count; i++)
    tc_bind_scalar(l, &region->first->args[i], args[i], w);
  write_plain(l, w, region->first, results);
}

/* Whether floats of 16 bits may be f32 in the region. */
static bool may_widen(const tc_region *region) {
  size_t left = MOST_INLINE;
  if (!is_plain(region, false, &left, 0))
    return false;
  for (const tc_op *op = region->first->first; op != NULL; op = op->next)
    if (op->region_count > 0 || tc_code_of(op->name) == TC_CODE_BITCAST ||
        tc_code_of(op->name) == TC_CODE_EXTERN)
      return false;
  return true;
}

static tc_code simple_code(const tc_combine *c) {
  static const tc_code simple[] = {TC_CODE_ADD,    TC_CODE_MUL,     TC_CODE_AND,    TC_CODE_OR,
                                   TC_CODE_XOR,    TC_CODE_MAXS,    TC_CODE_MAXU,   TC_CODE_MINS,
                                   TC_CODE_MINU,   TC_CODE_FADD,    TC_CODE_FMUL,   TC_CODE_MAXNUM,
                                   TC_CODE_MINNUM, TC_CODE_MAXIMUM, TC_CODE_MINIMUM};
  const tc_inst *op = c->body.count == 3 ? c->body.insts[2] : NULL;
  if (op == NULL || op->kind != TC_INST_OP || c->results[0] != op || op->arg_count != 2 ||
      op->args[0] == op->args[1] || op->args[0]->kind != TC_INST_ARG ||
      op->args[1]->kind != TC_INST_ARG)
    return TC_CODE_NONE;
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if (op->code == simple[i])
      return op->code;
  return TC_CODE_NONE;
}

static void fill_combine(tc_lowering *l, tc_stmt *s, const tc_region *region) {
  tc_combine *c = &s->combine;
  tc_writer w = {.body = &c->body};
  size_t count = 2 * s->input_count;
  const tc_inst **args = tc_take(l, count, sizeof *args);
  for (size_t i = 0; i < count; i++) {
    const tc_inst *input = s->inputs[i % s->input_count];
    tc_inst *arg = tc_write(l, &w, TC_INST_ARG, input->type);
    arg->integer = (int64_t)i;
    args[i] = arg;
  }
  c->count = s->input_count;
  c->results = tc_take(l, c->count, sizeof(tc_inst *));
  tc_write_region(l, &w, region, args, c->results);
  c->simple = c->count == 1 ? simple_code(c) : TC_CODE_NONE;
}

/* The nest of a reduction or scan, with its inputs; the caller gives it its targets. */
static tc_stmt *combine(tc_lowering *l, const tc_op *op, tc_stmt_kind kind, bool widen) {
  const tc_type *type = op->operands[0]->type;
  size_t axis = tc_axis_of(op);
  tc_map map = tc_identity(tc_bits(l, type));
  tc_writer w;
  tc_stmt *s = tc_begin_nest(l, &w, kind, map.count);
  s->axis_low = tc_axis_low(type, axis);
  s->axis_bits = tc_axis_bits(type, axis);
  s->input_count = op->operand_count;
  s->inputs = tc_take(l, s->input_count, sizeof *s->inputs);
  s->targets = tc_take(l, s->input_count, sizeof *s->targets);
  for (size_t i = 0; i < s->input_count; i++) {
    const tc_inst *input = tc_at(l, &w, op->operands[i], &map);
    if (widen && input->type->kind == TC_FLOAT && input->type->width == 16)
      input = tc_write_cast(l, &w, &tc_f32, input);
    s->inputs[i] = input;
  }
  tc_end_fold(s);
  return s;
}

bool tc_is_lazy_reduce(const tc_op *op) {
  size_t left = LAZY_REDUCE;
  return tc_op_is(op, "tt.reduce") && op->operands[0]->type->shape[tc_axis_of(op)] <= 2 &&
         is_plain(&op->regions[0], false, &left, 0);
}

/* The map of a reduction's operand, with that bit along the axis. */
static tc_map operand_map(const tc_op *op, const tc_map *map, unsigned bit) {
  const tc_type *type = op->operands[0]->type;
  size_t axis = tc_axis_of(op);
  unsigned low = tc_axis_low(type, axis);
  tc_map made = tc_map_slice(map, 0, low), high = tc_map_slice(map, low, map->count - low);
  if (tc_axis_bits(type, axis) > 0)
    tc_map_push(&made, bit);
  tc_map_append(&made, &high);
  return made;
}

const tc_inst *tc_reduce_at(tc_lowering *l, tc_writer *w, const tc_op *op, size_t result,
                            const tc_map *map) {
  size_t n = op->operand_count;
  const tc_inst **args = tc_take_scratch(l, 2 * n, sizeof *args);
  const tc_inst **results = tc_take_scratch(l, n, sizeof *results);
  tc_map left = operand_map(op, map, TC_BIT_ZERO), right = operand_map(op, map, TC_BIT_ONE);
  if (op->operands[0]->type->shape[tc_axis_of(op)] == 1)
    return tc_at(l, w, op->operands[result], &left);
  for (size_t i = 0; i < n; i++) {
    args[i] = tc_at(l, w, op->operands[i], &left);
    args[n + i] = tc_at(l, w, op->operands[i], &right);
  }
  tc_write_region(l, w, &op->regions[0], args, results);
  for (size_t i = 0; i < n; i++)
    if (i != result && tc_is_tensor(&op->results[i]))
      tc_table_put(l, &w->made, &op->results[i], map, (tc_inst *)results[i]);
  return results[result];
}

static void check_operands(tc_lowering *l, const tc_op *op) {
  for (size_t i = 1; i < op->operand_count; i++)
    if (op->operands[i]->type->kind != TC_TENSOR ||
        tc_bits(l, op->operands[i]->type) != tc_bits(l, op->operands[0]->type) ||
        op->operands[i]->type->rank != op->operands[0]->type->rank)
      tc_reject(l, op, "", "operands 0 and %zu have different shapes", i);
}

static void check_results(tc_lowering *l, const tc_op *op) {
  const tc_type *from = op->operands[0]->type;
  size_t axis = tc_axis_of(op);
  for (size_t i = 0; i < op->result_count; i++)
    if (tc_is_tensor(&op->results[i]) != (from->rank > 1) ||
        tc_bits(l, op->results[i].type) != tc_bits(l, from) - tc_axis_bits(from, axis))
      tc_reject(l, op, "", "'%.100s' is no reduction of '%.100s'", op->results[i].type->text,
                from->text);
}

void tc_lower_reduce(tc_lowering *l, const tc_op *op) {
  check_operands(l, op);
  check_results(l, op);
  bool tensor = tc_is_tensor(&op->results[0]);
  if (tc_is_lazy_reduce(op) && tensor) {
    tc_settle(l, op);
    return;
  }
  tc_stmt *s = combine(l, op, TC_STMT_REDUCE, false);
  fill_combine(l, s, &op->regions[0]);
  for (size_t i = 0; i < op->result_count; i++) {
    if (tensor) {
      s->targets[i].buffer = tc_new_buffer(l, s->inputs[i]->type, s->nest.bits - s->axis_bits);
      tc_bind_buffer(l, &op->results[i], s->targets[i].buffer, true);
    } else {
      s->targets[i].var = tc_new_var(l, s->inputs[i]->type);
      tc_bind_var(l, &op->results[i], s->targets[i].var);
    }
  }
}

void tc_lower_scan(tc_lowering *l, const tc_op *op) {
  check_operands(l, op);
  bool widen = may_widen(&op->regions[0]);
  tc_stmt *s = combine(l, op, TC_STMT_SCAN, widen);
  l->widen = widen;
  fill_combine(l, s, &op->regions[0]);
  l->widen = false;
  s->reverse = tc_attr_of(op, "reverse")->integer != 0;
  for (size_t i = 0; i < op->result_count; i++) {
    s->targets[i].buffer = tc_new_buffer(l, s->inputs[i]->type, s->nest.bits);
    tc_bind_buffer(l, &op->results[i], s->targets[i].buffer, true);
  }
}

/* The map of element `nth` of a pack, when the packs are at the nest's positions. */
static tc_map packed_map(unsigned pack_bits, size_t nth, unsigned bits) {
  tc_map made = {0}, rest = tc_identity(bits);
  for (unsigned b = 0; b < pack_bits; b++)
    tc_map_push(&made, (nth >> b & 1) != 0 ? TC_BIT_ONE : TC_BIT_ZERO);
  tc_map_append(&made, &rest);
  return made;
}

static unsigned check_map(tc_lowering *l, const tc_op *op, size_t pack) {
  unsigned bits = tc_bits(l, op->operands[0]->type), pack_bits = tc_log2((int64_t)pack);
  const tc_block *body = op->regions[0].first;
  check_operands(l, op);
  if (pack < 1 || pack > 64 || (pack & (pack - 1)) != 0 || pack_bits > bits)
    tc_reject(l, op, "pack a power of two of elements, at most the tensor's",
              "it packs %zu elements of '%.100s'", pack, op->operands[0]->type->text);
  if (body == NULL || body->arg_count != pack * op->operand_count)
    tc_reject(l, op, "", "its region has not %zu arguments", pack * op->operand_count);
  for (size_t i = 0; i < op->result_count; i++)
    if (!tc_is_tensor(&op->results[i]) || tc_bits(l, op->results[i].type) != bits)
      tc_reject(l, op, "", "result %zu has another shape than its operands", i);
  for (const tc_block *b = body; b != NULL; b = b->next)
    if (b->last == NULL ||
        (b->last->successor_count == 0 && (!tc_op_is(b->last, "tt.map_elementwise.return") ||
                                           b->last->operand_count != pack * op->result_count)))
      tc_reject(l, op, "", "a block of its region does not return %zu values",
                pack * op->result_count);
  return bits - pack_bits;
}

void tc_lower_map(tc_lowering *l, const tc_op *op) {
  size_t pack = (size_t)tc_attr_of(op, "pack")->integer;
  unsigned bits = check_map(l, op, pack), pack_bits = tc_log2((int64_t)pack);
  const tc_inst **args = tc_take_scratch(l, pack * op->operand_count, sizeof *args);
  const tc_inst **results = tc_take_scratch(l, pack * op->result_count, sizeof *results);
  tc_writer w;
  tc_stmt *nest = tc_begin_nest(l, &w, TC_STMT_NEST, bits);
  for (size_t i = 0; i < pack * op->operand_count; i++) {
    tc_map map = packed_map(pack_bits, i % pack, bits);
    args[i] = tc_at(l, &w, op->operands[i / pack], &map);
  }
  tc_write_region(l, &w, &op->regions[0], args, results);
  for (size_t i = 0; i < pack * op->result_count; i++) {
    const tc_value *result = &op->results[i / pack];
    tc_map map = packed_map(pack_bits, i % pack, bits);
    if (i % pack == 0)
      tc_bind_buffer(l, result, tc_new_buffer(l, result->type->element, bits + pack_bits), true);
    tc_write_buffer(l, &w, tc_info_of(l, result)->buffer, &map, results[i]);
  }
  tc_end_nest(nest, 0);
}
