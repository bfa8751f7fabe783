/* lowering.h: what the parts of the lowering share; no header for others.
 *
 * A value of the module is one of tc_info_kind. A tensor is lazy as long as it can be: an
 * expression that is instantiated where it is used, for the elements that are used there (tc_at). A
 * root is an operation that uses elements: a store, a reduction, a loop that carries them.
 *
 * An error leaves by a long jump to tc_lower(): nothing is owned but the two arenas. */
#ifndef TTCPU_LOWERING_H
#define TTCPU_LOWERING_H

#include "lower.h"

#include <setjmp.h>

typedef enum tc_info_kind {
  TC_IS_UNKNOWN,
  TC_IS_SCALAR, /* inst of block; var once it was wanted elsewhere, or if it is one from the start
                 */
  TC_IS_LAZY,   /* of value's operation */
  TC_IS_BUFFER, /* row-major; cast to the value's element where the buffer's is another */
  TC_IS_MOVED   /* pointers: those of base, each moved on by the elements in var */
} tc_info_kind;

/* What is known of a value. */
typedef struct tc_info {
  tc_info_kind kind;
  const tc_inst *inst;
  tc_code_block *block;
  tc_var *var;
  tc_buffer *buffer;
  const tc_value *base;
  tc_var *flag;    /* BUFFER of a remainder: holds if its elements are those before less var */
  bool owned;      /* BUFFER: this value alone stands for it, and only its block may write it */
  bool cheap;      /* LAZY: may be computed again wherever it is used */
  unsigned cost;   /* LAZY: instructions of an element, reads of buffers aside; saturates */
  unsigned depth;  /* LAZY: of the expression */
  unsigned spread; /* LAZY: in how many orders its leaves are read, at most */
  bool loads;      /* LAZY: from memory */
  unsigned char wraps, rooted;
  const tc_op *root; /* the only root that it reaches, NULL for none */
} tc_info;

/* Pairs of a pointer and a map to what was made of them. */
typedef struct tc_entry {
  const void *key;
  tc_map map;
  void *value;
  struct tc_entry *next;
} tc_entry;
typedef struct tc_table {
  size_t count, bucket_count;
  tc_entry **buckets;
} tc_table;

/* What a nest relies on (remainder.c). */
typedef struct tc_flags {
  size_t count;
  tc_var *vars[8];
} tc_flags;

/* Instructions being written: a nest's, a combine region's. */
typedef struct tc_writer {
  tc_code_block *body;
  tc_flags *flags; /* NULL: nothing may be relied on */
  tc_table made;   /* values and what else is the same wherever it stands */
} tc_writer;

typedef struct tc_lowering {
  tc_program *program;
  tc_arena *arena;   /* the program's */
  tc_arena *scratch; /* freed when the lowering is done */
  const tc_module *module;
  tc_err *err;
  bool strict;
  jmp_buf failed;
  const tc_op *op; /* that is being lowered */
  tc_function *function;
  tc_list *list;       /* where statements go */
  tc_writer *straight; /* the nest of 0 bits at the list's end; NULL if there is none */
  tc_table values;     /* tc_value -> tc_info */
  size_t first_label;  /* of the blocks of the region that is being lowered */
  bool widen;          /* floats of 16 bits are f32 (scans) */
  size_t inst_count, var_cap, buffer_cap, function_cap;
  const tc_op *inlined;  /* the call whose callee is being lowered in its place; NULL for none */
  unsigned inline_count; /* calls that were lowered so */
  tc_var **returned;     /* what a return within a region that combines sets; NULL in a function */
  size_t return_label;   /* where it goes then, if the region has several blocks */
} tc_lowering;

/* Types that need not occur in the module. */
extern const tc_type tc_i1, tc_i8, tc_i32, tc_i64, tc_f32, tc_f64, tc_bf16, tc_f16;
const tc_type *tc_element(const tc_type *type); /* of a tensor; any other type itself */
bool tc_is_tensor(const tc_value *value);

/* build.c: pieces of a program. None returns NULL. */
_Noreturn void tc_reject(tc_lowering *l, const tc_op *op, const char *mend, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void *tc_take(tc_lowering *l, size_t count, size_t size);         /* of the program's arena */
void *tc_take_scratch(tc_lowering *l, size_t count, size_t size); /* of the other */
void *tc_table_get(const tc_table *table, const void *key, const tc_map *map);
void tc_table_put(tc_lowering *l, tc_table *table, const void *key, const tc_map *map, void *value);
tc_var *tc_new_var(tc_lowering *l, const tc_type *type);
tc_buffer *tc_new_buffer(tc_lowering *l, const tc_type *element, unsigned bits);
tc_stmt *tc_add_stmt(tc_lowering *l, tc_stmt_kind kind); /* at the list's end */
/* A nest of that many bits at the list's end, and who writes it. tc_end_nest gives it its loops. */
tc_stmt *tc_begin_nest(tc_lowering *l, tc_writer *w, tc_stmt_kind kind, unsigned bits);
void tc_end_nest(tc_stmt *nest, uint32_t cuts);
/* The same for a reduction or scan, whose axis is loops of its own. */
void tc_end_fold(tc_stmt *s);
tc_writer *tc_straight(tc_lowering *l);
/* Statements go to the list from now on; returns the list before. */
tc_list *tc_enter(tc_lowering *l, tc_list *list);
tc_inst *tc_write(tc_lowering *l, tc_writer *w, tc_inst_kind kind, const tc_type *type);
const tc_inst *tc_write_const(tc_lowering *l, tc_writer *w, const tc_type *type, uint64_t bits);
const tc_inst *tc_write_get(tc_lowering *l, tc_writer *w, tc_var *var);
void tc_write_set(tc_lowering *l, tc_writer *w, tc_var *var, const tc_inst *value);
const tc_inst *tc_write_index(tc_lowering *l, tc_writer *w, const tc_type *type, const tc_map *map,
                              int64_t base);
/* code of up to three arguments; those behind the first NULL do not count. */
const tc_inst *tc_write_op(tc_lowering *l, tc_writer *w, tc_code code, const tc_type *type,
                           const tc_inst *const args[3]);
const tc_inst *tc_write_unary(tc_lowering *l, tc_writer *w, tc_code code, const tc_type *type,
                              const tc_inst *arg);
const tc_inst *tc_write_binary(tc_lowering *l, tc_writer *w, tc_code code, const tc_inst *a,
                               const tc_inst *b);
/* MLIR's numbers of comparisons of integers. */
typedef enum tc_predicate { TC_EQ, TC_NE, TC_SLT, TC_SLE, TC_SGT, TC_SGE } tc_predicate;
const tc_inst *tc_write_compare(tc_lowering *l, tc_writer *w, tc_predicate predicate,
                                const tc_inst *a, const tc_inst *b);
/* An instruction without a value: args as of tc_write_op. */
tc_inst *tc_write_effect(tc_lowering *l, tc_writer *w, tc_inst_kind kind,
                         const tc_inst *const args[3]);
const tc_inst *tc_read_buffer(tc_lowering *l, tc_writer *w, const tc_buffer *buffer,
                              const tc_map *map);
void tc_write_buffer(tc_lowering *l, tc_writer *w, tc_buffer *buffer, const tc_map *map,
                     const tc_inst *value);
void tc_copy_buffer(tc_lowering *l, tc_buffer *to, tc_buffer *from);
/* A float of another format; itself where it has that one. */
const tc_inst *tc_write_cast(tc_lowering *l, tc_writer *w, const tc_type *type,
                             const tc_inst *value);

/* bits.c: shapes as strings of bits. */
unsigned tc_log2(int64_t size);
/* Of a type's elements; refused where a dimension is no power of two. 0 for scalars. */
unsigned tc_bits(tc_lowering *l, const tc_type *type);
size_t tc_axis_of(const tc_op *op); /* of one that has an attribute "axis" */
/* Where the bits of a dimension begin, and how many there are. */
unsigned tc_axis_low(const tc_type *type, size_t axis);
unsigned tc_axis_bits(const tc_type *type, size_t axis);
/* What a view's operand is at, when the view is at map. op is tt.broadcast, tt.trans ... */
tc_map tc_view_map(const tc_op *op, const tc_map *map);
bool tc_is_view(const tc_op *op);

/* simplify.c: the value of an operation if it is there already or an index of one bit; else NULL.
 * detail is what tc_inst.integer will be. */
const tc_inst *tc_simpler(tc_lowering *l, tc_writer *w, tc_code code, int64_t detail,
                          const tc_type *type, const tc_inst *const *args);

/* pairs.c: nests of which each position takes two elements. */
enum { TC_NO_PAIR = TC_MAX_BITS };
/* The bit of the value's place along which it combines two elements and uses the result for both;
 * TC_NO_PAIR for none. */
unsigned tc_pair_of(tc_lowering *l, const tc_value *value);
/* Where the halves of a tensor of that many bits are, when a nest runs over all bits but pair. */
tc_map tc_pair_map(unsigned bits, unsigned pair, unsigned half);
/* Removes what has a value that nothing in the body uses. */
void tc_drop_unused(tc_lowering *l, tc_code_block *body);

/* wrap.c: whether the value may be computed as if it never wrapped around: all that becomes of it
 * are addresses, comparisons and bounds of loops. */
bool tc_never_wraps(tc_lowering *l, const tc_value *value);

/* lazy.c: which tensors stay expressions. */
tc_info *tc_info_of(tc_lowering *l, const tc_value *value);
/* Keeps the results of an operation lazy, or gives them buffers, now that it is reached. */
void tc_settle(tc_lowering *l, const tc_op *op);
/* Makes it a buffer, if it is none. */
tc_buffer *tc_materialise(tc_lowering *l, const tc_value *value);
/* A buffer with its elements, for this operation to read. */
tc_buffer *tc_buffer_of(tc_lowering *l, const tc_value *value);
/* A buffer with its elements that may be written from now on: nobody else reads it. element is that
 * of the buffer, the value's or a wider float. */
tc_buffer *tc_own(tc_lowering *l, const tc_value *value, const tc_type *element);
/* Writes the tensor into the buffer; it must not be read there in another order. */
void tc_write_into(tc_lowering *l, const tc_value *value, tc_buffer *buffer);
void tc_bind_scalar(tc_lowering *l, const tc_value *value, const tc_inst *inst, tc_writer *w);
void tc_bind_var(tc_lowering *l, const tc_value *value, tc_var *var);
void tc_bind_buffer(tc_lowering *l, const tc_value *value, tc_buffer *buffer, bool owned);
bool tc_has_effect(const tc_op *op);

/* at.c: values in a nest. */
const tc_inst *tc_at(tc_lowering *l, tc_writer *w, const tc_value *value, const tc_map *map);
const tc_inst *tc_scalar(tc_lowering *l, tc_writer *w, const tc_value *value);
/* A standalone TC_INST_CONST or TC_INST_GET, for statements. */
const tc_inst *tc_operand(tc_lowering *l, const tc_value *value);
/* The instruction of an operation on elements; result is its number. */
const tc_inst *tc_element_op(tc_lowering *l, tc_writer *w, const tc_op *op, size_t result,
                             const tc_inst *const *args);
/* One on scalars: its results are what the writer writes. */
void tc_bind_element_op(tc_lowering *l, tc_writer *w, const tc_op *op);
bool tc_is_element_op(const tc_op *op);
bool tc_is_constant(const tc_op *op); /* arith.constant or ub.poison; false for NULL */
const tc_type *tc_widened(const tc_lowering *l, const tc_type *type);

/* combine.c: regions that combine elements. */
/* Writes a region's body for these arguments and gives what it returns. */
void tc_write_region(tc_lowering *l, tc_writer *w, const tc_region *region,
                     const tc_inst *const *args, const tc_inst **results);
bool tc_is_lazy_reduce(const tc_op *op);
const tc_inst *tc_reduce_at(tc_lowering *l, tc_writer *w, const tc_op *op, size_t result,
                            const tc_map *map);
void tc_lower_reduce(tc_lowering *l, const tc_op *op);
void tc_lower_scan(tc_lowering *l, const tc_op *op);
void tc_lower_map(tc_lowering *l, const tc_op *op);
void tc_lower_call(tc_lowering *l, const tc_op *op);

/* fuse.c: joins nests of the list with the reductions of what they write. */
void tc_fuse(tc_lowering *l, tc_list *list);

/* memory.c */
const tc_inst *tc_load_at(tc_lowering *l, tc_writer *w, const tc_op *op, const tc_map *map);
void tc_lower_load(tc_lowering *l, const tc_op *op);
void tc_lower_store(tc_lowering *l, const tc_op *op);
void tc_lower_atomic(tc_lowering *l, const tc_op *op);
void tc_lower_print(tc_lowering *l, const tc_op *op);
void tc_lower_assert(tc_lowering *l, const tc_op *op);
void tc_lower_gather(tc_lowering *l, const tc_op *op);
void tc_lower_histogram(tc_lowering *l, const tc_op *op);
const tc_inst *tc_gather_at(tc_lowering *l, tc_writer *w, const tc_op *op, const tc_map *map);
/* The argument that all its pointers come from, or NULL. */
const tc_value *tc_base_of(const tc_value *pointers);

/* dot.c */
void tc_lower_dot(tc_lowering *l, const tc_op *op);
void tc_lower_dot_scaled(tc_lowering *l, const tc_op *op);

/* remainder.c */
bool tc_is_remainder(const tc_op *op); /* of a row */
/* Whether the operation was the remainder of a row, which is now a buffer with a flag. */
bool tc_settle_remainder(tc_lowering *l, const tc_op *op);
const tc_inst *tc_remainder_at(tc_lowering *l, tc_writer *w, const tc_value *value,
                               const tc_map *map);
/* Writes what is done with the element at the map. */
typedef void tc_body_fn(tc_lowering *l, tc_writer *w, const tc_map *map, void *context);
/* A nest over the elements of a tensor of that many bits, or over pairs of them (tc_pair_of), with
 * the body that the function writes, once or more often; it must bind nothing. */
void tc_nest_by(tc_lowering *l, unsigned bits, unsigned pair, tc_body_fn *body, void *context);

/* flow.c */
void tc_lower_blocks(tc_lowering *l, const tc_region *region);
void tc_lower_return(tc_lowering *l, const tc_op *op);
void tc_lower_region_return(tc_lowering *l, const tc_op *op);
/* Lowers the callee in the call's place. */
void tc_lower_inlined(tc_lowering *l, const tc_op *call);
void tc_lower_for(tc_lowering *l, const tc_op *op);
void tc_lower_if(tc_lowering *l, const tc_op *op);
void tc_lower_while(tc_lowering *l, const tc_op *op);
void tc_lower_branch(tc_lowering *l, const tc_op *op);
/* Lowers a region that ends in a return into the list; the variables are what it returned. */
tc_var **tc_lower_region(tc_lowering *l, const tc_region *region, tc_list *list, size_t *count);

/* assign.c */
bool tc_is_uniform(const tc_value *value); /* all elements are the same */
/* Whether the value is what the loop's argument was, all elements moved on by the same distance. */
bool tc_is_moved(const tc_value *value, const tc_value *arg);
/* Gives the targets (arguments of a block, results of an if) the values, all at once. */
void tc_assign(tc_lowering *l, tc_value *const *values, const tc_value *targets, size_t count);

/* lower.c */
/* The function of that name, which has been lowered. */
tc_function *tc_function_of(tc_lowering *l, const tc_attr *symbol, const tc_op *op);
const tc_op *tc_find_function(const tc_module *module, const tc_attr *symbol); /* or NULL */
/* Whether tensors go in or out: such a callee is lowered in the call's place. */
bool tc_passes_tensors(const tc_op *call);
void tc_lower_op(tc_lowering *l, const tc_op *op);

#endif
