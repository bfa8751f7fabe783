/* ir.h: a module as it was read: types, attributes, values, operations, blocks and regions.
 *
 * Everything lives in the module's arena. Types are interned: equal types are one pointer. What the
 * reader gives has passed check.c: each operation is one of op_table.c, with the counts, the
 * attributes and the kinds of types that its row states, and each use of a value follows its
 * definition. */
#ifndef TTCPU_IR_H
#define TTCPU_IR_H

#include "base.h"

#define TC_MAX_RANK 16

/* A binary format of floating-point numbers. */
typedef struct tc_float_format {
  const char *name;  /* as MLIR spells the type */
  unsigned width;    /* bits */
  unsigned exponent; /* bits of the exponent */
  unsigned mantissa; /* bits of the stored fraction */
  int bias;
  enum { TC_IEEE, TC_FN, TC_FNUZ, TC_FINITE, TC_POWER } specials;
  /* IEEE: infinities and NaNs. FN: no infinity, all ones is NaN. FNUZ: no infinity, NaN is the
   * negative zero. FINITE: neither. POWER: an exponent alone, all ones is NaN. */
} tc_float_format;

typedef enum tc_type_kind {
  TC_INT,      /* i1, i32, ui8 ... */
  TC_INDEX,    /* index */
  TC_FLOAT,    /* f32, bf16, f8E5M2 ... */
  TC_PTR,      /* !tt.ptr<element, space> */
  TC_TENSOR,   /* tensor<4x8xelement, encoding> */
  TC_DESC,     /* !tt.tensordesc<4x8xelement> */
  TC_FUNCTION, /* (inputs) -> results */
  TC_OTHER     /* a type that only its text is known of */
} tc_type_kind;

typedef struct tc_type {
  tc_type_kind kind;
  const char *text;                 /* as MLIR prints it */
  unsigned width;                   /* INT and FLOAT: bits; PTR: the address space */
  char sign;                        /* INT: 's' or 'u' for si and ui, 0 for signless */
  const tc_float_format *format;    /* FLOAT */
  const struct tc_type *element;    /* PTR, TENSOR, DESC */
  const char *encoding;             /* TENSOR, DESC: the text behind the comma; NULL for none */
  bool of_tensor;                   /* DESC: spelled with the tensor type inside, as before 3.7 */
  size_t rank;                      /* TENSOR, DESC */
  const int64_t *shape;             /* TENSOR, DESC: rank sizes, each at least 0 */
  int64_t count;                    /* TENSOR, DESC: elements */
  size_t input_count, result_count; /* FUNCTION */
  const struct tc_type *const *inputs, *const *results; /* FUNCTION */
} tc_type;

typedef enum tc_attr_kind {
  TC_ATTR_INT,    /* type, integer; text when it has more than 64 bits */
  TC_ATTR_BOOL,   /* integer 0 or 1 */
  TC_ATTR_FLOAT,  /* type, bits */
  TC_ATTR_STRING, /* text, len: without escapes */
  TC_ATTR_SYMBOL, /* text, len: without '@'; items: the nested ones */
  TC_ATTR_TYPE,   /* type */
  TC_ATTR_ARRAY,  /* items */
  TC_ATTR_DICT,   /* items, names */
  TC_ATTR_UNIT,
  TC_ATTR_DENSE,       /* type; elements, splat */
  TC_ATTR_DENSE_ARRAY, /* type of an element, elements */
  TC_ATTR_OTHER        /* text, as it was */
} tc_attr_kind;

typedef struct tc_attr {
  tc_attr_kind kind;
  const tc_type *type;
  int64_t integer;
  uint64_t bits;
  const char *text;
  size_t len;
  size_t count; /* of items or elements */
  const struct tc_attr *const *items;
  const char *const *names;
  const uint64_t *elements; /* the bits of each element */
  size_t weight;            /* attributes within it and itself */
  bool splat;               /* DENSE: one element stands for all */
  bool packed;              /* DENSE of i1: its blob had eight elements a byte */
} tc_attr;

typedef struct tc_value tc_value;
typedef struct tc_op tc_op;
typedef struct tc_block tc_block;
typedef struct tc_region tc_region;

/* A place where a value is an operand. */
typedef struct tc_use {
  tc_op *op;
  size_t index; /* of the operand */
  struct tc_use *next;
} tc_use;

struct tc_value {
  const tc_type *type;
  const char *name;        /* as it was, without '%' and "#1" */
  tc_op *op;               /* what defines it; NULL for a block's argument */
  tc_block *block;         /* whose argument it is, or that holds op */
  size_t index;            /* among op's results or block's arguments */
  const tc_attr *location; /* of an argument; NULL for none */
  tc_use *uses;
};

/* Where control goes, with the values that become the block's arguments. */
typedef struct tc_successor {
  tc_block *block;
  size_t count;
  tc_value **values;
} tc_successor;

struct tc_op {
  const struct tc_op_row *row; /* of op_table.c */
  const char *name;
  size_t line, column;
  size_t operand_count, result_count, region_count, successor_count;
  tc_value **operands;
  tc_value *results;
  tc_region *regions;
  tc_successor *successors;
  const tc_attr *properties; /* <{...}>; NULL for none */
  const tc_attr *attributes; /* {...}; NULL for none */
  const tc_attr *location;   /* NULL for none */
  tc_block *block;           /* that holds it; NULL for the module */
  tc_op *next;
};

struct tc_block {
  const char *label; /* without '^'; NULL when it has none in the text */
  size_t line, column;
  size_t index; /* in the region */
  size_t arg_count;
  tc_value *args;
  tc_op *first, *last;
  tc_region *region;
  tc_block *next;
};

struct tc_region {
  size_t block_count;
  tc_block *first, *last;
  tc_op *op; /* whose region it is */
};

/* `#loc3 = loc(...)` */
typedef struct tc_location_alias {
  const char *name; /* with '#' */
  const tc_attr *value;
  bool behind; /* stands behind the module */
} tc_location_alias;

typedef struct tc_module {
  tc_arena *arena;
  struct tc_types *types;
  tc_op *op; /* the builtin.module */
  size_t alias_count;
  const tc_location_alias *aliases;
} tc_module;

/* Reads a module from len bytes of MLIR's generic form and checks it. The text is not needed
 * afterwards. 0 or a negative code; on failure *out is untouched. */
int tc_read(tc_module **out, const char *text, size_t len, tc_err *err);
void tc_module_free(tc_module *module); /* NULL is allowed */

/* Adds the module to text in the form that tc_read reads. Aliases of types and attributes,
 * locations aside, are replaced by what they stand for. */
void tc_print(tc_text *text, const tc_module *module);
void tc_print_attr(tc_text *text, const tc_attr *attr);

/* Whether it has that name; false for NULL. */
bool tc_op_is(const tc_op *op, const char *name);
bool tc_op_is_one_of(const tc_op *op, const char *const *names); /* a NULL ends them */
/* The property or attribute of that name, or NULL. */
const tc_attr *tc_attr_of(const tc_op *op, const char *name);
/* The integer or truth of the attribute of that name, or what it is without one. */
int64_t tc_integer_of(const tc_op *op, const char *name, int64_t otherwise);
/* The first operand of that group of operandSegmentSizes; NULL for an empty group. */
const tc_value *tc_group_of(const tc_op *op, size_t group);
bool tc_is_public(const tc_op *function);
/* The operation that holds op, or NULL. */
tc_op *tc_parent(const tc_op *op);

#endif
