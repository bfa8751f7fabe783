/* at.c: what a value is within a nest, for the elements that a map names. */
#include "lowering.h"
#include "read/number.h"

#include <string.h>

static const struct {
  const char *op;
  tc_code codes[2]; /* of its two results */
} extended[] = {
    {"arith.addui_extended", {TC_CODE_ADD, TC_CODE_CARRY}},
    {"arith.subui_extended", {TC_CODE_SUB, TC_CODE_BORROW}},
    {"arith.mulsi_extended", {TC_CODE_MUL, TC_CODE_MULHS}},
    {"arith.mului_extended", {TC_CODE_MUL, TC_CODE_MULHU}},
};

static tc_code extended_code(const tc_op *op, size_t result) {
  for (size_t i = 0; i < sizeof extended / sizeof *extended; i++)
    if (strcmp(extended[i].op, op->name) == 0)
      return extended[i].codes[result];
  return TC_CODE_NONE;
}

static bool is_index_cast(const tc_op *op) {
  return strncmp(op->name, "arith.index_cast", 16) == 0;
}

bool tc_is_element_op(const tc_op *op) {
  return tc_code_of(op->name) != TC_CODE_NONE || is_index_cast(op) ||
         extended_code(op, 0) != TC_CODE_NONE;
}

const tc_type *tc_widened(const tc_lowering *l, const tc_type *type) {
  return l->widen && type->kind == TC_FLOAT && type->width == 16 ? &tc_f32 : type;
}

/* Between index and an integer. */
static const tc_inst *write_index_cast(tc_lowering *l, tc_writer *w, const tc_op *op,
                                       const tc_inst *arg) {
  const tc_type *to = tc_element(op->results[0].type);
  unsigned from = tc_width(arg->type), width = tc_width(to);
  bool is_unsigned = tc_op_is(op, "arith.index_castui");
  tc_code code = from > width ? TC_CODE_TRUNCI : is_unsigned ? TC_CODE_ZEXT : TC_CODE_SEXT;
  return from == width ? arg : tc_write_unary(l, w, code, to, arg);
}

/* What tc_inst.integer is, as codes.h says. */
static int64_t detail_of(const tc_op *op, tc_code code) {
  switch (code) {
  case TC_CODE_CMPI:
  case TC_CODE_CMPF:
    return tc_integer_of(op, "predicate", 0);
  case TC_CODE_PID:
  case TC_CODE_NPID:
    return tc_integer_of(op, "axis", 0);
  case TC_CODE_FPCAST:
    return tc_integer_of(op, "rounding", 1) != 0;
  case TC_CODE_CLAMP:
    return tc_integer_of(op, "propagateNan", 0) != 0;
  default:
    return 0;
  }
}

const tc_inst *tc_element_op(tc_lowering *l, tc_writer *w, const tc_op *op, size_t result,
                             const tc_inst *const *args) {
  tc_code code = tc_code_of(op->name);
  if (is_index_cast(op))
    return write_index_cast(l, w, op, args[0]);
  if (code == TC_CODE_NONE)
    code = extended_code(op, result);
  const tc_type *type =
      op->result_count > result ? tc_widened(l, tc_element(op->results[result].type)) : NULL;
  if (code == TC_CODE_FPCAST && tc_same_type(type, args[0]->type))
    return args[0];
  int64_t detail = detail_of(op, code);
  const tc_inst *simpler = tc_simpler(l, w, code, detail, type, args);
  if (simpler != NULL)
    return simpler;
  tc_inst *inst = tc_write(l, w, TC_INST_OP, type);
  inst->code = code;
  inst->integer = detail;
  inst->arg_count = code == TC_CODE_ASSUME ? 1 : op->operand_count;
  inst->args = tc_take(l, inst->arg_count, sizeof *inst->args);
  for (size_t i = 0; i < inst->arg_count; i++)
    inst->args[i] = args[i];
  if ((code == TC_CODE_ADD || code == TC_CODE_SUB || code == TC_CODE_MUL) &&
      tc_never_wraps(l, &op->results[result]))
    inst->flags = TC_NO_WRAP;
  if (code == TC_CODE_EXTERN) {
    const tc_attr *symbol = tc_attr_of(op, "symbol");
    inst->text = tc_copy(l->arena, symbol->text, symbol->len);
    if (inst->text == NULL)
      (void)tc_take(l, SIZE_MAX, 1);
  }
  return inst;
}

/* The bits of a constant's only element. */
static uint64_t constant_bits(const tc_lowering *l, const tc_op *op) {
  const tc_attr *value = tc_attr_of(op, "value");
  const tc_type *type = tc_element(op->results[0].type);
  uint64_t bits = 0; /* of ub.poison */
  if (value != NULL && value->kind == TC_ATTR_DENSE)
    bits = value->elements[0];
  else if (value != NULL)
    bits = value->kind == TC_ATTR_FLOAT ? value->bits : (uint64_t)value->integer;
  if (tc_widened(l, type) != type)
    return tc_float_encode(tc_f32.format, tc_float_decode(type->format, bits));
  return bits;
}

bool tc_is_constant(const tc_op *op) {
  return tc_op_is(op, "arith.constant") || tc_op_is(op, "ub.poison");
}

static tc_var *var_of(tc_lowering *l, const tc_value *value) {
  tc_info *info = tc_info_of(l, value);
  if (info->var != NULL)
    return info->var;
  if (info->inst == NULL)
    tc_reject(l, l->op, "", "its operand of type '%.100s' is nothing that runs on a CPU",
              value->type->text);
  info->var = tc_new_var(l, info->inst->type);
  tc_writer there = {.body = info->block};
  tc_write_set(l, &there, info->var, info->inst);
  return info->var;
}

const tc_inst *tc_scalar(tc_lowering *l, tc_writer *w, const tc_value *value) {
  tc_info *info = tc_info_of(l, value);
  if (tc_is_constant(value->op))
    return tc_write_const(l, w, tc_widened(l, value->type), constant_bits(l, value->op));
  if (info->inst != NULL && info->block == w->body)
    return info->inst;
  return tc_write_get(l, w, var_of(l, value));
}

const tc_inst *tc_operand(tc_lowering *l, const tc_value *value) {
  tc_inst *inst = tc_take(l, 1, sizeof *inst);
  bool constant = tc_is_constant(value->op);
  inst->kind = constant ? TC_INST_CONST : TC_INST_GET;
  inst->type = value->type;
  inst->id = l->inst_count++;
  if (constant)
    inst->integer = (int64_t)constant_bits(l, value->op);
  else
    inst->var = var_of(l, value);
  return inst;
}

/* One of two, by a bit of the result's place. */
static const tc_inst *choose(tc_lowering *l, tc_writer *w, const tc_op *op, unsigned bit,
                             const tc_map *rest) {
  if (bit >= TC_BIT_ZERO)
    return tc_at(l, w, op->operands[bit == TC_BIT_ONE], rest);
  tc_map map = {.count = 1, .bit = {(uint8_t)bit}};
  const tc_inst *index = tc_write_index(l, w, &tc_i32, &map, 0);
  const tc_inst *second = tc_write_compare(l, w, TC_NE, index, tc_write_const(l, w, &tc_i32, 0));
  const tc_inst *of[3] = {second, tc_at(l, w, op->operands[1], rest),
                          tc_at(l, w, op->operands[0], rest)};
  return tc_write_op(l, w, TC_CODE_SELECT, of[1]->type, of);
}

static const tc_inst *view_at(tc_lowering *l, tc_writer *w, const tc_value *value,
                              const tc_map *map) {
  const tc_op *op = value->op;
  tc_map rest = tc_view_map(op, map);
  if (tc_op_is(op, "tt.split")) {
    rest = (tc_map){.count = 1, .bit = {value->index == 0 ? TC_BIT_ZERO : TC_BIT_ONE}};
    tc_map_append(&rest, map);
  }
  return tc_at(l, w, op->operands[0], &rest);
}

void tc_bind_element_op(tc_lowering *l, tc_writer *w, const tc_op *op) {
  const tc_inst **args = tc_take_scratch(l, op->operand_count, sizeof *args);
  for (size_t i = 0; i < op->operand_count; i++)
    args[i] = tc_scalar(l, w, op->operands[i]);
  for (size_t i = 0; i < op->result_count; i++)
    tc_bind_scalar(l, &op->results[i], tc_element_op(l, w, op, i, args), w);
  if (op->result_count == 0)
    (void)tc_element_op(l, w, op, 0, args);
}

static const tc_inst *element_at(tc_lowering *l, tc_writer *w, const tc_value *value,
                                 const tc_map *map) {
  const tc_op *op = value->op;
  const tc_inst **args = tc_take_scratch(l, op->operand_count, sizeof *args);
  for (size_t i = 0; i < op->operand_count; i++)
    args[i] = tc_at(l, w, op->operands[i], map);
  return tc_element_op(l, w, op, value->index, args);
}

static const tc_inst *lazy_at(tc_lowering *l, tc_writer *w, const tc_value *value,
                              const tc_map *map) {
  const tc_op *op = value->op;
  if (tc_is_constant(op))
    return tc_write_const(l, w, tc_element(value->type), constant_bits(l, op));
  if (tc_op_is(op, "tt.make_range"))
    return tc_write_index(l, w, value->type->element, map, tc_attr_of(op, "start")->integer);
  if (tc_is_view(op))
    return view_at(l, w, value, map);
  if (tc_op_is(op, "tt.join")) {
    tc_map rest = tc_map_slice(map, 1, map->count - 1U);
    return choose(l, w, op, map->bit[0], &rest);
  }
  if (tc_op_is(op, "tt.cat")) {
    tc_map rest = tc_map_slice(map, 0, map->count - 1U);
    return choose(l, w, op, map->bit[rest.count], &rest);
  }
  if (tc_op_is(op, "tt.load"))
    return tc_load_at(l, w, op, map);
  if (tc_op_is(op, "tt.gather"))
    return tc_gather_at(l, w, op, map);
  if (tc_op_is(op, "tt.reduce"))
    return tc_reduce_at(l, w, op, value->index, map);
  return element_at(l, w, value, map);
}

static const tc_inst *moved_at(tc_lowering *l, tc_writer *w, const tc_info *info,
                               const tc_map *map) {
  const tc_inst *base = tc_at(l, w, info->base, map);
  tc_code code = base->type->kind == TC_PTR ? TC_CODE_ADDPTR : TC_CODE_ADD;
  return tc_write_binary(l, w, code, base, tc_write_get(l, w, info->var));
}

const tc_inst *tc_at(tc_lowering *l, tc_writer *w, const tc_value *value, const tc_map *map) {
  if (!tc_is_tensor(value))
    return tc_scalar(l, w, value);
  tc_inst *made = tc_table_get(&w->made, value, map);
  if (made != NULL)
    return made;
  const tc_info *info = tc_info_of(l, value);
  if (info->kind == TC_IS_BUFFER && info->flag != NULL && w->flags != NULL)
    made = (tc_inst *)tc_remainder_at(l, w, value, map);
  else if (info->kind == TC_IS_BUFFER)
    made = (tc_inst *)tc_read_buffer(l, w, info->buffer, map);
  else if (info->kind == TC_IS_MOVED)
    made = (tc_inst *)moved_at(l, w, info, map);
  else if (info->kind == TC_IS_LAZY)
    made = (tc_inst *)lazy_at(l, w, value, map);
  else
    tc_reject(l, l->op, "", "its operand of type '%.100s' is nothing that runs on a CPU",
              value->type->text);
  if (made->type->kind == TC_FLOAT)
    made = (tc_inst *)tc_write_cast(l, w, tc_element(value->type), made);
  tc_table_put(l, &w->made, value, map, made);
  return made;
}
