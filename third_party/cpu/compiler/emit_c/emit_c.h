/* emit_c.h: what the files of the C emitter share. Text is built in an arena and added a line at a
 * time; the first fault is noted and the rest of the work is done in vain, so that no helper needs
 * to hand errors on. Names of the C text: s variable, b buffer, v value, i loop (by its lowest
 * bit), a accumulator. */
#ifndef TTCPU_EMIT_C_H
#define TTCPU_EMIT_C_H

#include "emit.h"

/* Nests that are calls of one function. */
typedef struct tc_c_shared {
  const tc_stmt *stmt; /* the function's */
  size_t count;
} tc_c_shared;

typedef struct tc_c {
  tc_text *text;
  tc_arena *arena;
  tc_err *err;
  const tc_program *program;
  const tc_function *function;
  const tc_loops *loops;           /* that run at the place that is emitted */
  const char *const *combine_args; /* what TC_INST_ARG stands for */
  const tc_inst *const *known;     /* what holds at every position of the loop */
  size_t known_count;
  tc_c_shared *shared; /* of the function */
  size_t shared_count, shared_cap;
  bool told; /* the nest is that of such a function: what indices of type i1 are is told to it */
  unsigned depth;
  size_t line;        /* of the statement that is emitted, for errors */
  bool needs_library; /* of C's math.h */
  int rc;
} tc_c;

/* Text and errors, in emit_c.c. */

/* A string of the arena; "" when memory is out. */
const char *tc_c_format(tc_c *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line at the present depth. */
void tc_c_line(tc_c *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, and what follows is one deeper; closes that again. */
void tc_c_open(tc_c *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tc_c_close(tc_c *e);
/* Notes that the program cannot be emitted; only the first reason is kept. */
void tc_c_refuse(tc_c *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The C function that stands for one of the program. */
const char *tc_c_function_name(tc_c *e, const tc_function *function);

/* Types and numbers, in type.c. */

/* What types have in common as far as C is concerned. */
typedef enum tc_c_class {
  TC_C_BOOL,
  TC_C_INT,
  TC_C_HALF,
  TC_C_FLOAT,
  TC_C_BYTE,
  TC_C_PTR
} tc_c_class;
tc_c_class tc_c_class_of(const tc_type *type);
/* "i32", "bf16", "f8E5M2", "ptr": the ending of names in ttrt.h. */
const char *tc_c_suffix(tc_c *e, const tc_type *type);
/* The type in C, with a trailing '*' for pointers. */
const char *tc_c_type(tc_c *e, const tc_type *type);
/* "const float v3", "mem_f32 *const v3". */
const char *tc_c_constant(tc_c *e, const tc_type *type, const char *name);
/* "float s3", "mem_f32 *s3". */
const char *tc_c_variable(tc_c *e, const tc_type *type, const char *name);
/* The type's name for an element that lies in memory which other types may share. */
const char *tc_c_memory(tc_c *e, const tc_type *element);
/* The number whose bits are given. */
const char *tc_c_number(tc_c *e, const tc_type *type, uint64_t bits);
/* text as a string literal. */
const char *tc_c_string(tc_c *e, const char *text);

/* Loops, in nest.c. */

/* The number that the map makes of the running loops. */
const char *tc_c_place(tc_c *e, const tc_map *map);
void tc_c_nest(tc_c *e, const tc_stmt *stmt);
/* Opens loop number k; says before it that its positions are independent. */
void tc_c_open_loop(tc_c *e, const tc_loops *loops, unsigned k, bool vectorize);
/* Whether a vectoriser can do something with the block. */
bool tc_c_vectorizable(const tc_code_block *block);
/* Whether the function is so long that clang must be spared. */
bool tc_c_is_long(const tc_c *e);

/* What one position of a nest does, or of a reduction that has one accumulator (sum.c). */
void tc_c_position(tc_c *e, const tc_stmt *stmt);

/* Opens a block with the variable plain: positions of the innermost loop, of inner bits, that all
 * masks hold for which hold from its beginning on; a multiple of block. They are taken for true up
 * to tc_c_end_plain. False: there is no such mask, and nothing was emitted. In split.c. */
bool tc_c_begin_plain(tc_c *e, const tc_nest *nest, unsigned inner, unsigned block);
void tc_c_end_plain(tc_c *e);

/* Emits the innermost loop, of so many bits, in two parts where that makes memory accesses plain,
 * in split.c. False: there is nothing to gain, and nothing was emitted. */
bool tc_c_split(tc_c *e, const tc_stmt *stmt, unsigned inner);

/* Nests that are calls, in share.c. */

/* Finds those of the function, and defines what they call. */
void tc_c_share(tc_c *e);
/* Emits the nest as a call; false: it is none, and nothing was emitted. */
bool tc_c_call_shared(tc_c *e, const tc_nest *nest);
/* An index of type i1 as its function was told. */
const char *tc_c_told(tc_c *e, const tc_inst *inst);

/* Instructions, in inst.c, their operations in code.c and cast.c. */

void tc_c_block(tc_c *e, const tc_code_block *block);
/* The value of an instruction that was emitted before. */
const char *tc_c_value(tc_c *e, const tc_inst *inst);
/* The expression of a TC_INST_OP. */
const char *tc_c_operation(tc_c *e, const tc_inst *inst);
const char *tc_c_cast(tc_c *e, const tc_inst *inst);

/* Statements, in stmt.c, fold.c, sum.c. */

void tc_c_list(tc_c *e, const tc_list *list);
void tc_c_reduce(tc_c *e, const tc_stmt *stmt);
/* A reduction along the innermost loop by an operation that clang knows how to do in any order.
 * False: it is another, and nothing was emitted. */
bool tc_c_sum(tc_c *e, const tc_stmt *stmt);
void tc_c_scan(tc_c *e, const tc_stmt *stmt);

#endif
