/* argument.h: the arguments of `ttcpu run`, as words on the command line say them:
 *
 *     TYPE=NUMBER  TYPE[COUNT][=VALUE][:out[=FILE]]
 *
 * A VALUE is a NUMBER for all elements (0 if there is none), arange (0, 1, 2 ...), random, or @FILE
 * for the bytes of a file. */
#ifndef TTCPU_ARGUMENT_H
#define TTCPU_ARGUMENT_H

#include "tool.h"

/* A type of numbers. */
typedef struct tool_type {
  const char *name; /* i1, i8 ... i64, u8 ... u64, f16, bf16, f32, f64, f8E5M2 and its like */
  char letter;      /* of tt_kernel.params */
  unsigned width;   /* bits */
  bool is_signed;   /* of integers */
  const tc_float_format *format; /* of floats; NULL for integers */
} tool_type;

typedef struct tool_argument {
  char *word; /* a copy, cut into its parts */
  tool_type type;
  bool is_array, is_printed;
  const char *value, *file; /* what fills it, NULL for zeros; where it goes, NULL for nowhere */
  size_t count, size;       /* elements; bytes of all of them */
  void *data;
} tool_argument; /* zero-initialise; tool_argument_dispose */

/* Reads argument number i, from 1, and makes its elements. */
int tool_argument_read(tool_argument *out, const char *word, size_t i);
/* Adds the elements as text, if it is to be printed, and writes them to its file. */
int tool_argument_show(const tool_argument *argument, tc_text *out);
void tool_argument_dispose(tool_argument *argument);

#endif
