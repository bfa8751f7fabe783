/* inst.c: instructions, a line each: what they read and write. */
#include "emit_c.h"

const char *tc_c_value(tc_c *e, const tc_inst *inst) {
  if (inst->kind == TC_INST_CONST)
    return tc_c_number(e, inst->type, (uint64_t)inst->integer);
  return tc_c_format(e, "v%zu", inst->id);
}

static const char *arg(tc_c *e, const tc_inst *inst, size_t i) {
  return i < inst->arg_count ? tc_c_value(e, inst->args[i]) : "0";
}

/* "mask ? value : otherwise", or the value alone without a mask. */
static const char *masked(tc_c *e, const tc_inst *inst, size_t mask, const char *value,
                          const char *otherwise) {
  return mask < inst->arg_count
             ? tc_c_format(e, "%s ? %s : %s", arg(e, inst, mask), value, otherwise)
             : value;
}

/* A choice between two bf16 is made between their bits: clang has no instruction for the other. */
static const char *masked_bf16(tc_c *e, const tc_inst *inst) {
  const char *other = inst->arg_count > 2 ? arg(e, inst, 2) : tc_c_number(e, inst->type, 0);
  return tc_c_format(e, "TT_BITS(__bf16, (int16_t)(%s ? *(mem_i16 *)%s : TT_BITS(int16_t, %s)))",
                     arg(e, inst, 1), arg(e, inst, 0), other);
}

static const char *load(tc_c *e, const tc_inst *inst) {
  if (inst->arg_count > 1 && (inst->flags & TC_VOLATILE) == 0 &&
      tc_c_class_of(inst->type) == TC_C_HALF && inst->type->format->exponent == 8)
    return masked_bf16(e, inst);
  const char *value = tc_c_format(e, "*%s", arg(e, inst, 0));
  if ((inst->flags & TC_VOLATILE) != 0)
    value = tc_c_format(e, "*(volatile %s *)%s", tc_c_memory(e, inst->args[0]->type->element),
                        arg(e, inst, 0));
  if (inst->type->kind == TC_PTR)
    value = tc_c_format(e, "(%s)%s", tc_c_type(e, inst->type), value);
  else if (tc_c_class_of(inst->type) == TC_C_BOOL)
    value = tc_c_format(e, "(%s != 0)", value);
  const char *other =
      inst->arg_count > 2 ? arg(e, inst, 2) : tc_c_number(e, inst->type, UINT64_C(0));
  return masked(e, inst, 1, value, other);
}

static const char *rmw(tc_c *e, const tc_inst *inst) {
  if (inst->code < TC_CODE_RMW_AND || inst->code > TC_CODE_RMW_XCHG) {
    tc_c_refuse(e, "an atomic update has no such operation");
    return "0";
  }
  const char *value = tc_c_format(e, "tt_%s_%s(%s, %s)", tc_code_name(inst->code),
                                  tc_c_suffix(e, inst->type), arg(e, inst, 0), arg(e, inst, 1));
  return masked(e, inst, 2, value, tc_c_number(e, inst->type, 0));
}

static bool is_known(const tc_c *e, const tc_inst *inst) {
  for (size_t i = 0; i < e->known_count; i++)
    if (e->known[i] == inst)
      return true;
  return false;
}

/* The expression of an instruction that has a value. */
static const char *expression(tc_c *e, const tc_inst *inst) {
  switch (inst->kind) {
  case TC_INST_GET:
    return tc_c_format(e, "s%zu", inst->var->id);
  case TC_INST_INDEX: {
    if (e->told && tc_c_class_of(inst->type) == TC_C_BOOL)
      return tc_c_told(e, inst);
    const char *place =
        tc_c_format(e, "(%s)(%s)", tc_c_type(e, inst->type), tc_c_place(e, &inst->map));
    const char *sum = tc_c_class_of(inst->type) == TC_C_BOOL ? "^" : "+";
    return inst->integer == 0 ? place
                              : tc_c_format(e, "%s %s %lld", place, sum, (long long)inst->integer);
  }
  case TC_INST_ARG:
    return e->combine_args[inst->integer];
  case TC_INST_OP:
    return is_known(e, inst) ? "1" : tc_c_operation(e, inst);
  case TC_INST_READ:
    return tc_c_format(e, "b%zu[%s]", inst->buffer->id, tc_c_place(e, &inst->map));
  case TC_INST_READ_AT:
    return tc_c_format(e, "b%zu[%s]", inst->buffer->id, arg(e, inst, 0));
  case TC_INST_LOAD:
    return load(e, inst);
  case TC_INST_RMW:
    return rmw(e, inst);
  case TC_INST_CAS:
    return tc_c_format(e, "tt_cas_%s(%s, %s, %s)", tc_c_suffix(e, inst->type), arg(e, inst, 0),
                       arg(e, inst, 1), arg(e, inst, 2));
  case TC_INST_ATOMIC_LOAD:
    return masked(
        e, inst, 1,
        tc_c_format(e, "tt_atomic_load_%s(%s)", tc_c_suffix(e, inst->type), arg(e, inst, 0)),
        tc_c_number(e, inst->type, 0));
  case TC_INST_POLL:
    return masked(e, inst, 2,
                  tc_c_format(e, "tt_poll_%s(env, %s, %s)", tc_c_suffix(e, inst->type),
                              arg(e, inst, 0), arg(e, inst, 1)),
                  tc_c_number(e, inst->type, 0));
  default:
    return NULL;
  }
}

/* A statement that only runs where argument number mask holds. */
static void guarded(tc_c *e, const tc_inst *inst, size_t mask, const char *statement) {
  if (mask < inst->arg_count)
    tc_c_line(e, "if (%s) %s", arg(e, inst, mask), statement);
  else
    tc_c_line(e, "%s", statement);
}

static void store(tc_c *e, const tc_inst *inst) {
  const char *value = arg(e, inst, 1);
  if (inst->args[1]->type->kind == TC_PTR)
    value = tc_c_format(e, "(int64_t)%s", value);
  if (inst->kind == TC_INST_ATOMIC_STORE)
    guarded(e, inst, 2,
            tc_c_format(e, "tt_atomic_store_%s(%s, %s);", tc_c_suffix(e, inst->args[1]->type),
                        arg(e, inst, 0), value));
  else
    guarded(e, inst, 2, tc_c_format(e, "*%s = %s;", arg(e, inst, 0), value));
}

static void count(tc_c *e, const tc_inst *inst) {
  const char *place = arg(e, inst, 0);
  const char *inside = tc_c_format(e, "(uint64_t)%s < %llu", place, 1ULL << inst->buffer->bits);
  if (inst->arg_count > 1)
    inside = tc_c_format(e, "%s && %s", arg(e, inst, 1), inside);
  tc_c_line(e, "if (%s) b%zu[%s] += 1;", inside, inst->buffer->id, place);
}

static void call(tc_c *e, const tc_inst *inst) {
  const char *line = tc_c_format(e, "%s(&inner", tc_c_function_name(e, inst->callee));
  for (size_t i = 0; i < inst->arg_count; i++)
    line = tc_c_format(e, "%s, %s", line, arg(e, inst, i));
  for (size_t i = 0; i < inst->var_count; i++) {
    const char *name = tc_c_format(e, "r%zu_%zu", inst->id, i);
    tc_c_line(e, "%s;", tc_c_variable(e, inst->vars[i]->type, name));
    line = tc_c_format(e, "%s, &%s", line, name);
  }
  tc_c_line(e, "%s);", line);
  for (size_t i = 0; i < inst->var_count; i++)
    tc_c_line(e, "s%zu = r%zu_%zu;", inst->vars[i]->id, inst->id, i);
}

/* tt_print_...(env, prefix, operand, number of indices, indices, value[, flags]) */
static void print(tc_c *e, const tc_inst *inst) {
  const char *prefix = tc_c_string(e, inst->text == NULL ? "" : inst->text);
  if (inst->arg_count == 0) {
    tc_c_line(e, "tt_print_text(env, %s);", prefix);
    return;
  }
  const tc_type *type = inst->args[0]->type;
  const char *value = arg(e, inst, 0), *indices = "";
  for (size_t i = 1; i < inst->arg_count; i++)
    indices = tc_c_format(e, "%s%s%s", indices, i == 1 ? "" : ", ", arg(e, inst, i));
  indices = inst->arg_count == 1
                ? "0, NULL"
                : tc_c_format(e, "%zu, (const int64_t[]){%s}", inst->arg_count - 1, indices);
  const char *head = tc_c_format(e, "env, %s, %lld, %s", prefix, (long long)inst->integer, indices);
  bool is_signed = (inst->flags & TC_SIGNED) != 0 || tc_c_class_of(type) == TC_C_BOOL;
  if (type->kind == TC_FLOAT && type->width < 32)
    tc_c_line(e, "tt_print_float(%s, tt_%s_to_f32(%s));", head, tc_c_suffix(e, type), value);
  else if (type->kind == TC_FLOAT)
    tc_c_line(e, "tt_print_float(%s, (double)%s);", head, value);
  else if (type->kind == TC_PTR)
    tc_c_line(e, "tt_print_pointer(%s, %s);", head, value);
  else if ((inst->flags & TC_HEX) != 0 || !is_signed)
    tc_c_line(e, "tt_print_unsigned(%s, (uint%u_t)%s, %d);", head,
              tc_width(type) < 8 ? 8 : tc_width(type), value, (inst->flags & TC_HEX) != 0);
  else
    tc_c_line(e, "tt_print_signed(%s, %s);", head, value);
}

static void effect(tc_c *e, const tc_inst *inst) {
  switch (inst->kind) {
  case TC_INST_ATOMIC_STORE:
  case TC_INST_STORE:
    store(e, inst);
    break;
  case TC_INST_SET:
    tc_c_line(e, "s%zu = %s;", inst->var->id, arg(e, inst, 0));
    break;
  case TC_INST_WRITE:
    tc_c_line(e, "b%zu[%s] = %s;", inst->buffer->id, tc_c_place(e, &inst->map), arg(e, inst, 0));
    break;
  case TC_INST_COUNT:
    count(e, inst);
    break;
  case TC_INST_PRINT:
    print(e, inst);
    break;
  case TC_INST_ASSERT:
    tc_c_line(e, "if (!%s) env->runtime->fail(env, %s);", arg(e, inst, 0),
              tc_c_string(e, inst->text == NULL ? "" : inst->text));
    break;
  case TC_INST_CALL:
    call(e, inst);
    break;
  case TC_INST_SCALARS:
    tc_c_list(e, inst->list);
    break;
  default:
    tc_c_refuse(e, "an instruction of kind %d has no counterpart in C", (int)inst->kind);
  }
}

void tc_c_block(tc_c *e, const tc_code_block *block) {
  for (size_t i = 0; i < block->count && e->rc == TC_OK; i++) {
    const tc_inst *inst = block->insts[i];
    if (inst->kind == TC_INST_CONST)
      continue;
    if (inst->kind == TC_INST_OP && inst->code == TC_CODE_ASSUME) {
      if (e->loops->count == 0)
        tc_c_line(e, "__builtin_assume(%s);", arg(e, inst, 0));
      continue;
    }
    const char *value = expression(e, inst);
    if (value == NULL)
      effect(e, inst);
    else
      tc_c_line(e, "%s = %s;", tc_c_constant(e, inst->type, tc_c_value(e, inst)), value);
  }
}
