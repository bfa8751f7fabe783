/* element.c: what both emitters ask of the type of an element. */
#include "tile.h"

unsigned tc_width(const tc_type *type) {
  if (type->kind == TC_FLOAT)
    return type->width < 8 ? 8 : type->width;
  return type->kind == TC_INT ? type->width : 64;
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
