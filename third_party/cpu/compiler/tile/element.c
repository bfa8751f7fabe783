/* element.c: what both emitters ask of the type of an element. */
#include "tile.h"

#include "read/number.h"

#include <math.h>
#include <string.h>

unsigned tc_width(const tc_type *type) {
  if (type->kind == TC_FLOAT)
    return type->width < 8 ? 8 : type->width;
  return type->kind == TC_INT ? type->width : 64;
}

int64_t tc_signed(uint64_t bits, unsigned width) {
  if (width >= 64)
    return (int64_t)bits;
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (int64_t)((bits & (2 * sign - 1)) ^ sign) - (int64_t)sign;
}

char tc_letter(const tc_type *type) {
  unsigned width = tc_width(type);
  if (type->kind == TC_PTR)
    return 'p';
  if (type->kind == TC_FLOAT && width == 16)
    return type->format->exponent == 8 ? 'B' : 'H';
  if (type->kind == TC_FLOAT)
    return width == 8 ? 'e' : width == 32 ? 'f' : 'd';
  return width <= 8 ? 'b' : width == 16 ? 'h' : width == 32 ? 'w' : 'q';
}

bool tc_neutral(tc_code code, const tc_type *type, uint64_t *bits) {
  unsigned width = tc_width(type);
  uint64_t sign = (uint64_t)1 << (width - 1);
  bool is_float = type->kind == TC_FLOAT && type->width >= 16;
  switch (code) {
  case TC_CODE_ADD:
  case TC_CODE_OR:
  case TC_CODE_XOR:
  case TC_CODE_MAXU:
    *bits = 0;
    return true;
  case TC_CODE_MUL:
    *bits = 1;
    return true;
  case TC_CODE_AND:
  case TC_CODE_MINU:
    *bits = UINT64_MAX;
    return true;
  case TC_CODE_MAXS:
    *bits = sign;
    return true;
  case TC_CODE_MINS:
    *bits = sign - 1;
    return true;
  case TC_CODE_FADD: /* and not 0, which would make -0 of -0 and -0 a 0 */
    *bits = sign;
    return is_float;
  case TC_CODE_FMUL:
    *bits = is_float ? tc_float_encode(type->format, 1) : 0;
    return is_float;
  case TC_CODE_MAXNUM:
  case TC_CODE_MINNUM:
    *bits = is_float ? tc_float_encode(type->format, (double)NAN) : 0;
    return is_float;
  case TC_CODE_MAXIMUM:
  case TC_CODE_MINIMUM:
    *bits = is_float ? tc_float_encode(type->format,
                                       (double)(code == TC_CODE_MAXIMUM ? -INFINITY : INFINITY))
                     : 0;
    return is_float;
  default:
    return false;
  }
}

bool tc_same_type(const tc_type *a, const tc_type *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind == TC_FLOAT)
    return strcmp(a->format->name, b->format->name) == 0;
  return a->kind == TC_INT ? a->width == b->width : a == b || a->kind == TC_INDEX;
}
