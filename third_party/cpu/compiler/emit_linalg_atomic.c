/* emit_linalg_atomic.c: atomic operations, and the calls of what prints. Floats that no instruction
 * takes go as integers of their bits. */
#include "emit_linalg.h"

#include <stdio.h>
#include <string.h>

static const char *bits_type(const tc_type *type) {
  switch (tc_mlir_width(type)) {
  case 1:
  case 8:
    return "i8";
  case 16:
    return "i16";
  case 32:
    return "i32";
  default:
    return "i64";
  }
}

static tc_ssa to_bits(tc_mlir *e, tc_ssa a, const tc_type *type) {
  bool is_float = type->kind == TC_FLOAT && type->width >= 16;
  return is_float ? tc_mlir_cast(e, "arith.bitcast", a, tc_mlir_type(e, type), bits_type(type))
                  : tc_mlir_to_stored(e, a, type);
}

static tc_ssa from_bits(tc_mlir *e, tc_ssa a, const tc_type *type) {
  bool is_float = type->kind == TC_FLOAT && type->width >= 16;
  return is_float ? tc_mlir_cast(e, "arith.bitcast", a, bits_type(type), tc_mlir_type(e, type))
                  : tc_mlir_from_stored(e, a, type);
}

static tc_ssa rmw(tc_mlir *e, const tc_inst *inst, tc_ssa at) {
  static const char *const names[] = {"_and", "_or", "_xor", "add",  "fadd",
                                      "max",  "min", "umax", "umin", "xchg"};
  const tc_type *type = inst->type;
  const char *name = names[inst->code - TC_CODE_RMW_AND], *spelled = tc_mlir_stored(e, type);
  tc_ssa value = tc_mlir_value(e, inst->args[1]), made = tc_mlir_new(e);
  if (tc_mlir_is_small(type) && inst->code != TC_CODE_RMW_XCHG)
    tc_mlir_refuse(e, "an atomic operation on '%s' has no form in linalg", type->text);
  if (type->kind == TC_FLOAT && (inst->code == TC_CODE_RMW_MAX || inst->code == TC_CODE_RMW_MIN))
    name = inst->code == TC_CODE_RMW_MAX ? "fmax" : "fmin";
  else if (type->kind == TC_FLOAT && inst->code == TC_CODE_RMW_ADD)
    name = "fadd";
  value = tc_mlir_to_stored(e, value, type);
  made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = llvm.atomicrmw %s %%v%zu, %%v%zu acq_rel : !llvm.ptr, %s", made, name,
               at, value, spelled);
  return tc_mlir_from_stored(e, made, type);
}

static tc_ssa cas(tc_mlir *e, const tc_inst *inst, tc_ssa at) {
  const char *bits = bits_type(inst->type);
  tc_ssa expected = to_bits(e, tc_mlir_value(e, inst->args[1]), inst->type);
  tc_ssa desired = to_bits(e, tc_mlir_value(e, inst->args[2]), inst->type);
  tc_ssa both = tc_mlir_new(e), made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = llvm.cmpxchg %%v%zu, %%v%zu, %%v%zu acq_rel acquire : !llvm.ptr, %s",
               both, at, expected, desired, bits);
  tc_mlir_line(e, "%%v%zu = llvm.extractvalue %%v%zu[0] : !llvm.struct<(%s, i1)>", made, both,
               bits);
  return from_bits(e, made, inst->type);
}

static tc_ssa load_bits(tc_mlir *e, tc_ssa at, const tc_type *type) {
  unsigned width = tc_mlir_width(type);
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e,
               "%%v%zu = llvm.load %%v%zu atomic acquire {alignment = %u : i64} : !llvm.ptr -> %s",
               made, at, width < 8 ? 1 : width / 8, bits_type(type));
  return made;
}

static void store(tc_mlir *e, const tc_inst *inst, tc_ssa at) {
  const tc_type *type = inst->args[1]->type;
  unsigned width = tc_mlir_width(type);
  tc_ssa value = to_bits(e, tc_mlir_value(e, inst->args[1]), type);
  tc_mlir_line(e, "llvm.store %%v%zu, %%v%zu atomic release {alignment = %u : i64} : %s, !llvm.ptr",
               value, at, width < 8 ? 1 : width / 8, bits_type(type));
}

static tc_ssa poll(tc_mlir *e, const tc_inst *inst, tc_ssa at) {
  const char *bits = bits_type(inst->type);
  tc_ssa expected = to_bits(e, tc_mlir_value(e, inst->args[1]), inst->type), made = tc_mlir_new(e);
  if (tc_mlir_declare(e, "tt_wait"))
    tc_add_str(&e->globals, "  func.func private @ttx_tt_wait(!llvm.ptr)\n");
  tc_mlir_line(e, "%%v%zu = scf.while : () -> %s {", made, bits);
  e->depth++;
  tc_ssa value = load_bits(e, at, inst->type);
  tc_ssa differs = tc_mlir_binary(e, "arith.cmpi ne,", value, expected, bits);
  tc_mlir_line(e, "scf.condition(%%v%zu) %%v%zu : %s", differs, value, bits);
  e->depth--;
  tc_mlir_line(e, "} do {");
  tc_mlir_line(e, "^bb0(%%v%zu: %s):", tc_mlir_new(e), bits);
  e->depth++;
  tc_mlir_line(e, "func.call @ttx_tt_wait(%%v%zu) : (!llvm.ptr) -> ()", e->ids + 7);
  tc_mlir_line(e, "scf.yield");
  e->depth--;
  tc_mlir_line(e, "}");
  return from_bits(e, made, inst->type);
}

static tc_ssa print_atomic(tc_mlir *e, const tc_inst *inst) {
  tc_ssa at = tc_mlir_cast(e, "llvm.inttoptr", tc_mlir_value(e, inst->args[0]), "i64", "!llvm.ptr");
  switch (inst->kind) {
  case TC_INST_RMW:
    return rmw(e, inst, at);
  case TC_INST_CAS:
    return cas(e, inst, at);
  case TC_INST_ATOMIC_LOAD:
    return from_bits(e, load_bits(e, at, inst->type), inst->type);
  case TC_INST_POLL:
    return poll(e, inst, at);
  default:
    store(e, inst, at);
    return 0;
  }
}

void tc_mlir_atomic(tc_mlir *e, const tc_inst *inst) {
  size_t masked = inst->kind == TC_INST_CAS ? 4 : inst->kind == TC_INST_ATOMIC_LOAD ? 2 : 3;
  bool has_value = inst->kind != TC_INST_ATOMIC_STORE;
  tc_ssa made = 0;
  if (inst->arg_count < masked) {
    made = print_atomic(e, inst);
  } else {
    const char *type = has_value ? tc_mlir_type(e, inst->type) : "";
    tc_ssa mask = tc_mlir_value(e, inst->args[masked - 1]);
    made = tc_mlir_new(e);
    if (has_value)
      tc_mlir_line(e, "%%v%zu = scf.if %%v%zu -> (%s) {", made, mask, type);
    else
      tc_mlir_line(e, "scf.if %%v%zu {", mask);
    e->depth++;
    tc_ssa inner = print_atomic(e, inst);
    if (has_value) {
      tc_mlir_line(e, "scf.yield %%v%zu : %s", inner, type);
      e->depth--;
      tc_mlir_line(e, "} else {");
      e->depth++;
      tc_mlir_line(e, "scf.yield %%v%zu : %s", tc_mlir_constant(e, 0, inst->type), type);
    }
    e->depth--;
    tc_mlir_line(e, "}");
  }
  if (has_value)
    tc_mlir_set(e, inst, made);
}

/* The letter of a type in the sense of ttabi.h; its bits as an i64. */
static char letter_of(const tc_type *type) {
  unsigned width = tc_mlir_width(type);
  if (type->kind == TC_PTR)
    return 'p';
  if (type->kind == TC_FLOAT)
    return width == 8                    ? 'e'
           : width == 64                 ? 'd'
           : width == 32                 ? 'f'
           : type->format->exponent == 8 ? 'B'
                                         : 'H';
  return width == 1 ? 'o' : width == 8 ? 'b' : width == 16 ? 'h' : width == 32 ? 'w' : 'q';
}

/* The operands of tt_print_value of ttmlir.h: environment, prefix, the value's letter and bits,
 * flags, the number of the operand, then how many indices there are and where. */
void tc_mlir_print_inst(tc_mlir *e, const tc_inst *inst) {
  bool has_value = inst->arg_count > 0;
  size_t rank = has_value ? inst->arg_count - 1 : 0;
  tc_ssa prefix = tc_mlir_string(e, inst->text != NULL ? inst->text : ""), bits,
         indices = tc_mlir_new(e);
  if (tc_mlir_declare(e, "tt_print_value"))
    tc_add_str(&e->globals,
               "  func.func private @ttx_tt_print_value(!llvm.ptr, !llvm.ptr, i8, i64, i32, i64, "
               "i64, !llvm.ptr)\n");
  tc_mlir_entry(e, "%%v%zu = memref.alloca() : memref<%dxi64>", indices, TC_MAX_RANK);
  for (size_t i = 0; i < rank; i++) {
    const tc_inst *index = inst->args[i + 1];
    tc_ssa value = tc_mlir_resize(e, tc_mlir_value(e, index), tc_mlir_width(index->type), 64, true);
    tc_ssa at = tc_mlir_number(e, (int64_t)i, "index");
    tc_mlir_line(e, "memref.store %%v%zu, %%v%zu[%%v%zu] : memref<%dxi64>", value, indices, at,
                 TC_MAX_RANK);
  }
  if (has_value) {
    const tc_type *type = inst->args[0]->type;
    bits = to_bits(e, tc_mlir_value(e, inst->args[0]), type);
    bits = tc_mlir_resize(e, bits, tc_mlir_width(type) == 1 ? 8 : tc_mlir_width(type), 64,
                          (inst->flags & TC_SIGNED) != 0 && tc_mlir_width(type) > 1);
  } else {
    bits = tc_mlir_number(e, 0, "i64");
  }
  tc_ssa letter = tc_mlir_number(e, has_value ? letter_of(inst->args[0]->type) : 0, "i8");
  tc_ssa flags = tc_mlir_number(e, inst->flags, "i32"),
         operand = tc_mlir_number(e, inst->integer, "i64");
  tc_ssa count = tc_mlir_number(e, (int64_t)rank, "i64"), whole = tc_mlir_new(e);
  tc_mlir_line(e,
               "%%v%zu = memref.extract_aligned_pointer_as_index %%v%zu : memref<%dxi64> -> index",
               whole, indices, TC_MAX_RANK);
  tc_ssa address = tc_mlir_cast(e, "arith.index_cast", whole, "index", "i64");
  tc_ssa at = tc_mlir_cast(e, "llvm.inttoptr", address, "i64", "!llvm.ptr");
  tc_mlir_line(e,
               "func.call @ttx_tt_print_value(%%v%zu, %%v%zu, %%v%zu, %%v%zu, %%v%zu, %%v%zu, "
               "%%v%zu, %%v%zu) : "
               "(!llvm.ptr, !llvm.ptr, i8, i64, i32, i64, i64, !llvm.ptr) -> ()",
               e->ids + 7, prefix, letter, bits, flags, operand, count, at);
}
