/* number.h: floating-point numbers of any format, as bits and as MLIR spells them. */
#ifndef TTCPU_NUMBER_H
#define TTCPU_NUMBER_H

#include "ir.h"

/* The format of that name, or NULL. */
const tc_float_format *tc_float_format_of(const char *name, size_t len);
/* The bits of the nearest number, ties to even. What is too large becomes an infinity, or a NaN, or
 * the largest number, as the format has them. */
uint64_t tc_float_encode(const tc_float_format *format, double number);
/* The number; NaNs lose their payload. */
double tc_float_decode(const tc_float_format *format, uint64_t bits);
/* Adds the shortest of MLIR's three spellings that keeps every bit. */
void tc_add_float(tc_text *text, const tc_float_format *format, uint64_t bits);

#endif
