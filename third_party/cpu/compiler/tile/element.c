/* element.c: what both emitters ask of the type of an element. */
#include "tile.h"

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
