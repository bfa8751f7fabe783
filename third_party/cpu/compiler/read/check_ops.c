/* check_ops.c: what single operations on values must keep, beyond their row. */
#include "ops.h"

#include <string.h>

static const tc_type *operand(const tc_op *op, size_t i) {
  return op->operands[i]->type;
}

static const tc_type *result(const tc_op *op) {
  return op->results[0].type;
}

static const tc_type *element_of(const tc_type *type) {
  return type->kind == TC_TENSOR ? type->element : type;
}

static bool same_shape(const tc_type *a, const tc_type *b) {
  if (a->kind != TC_TENSOR || b->kind != TC_TENSOR)
    return a->kind != TC_TENSOR && b->kind != TC_TENSOR;
  return a->rank == b->rank && memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0;
}

/* Whether type is from's elements in another shape. */
static bool check_reshaped(tc_scan *scan, const tc_op *op) {
  if (operand(op, 0)->kind != TC_TENSOR || result(op)->kind != TC_TENSOR)
    return tc_op_wrong(scan, op, "it works on tensors, not on '%.100s' and '%.100s'",
                       operand(op, 0)->text, result(op)->text);
  return operand(op, 0)->element == result(op)->element ||
         tc_op_wrong(scan, op, "'%.100s' and '%.100s' have not the same elements",
                     operand(op, 0)->text, result(op)->text);
}

static bool wrong_shapes(tc_scan *scan, const tc_op *op) {
  return tc_op_wrong(scan, op, "'%.100s' does not become '%.100s'", operand(op, 0)->text,
                     result(op)->text);
}

bool tc_check_constant(tc_scan *scan, const tc_op *op) {
  const tc_attr *value = tc_attr_of(op, "value");
  const tc_type *type = result(op);
  bool good =
      value->kind == TC_ATTR_BOOL ? type->kind == TC_INT && type->width == 1 : value->type == type;
  return good || tc_op_wrong(scan, op, "its value is not of the type '%.100s'", type->text);
}

bool tc_check_select(tc_scan *scan, const tc_op *op) {
  const tc_type *e = element_of(operand(op, 0));
  if (operand(op, 1) != result(op) || operand(op, 2) != result(op))
    return tc_op_wrong(scan, op, "it chooses between '%.100s' and '%.100s' for '%.100s'",
                       operand(op, 1)->text, operand(op, 2)->text, result(op)->text);
  bool scalar = operand(op, 0)->kind != TC_TENSOR;
  return (e->kind == TC_INT && e->width == 1 &&
          (scalar || same_shape(operand(op, 0), result(op)))) ||
         tc_op_wrong(scan, op, "'%.100s' is no condition for '%.100s'", operand(op, 0)->text,
                     result(op)->text);
}

bool tc_check_range(tc_scan *scan, const tc_op *op) {
  int64_t start = tc_attr_of(op, "start")->integer, end = tc_attr_of(op, "end")->integer;
  const tc_type *type = result(op);
  if (type->kind != TC_TENSOR || type->rank != 1 || type->element->kind != TC_INT)
    return tc_op_wrong(scan, op, "its result '%.100s' is no row of integers", type->text);
  return (end > start && (uint64_t)end - (uint64_t)start == (uint64_t)type->count) ||
         tc_op_wrong(scan, op, "from %lld to %lld there are not the %lld elements of '%.100s'",
                     (long long)start, (long long)end, (long long)type->count, type->text);
}

/* tt.unsplat too, which is the way back. */
bool tc_check_splat(tc_scan *scan, const tc_op *op) {
  bool back = tc_op_is(op, "tt.unsplat");
  const tc_type *scalar = back ? result(op) : operand(op, 0);
  const tc_type *tensor = back ? operand(op, 0) : result(op);
  return (tensor->kind == TC_TENSOR && tensor->element == scalar &&
          (!back || tensor->count == 1)) ||
         wrong_shapes(scan, op);
}

bool tc_check_broadcast(tc_scan *scan, const tc_op *op) {
  const tc_type *from = operand(op, 0), *to = result(op);
  if (!check_reshaped(scan, op))
    return false;
  bool good = from->rank == to->rank;
  for (size_t i = 0; good && i < from->rank; i++)
    good = from->shape[i] == to->shape[i] || from->shape[i] == 1;
  return good || wrong_shapes(scan, op);
}

bool tc_check_expand(tc_scan *scan, const tc_op *op) {
  const tc_type *from = operand(op, 0), *to = result(op);
  int64_t axis = tc_attr_of(op, "axis")->integer;
  if (!check_reshaped(scan, op))
    return false;
  if (to->rank != from->rank + 1 || axis < 0 || axis >= (int64_t)to->rank)
    return wrong_shapes(scan, op);
  for (size_t i = 0; i < to->rank; i++) {
    size_t before = i < (size_t)axis ? i : i - 1;
    if (to->shape[i] != (i == (size_t)axis ? 1 : from->shape[before]))
      return wrong_shapes(scan, op);
  }
  return true;
}

bool tc_check_reshape(tc_scan *scan, const tc_op *op) {
  return check_reshaped(scan, op) &&
         (operand(op, 0)->count == result(op)->count || wrong_shapes(scan, op));
}

bool tc_check_trans(tc_scan *scan, const tc_op *op) {
  const tc_type *from = operand(op, 0), *to = result(op);
  const tc_attr *order = tc_attr_of(op, "order");
  if (!check_reshaped(scan, op))
    return false;
  if (from->rank != to->rank || order->count != to->rank)
    return wrong_shapes(scan, op);
  unsigned seen = 0;
  for (size_t i = 0; i < to->rank; i++) {
    uint64_t axis = order->elements[i];
    if (axis >= from->rank || (seen >> axis & 1) != 0 || to->shape[i] != from->shape[axis])
      return wrong_shapes(scan, op);
    seen |= 1U << axis;
  }
  return true;
}

/* Loads, stores and atomics: the first operand points to what the second or the result is. */
bool tc_check_pointer(tc_scan *scan, const tc_op *op) {
  const tc_type *where = operand(op, 0), *to = element_of(where);
  bool load = tc_op_is(op, "tt.load") || tc_op_is(op, "tt.atomic_load");
  const tc_type *value = load ? result(op) : operand(op, 1);
  if (to->kind != TC_PTR)
    return tc_op_wrong(scan, op, "operand 0, '%.100s', is no pointer", where->text);
  if (to->element->kind == TC_TENSOR)
    return to->element == value ||
           tc_op_wrong(scan, op, "'%.100s' points to no '%.100s'", where->text, value->text);
  if (element_of(value) != to->element || !same_shape(where, value))
    return tc_op_wrong(scan, op, "'%.100s' points to no '%.100s'", where->text, value->text);
  for (size_t i = 0; i < op->operand_count; i++)
    if (!same_shape(where, operand(op, i)))
      return tc_op_wrong(scan, op, "operand %zu, '%.100s', has another shape than '%.100s'", i,
                         operand(op, i)->text, where->text);
  return true;
}

bool tc_check_addptr(tc_scan *scan, const tc_op *op) {
  const tc_type *by = element_of(operand(op, 1));
  if (element_of(operand(op, 0))->kind != TC_PTR || operand(op, 0) != result(op))
    return tc_op_wrong(scan, op, "it makes '%.100s' of '%.100s', which must be one type of pointer",
                       result(op)->text, operand(op, 0)->text);
  return (by->kind == TC_INT && same_shape(operand(op, 0), operand(op, 1))) ||
         tc_op_wrong(scan, op, "'%.100s' is no distance for '%.100s'", operand(op, 1)->text,
                     operand(op, 0)->text);
}

bool tc_check_dot(tc_scan *scan, const tc_op *op) {
  const tc_type *a = operand(op, 0), *b = operand(op, 1), *c = operand(op, 2);
  bool good = a->kind == TC_TENSOR && b->kind == TC_TENSOR && c->kind == TC_TENSOR &&
              c == result(op) && a->rank == b->rank && a->rank == c->rank && a->rank >= 2;
  size_t last = good ? a->rank - 1 : 0;
  good = good && a->shape[last - 1] == c->shape[last - 1] && a->shape[last] == b->shape[last - 1] &&
         b->shape[last] == c->shape[last];
  for (size_t i = 0; good && i + 1 < last; i++)
    good = a->shape[i] == b->shape[i] && a->shape[i] == c->shape[i];
  return good || tc_op_wrong(scan, op, "'%.90s' times '%.90s' is not added to '%.90s'", a->text,
                             b->text, c->text);
}

bool tc_check_axis(tc_scan *scan, const tc_op *op) {
  int64_t axis = tc_attr_of(op, "axis")->integer;
  return (operand(op, 0)->kind == TC_TENSOR && axis >= 0 && axis < (int64_t)operand(op, 0)->rank) ||
         tc_op_wrong(scan, op, "'%.100s' has no axis %lld", operand(op, 0)->text, (long long)axis);
}
