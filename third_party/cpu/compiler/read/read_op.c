/* read_op.c: operations. */
#include "ops.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* `[^bb1, ^bb2(%a : i32)]` */
static bool read_successors(tc_reader *r, tc_op *op) {
  size_t cap = 0;
  do {
    if (!tc_next(&r->scan))
      return false;
    if (r->scan.token.kind != TC_LABEL || op->block == NULL)
      return tc_refuse(&r->scan, "a block is wanted");
    if (!tc_reserve(r->arena, &op->successors, op->successor_count, &cap, sizeof *op->successors))
      return tc_no_memory(&r->scan);
    tc_successor *to = &op->successors[op->successor_count++];
    *to = (tc_successor){.block = tc_block_of(r, op->block->region, &r->scan.token)};
    if (to->block == NULL || !tc_next(&r->scan))
      return false;
    if (!tc_took(&r->scan, '('))
      continue;
    if (!tc_read_uses(r, ')', &to->values, &to->count) || !tc_expect(&r->scan, ':'))
      return false;
    for (size_t i = 0; i < to->count; i++) {
      const char *place = r->scan.token.start;
      const tc_type *type = i == 0 || tc_expect(&r->scan, ',') ? tc_read_type(r) : NULL;
      if (type == NULL)
        return false;
      if (type != to->values[i]->type)
        return tc_refuse_at(&r->scan, place, "'%%%.60s' is of type '%.100s'", to->values[i]->name,
                            to->values[i]->type->text);
    }
    if (!tc_expect(&r->scan, ')'))
      return false;
  } while (tc_is(&r->scan, ','));
  return tc_expect(&r->scan, ']');
}

/* `({...}, {...})` */
static bool read_regions(tc_reader *r, tc_op *op) {
  size_t cap = 0, isolated = r->isolated;
  if (tc_op_is(op, "tt.func") || tc_op_is(op, "builtin.module"))
    r->isolated = r->values.count;
  do {
    if (!tc_next(&r->scan))
      return false;
    if (op->region_count == op->row->regions)
      return tc_op_wrong(&r->scan, op, "it has more than %u regions", op->row->regions);
    if (!tc_reserve(r->arena, &op->regions, op->region_count, &cap, sizeof *op->regions) ||
        cap < op->row->regions) /* room for all: blocks point to their regions */
      return tc_no_memory(&r->scan);
    tc_region *region = &op->regions[op->region_count++];
    *region = (tc_region){.op = op};
    if (!tc_read_region(r, region))
      return false;
  } while (tc_is(&r->scan, ','));
  r->isolated = isolated;
  return tc_expect(&r->scan, ')');
}

/* `: (i32, f32) -> f32`: the operands' types must be those of the values. */
static bool read_signature(tc_reader *r, tc_op *op) {
  const tc_type *type = tc_expect(&r->scan, ':') ? tc_read_function_type(r) : NULL;
  if (type == NULL)
    return false;
  if (type->input_count != op->operand_count)
    return tc_op_wrong(&r->scan, op, "it has %zu operands and names the types of %zu",
                       op->operand_count, type->input_count);
  for (size_t i = 0; i < op->operand_count; i++)
    if (type->inputs[i] != op->operands[i]->type)
      return tc_op_wrong(&r->scan, op, "operand %zu, '%%%.60s', is of type '%.100s', not '%.100s'",
                         i, op->operands[i]->name, op->operands[i]->type->text,
                         type->inputs[i]->text);
  op->result_count = type->result_count;
  op->results = tc_reader_alloc(r, type->result_count * sizeof *op->results);
  if (op->results == NULL)
    return false;
  for (size_t i = 0; i < type->result_count; i++)
    op->results[i] = (tc_value){.type = type->results[i], .op = op, .block = op->block, .index = i};
  return true;
}

/* Names before the '=', each for one result or several. */
typedef struct result_names {
  tc_token names[64];
  size_t counts[64], count, total;
} result_names;

static bool read_result_names(tc_reader *r, result_names *out) {
  while (r->scan.token.kind == TC_VALUE) {
    if (out->count == 64)
      return tc_refuse(&r->scan, "more than 64 names of results");
    out->names[out->count] = r->scan.token;
    size_t results = 1;
    if (!tc_next(&r->scan))
      return false;
    if (tc_took(&r->scan, ':')) {
      results = r->scan.token.kind == TC_NUMBER && r->scan.token.len < 6
                    ? strtoul(r->scan.token.start, NULL, 10)
                    : 0;
      if (results == 0)
        return tc_refuse(&r->scan, "the number of results is wanted");
      if (!tc_next(&r->scan))
        return false;
    }
    out->counts[out->count++] = results;
    out->total += results;
    if (!tc_took(&r->scan, ','))
      break;
  }
  return out->count == 0 || tc_expect(&r->scan, '=');
}

static bool define_results(tc_reader *r, tc_op *op, const result_names *names) {
  if (names->count > 0 && names->total != op->result_count)
    return tc_op_wrong(&r->scan, op, "it has %zu results and names for %zu", op->result_count,
                       names->total);
  if (names->count > 1)
    return tc_op_wrong(&r->scan, op, "its results have names of their own, not one with a count");
  if (names->count == 0)
    return op->result_count == 0 ||
           tc_op_wrong(&r->scan, op, "its %zu results have no name", op->result_count);
  const char *name = tc_copy(r->arena, names->names[0].start + 1, names->names[0].len - 1);
  if (name == NULL)
    return tc_no_memory(&r->scan);
  for (size_t i = 0; i < op->result_count; i++)
    op->results[i].name = name;
  return tc_define(r, &names->names[0], op->results, op->result_count);
}

/* The name at the token, and its row. */
static bool read_op_name(tc_reader *r, tc_op *op) {
  const tc_token t = r->scan.token;
  size_t len;
  if (t.kind != TC_QUOTED) {
    (void)tc_refuse(&r->scan, "the quoted name of an operation is wanted");
    return tc_mend(&r->scan,
                   "the reader takes MLIR's generic form alone, as mlir-opt prints it with "
                   "--mlir-print-op-generic");
  }
  tc_place_of(&r->scan, t.start, &op->line, &op->column);
  op->name = tc_unquote(r, t.start, t.len, &len);
  if (op->name == NULL)
    return false;
  op->row = tc_op_row_of(op->name, len);
  if (op->row == NULL) {
    (void)tc_op_wrong(&r->scan, op, "the compiler does not know it");
    return tc_mend(&r->scan, "its operations are the rows of third_party/cpu/compiler/op_table.c");
  }
  op->name = op->row->name;
  return tc_next(&r->scan);
}

/* From the operands to the location. */
static bool read_rest(tc_reader *r, tc_op *op) {
  if (!tc_expect(&r->scan, '(') || !tc_read_uses(r, ')', &op->operands, &op->operand_count) ||
      !tc_expect(&r->scan, ')'))
    return false;
  if (tc_is(&r->scan, '[') && !read_successors(r, op))
    return false;
  if (tc_took(&r->scan, '<') &&
      ((op->properties = tc_read_dict(r)) == NULL || !tc_expect(&r->scan, '>')))
    return false;
  if (tc_is(&r->scan, '(') && !read_regions(r, op))
    return false;
  if (tc_is(&r->scan, '{') && (op->attributes = tc_read_dict(r)) == NULL)
    return false;
  if (!read_signature(r, op))
    return false;
  if (tc_is_name(&r->scan, "loc") && (op->location = tc_read_location(r)) == NULL)
    return false;
  return true;
}

tc_op *tc_read_op(tc_reader *r, tc_block *block) {
  result_names names;
  names.count = names.total = 0;
  tc_op *op = tc_reader_alloc(r, sizeof *op);
  if (op == NULL)
    return NULL;
  op->block = block;
  if (!read_result_names(r, &names) || !read_op_name(r, op) || !read_rest(r, op))
    return NULL;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!tc_add_use(r, op, i))
      return NULL;
  return define_results(r, op, &names) ? op : NULL;
}
