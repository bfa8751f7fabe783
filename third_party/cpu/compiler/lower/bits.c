/* bits.c: shapes as strings of bits, and views as changes of them. */
#include "lowering.h"

#include <string.h>

#define MOST_BITS 30 /* of a tensor: far more than Triton's own 2^20 elements */

unsigned tc_log2(int64_t size) {
  unsigned bits = 0;
  while (bits < 62 && (int64_t)1 << bits < size)
    bits++;
  return bits;
}

unsigned tc_bits(tc_lowering *l, const tc_type *type) {
  unsigned bits = 0;
  if (type->kind != TC_TENSOR)
    return 0;
  for (size_t i = 0; i < type->rank; i++) {
    int64_t size = type->shape[i];
    if (size < 1 || (size & (size - 1)) != 0)
      tc_reject(l, l->op, "give tensors dimensions that are powers of two, as Triton itself wants",
                "a dimension of '%.100s' is no power of two", type->text);
    bits += tc_log2(size);
    if (bits > MOST_BITS)
      tc_reject(l, l->op, "use smaller tiles: Triton allows 1048576 elements",
                "'%.100s' has too many elements", type->text);
  }
  return bits;
}

size_t tc_axis_of(const tc_op *op) {
  return (size_t)tc_attr_of(op, "axis")->integer;
}

unsigned tc_axis_bits(const tc_type *type, size_t axis) {
  return tc_log2(type->shape[axis]);
}

unsigned tc_axis_low(const tc_type *type, size_t axis) {
  unsigned low = 0;
  for (size_t i = axis + 1; i < type->rank; i++)
    low += tc_log2(type->shape[i]);
  return low;
}

bool tc_is_view(const tc_op *op) {
  static const char *const names[] = {"tt.splat",   "tt.unsplat", "tt.broadcast", "tt.expand_dims",
                                      "tt.reshape", "tt.trans",   "tt.split",     NULL};
  return tc_op_is_one_of(op, names);
}

static tc_map broadcast_map(const tc_type *from, const tc_type *to, const tc_map *map) {
  tc_map made = {0};
  for (size_t axis = from->rank; axis-- > 0;) {
    tc_map part = tc_map_slice(map, tc_axis_low(to, axis), tc_axis_bits(from, axis));
    tc_map_append(&made, &part);
  }
  return made;
}

static tc_map trans_map(const tc_op *op, const tc_map *map) {
  const tc_type *from = op->operands[0]->type, *to = op->results[0].type;
  const uint64_t *order = tc_attr_of(op, "order")->elements;
  tc_map made = {0};
  for (size_t axis = from->rank; axis-- > 0;) {
    size_t at = 0;
    while (order[at] != axis)
      at++;
    tc_map part = tc_map_slice(map, tc_axis_low(to, at), tc_axis_bits(to, at));
    tc_map_append(&made, &part);
  }
  return made;
}

tc_map tc_view_map(const tc_op *op, const tc_map *map) {
  const tc_type *from = op->operands[0]->type;
  if (tc_op_is(op, "tt.splat") || tc_op_is(op, "tt.unsplat"))
    return (tc_map){0};
  if (tc_op_is(op, "tt.broadcast"))
    return broadcast_map(from, op->results[0].type, map);
  if (tc_op_is(op, "tt.trans"))
    return trans_map(op, map);
  return *map;
}
