/* check_flow.c: functions, branches, loops and regions that combine: what flows in and out. */
#include "ops.h"

#include <string.h>

/* Holds count values, from the first on, against types; `what` and the parent name the place. */
static bool values_fit(tc_scan *scan, const tc_op *op, tc_value *const *values, size_t count,
                       const tc_value *wanted, size_t wanted_count, const char *what) {
  if (count != wanted_count)
    return tc_op_wrong(scan, op, "%zu values for %zu %s", count, wanted_count, what);
  for (size_t i = 0; i < count; i++)
    if (values[i]->type != wanted[i].type)
      return tc_op_wrong(scan, op, "value %zu is of type '%.100s', not '%.100s' as of the %s", i,
                         values[i]->type->text, wanted[i].type->text, what);
  return true;
}

/* The region's only block. NULL, with an error, when there are none or more. */
static const tc_block *only_block(tc_scan *scan, const tc_op *op, size_t region) {
  if (op->regions[region].block_count == 1)
    return op->regions[region].first;
  (void)tc_op_wrong(scan, op, "its region %zu has %zu blocks and must have 1", region,
                    op->regions[region].block_count);
  return NULL;
}

/* Its last operation, which must be of that name. */
static const tc_op *end_of(tc_scan *scan, const tc_block *block, const char *name) {
  const tc_op *end = block->last;
  if (tc_op_is(end, name))
    return end;
  (void)tc_op_wrong(scan, end != NULL ? end : block->region->op, "'%s' must end this region", name);
  return NULL;
}

bool tc_check_function(tc_scan *scan, const tc_op *op) {
  const tc_type *type = tc_attr_of(op, "function_type")->type;
  const tc_block *entry = op->regions[0].first;
  if (!tc_op_is(tc_parent(op), "builtin.module"))
    return tc_op_wrong(scan, op, "it is not in the module, but in '%s'", tc_parent(op)->name);
  if (type->kind != TC_FUNCTION)
    return tc_op_wrong(scan, op, "its type '%.100s' is that of no function", type->text);
  if (entry == NULL)
    return tc_op_wrong(scan, op, "it has no body");
  if (entry->arg_count != type->input_count)
    return tc_op_wrong(scan, op, "its first block has %zu arguments, and its type %zu",
                       entry->arg_count, type->input_count);
  for (size_t i = 0; i < entry->arg_count; i++)
    if (entry->args[i].type != type->inputs[i])
      return tc_op_wrong(scan, op, "argument %zu is of type '%.100s', not '%.100s'", i,
                         entry->args[i].type->text, type->inputs[i]->text);
  const tc_attr *name = tc_attr_of(op, "sym_name");
  for (const tc_op *f = tc_parent(op)->regions[0].first->first; f != op; f = f->next) {
    const tc_attr *other = tc_attr_of(f, "sym_name");
    if (other != NULL && other->kind == TC_ATTR_STRING && other->len == name->len &&
        memcmp(other->text, name->text, name->len) == 0)
      return tc_op_wrong(scan, op, "there are two functions '%.100s'", name->text);
  }
  return true;
}

static bool takes(const tc_type *function, const tc_op *call) {
  bool good = function->input_count == call->operand_count;
  for (size_t i = 0; good && i < call->operand_count; i++)
    good = function->inputs[i] == call->operands[i]->type;
  return good;
}

static bool gives(const tc_type *function, const tc_op *call) {
  bool good = function->result_count == call->result_count;
  for (size_t i = 0; good && i < call->result_count; i++)
    good = function->results[i] == call->results[i].type;
  return good;
}

bool tc_check_return(tc_scan *scan, const tc_op *op) {
  const tc_op *f = tc_parent(op);
  if (!tc_op_is(f, "tt.func"))
    return tc_op_wrong(scan, op, "it ends no function");
  const tc_type *type = tc_attr_of(f, "function_type")->type;
  bool good = type->result_count == op->operand_count;
  for (size_t i = 0; good && i < op->operand_count; i++)
    good = type->results[i] == op->operands[i]->type;
  return good || tc_op_wrong(scan, op, "the function is of type '%.200s'", type->text);
}

bool tc_check_call(tc_scan *scan, const tc_op *op) {
  const tc_attr *callee = tc_attr_of(op, "callee");
  const tc_op *module = op;
  while (tc_parent(module) != NULL)
    module = tc_parent(module);
  for (const tc_op *f = module->regions[0].first->first; f != NULL; f = f->next) {
    const tc_attr *name = tc_attr_of(f, "sym_name"), *type = tc_attr_of(f, "function_type");
    if (name == NULL || type == NULL || name->kind != TC_ATTR_STRING ||
        type->kind != TC_ATTR_TYPE || type->type->kind != TC_FUNCTION || name->len != callee->len ||
        memcmp(name->text, callee->text, name->len) != 0)
      continue;
    const tc_type *t = type->type;
    return (takes(t, op) && gives(t, op)) ||
           tc_op_wrong(scan, op, "'%.80s' is of type '%.200s'", callee->text, t->text);
  }
  return tc_op_wrong(scan, op, "the module has no function '%.100s'", callee->text);
}

/* The values for a block come as operands; those of cf.cond_br in the groups of its segments. */
bool tc_check_branch(tc_scan *scan, const tc_op *op) {
  bool conditional = op->successor_count == 2;
  const tc_attr *sizes = conditional ? tc_attr_of(op, "operandSegmentSizes") : NULL;
  size_t at = conditional;
  if (conditional && (sizes->elements[0] != 1 || op->operands[0]->type->kind != TC_INT ||
                      op->operands[0]->type->width != 1))
    return tc_op_wrong(scan, op, "its first operand is no single i1");
  for (size_t i = 0; i < op->successor_count; i++) {
    const tc_block *to = op->successors[i].block;
    size_t count = conditional ? (size_t)sizes->elements[i + 1] : op->operand_count;
    if (op->successors[i].count > 0)
      return tc_op_wrong(scan, op, "the values for '^%.60s' must be among its operands", to->label);
    if (to->index == 0)
      return tc_op_wrong(scan, op, "it branches to the first block");
    if (!values_fit(scan, op, op->operands + at, count, to->args, to->arg_count,
                    "arguments of the block"))
      return false;
    at += count;
  }
  return true;
}

bool tc_check_for(tc_scan *scan, const tc_op *op) {
  const tc_block *body = only_block(scan, op, 0);
  const tc_op *end = body == NULL ? NULL : end_of(scan, body, "scf.yield");
  if (end == NULL)
    return false;
  const tc_type *type = op->operands[0]->type;
  if ((type->kind != TC_INT && type->kind != TC_INDEX) || op->operands[1]->type != type ||
      op->operands[2]->type != type || body->arg_count == 0 || body->args[0].type != type)
    return tc_op_wrong(scan, op,
                       "its bounds, its step and its counter are not of one integer type");
  size_t carried = op->operand_count - 3;
  return values_fit(scan, op, op->operands + 3, carried, op->results, op->result_count,
                    "results") &&
         values_fit(scan, op, op->operands + 3, carried, body->args + 1, body->arg_count - 1,
                    "arguments of the body") &&
         values_fit(scan, end, end->operands, end->operand_count, op->results, op->result_count,
                    "results of the loop");
}

bool tc_check_if(tc_scan *scan, const tc_op *op) {
  if (op->operands[0]->type->kind != TC_INT || op->operands[0]->type->width != 1)
    return tc_op_wrong(scan, op, "its condition is of type '%.100s'", op->operands[0]->type->text);
  for (size_t i = 0; i < op->region_count; i++) {
    if (i == 1 && op->regions[i].block_count == 0 && op->result_count == 0)
      return true;
    const tc_block *block = only_block(scan, op, i);
    const tc_op *end = block == NULL ? NULL : end_of(scan, block, "scf.yield");
    if (end == NULL || !values_fit(scan, end, end->operands, end->operand_count, op->results,
                                   op->result_count, "results of the branch"))
      return false;
    if (block->arg_count != 0)
      return tc_op_wrong(scan, op, "its blocks have no arguments");
  }
  return op->region_count == 2 || op->result_count == 0 ||
         tc_op_wrong(scan, op, "it has results and one region");
}

bool tc_check_while(tc_scan *scan, const tc_op *op) {
  const tc_block *before = only_block(scan, op, 0), *after = only_block(scan, op, 1);
  const tc_op *test =
      before == NULL || after == NULL ? NULL : end_of(scan, before, "scf.condition");
  const tc_op *end = test == NULL ? NULL : end_of(scan, after, "scf.yield");
  if (end == NULL)
    return false;
  const tc_type *type = test->operands[0]->type;
  if (type->kind != TC_INT || type->width != 1)
    return tc_op_wrong(scan, test, "its condition is of type '%.100s'", type->text);
  tc_value **passed = test->operands + 1;
  size_t count = test->operand_count - 1;
  return values_fit(scan, op, op->operands, op->operand_count, before->args, before->arg_count,
                    "arguments of the first region") &&
         values_fit(scan, test, passed, count, after->args, after->arg_count,
                    "arguments of the second region") &&
         values_fit(scan, test, passed, count, op->results, op->result_count,
                    "results of the loop") &&
         values_fit(scan, end, end->operands, end->operand_count, before->args, before->arg_count,
                    "arguments of the first region");
}

/* tt.reduce and tt.scan: the region takes two elements of each operand and gives one. */
bool tc_check_combine(tc_scan *scan, const tc_op *op) {
  bool scans = tc_op_is(op, "tt.scan");
  const tc_block *body = only_block(scan, op, 0);
  const tc_op *end =
      body == NULL ? NULL : end_of(scan, body, scans ? "tt.scan.return" : "tt.reduce.return");
  size_t count = op->operand_count;
  if (end == NULL)
    return false;
  if (op->result_count != count || body->arg_count != 2 * count || end->operand_count != count)
    return tc_op_wrong(scan, op, "%zu operands, %zu results, %zu arguments and %zu returned values",
                       count, op->result_count, body->arg_count, end->operand_count);
  for (size_t i = 0; i < count; i++) {
    const tc_type *type = op->operands[i]->type, *to = op->results[i].type;
    if (type->kind != TC_TENSOR || body->args[i].type != type->element ||
        body->args[count + i].type != type->element || end->operands[i]->type != type->element)
      return tc_op_wrong(scan, op, "its region does not combine elements of '%.100s'", type->text);
    if (scans ? to != type : (to->kind == TC_TENSOR ? to->element : to) != type->element)
      return tc_op_wrong(scan, op, "result %zu is of type '%.100s'", i, to->text);
  }
  return tc_check_axis(scan, op);
}
