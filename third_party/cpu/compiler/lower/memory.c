/* memory.c: operations on memory, and the others that have an effect or a place of their own. */
#include "lowering.h"

#include <string.h>

static void check_pointer(tc_lowering *l, const tc_op *op) {
  const tc_type *type = tc_element(op->operands[0]->type);
  if (type->kind != TC_PTR || type->element->kind == TC_TENSOR)
    tc_reject(l, op, "run Triton's pass rewrite_tensor_pointer first", "'%.100s' points to a block",
              type->text);
}

const tc_inst *tc_load_at(tc_lowering *l, tc_writer *w, const tc_op *op, const tc_map *map) {
  const tc_value *mask = tc_group_of(op, 1), *other = tc_group_of(op, 2);
  const tc_inst *args[3] = {tc_at(l, w, tc_group_of(op, 0), map)};
  if (mask != NULL)
    args[1] = tc_at(l, w, mask, map);
  if (mask != NULL && other != NULL)
    args[2] = tc_at(l, w, other, map);
  tc_inst *load = tc_write_effect(l, w, TC_INST_LOAD, args);
  load->type = tc_element(op->results[0].type);
  if (tc_integer_of(op, "isVolatile", 0) != 0)
    load->flags = TC_VOLATILE;
  return load;
}

void tc_lower_load(tc_lowering *l, const tc_op *op) {
  check_pointer(l, op);
  if (tc_is_tensor(&op->results[0])) {
    tc_settle(l, op);
    return;
  }
  tc_writer *w = tc_straight(l);
  tc_map none = {0};
  tc_bind_scalar(l, &op->results[0], tc_load_at(l, w, op, &none), w);
}

/* The value that the loop's argument begins with, if all that happens to it are moves. */
static const tc_value *init_of(const tc_op *loop, size_t k) {
  const tc_block *body = loop->regions[0].first;
  const tc_value *value = body->last->operands[k], *arg = &body->args[1 + k];
  for (int depth = 0; depth < 16 && tc_op_is(value->op, "tt.addptr"); depth++)
    value = value->op->operands[0];
  return value == arg ? loop->operands[3 + k] : NULL;
}

const tc_value *tc_base_of(const tc_value *pointers) {
  static const char *const through[] = {"tt.addptr",  "tt.splat", "tt.broadcast", "tt.expand_dims",
                                        "tt.reshape", "tt.trans", "tt.bitcast",   NULL};
  const tc_value *value = pointers;
  for (int depth = 0; depth < 64 && value != NULL; depth++) {
    const tc_op *op = value->op;
    const tc_op *around = value->block->region != NULL ? value->block->region->op : NULL;
    if (op == NULL && tc_op_is(around, "tt.func"))
      /* two arguments of another function may be one pointer of its caller's */
      return value->block->index == 0 && tc_is_public(around) ? value : NULL;
    if (tc_op_is_one_of(op, through))
      value = op->operands[0];
    else if (tc_op_is(op, "scf.for"))
      value = init_of(op, value->index);
    else if (op == NULL && tc_op_is(around, "scf.for") && value->index > 0)
      value = init_of(around, value->index - 1);
    else
      return NULL;
  }
  return NULL;
}

/* The writer for an operation on each element of `value`, and the map; a scalar is straight code.
 */
typedef struct place {
  tc_writer nest;
  tc_writer *w;
  tc_map map;
  tc_stmt *stmt; /* NULL for straight code */
} place;

static void begin(tc_lowering *l, place *p, const tc_value *value) {
  p->map = tc_identity(tc_bits(l, value->type));
  p->stmt = NULL;
  if (!tc_is_tensor(value)) {
    p->w = tc_straight(l);
    return;
  }
  p->stmt = tc_begin_nest(l, &p->nest, TC_STMT_NEST, p->map.count);
  p->stmt->nest.independent = false;
  p->w = &p->nest;
}

static void end(place *p) {
  if (p->stmt != NULL)
    tc_end_nest(p->stmt, 0);
}

/* Keeps what was made for the operation's result. */
static void keep(tc_lowering *l, place *p, const tc_op *op, const tc_inst *inst) {
  const tc_value *result = &op->results[0];
  if (p->stmt == NULL) {
    tc_bind_scalar(l, result, inst, p->w);
  } else if (result->uses != NULL) {
    tc_buffer *buffer = tc_new_buffer(l, inst->type, p->map.count);
    tc_write_buffer(l, p->w, buffer, &p->map, inst);
    tc_bind_buffer(l, result, buffer, true);
  }
}

/* The instruction of that kind on the elements of all operands. */
static tc_inst *write_access(tc_lowering *l, place *p, const tc_op *op, tc_inst_kind kind) {
  const tc_inst *args[3] = {NULL};
  for (size_t i = 0; i < op->operand_count && i < 3; i++)
    args[i] = tc_at(l, p->w, op->operands[i], &p->map);
  return tc_write_effect(l, p->w, kind, args);
}

static void write_store(tc_lowering *l, tc_writer *w, const tc_map *map, void *context) {
  const tc_op *op = context;
  place p = {.w = w, .map = *map};
  (void)write_access(l, &p, op, TC_INST_STORE);
}

void tc_lower_store(tc_lowering *l, const tc_op *op) {
  place p;
  check_pointer(l, op);
  if (tc_op_is(op, "tt.store") && tc_is_tensor(op->operands[0])) {
    if (tc_pair_of(l, op->operands[1]) != TC_NO_PAIR) /* memory is written in its own order */
      (void)tc_materialise(l, op->operands[1]);
    tc_nest_by(l, tc_bits(l, op->operands[0]->type), TC_NO_PAIR, write_store, (void *)op);
    return;
  }
  begin(l, &p, op->operands[0]);
  (void)write_access(l, &p, op, tc_op_is(op, "tt.store") ? TC_INST_STORE : TC_INST_ATOMIC_STORE);
  end(&p);
}

static tc_code rmw_code(tc_lowering *l, const tc_op *op) {
  int64_t number = tc_attr_of(op, "atomic_rmw_op")->integer;
  if (number < 1 || number > TC_CODE_RMW_XCHG - TC_CODE_RMW_AND + 1)
    tc_reject(l, op, "", "%lld is no kind of atomic operation", (long long)number);
  return (tc_code)(TC_CODE_RMW_AND + (int)number - 1);
}

static tc_inst_kind atomic_kind(const tc_op *op) {
  if (tc_op_is(op, "tt.atomic_rmw"))
    return TC_INST_RMW;
  if (tc_op_is(op, "tt.atomic_cas"))
    return TC_INST_CAS;
  return tc_op_is(op, "tt.atomic_load") ? TC_INST_ATOMIC_LOAD : TC_INST_POLL;
}

void tc_lower_atomic(tc_lowering *l, const tc_op *op) {
  place p;
  check_pointer(l, op);
  const tc_type *element = tc_element(op->operands[0]->type)->element;
  tc_inst_kind kind = atomic_kind(op);
  if (kind == TC_INST_POLL && op->operand_count > 2)
    tc_reject(l, op, "poll without timeout_ns", "a time limit is not supported on a CPU");
  begin(l, &p, op->operands[0]);
  tc_inst *inst = write_access(l, &p, op, kind);
  const tc_inst *made = inst;
  inst->type = element;
  if (kind == TC_INST_RMW)
    inst->code = rmw_code(l, op);
  if (kind == TC_INST_POLL && !tc_same_type(element, tc_element(op->results[0].type)))
    made = tc_write_compare(l, p.w, TC_EQ, inst, inst->args[1]);
  keep(l, &p, op, made);
  end(&p);
}

static const char *text_of(tc_lowering *l, const tc_op *op, const char *name) {
  const tc_attr *attr = tc_attr_of(op, name);
  const char *text = tc_copy(l->arena, attr->text, attr->len);
  return text != NULL ? text : tc_take(l, SIZE_MAX, 1);
}

static void print_one(tc_lowering *l, const tc_op *op, size_t k) {
  const tc_value *value = op->operands[k];
  const tc_attr *is_signed = tc_attr_of(op, "isSigned");
  size_t rank = tc_is_tensor(value) ? value->type->rank : 0;
  const tc_inst **args = tc_take(l, 1 + rank, sizeof *args), *none[3] = {NULL};
  place p;
  begin(l, &p, value);
  args[0] = tc_at(l, p.w, value, &p.map);
  for (size_t i = 0; i < rank; i++) {
    tc_map map = tc_map_slice(&p.map, tc_axis_low(value->type, i), tc_axis_bits(value->type, i));
    args[1 + i] = tc_write_index(l, p.w, &tc_i32, &map, 0);
  }
  tc_inst *print = tc_write_effect(l, p.w, TC_INST_PRINT, none);
  print->args = args;
  print->arg_count = 1 + rank;
  print->text = text_of(l, op, "prefix");
  print->integer = op->operand_count > 1 ? (int64_t)k : -1;
  if (tc_integer_of(op, "hex", 0) != 0)
    print->flags |= TC_HEX;
  if (is_signed == NULL || k >= is_signed->count || is_signed->elements[k] != 0)
    print->flags |= TC_SIGNED;
  end(&p);
}

void tc_lower_print(tc_lowering *l, const tc_op *op) {
  const tc_inst *none[3] = {NULL};
  for (size_t k = 0; k < op->operand_count; k++)
    print_one(l, op, k);
  if (op->operand_count == 0) {
    tc_inst *print = tc_write_effect(l, tc_straight(l), TC_INST_PRINT, none);
    print->text = text_of(l, op, "prefix");
    print->integer = -1;
  }
}

void tc_lower_assert(tc_lowering *l, const tc_op *op) {
  place p;
  begin(l, &p, op->operands[0]);
  write_access(l, &p, op, TC_INST_ASSERT)->text = text_of(l, op, "message");
  end(&p);
}

void tc_lower_histogram(tc_lowering *l, const tc_op *op) {
  const tc_type *type = op->results[0].type;
  if (type->kind != TC_TENSOR || !tc_is_tensor(op->operands[0]) || type->element->kind != TC_INT)
    tc_reject(l, op, "", "it makes '%.100s' of '%.100s'", type->text, op->operands[0]->type->text);
  tc_buffer *buffer = tc_new_buffer(l, type->element, tc_bits(l, type));
  tc_map map = tc_identity(buffer->bits);
  tc_writer w;
  tc_stmt *zero = tc_begin_nest(l, &w, TC_STMT_NEST, buffer->bits);
  tc_write_buffer(l, &w, buffer, &map, tc_write_const(l, &w, buffer->element, 0));
  tc_end_nest(zero, 0);
  place p;
  begin(l, &p, op->operands[0]);
  write_access(l, &p, op, TC_INST_COUNT)->buffer = buffer;
  end(&p);
  tc_bind_buffer(l, &op->results[0], buffer, true);
}

void tc_lower_gather(tc_lowering *l, const tc_op *op) {
  const tc_type *from = op->operands[0]->type, *to = op->results[0].type;
  size_t axis = tc_axis_of(op);
  bool good = to->kind == TC_TENSOR && op->operands[1]->type->kind == TC_TENSOR &&
              to->rank == from->rank && tc_bits(l, op->operands[1]->type) == tc_bits(l, to) &&
              op->operands[1]->type->element->kind == TC_INT;
  for (size_t i = 0; good && i < from->rank; i++)
    good = i == axis || from->shape[i] == to->shape[i];
  if (!good)
    tc_reject(l, op, "", "it makes no '%.100s' of '%.100s'", to->text, from->text);
  tc_buffer *buffer = tc_buffer_of(l, op->operands[0]);
  tc_info_of(l, &op->results[0])->buffer = buffer;
  tc_settle(l, op);
}

/* The place in the source: that of the result, its axis replaced by the index. */
const tc_inst *tc_gather_at(tc_lowering *l, tc_writer *w, const tc_op *op, const tc_map *map) {
  const tc_type *from = op->operands[0]->type, *to = op->results[0].type;
  size_t axis = tc_axis_of(op);
  unsigned low = tc_axis_low(from, axis), bits = tc_axis_bits(from, axis);
  unsigned skipped = low + tc_axis_bits(to, axis);
  tc_map at = tc_map_slice(map, 0, low), high = tc_map_slice(map, skipped, map->count - skipped);
  for (unsigned i = 0; i < bits; i++)
    tc_map_push(&at, TC_BIT_ZERO);
  tc_map_append(&at, &high);
  const tc_inst *index = tc_at(l, w, op->operands[1], map);
  if (index->type->width < 64)
    index = tc_write_unary(l, w, TC_CODE_SEXT, &tc_i64, index);
  index = tc_write_binary(l, w, TC_CODE_AND, index,
                          tc_write_const(l, w, &tc_i64, (UINT64_C(1) << bits) - 1));
  index = tc_write_binary(l, w, TC_CODE_SHL, index, tc_write_const(l, w, &tc_i64, low));
  const tc_inst *args[3] = {
      tc_write_binary(l, w, TC_CODE_ADD, index, tc_write_index(l, w, &tc_i64, &at, 0))};
  tc_inst *read = tc_write_effect(l, w, TC_INST_READ_AT, args);
  read->buffer = tc_info_of(l, &op->results[0])->buffer;
  read->type = read->buffer->element;
  return read;
}
