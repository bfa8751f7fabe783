/* emit_linalg.h: what the files that print a program as MLIR share.
 *
 * How a program looks in MLIR: pointers are i64 addresses; an i1 is an i8 in arrays and in memory;
 * floats of 8 bits are i8 everywhere. A variable is a memref of rank 0, a buffer a flat memref.
 * Every SSA value is named by a number that is unique in its function. */
#ifndef TTCPU_EMIT_LINALG_H
#define TTCPU_EMIT_LINALG_H

#include "emit.h"

typedef size_t tc_ssa; /* printed as %v<number>; 0 is none */

/* The form in which the nest at hand is printed. */
typedef enum tc_form { TC_FORM_LOOPS, TC_FORM_GENERIC } tc_form;

typedef struct tc_mlir {
  tc_arena *arena; /* for this emission */
  tc_err *err;
  int status;            /* 0, or the first failure */
  tc_text *out;          /* the statements of the function at hand */
  tc_text entry;         /* what stands before them: arrays and variables */
  tc_text globals;       /* what stands before them: constants, tables, declarations */
  const char **declared; /* names of what globals has, to add each once */
  size_t declared_count, declared_cap;
  size_t string_count;
  unsigned depth; /* of indentation */
  size_t line;    /* of the statement at hand in the text that was read */
  /* Of the function at hand. */
  const tc_function *function;
  bool is_nested;         /* the list at hand is not the function's own */
  tc_ssa count;           /* values so far */
  tc_ssa ids;             /* the first of the six i32; behind them frame and environment */
  tc_ssa space;           /* a memref<1xi8> that gives a linalg.generic its loops */
  tc_ssa *vars, *buffers; /* by id */
  tc_ssa *values;         /* by an instruction's id; 0 for those not printed yet */
  size_t value_cap;
  size_t block_count; /* blocks without a label */
  /* Of the nest at hand. */
  tc_form form;
  const tc_nest *nest;        /* whose body is printed */
  const tc_loops *loops;      /* that run it */
  tc_ssa index[TC_MAX_BITS];  /* by loop, of type index; nests within nests have no loops */
  const tc_ssa *combine_args; /* what TC_INST_ARG is */
} tc_mlir;

/* Fails the emission, unless it has failed already: what is printed afterwards is dropped. */
void tc_mlir_refuse(tc_mlir *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line at the depth of indentation. */
void tc_mlir_line(tc_mlir *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, among what stands before the statements. */
void tc_mlir_entry(tc_mlir *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A name for a new value. */
tc_ssa tc_mlir_new(tc_mlir *e);
/* True for the first call with this name in the module. */
bool tc_mlir_declare(tc_mlir *e, const char *name);
/* Adds text as a quoted string of MLIR; with_nul: a NUL is part of it. */
void tc_mlir_quote(tc_text *out, const char *text, bool with_nul);
/* The address of a string, an !llvm.ptr. */
tc_ssa tc_mlir_string(tc_mlir *e, const char *text);

/* Types: of a value, and of an element of an array or of memory. */
const char *tc_mlir_type(tc_mlir *e, const tc_type *type);
const char *tc_mlir_stored(tc_mlir *e, const tc_type *type);
bool tc_mlir_is_small(const tc_type *type); /* a float of 8 bits */

/* Lines that make one value; op as in "arith.addi", types as text. */
tc_ssa tc_mlir_unary(tc_mlir *e, const char *op, tc_ssa a, const char *type);
tc_ssa tc_mlir_binary(tc_mlir *e, const char *op, tc_ssa a, tc_ssa b, const char *type);
tc_ssa tc_mlir_select(tc_mlir *e, tc_ssa condition, tc_ssa a, tc_ssa b, const char *type);
tc_ssa tc_mlir_cast(tc_mlir *e, const char *op, tc_ssa a, const char *from, const char *to);
tc_ssa tc_mlir_number(tc_mlir *e, int64_t number, const char *type); /* integers and index */
tc_ssa tc_mlir_float(tc_mlir *e, double number, const char *type);   /* exact in f32 */
tc_ssa tc_mlir_constant(tc_mlir *e, uint64_t bits, const tc_type *type);
/* An integer of another width; as_signed: it is extended with its sign. */
tc_ssa tc_mlir_resize(tc_mlir *e, tc_ssa a, unsigned from, unsigned to, bool as_signed);
/* Between a value and an element of an array. */
tc_ssa tc_mlir_to_stored(tc_mlir *e, tc_ssa a, const tc_type *type);
tc_ssa tc_mlir_from_stored(tc_mlir *e, tc_ssa a, const tc_type *type);

/* An address, an i64, as an !llvm.ptr. */
tc_ssa tc_mlir_pointer(tc_mlir *e, tc_ssa address);
/* The value of a variable, the element of a buffer as it is stored. */
tc_ssa tc_mlir_load_var(tc_mlir *e, const tc_var *var);
void tc_mlir_store_var(tc_mlir *e, const tc_var *var, tc_ssa value);
tc_ssa tc_mlir_load_at(tc_mlir *e, const tc_buffer *buffer, tc_ssa place);
void tc_mlir_store_at(tc_mlir *e, const tc_buffer *buffer, tc_ssa place, tc_ssa element);

/* The value of an instruction that was printed, or of a scalar of a statement. */
tc_ssa tc_mlir_value(tc_mlir *e, const tc_inst *inst);
tc_ssa tc_mlir_scalar(tc_mlir *e, const tc_inst *inst);
void tc_mlir_set(tc_mlir *e, const tc_inst *inst, tc_ssa value);

/* Prints instructions; statements; the operation of a TC_INST_OP. */
void tc_mlir_block(tc_mlir *e, const tc_code_block *block);
void tc_mlir_list(tc_mlir *e, const tc_list *list);
void tc_mlir_call(tc_mlir *e, const tc_inst *inst);
tc_ssa tc_mlir_op(tc_mlir *e, const tc_inst *inst);
void tc_mlir_atomic(tc_mlir *e, const tc_inst *inst);
void tc_mlir_print_inst(tc_mlir *e, const tc_inst *inst);
/* A float as f32 or f64, in which all arithmetic is, and back; the type's name. */
const char *tc_mlir_wide_type(const tc_type *type);
tc_ssa tc_mlir_widen(tc_mlir *e, tc_ssa a, const tc_type *type);
tc_ssa tc_mlir_narrow(tc_mlir *e, tc_ssa a, const char *wide, const tc_type *type, bool to_nearest);

/* Nests. A place is of type index, in elements. */
void tc_mlir_nest(tc_mlir *e, const tc_nest *nest);
tc_ssa tc_mlir_place(tc_mlir *e, const tc_map *map);
void tc_mlir_reduce(tc_mlir *e, const tc_stmt *stmt);
void tc_mlir_scan(tc_mlir *e, const tc_stmt *stmt);
void tc_mlir_dot(tc_mlir *e, const tc_dot *dot);

/* An operand of a linalg.generic: a view of a flat memref, with the loops that it runs over. */
typedef struct tc_view {
  const tc_type *element;
  bool is_var; /* its element is a value, not stored as one of an array */
  tc_ssa memref;
  uint32_t loops;   /* those whose index it takes, as a set */
  const char *type; /* the memref's */
} tc_view;

/* A view of a buffer's elements at map; false if no view has that shape. */
bool tc_mlir_view(tc_mlir *e, tc_view *view, const tc_buffer *buffer, const tc_map *map);
tc_view tc_mlir_view_of_var(tc_mlir *e, const tc_var *var);
/* Whether the nest may be a linalg.generic: no position and no instruction hangs on another's
 * effects. */
bool tc_mlir_is_generic(const tc_nest *nest);
/* Prints a linalg.generic up to its body, whose arguments' names go to args. */
void tc_mlir_head(tc_mlir *e, const tc_view *views, size_t in_count, size_t out_count,
                  uint32_t reduced, tc_ssa *args);
/* Prints the nest as a linalg.generic, its writes as outputs, up to the yield. more is an output
 * beyond those, with reductions over the loops of the set reduced; NULL for none. Returns the value
 * of more's element before; false in *good if a view is missing, and then nothing is printed. */
tc_ssa tc_mlir_generic(tc_mlir *e, const tc_view *more, uint32_t reduced, bool *good);
/* Its end, with what more's element becomes. */
void tc_mlir_yield(tc_mlir *e, const tc_view *more, tc_ssa value);
/* Begins and ends the loops of the nest at hand, those of the set last innermost, and these
 * downwards if reverse. */
void tc_mlir_open(tc_mlir *e, uint32_t last, bool reverse);
void tc_mlir_close(tc_mlir *e);

#endif
