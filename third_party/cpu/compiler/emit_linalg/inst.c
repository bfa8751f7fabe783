/* inst.c: instructions, but for the operations of TC_INST_OP and atomics. */
#include "emit_linalg.h"

#include <string.h>

/* An element of memory; an i1 there is any byte but 0. */
static tc_ssa load_element(tc_mlir *e, const tc_inst *inst) {
  const char *type = tc_mlir_stored(e, inst->type);
  tc_ssa at = tc_mlir_pointer(e, tc_mlir_value(e, inst->args[0])), made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = llvm.load %s%%v%zu : !llvm.ptr -> %s", made,
               (inst->flags & TC_VOLATILE) != 0 ? "volatile " : "", at, type);
  if (strcmp(type, tc_mlir_type(e, inst->type)) == 0)
    return made;
  return tc_mlir_binary(e, "arith.cmpi ne,", made, tc_mlir_number(e, 0, type), type);
}

static void print_load(tc_mlir *e, const tc_inst *inst) {
  const char *type = tc_mlir_type(e, inst->type);
  if (inst->arg_count < 2) {
    tc_mlir_set(e, inst, load_element(e, inst));
    return;
  }
  tc_ssa mask = tc_mlir_value(e, inst->args[1]), made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = scf.if %%v%zu -> (%s) {", made, mask, type);
  e->depth++;
  tc_mlir_line(e, "scf.yield %%v%zu : %s", load_element(e, inst), type);
  e->depth--;
  tc_mlir_line(e, "} else {");
  e->depth++;
  tc_ssa other =
      inst->arg_count > 2 ? tc_mlir_value(e, inst->args[2]) : tc_mlir_constant(e, 0, inst->type);
  tc_mlir_line(e, "scf.yield %%v%zu : %s", other, type);
  e->depth--;
  tc_mlir_line(e, "}");
  tc_mlir_set(e, inst, made);
}

static void print_store(tc_mlir *e, const tc_inst *inst) {
  const tc_type *type = inst->args[1]->type;
  bool masked = inst->arg_count > 2;
  if (masked) {
    tc_mlir_line(e, "scf.if %%v%zu {", tc_mlir_value(e, inst->args[2]));
    e->depth++;
  }
  tc_ssa value = tc_mlir_to_stored(e, tc_mlir_value(e, inst->args[1]), type);
  tc_mlir_line(e, "llvm.store %%v%zu, %%v%zu : %s, !llvm.ptr", value,
               tc_mlir_pointer(e, tc_mlir_value(e, inst->args[0])), tc_mlir_stored(e, type));
  if (masked) {
    e->depth--;
    tc_mlir_line(e, "}");
  }
}

static void print_read(tc_mlir *e, const tc_inst *inst) {
  tc_ssa made = e->form == TC_FORM_GENERIC
                    ? tc_mlir_value(e, inst) /* an argument of the body */
                    : tc_mlir_load_at(e, inst->buffer, tc_mlir_place(e, &inst->map));
  tc_mlir_set(e, inst, tc_mlir_from_stored(e, made, inst->buffer->element));
}

static void print_read_at(tc_mlir *e, const tc_inst *inst) {
  const char *type = tc_mlir_type(e, inst->args[0]->type);
  tc_ssa place =
      tc_mlir_cast(e, "arith.index_castui", tc_mlir_value(e, inst->args[0]), type, "index");
  tc_mlir_set(
      e, inst,
      tc_mlir_from_stored(e, tc_mlir_load_at(e, inst->buffer, place), inst->buffer->element));
}

static void print_write(tc_mlir *e, const tc_inst *inst) {
  tc_ssa value = tc_mlir_to_stored(e, tc_mlir_value(e, inst->args[0]), inst->buffer->element);
  if (e->form == TC_FORM_GENERIC)
    tc_mlir_set(e, inst, value); /* what is yielded */
  else
    tc_mlir_store_at(e, inst->buffer, tc_mlir_place(e, &inst->map), value);
}

static void print_index(tc_mlir *e, const tc_inst *inst) {
  const char *type = tc_mlir_type(e, inst->type);
  tc_ssa made = tc_mlir_cast(e, "arith.index_cast", tc_mlir_place(e, &inst->map), "index", type);
  if (inst->integer != 0)
    made = tc_mlir_binary(e, "arith.addi", made, tc_mlir_number(e, inst->integer, type), type);
  tc_mlir_set(e, inst, made);
}

static void print_set(tc_mlir *e, const tc_inst *inst) {
  tc_mlir_store_var(e, inst->var, tc_mlir_value(e, inst->args[0]));
}

static void print_count(tc_mlir *e, const tc_inst *inst) {
  const char *type = tc_mlir_stored(e, inst->buffer->element);
  tc_ssa at =
      tc_mlir_resize(e, tc_mlir_value(e, inst->args[0]), tc_width(inst->args[0]->type), 64, true);
  tc_ssa size = tc_mlir_number(e, (int64_t)1 << inst->buffer->bits, "i64");
  tc_ssa good = tc_mlir_binary(e, "arith.cmpi ult,", at, size, "i64");
  if (inst->arg_count > 1)
    good = tc_mlir_binary(e, "arith.andi", good, tc_mlir_value(e, inst->args[1]), "i1");
  tc_mlir_line(e, "scf.if %%v%zu {", good);
  e->depth++;
  tc_ssa place = tc_mlir_cast(e, "arith.index_cast", at, "i64", "index");
  tc_ssa sum = tc_mlir_binary(e, "arith.addi", tc_mlir_load_at(e, inst->buffer, place),
                              tc_mlir_number(e, 1, type), type);
  tc_mlir_store_at(e, inst->buffer, place, sum);
  e->depth--;
  tc_mlir_line(e, "}");
}

static void print_assert(tc_mlir *e, const tc_inst *inst) {
  tc_ssa holds = tc_mlir_value(e, inst->args[0]), yes = tc_mlir_number(e, 1, "i1");
  tc_ssa fails = tc_mlir_binary(e, "arith.xori", holds, yes, "i1");
  if (tc_mlir_declare(e, "tt_fail"))
    tc_add_str(&e->globals, "  func.func private @ttx_tt_fail(!llvm.ptr, !llvm.ptr)\n");
  tc_mlir_line(e, "scf.if %%v%zu {", fails);
  e->depth++;
  tc_ssa message = tc_mlir_string(e, inst->text != NULL ? inst->text : "");
  tc_mlir_line(e, "func.call @ttx_tt_fail(%%v%zu, %%v%zu) : (!llvm.ptr, !llvm.ptr) -> ()",
               e->ids + 7, message);
  e->depth--;
  tc_mlir_line(e, "}");
}

static void print_constant(tc_mlir *e, const tc_inst *inst) {
  tc_mlir_set(e, inst, tc_mlir_constant(e, (uint64_t)inst->integer, inst->type));
}

static void print_get(tc_mlir *e, const tc_inst *inst) {
  if (e->form != TC_FORM_GENERIC) /* else it stands before the operation */
    tc_mlir_set(e, inst, tc_mlir_scalar(e, inst));
}

static void print_op(tc_mlir *e, const tc_inst *inst) {
  tc_ssa made = tc_mlir_op(e, inst);
  if (made != 0)
    tc_mlir_set(e, inst, made);
}

static void print_scalars(tc_mlir *e, const tc_inst *inst) {
  tc_mlir_list(e, inst->list);
}

static void (*const printers[])(tc_mlir *e, const tc_inst *inst) = {
    [TC_INST_CONST] = print_constant,
    [TC_INST_GET] = print_get,
    [TC_INST_INDEX] = print_index,
    [TC_INST_ARG] = NULL, /* has a value already */
    [TC_INST_OP] = print_op,
    [TC_INST_READ] = print_read,
    [TC_INST_READ_AT] = print_read_at,
    [TC_INST_LOAD] = print_load,
    [TC_INST_RMW] = tc_mlir_atomic,
    [TC_INST_CAS] = tc_mlir_atomic,
    [TC_INST_ATOMIC_LOAD] = tc_mlir_atomic,
    [TC_INST_POLL] = tc_mlir_atomic,
    [TC_INST_ATOMIC_STORE] = tc_mlir_atomic,
    [TC_INST_SET] = print_set,
    [TC_INST_WRITE] = print_write,
    [TC_INST_STORE] = print_store,
    [TC_INST_COUNT] = print_count,
    [TC_INST_PRINT] = tc_mlir_print_inst,
    [TC_INST_ASSERT] = print_assert,
    [TC_INST_CALL] = tc_mlir_call,
    [TC_INST_SCALARS] = print_scalars,
};

void tc_mlir_block(tc_mlir *e, const tc_code_block *block) {
  for (size_t i = 0; i < block->count; i++)
    if (printers[block->insts[i]->kind] != NULL)
      printers[block->insts[i]->kind](e, block->insts[i]);
}
