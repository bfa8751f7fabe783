/* atomic.c: atomic operations, and the calls of what prints. Floats that no instruction
 * takes go as integers of their bits. */
#include "emit_linalg.h"

#include <stdio.h>

static const char *bits_type(const tc_type *type) {
  switch (tc_width(type)) {
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
  tc_ssa value = tc_mlir_to_stored(e, tc_mlir_value(e, inst->args[1]), type), made = tc_mlir_new(e);
  if (tc_mlir_is_small(type) && inst->code != TC_CODE_RMW_XCHG)
    tc_mlir_refuse(e, "an atomic operation on '%s' has no form in linalg", type->text);
  if (type->kind == TC_FLOAT && (inst->code == TC_CODE_RMW_MAX || inst->code == TC_CODE_RMW_MIN))
    name = inst->code == TC_CODE_RMW_MAX ? "fmax" : "fmin";
  else if (type->kind == TC_FLOAT && inst->code == TC_CODE_RMW_ADD)
    name = "fadd";
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
  unsigned width = tc_width(type);
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e,
               "%%v%zu = llvm.load %%v%zu atomic acquire {alignment = %u : i64} : !llvm.ptr -> %s",
               made, at, width < 8 ? 1 : width / 8, bits_type(type));
  return made;
}

static void store(tc_mlir *e, const tc_inst *inst, tc_ssa at) {
  const tc_type *type = inst->args[1]->type;
  unsigned width = tc_width(type);
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
  tc_ssa at = tc_mlir_pointer(e, tc_mlir_value(e, inst->args[0]));
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

/* A value that is printed, as C takes it: the function, the value's type and, for integers printed
 * without a sign, whether in hexadecimal. */
typedef struct tc_printed {
  const char *function, *type;
  tc_ssa value;
  bool has_hex;
} tc_printed;

static tc_printed printed_of(tc_mlir *e, const tc_inst *inst) {
  const tc_type *type = inst->args[0]->type;
  unsigned width = tc_width(type);
  tc_ssa value = tc_mlir_value(e, inst->args[0]);
  if (type->kind == TC_FLOAT) {
    value = tc_mlir_widen(e, value, type);
    if (type->width < 64)
      value = tc_mlir_cast(e, "arith.extf", value, "f32", "f64");
    return (tc_printed){"tt_print_float", "f64", value, false};
  }
  if (type->kind == TC_PTR) {
    value = tc_mlir_pointer(e, value);
    return (tc_printed){"tt_print_pointer", "!llvm.ptr", value, false};
  }
  bool has_sign = (inst->flags & TC_SIGNED) != 0 && width > 1;
  bool is_signed = (inst->flags & TC_HEX) == 0 && (has_sign || width == 1);
  value = tc_mlir_resize(e, value, width, 64, is_signed && has_sign);
  return (tc_printed){is_signed ? "tt_print_signed" : "tt_print_unsigned", "i64", value,
                      !is_signed};
}

/* The indices in an array of their own; its address. */
static tc_ssa print_indices(tc_mlir *e, const tc_inst *inst, size_t rank) {
  tc_ssa array = tc_mlir_new(e), whole = tc_mlir_new(e);
  tc_mlir_entry(e, "%%v%zu = memref.alloca() : memref<%dxi64>", array, TC_MAX_RANK);
  for (size_t i = 0; i < rank; i++) {
    const tc_inst *index = inst->args[i + 1];
    tc_ssa value = tc_mlir_resize(e, tc_mlir_value(e, index), tc_width(index->type), 64, true);
    tc_ssa at = tc_mlir_number(e, (int64_t)i, "index");
    tc_mlir_line(e, "memref.store %%v%zu, %%v%zu[%%v%zu] : memref<%dxi64>", value, array, at,
                 TC_MAX_RANK);
  }
  tc_mlir_line(e,
               "%%v%zu = memref.extract_aligned_pointer_as_index %%v%zu : memref<%dxi64> -> index",
               whole, array, TC_MAX_RANK);
  tc_ssa address = tc_mlir_cast(e, "arith.index_cast", whole, "index", "i64");
  return tc_mlir_pointer(e, address);
}

/* A call of one of ttrt_print.h: environment, prefix, number of the operand, how many indices and
 * where, the value. */
static void print_value(tc_mlir *e, const tc_inst *inst, tc_ssa prefix) {
  size_t rank = inst->arg_count - 1;
  tc_printed printed = printed_of(e, inst);
  const char *function = printed.function, *hex_type = printed.has_hex ? ", i32" : "";
  char hex[32] = "";
  tc_ssa operand = tc_mlir_number(e, inst->integer, "i32");
  tc_ssa count = tc_mlir_number(e, (int64_t)rank, "i32"), at = print_indices(e, inst, rank);
  if (printed.has_hex)
    (void)snprintf(hex, sizeof hex, ", %%v%zu",
                   tc_mlir_number(e, (inst->flags & TC_HEX) != 0 ? 1 : 0, "i32"));
  if (tc_mlir_declare(e, function))
    tc_add_format(&e->globals,
                  "  func.func private @ttx_%s(!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, %s%s)\n",
                  function, printed.type, hex_type);
  tc_mlir_line(e,
               "func.call @ttx_%s(%%v%zu, %%v%zu, %%v%zu, %%v%zu, %%v%zu, %%v%zu%s) : "
               "(!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, %s%s) -> ()",
               function, e->ids + 7, prefix, operand, count, at, printed.value, hex, printed.type,
               hex_type);
}

void tc_mlir_print_inst(tc_mlir *e, const tc_inst *inst) {
  tc_ssa prefix = tc_mlir_string(e, inst->text != NULL ? inst->text : "");
  if (inst->arg_count > 0) {
    print_value(e, inst, prefix);
    return;
  }
  if (tc_mlir_declare(e, "tt_print_text"))
    tc_add_str(&e->globals, "  func.func private @ttx_tt_print_text(!llvm.ptr, !llvm.ptr)\n");
  tc_mlir_line(e, "func.call @ttx_tt_print_text(%%v%zu, %%v%zu) : (!llvm.ptr, !llvm.ptr) -> ()",
               e->ids + 7, prefix);
}
