/* text.c: lines, types and single values of MLIR. */
#include "emit_linalg.h"
#include "read/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tc_mlir_refuse(tc_mlir *e, const char *format, ...) {
  va_list args;
  if (e->status != TC_OK || e->out->failed) /* without memory nothing is what it seems */
    return;
  e->status = TC_EREFUSED;
  if (e->err == NULL)
    return;
  *e->err = (tc_err){.code = TC_EREFUSED, .line = e->line, .column = 1};
  va_start(args, format);
  (void)vsnprintf(e->err->what, sizeof e->err->what, format, args);
  va_end(args);
}

static void add_line(tc_mlir *e, tc_text *out, unsigned depth, const char *format, va_list args) {
  char small[256];
  va_list again;
  for (unsigned i = 0; i < depth; i++)
    tc_add(out, "  ", 2);
  va_copy(again, args);
  int len = vsnprintf(small, sizeof small, format, args);
  if (len >= 0 && (size_t)len < sizeof small) {
    tc_add(out, small, (size_t)len);
  } else if (len > 0) {
    char *large = tc_alloc(e->arena, (size_t)len + 1);
    if (large != NULL && vsnprintf(large, (size_t)len + 1, format, again) == len)
      tc_add(out, large, (size_t)len);
    else
      out->failed = true;
  }
  va_end(again);
  tc_add_char(out, '\n');
}

void tc_mlir_line(tc_mlir *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_line(e, e->out, e->depth, format, args);
  va_end(args);
}

void tc_mlir_entry(tc_mlir *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_line(e, &e->entry, 2, format, args);
  va_end(args);
}

tc_ssa tc_mlir_new(tc_mlir *e) {
  return ++e->count;
}

bool tc_mlir_declare(tc_mlir *e, const char *name) {
  for (size_t i = 0; i < e->declared_count; i++)
    if (strcmp(e->declared[i], name) == 0)
      return false;
  char *copy = tc_copy(e->arena, name, strlen(name));
  if (copy == NULL ||
      !tc_reserve(e->arena, &e->declared, e->declared_count, &e->declared_cap, sizeof *e->declared))
    e->out->failed = true;
  else
    e->declared[e->declared_count++] = copy;
  return true;
}

void tc_mlir_quote(tc_text *out, const char *text, bool with_nul) {
  tc_add_char(out, '"');
  for (const char *c = text; *c != '\0'; c++) {
    if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\')
      tc_add_format(out, "\\%02X", (unsigned)(unsigned char)*c);
    else
      tc_add_char(out, *c);
  }
  tc_add_str(out, with_nul ? "\\00\"" : "\"");
}

tc_ssa tc_mlir_string(tc_mlir *e, const char *text) {
  tc_ssa made = tc_mlir_new(e);
  size_t number = e->string_count++;
  tc_add_format(&e->globals, "  llvm.mlir.global private constant @string%zu(", number);
  tc_mlir_quote(&e->globals, text, true);
  tc_add_str(&e->globals, ")\n");
  tc_mlir_line(e, "%%v%zu = llvm.mlir.addressof @string%zu : !llvm.ptr", made, number);
  return made;
}

bool tc_mlir_is_small(const tc_type *type) {
  return type->kind == TC_FLOAT && type->width <= 8;
}

static const char *integer_type(tc_mlir *e, unsigned width) {
  switch (width) {
  case 1:
    return "i1";
  case 8:
    return "i8";
  case 16:
    return "i16";
  case 32:
    return "i32";
  case 64:
    return "i64";
  default:
    tc_mlir_refuse(e, "an integer of %u bits has no form in linalg: 1, 8, 16, 32 and 64 have",
                   width);
    return "i64";
  }
}

const char *tc_mlir_type(tc_mlir *e, const tc_type *type) {
  switch (type->kind) {
  case TC_FLOAT:
    return type->width <= 8 ? "i8" : type->format->name;
  case TC_INT:
    return integer_type(e, type->width);
  case TC_INDEX:
  case TC_PTR:
    return "i64";
  default:
    tc_mlir_refuse(e, "a value of type '%s' has no form in linalg", type->text);
    return "i64";
  }
}

const char *tc_mlir_stored(tc_mlir *e, const tc_type *type) {
  return type->kind == TC_INT && type->width == 1 ? "i8" : tc_mlir_type(e, type);
}

tc_ssa tc_mlir_unary(tc_mlir *e, const char *op, tc_ssa a, const char *type) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = %s %%v%zu : %s", made, op, a, type);
  return made;
}

tc_ssa tc_mlir_binary(tc_mlir *e, const char *op, tc_ssa a, tc_ssa b, const char *type) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = %s %%v%zu, %%v%zu : %s", made, op, a, b, type);
  return made;
}

tc_ssa tc_mlir_select(tc_mlir *e, tc_ssa condition, tc_ssa a, tc_ssa b, const char *type) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = arith.select %%v%zu, %%v%zu, %%v%zu : %s", made, condition, a, b, type);
  return made;
}

tc_ssa tc_mlir_cast(tc_mlir *e, const char *op, tc_ssa a, const char *from, const char *to) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = %s %%v%zu : %s to %s", made, op, a, from, to);
  return made;
}

tc_ssa tc_mlir_number(tc_mlir *e, int64_t number, const char *type) {
  tc_ssa made = tc_mlir_new(e);
  if (strcmp(type, "i1") == 0)
    tc_mlir_line(e, "%%v%zu = arith.constant %s", made, (number & 1) != 0 ? "true" : "false");
  else
    tc_mlir_line(e, "%%v%zu = arith.constant %lld : %s", made, (long long)number, type);
  return made;
}

tc_ssa tc_mlir_float(tc_mlir *e, double number, const char *type) {
  tc_ssa made = tc_mlir_new(e);
  const tc_float_format *format = tc_float_format_of(type, strlen(type));
  tc_mlir_line(e, "%%v%zu = arith.constant 0x%0*llX : %s", made, (int)(format->width / 4),
               (unsigned long long)tc_float_encode(format, number), type);
  return made;
}

tc_ssa tc_mlir_constant(tc_mlir *e, uint64_t bits, const tc_type *type) {
  if (type->kind != TC_FLOAT || type->width <= 8)
    return tc_mlir_number(e, tc_signed(bits, tc_width(type)), tc_mlir_type(e, type));
  tc_ssa made = tc_mlir_new(e);
  tc_text spelled = {0};
  tc_add_float(&spelled, type->format, bits);
  if (spelled.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e, "%%v%zu = arith.constant %s : %s", made, spelled.data, type->format->name);
  tc_text_free(&spelled);
  return made;
}

tc_ssa tc_mlir_resize(tc_mlir *e, tc_ssa a, unsigned from, unsigned to, bool as_signed) {
  if (from == to)
    return a;
  const char *op = from > to ? "arith.trunci" : as_signed ? "arith.extsi" : "arith.extui";
  return tc_mlir_cast(e, op, a, integer_type(e, from), integer_type(e, to));
}

tc_ssa tc_mlir_to_stored(tc_mlir *e, tc_ssa a, const tc_type *type) {
  bool is_bit = type->kind == TC_INT && type->width == 1;
  return is_bit ? tc_mlir_cast(e, "arith.extui", a, "i1", "i8") : a;
}

tc_ssa tc_mlir_from_stored(tc_mlir *e, tc_ssa a, const tc_type *type) {
  bool is_bit = type->kind == TC_INT && type->width == 1;
  return is_bit ? tc_mlir_cast(e, "arith.trunci", a, "i8", "i1") : a;
}

tc_ssa tc_mlir_pointer(tc_mlir *e, tc_ssa address) {
  return tc_mlir_cast(e, "llvm.inttoptr", address, "i64", "!llvm.ptr");
}

tc_ssa tc_mlir_load_var(tc_mlir *e, const tc_var *var) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = memref.load %%v%zu[] : memref<%s>", made, e->vars[var->id],
               tc_mlir_type(e, var->type));
  return made;
}

void tc_mlir_store_var(tc_mlir *e, const tc_var *var, tc_ssa value) {
  tc_mlir_line(e, "memref.store %%v%zu, %%v%zu[] : memref<%s>", value, e->vars[var->id],
               tc_mlir_type(e, var->type));
}

tc_ssa tc_mlir_load_at(tc_mlir *e, const tc_buffer *buffer, tc_ssa place) {
  tc_ssa made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = memref.load %%v%zu[%%v%zu] : memref<%lldx%s>", made,
               e->buffers[buffer->id], place, 1LL << buffer->bits,
               tc_mlir_stored(e, buffer->element));
  return made;
}

void tc_mlir_store_at(tc_mlir *e, const tc_buffer *buffer, tc_ssa place, tc_ssa element) {
  tc_mlir_line(e, "memref.store %%v%zu, %%v%zu[%%v%zu] : memref<%lldx%s>", element,
               e->buffers[buffer->id], place, 1LL << buffer->bits,
               tc_mlir_stored(e, buffer->element));
}

tc_ssa tc_mlir_value(tc_mlir *e, const tc_inst *inst) {
  if (inst->kind == TC_INST_ARG && e->combine_args != NULL)
    return e->combine_args[inst->integer];
  if (inst->id < e->value_cap && e->values[inst->id] != 0)
    return e->values[inst->id];
  return tc_mlir_scalar(e, inst);
}

tc_ssa tc_mlir_scalar(tc_mlir *e, const tc_inst *inst) {
  if (inst->kind == TC_INST_CONST)
    return tc_mlir_constant(e, (uint64_t)inst->integer, inst->type);
  if (inst->kind != TC_INST_GET) {
    tc_mlir_refuse(e, "a value is used before its instruction");
    return 0;
  }
  return tc_mlir_load_var(e, inst->var);
}

void tc_mlir_set(tc_mlir *e, const tc_inst *inst, tc_ssa value) {
  if (inst->id >= e->value_cap) {
    size_t cap = inst->id * 2 + 64;
    tc_ssa *grown = tc_alloc_array(e->arena, cap, sizeof *grown);
    if (grown == NULL) {
      e->out->failed = true;
      return;
    }
    if (e->value_cap > 0)
      memcpy(grown, e->values, e->value_cap * sizeof *grown);
    e->values = grown;
    e->value_cap = cap;
  }
  e->values[inst->id] = value;
}
