/* type.c: types and numbers in C. An i1 is a byte that is 0 or 1; the 8-bit floats are bytes
 * that ttrt_float.h converts. */
#include "emit_c.h"
#include "read/number.h"

#include <math.h>
#include <string.h>

tc_c_class tc_c_class_of(const tc_type *type) {
  if (type->kind == TC_PTR)
    return TC_C_PTR;
  if (type->kind == TC_INT)
    return type->width == 1 ? TC_C_BOOL : TC_C_INT;
  if (type->kind == TC_FLOAT && type->width == 16)
    return TC_C_HALF;
  if (type->kind == TC_FLOAT && type->width == 8)
    return TC_C_BYTE;
  return type->kind == TC_FLOAT ? TC_C_FLOAT : TC_C_INT;
}

/* Whether there is a C type for it. */
static bool known(const tc_type *type) {
  unsigned w = type->width;
  if (type->kind == TC_INDEX || type->kind == TC_PTR)
    return true;
  return (type->kind == TC_INT && (w == 1 || w == 8 || w == 16 || w == 32 || w == 64)) ||
         (type->kind == TC_FLOAT && (w == 8 || w == 16 || w == 32 || w == 64));
}

const char *tc_c_suffix(tc_c *e, const tc_type *type) {
  if (!known(type)) {
    tc_c_refuse(e, "type '%s' has no counterpart in C", type->text);
    return "i64";
  }
  if (type->kind == TC_PTR)
    return "ptr";
  if (type->kind == TC_FLOAT)
    return type->format->name;
  return tc_c_format(e, "i%u", tc_width(type));
}

const char *tc_c_memory(tc_c *e, const tc_type *element) {
  if (element->kind == TC_PTR)
    return tc_c_type(e, element);
  return tc_c_format(e, "mem_%s", tc_c_suffix(e, element));
}

const char *tc_c_type(tc_c *e, const tc_type *type) {
  if (type->kind == TC_PTR) /* a pointer in memory is a number of 64 bits */
    return type->element->kind == TC_PTR
               ? "mem_i64 *"
               : tc_c_format(e, "mem_%s *", tc_c_suffix(e, type->element));
  const char *suffix = tc_c_suffix(e, type);
  unsigned width = tc_width(type);
  switch (tc_c_class_of(type)) {
  case TC_C_BOOL:
  case TC_C_BYTE:
    return "uint8_t";
  case TC_C_HALF:
    return strcmp(suffix, "f16") == 0 ? "_Float16" : "__bf16";
  case TC_C_FLOAT:
    return width == 64 ? "double" : "float";
  default:
    return tc_c_format(e, "int%u_t", width);
  }
}

const char *tc_c_constant(tc_c *e, const tc_type *type, const char *name) {
  if (type->kind == TC_PTR)
    return tc_c_format(e, "%sconst %s", tc_c_type(e, type), name);
  return tc_c_format(e, "const %s %s", tc_c_type(e, type), name);
}

const char *tc_c_variable(tc_c *e, const tc_type *type, const char *name) {
  return tc_c_format(e, type->kind == TC_PTR ? "%s%s" : "%s %s", tc_c_type(e, type), name);
}

static const char *float_number(tc_c *e, const tc_type *type, uint64_t bits) {
  double number = tc_float_decode(type->format, bits);
  bool twice = type->width == 64;
  const char *digits = "TT_NAN";
  if (isinf(number))
    digits = number < 0 ? "-TT_INFINITY" : "TT_INFINITY";
  else if (!isnan(number)) {
    digits = tc_c_format(e, twice ? "%.17g" : "%.9g", number);
    const char *point = strpbrk(digits, ".e") == NULL ? ".0" : "";
    digits = tc_c_format(e, "%s%s%s", digits, point, twice ? "" : "f");
  }
  if (tc_c_class_of(type) == TC_C_HALF)
    return tc_c_format(e, "(%s)%s", tc_c_type(e, type), digits);
  return tc_c_format(e, digits[0] == '-' ? "(%s)" : "%s", digits);
}

const char *tc_c_number(tc_c *e, const tc_type *type, uint64_t bits) {
  unsigned width = tc_width(type);
  tc_c_class class = tc_c_class_of(type);
  if (class == TC_C_BOOL)
    return (bits & 1) != 0 ? "1" : "0";
  if (class == TC_C_BYTE)
    return tc_c_format(e, "0x%02x", (unsigned)(bits & 0xff));
  if (type->kind == TC_FLOAT)
    return float_number(e, type, width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1));
  int64_t number = tc_signed(bits, width);
  if (class == TC_C_PTR)
    return tc_c_format(e, "(%s)INT64_C(%lld)", tc_c_type(e, type), (long long)number);
  if (number == INT64_MIN)
    return "INT64_MIN";
  if (number == INT32_MIN && width == 32)
    return "INT32_MIN";
  const char *text = tc_c_format(e, width == 64 ? "INT64_C(%lld)" : "%lld", (long long)number);
  return number < 0 ? tc_c_format(e, "(%s)", text) : text;
}

const char *tc_c_string(tc_c *e, const char *text) {
  tc_text out = {0};
  tc_add_char(&out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c >= ' ' && *c < 127 && *c != '"' && *c != '\\' && *c != '?')
      tc_add_char(&out, *c);
    else
      tc_add_format(&out, "\\%03o", (unsigned)(unsigned char)*c);
  tc_add_char(&out, '"');
  const char *copy = out.failed ? NULL : tc_copy(e->arena, out.data, out.len);
  tc_text_free(&out);
  if (copy == NULL)
    e->rc = TC_ENOMEM;
  return copy == NULL ? "\"\"" : copy;
}
