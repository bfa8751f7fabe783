/* tile.h: a kernel as loop nests over buffers. TTIR is lowered to it (lower.h); C and linalg are
 * printed from it (emit.h). It knows no tensors and no views any more.
 *
 * Every tensor of Triton has 2^n elements and every one of its dimensions is a power of two, so the
 * position of an element in row-major order is a string of n bits, and every view (reshape, trans,
 * broadcast, expand_dims, join, split, cat) only permutes, drops or fixes bits. A nest therefore
 * runs over 2^bits positions, and an access says for each bit of the place that it touches which
 * bit of the loop it is (tc_map). Bit 0 is the least significant: the innermost loop.
 * A scalar is a tile of 2^0 elements: straight code is a nest of 0 bits.
 *
 * Everything lives in the program's arena. */
#ifndef TTCPU_TILE_H
#define TTCPU_TILE_H

#include "codes.h"
#include "read/ir.h"

#define TC_MAX_BITS 32 /* of a nest or a buffer; Triton's own limit is 20 */

/* Where in a buffer an access goes, or what number an index is: for each bit of the place, from the
 * least significant on, the bit of the loop, or a constant bit. */
typedef struct tc_map {
  uint8_t count;
  uint8_t bit[TC_MAX_BITS];
} tc_map;
enum { TC_BIT_ZERO = 254, TC_BIT_ONE = 255 };

/* Loops of a nest, from the outermost on: the least bit of each, and how many it has. */
typedef struct tc_loops {
  unsigned count;
  uint8_t low[TC_MAX_BITS], bits[TC_MAX_BITS];
} tc_loops;

/* Bits of a place, from at on, that are consecutive bits of one loop. */
typedef struct tc_run {
  unsigned at, count, loop;
  unsigned skipped; /* bits of the loop below them */
} tc_run;

/* A scalar variable of a function: assigned by TC_INST_SET, a loop or a call. */
typedef struct tc_var {
  size_t id;           /* unique within the function, from 0 */
  const tc_type *type; /* INT, INDEX, FLOAT or PTR */
} tc_var;

/* An array of 2^bits elements; an i1 takes a byte, 0 or 1. */
typedef struct tc_buffer {
  size_t id;              /* unique within the function, from 0 */
  const tc_type *element; /* INT, INDEX, FLOAT or PTR */
  unsigned bits;
  const uint64_t *constant; /* its elements' bits, for one that is only read; else NULL */
  bool on_stack;            /* a local array; else at offset of the frame (both by tc_place) */
  size_t offset;            /* bytes from the frame's beginning, a multiple of 64 */
} tc_buffer;

/* An instruction, run once for each position of its nest, in the order of its block. */
typedef enum tc_inst_kind {
  /* With a value. */

  TC_INST_CONST, /* the number whose bits are in integer */
  TC_INST_GET,   /* var */
  /* an integer: integer + the number that map makes of the loop's bits. An i1 is a truth value and
   * no address: its map may take a part of a loop's bits */
  TC_INST_INDEX,
  TC_INST_ARG,  /* argument number integer of the combine region */
  TC_INST_OP,   /* code, of args */
  TC_INST_READ, /* buffer at map */
  /* buffer at the position args[0], an integer that is in bounds */
  TC_INST_READ_AT,
  /* memory: args pointer [, mask [, other]]; without other a masked lane is 0. A masked lane must
   * not be touched. */
  TC_INST_LOAD,
  /* atomic: args pointer, value [, mask]; code is one of TC_CODE_RMW_...; gives the old value, 0
   * for a masked lane */
  TC_INST_RMW,
  TC_INST_CAS,         /* atomic: args pointer, expected, desired; gives the old value */
  TC_INST_ATOMIC_LOAD, /* args pointer [, mask] */
  /* waits until the memory at args[0] equals args[1], where the mask args[2] holds; gives
   * the value */
  TC_INST_POLL,

  /* Without a value. */

  TC_INST_ATOMIC_STORE, /* args pointer, value [, mask] */
  TC_INST_SET,          /* var = args[0] */
  TC_INST_WRITE,        /* buffer at map = args[0] */
  TC_INST_STORE,        /* memory: args pointer, value [, mask] */
  /* buffer at the position args[0] += 1, where the mask args[1] holds, if there is one, and the
   * position is in bounds */
  TC_INST_COUNT,
  /* text is the prefix; args value, then its indices; flags TC_HEX, TC_SIGNED; integer: the number
   * of the operand, -1 where there is one only; no args: text alone */
  TC_INST_PRINT,
  TC_INST_ASSERT, /* text is the message; args[0] must hold */
  TC_INST_CALL,   /* callee with args; vars take its results */
  /* list: statements without nests of more than 0 bits; they read and set variables */
  TC_INST_SCALARS
} tc_inst_kind;

enum {
  TC_NO_WRAP = 1,  /* TC_INST_OP add, sub, mul: may be computed as if it never wrapped around */
  TC_VOLATILE = 2, /* TC_INST_LOAD */
  TC_HEX = 4,
  TC_SIGNED = 8
};

typedef struct tc_inst {
  tc_inst_kind kind;
  tc_code code;        /* TC_INST_OP, TC_INST_RMW */
  const tc_type *type; /* of the value; NULL for none. For a masked access the element's */
  unsigned flags;
  int64_t integer; /* of a TC_INST_OP what codes.h says: predicate, rounding, axis */
  size_t arg_count;
  const struct tc_inst **args; /* earlier ones of the same nest or combine region */
  tc_var *var;
  tc_buffer *buffer;
  tc_map map;
  const char *text; /* message, prefix, or the symbol of an extern */
  const struct tc_function *callee;
  size_t var_count;
  tc_var **vars;
  struct tc_list *list;
  size_t id; /* unique within the function, for the emitters' names */
} tc_inst;

/* Instructions in the order of their execution. */
typedef struct tc_code_block {
  size_t count, cap;
  tc_inst **insts;
} tc_code_block;

/* 2^bits positions, in order unless independent. */
typedef struct tc_nest {
  unsigned bits;
  /* The loops from the outermost on, as numbers of bits; their sum is bits. Chosen by tc_dims so
   * that every map but an i1's takes the bits of a loop as one run, or not at all. */
  unsigned dim_count;
  uint8_t dims[TC_MAX_BITS];
  /* No position depends on another: they may be run in any order and at once. */
  bool independent;
  tc_code_block body;
} tc_nest;

/* How two elements become one: body reads TC_INST_ARG 0..n-1 (the left element), n..2n-1 (the
 * right). */
typedef struct tc_combine {
  tc_code_block body;
  size_t count;            /* n */
  const tc_inst **results; /* n */
  tc_code simple;          /* the only operation of a combine of one element by one operation that
                              is associative and commutative; TC_CODE_NONE otherwise */
} tc_combine;

/* Where a result goes: a variable, or a buffer. */
typedef struct tc_target {
  tc_var *var;
  tc_buffer *buffer;
} tc_target;

typedef enum tc_stmt_kind {
  TC_STMT_NEST,
  /* The nest computes the elements (inputs) of all positions; the axis is axis_bits bits of the
   * loop from bit axis_low on. Target k gets for each position without the axis the combination of
   * the elements along it, in any order and grouping, as on Triton's own devices. A buffer's
   * positions are the loop's without the axis' bits. */
  TC_STMT_REDUCE,
  TC_STMT_SCAN, /* inclusive, in order along the axis; the targets are buffers of the loop's bits */
  TC_STMT_DOT,  /* acc[b][m][n] += sum over k of a[b][m][k] * b[b][k][n], see tc_dot */
  TC_STMT_COPY, /* targets[0].buffer = source, of the same size and element */
  TC_STMT_FOR,  /* for (var = low; var < high; var += step) list */
  TC_STMT_IF,   /* if (condition) list else otherwise */
  TC_STMT_LOOP, /* list, for ever */
  TC_STMT_BREAK,  /* leaves the innermost TC_STMT_LOOP unless condition holds */
  TC_STMT_LABEL,  /* label */
  TC_STMT_JUMP,   /* to label, of the same list, if condition is NULL or holds */
  TC_STMT_RETURN, /* values */
  TC_STMT_BARRIER
} tc_stmt_kind;

/* The operands lie as their bits say: a as [batch][m / 2^a_panel][k][2^a_panel], b as
 * [batch][n / 2^b_panel][k][2^b_panel], acc as [batch][m][n]. Elements of a and b: f32, f64, i8, or
 * bf16 in pairs of k (b_panel then counts pairs' columns: [k/2][2^b_panel][2]); of acc f32, f64,
 * i32. */
typedef struct tc_dot {
  unsigned batch, m, n, k; /* bits */
  unsigned a_panel, b_panel;
  tc_buffer *a, *b, *acc;
  bool unsigned_a, unsigned_b; /* of i8 */
} tc_dot;

typedef struct tc_stmt {
  tc_stmt_kind kind;
  tc_nest nest;
  unsigned axis_low, axis_bits;
  bool reverse;
  size_t input_count;
  const tc_inst **inputs;
  tc_combine combine;
  tc_target *targets; /* input_count; 1 for TC_STMT_COPY */
  tc_buffer *source;
  tc_dot dot;
  /* Scalars below are TC_INST_CONST or TC_INST_GET. */
  tc_var *var;
  const tc_inst *low, *high, *step, *condition;
  bool is_unsigned; /* TC_STMT_FOR: the comparison */
  size_t value_count;
  const tc_inst **values;
  size_t label;
  struct tc_list *list, *otherwise;
  struct tc_stmt *next;
  size_t line; /* of the operation in the text that was read */
} tc_stmt;

typedef struct tc_list {
  tc_stmt *first, *last;
} tc_list;

typedef struct tc_function {
  const char *name; /* the symbol, as in the module */
  bool is_public;
  size_t param_count, result_count, var_count, buffer_count, label_count;
  tc_var **params;
  const tc_type **results;
  tc_var **vars; /* all, parameters first */
  tc_buffer **buffers;
  tc_list *body;
  size_t stack; /* bytes of the buffers that are on the stack */
  size_t frame; /* bytes that it needs of the frame, with those of the functions it calls behind its
                   own: a multiple of 64 */
  size_t own_frame;
} tc_function;

typedef struct tc_program {
  tc_arena *arena;
  size_t function_count;
  tc_function **functions; /* each behind those that it calls */
  tc_function *entry;      /* the public one */
} tc_program;

void tc_program_free(tc_program *program); /* NULL is allowed */

/* Adds the program as text: what `ttcpu compile --to tile` prints. For people; nothing reads it. */
void tc_tile_print(tc_text *text, const tc_program *program);

/* The bits from low on, as they are; those from 0 on; those from 0 on but for count of them. */
tc_map tc_map_bits(unsigned low, unsigned count);
tc_map tc_identity(unsigned bits);
tc_map tc_map_without(unsigned bits, unsigned low, unsigned count);
tc_map tc_map_slice(const tc_map *map, unsigned low, unsigned count);
void tc_map_append(tc_map *map, const tc_map *more);
void tc_map_push(tc_map *map, unsigned bit);
/* The number that the constant bits of the map make. */
uint64_t tc_map_fixed(const tc_map *map);

tc_loops tc_loops_of(const tc_nest *nest);
/* Splits the loop that goes across the bit. */
void tc_loops_cut(tc_loops *loops, unsigned bit);
/* The loop that covers the bit; loops->count where none does. */
unsigned tc_loop_of(const tc_loops *loops, unsigned bit);
/* The loops that begin among count bits from low on, as a set. */
uint32_t tc_loops_within(const tc_loops *loops, unsigned low, unsigned count);
/* From one run of the map to the next, from {0} to the first; false behind the last. A run's loop
 * is loops->count where none has its bit. */
bool tc_next_run(const tc_loops *loops, const tc_map *map, tc_run *run);

bool tc_same_type(const tc_type *a, const tc_type *b); /* of elements */
/* Bits of a value: 64 of an index or a pointer, 8 of a smaller float. */
unsigned tc_width(const tc_type *type);
/* The number of width bits, with its sign. */
int64_t tc_signed(uint64_t bits, unsigned width);
/* The bits of the number that changes nothing in such a combination; false where there is none. */
bool tc_neutral(tc_code code, const tc_type *type, uint64_t *bits);
/* The letter of tt_kernel.params in rt/ttabi.h. */
char tc_letter(const tc_type *type);

/* Fills the loops of a nest: the fewest such that every map but that of an index of type i1 takes
 * a loop's bits as one run or not at all. cuts is a set of further bits at which a loop must begin
 * (bit 0 does anyway). */
void tc_dims(tc_nest *nest, uint32_t cuts);

/* Gives each buffer its place, reusing the room of those that are dead. */
int tc_place(tc_program *program, tc_err *err);

#endif
