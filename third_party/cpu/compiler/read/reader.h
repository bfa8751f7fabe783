/* reader.h: what the parts of the reader share; no header of the compiler proper. */
#ifndef TTCPU_READER_H
#define TTCPU_READER_H

#include "ir.h"
#include "names.h"
#include "scan.h"

/* How deep regions, types and attributes may nest: more than any kernel's, and far less than the
 * stack has room for. */
#define TC_MAX_DEPTH 128

typedef struct tc_types tc_types;

typedef struct tc_reader {
  tc_scan scan;
  tc_arena *arena;
  tc_types *types;
  int depth;
  tc_names types_named; /* !name -> tc_type */
  tc_names attrs_named; /* #name -> tc_attr, without locations */
  tc_names locations;   /* #name -> tc_attr of what it stands for */
  tc_names wanted;      /* #name -> where it was used, of locations */
  tc_names values;      /* %name -> tc_binding */
  size_t isolated;      /* values before this mark are out of reach */
} tc_reader;

tc_types *tc_types_new(tc_arena *arena);
/* The one type equal to made, whose text is set; NULL when memory is out. */
const tc_type *tc_types_intern(tc_types *types, const tc_type *made);

/* Each returns NULL after an error. */
const tc_type *tc_read_type(tc_reader *reader);
/* `(a, b) -> c`, or `-> (c, d)` */
const tc_type *tc_read_function_type(tc_reader *reader);
const tc_attr *tc_read_attr(tc_reader *reader);
const tc_attr *tc_read_dict(tc_reader *reader);
/* `dense<...> : type`, the token is behind "dense". */
const tc_attr *tc_read_dense(tc_reader *reader);
/* `loc(...)` */
const tc_attr *tc_read_location(tc_reader *reader);

/* The bits of the number at the token for an element of that type; a sign may precede it. */
bool tc_read_number(tc_reader *reader, const tc_type *type, uint64_t *bits);
/* Reads from the opening bracket at the token to the one that closes it; the text between and with
 * them. NULL after an error. */
const char *tc_read_balanced(tc_reader *reader, size_t *len);
/* One more level; false, with an error, when there are too many. To be undone by depth--. */
bool tc_deeper(tc_reader *reader);
/* The string of a quoted token, without quotes and escapes. */
const char *tc_unquote(tc_reader *reader, const char *start, size_t len, size_t *made_len);
/* size zeroed bytes of the arena, or NULL after an error. */
void *tc_reader_alloc(tc_reader *reader, size_t size);

/* The token's name now stands for these values; refused when it does for others already. */
bool tc_define(tc_reader *reader, const tc_token *name, tc_value *values, size_t count);
/* `%a, %b#1` up to the closing character or ':'. */
bool tc_read_uses(tc_reader *reader, char end, tc_value ***out, size_t *count);
/* Adds the operand of that index to its value's uses. */
bool tc_add_use(tc_reader *reader, tc_op *op, size_t index);
/* The region's block of the label at the token, which may be still to come; NULL after an error. */
tc_block *tc_block_of(tc_reader *reader, tc_region *region, const tc_token *label);
/* `{...}` */
bool tc_read_region(tc_reader *reader, tc_region *region);
/* An operation of that block (NULL: of none), without linking it there; NULL after an error. */
tc_op *tc_read_op(tc_reader *reader, tc_block *block);

#endif
