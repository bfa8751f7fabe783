/* op.c: questions to an operation. */
#include "ir.h"

#include <string.h>

bool tc_op_is(const tc_op *op, const char *name) {
  return op != NULL && strcmp(op->name, name) == 0;
}

bool tc_op_is_one_of(const tc_op *op, const char *const *names) {
  for (; *names != NULL; names++)
    if (tc_op_is(op, *names))
      return true;
  return false;
}

const tc_attr *tc_attr_of(const tc_op *op, const char *name) {
  const tc_attr *dicts[] = {op->properties, op->attributes};
  for (size_t d = 0; d < 2; d++)
    for (size_t i = 0; dicts[d] != NULL && i < dicts[d]->count; i++)
      if (strcmp(dicts[d]->names[i], name) == 0)
        return dicts[d]->items[i];
  return NULL;
}

int64_t tc_integer_of(const tc_op *op, const char *name, int64_t otherwise) {
  const tc_attr *attr = tc_attr_of(op, name);
  return attr != NULL ? attr->integer : otherwise;
}

const tc_value *tc_group_of(const tc_op *op, size_t group) {
  const tc_attr *sizes = tc_attr_of(op, "operandSegmentSizes");
  size_t at = 0;
  for (size_t i = 0; i < group; i++)
    at += sizes->elements[i];
  return sizes->elements[group] > 0 ? op->operands[at] : NULL;
}

bool tc_is_public(const tc_op *function) {
  const tc_attr *seen = tc_attr_of(function, "sym_visibility");
  return seen == NULL || (seen->len == 6 && memcmp(seen->text, "public", 6) == 0);
}

tc_op *tc_parent(const tc_op *op) {
  return op->block != NULL ? op->block->region->op : NULL;
}
