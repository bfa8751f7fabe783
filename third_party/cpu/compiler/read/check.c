/* check.c: what the op table states, held against each operation. */
#include "ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tc_op_wrong(tc_scan *scan, const tc_op *op, const char *format, ...) {
  if (scan->failed)
    return false;
  char what[400];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  scan->failed = true;
  *scan->err = (tc_err){.code = TC_EREFUSED, .line = op->line, .column = op->column};
  (void)snprintf(scan->err->what, sizeof scan->err->what, "op '%.80s': %s", op->name, what);
  return false;
}

static bool in_range(size_t count, unsigned least, unsigned most) {
  return count >= least && (most == TC_ANY || count <= most);
}

static bool check_count(tc_scan *scan, const tc_op *op, const char *what, size_t count,
                        unsigned least, unsigned most) {
  if (in_range(count, least, most))
    return true;
  if (least == most)
    return tc_op_wrong(scan, op, "it has %zu %s and must have %u", count, what, least);
  if (most == TC_ANY)
    return tc_op_wrong(scan, op, "it has %zu %s and must have at least %u", count, what, least);
  return tc_op_wrong(scan, op, "it has %zu %s and must have %u to %u", count, what, least, most);
}

/* operandSegmentSizes: as many numbers as there are groups, which add up to the operands. */
static bool check_segments(tc_scan *scan, const tc_op *op) {
  const tc_attr *sizes = tc_attr_of(op, "operandSegmentSizes");
  if (op->row->segments == 0)
    return true;
  if (sizes == NULL || sizes->kind != TC_ATTR_DENSE_ARRAY || sizes->count != op->row->segments)
    return tc_op_wrong(scan, op, "its operandSegmentSizes is no array of %u numbers",
                       op->row->segments);
  uint64_t sum = 0;
  for (size_t i = 0; i < sizes->count; i++) {
    if (sizes->elements[i] > op->operand_count)
      return tc_op_wrong(scan, op, "its operandSegmentSizes are not those of %zu operands",
                         op->operand_count);
    sum += sizes->elements[i];
  }
  return sum == op->operand_count ||
         tc_op_wrong(scan, op, "its operandSegmentSizes are not those of %zu operands",
                     op->operand_count);
}

static bool is_of_kind(const tc_attr *attr, char kind, const char **wanted) {
  static const struct {
    char kind;
    tc_attr_kind is, or_is;
    const char *what;
  } kinds[] = {{'i', TC_ATTR_INT, TC_ATTR_INT, "an integer"},
               {'b', TC_ATTR_BOOL, TC_ATTR_BOOL, "true or false"},
               {'s', TC_ATTR_STRING, TC_ATTR_STRING, "a string"},
               {'y', TC_ATTR_SYMBOL, TC_ATTR_SYMBOL, "a symbol"},
               {'t', TC_ATTR_TYPE, TC_ATTR_TYPE, "a type"},
               {'r', TC_ATTR_DENSE_ARRAY, TC_ATTR_DENSE_ARRAY, "an array of integers"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].kind == kind) {
      *wanted = kinds[i].what;
      return attr->kind == kinds[i].is || attr->kind == kinds[i].or_is;
    }
  *wanted = "a number or dense elements";
  return attr->kind == TC_ATTR_INT || attr->kind == TC_ATTR_BOOL || attr->kind == TC_ATTR_FLOAT ||
         attr->kind == TC_ATTR_DENSE;
}

/* The row's "name:kind name:kind". */
static bool check_attributes(tc_scan *scan, const tc_op *op) {
  char name[48];
  for (const char *at = op->row->attributes; *at != '\0';) {
    size_t len = strcspn(at, ":");
    (void)snprintf(name, sizeof name, "%.*s", (int)len, at);
    const tc_attr *attr = tc_attr_of(op, name);
    const char *wanted;
    if (attr == NULL)
      return tc_op_wrong(scan, op, "it lacks the attribute '%s'", name);
    if (!is_of_kind(attr, at[len + 1], &wanted))
      return tc_op_wrong(scan, op, "its attribute '%s' is not %s", name, wanted);
    at += len + 2;
    at += *at == ' ';
  }
  return true;
}

static const tc_type *element_of(const tc_type *type) {
  return type->kind == TC_TENSOR ? type->element : type;
}

static bool is_of_class(const tc_type *type, char class) {
  const tc_type *e = element_of(type);
  bool integer = e->kind == TC_INT || e->kind == TC_INDEX;
  switch (class) {
  case 'i':
    return integer;
  case 'b':
    return e->kind == TC_INT && e->width == 1;
  case 'f':
    return e->kind == TC_FLOAT;
  case 'n':
    return integer || e->kind == TC_FLOAT;
  case 'p':
    return e->kind == TC_PTR;
  default:
    return true;
  }
}

static bool same_shape(const tc_type *a, const tc_type *b) {
  if (a->kind != TC_TENSOR || b->kind != TC_TENSOR)
    return a->kind != TC_TENSOR && b->kind != TC_TENSOR;
  return a->rank == b->rank && memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) == 0;
}

static const tc_type *type_at(const tc_op *op, size_t i) {
  return i < op->operand_count ? op->operands[i]->type : op->results[i - op->operand_count].type;
}

static bool check_types(tc_scan *scan, const tc_op *op) {
  const tc_op_row *row = op->row;
  for (size_t i = 0; i < op->operand_count + op->result_count; i++) {
    const tc_type *type = type_at(op, i), *first = type_at(op, 0);
    bool result = i >= op->operand_count;
    const char *what = result ? "result" : "operand";
    size_t number = result ? i - op->operand_count : i;
    if (!is_of_class(type, result ? row->results_of : row->operands_of))
      return tc_op_wrong(scan, op, "%s %zu has the type '%.100s', which it does not work on", what,
                         number, type->text);
    bool whole = row->rule == TC_SAME || (row->rule == TC_COMPARE && !result);
    if (whole && type != first)
      return tc_op_wrong(scan, op, "%s %zu has the type '%.100s' and operand 0 '%.100s'", what,
                         number, type->text, first->text);
    if (row->rule != TC_FREE && !same_shape(type, first))
      return tc_op_wrong(scan, op, "%s %zu, '%.100s', has another shape than '%.100s'", what,
                         number, type->text, first->text);
  }
  return true;
}

/* Each block of a function or a nested region ends in the one terminator that it has. */
static bool check_ends(tc_scan *scan, const tc_op *op) {
  if (tc_parent(op) == NULL) {
    for (const tc_op *f = op->regions[0].first->first; f != NULL; f = f->next)
      if (!tc_op_is(f, "tt.func"))
        return tc_op_wrong(scan, f, "it is not within a function");
    return true;
  }
  for (size_t i = 0; i < op->region_count; i++)
    for (const tc_block *b = op->regions[i].first; b != NULL; b = b->next) {
      if (b->last == NULL || !b->last->row->terminator)
        return tc_op_wrong(scan, b->last != NULL ? b->last : op,
                           "a block of '%.60s' does not end here with a terminator", op->name);
      for (const tc_op *inner = b->first; inner != b->last; inner = inner->next)
        if (inner->row->terminator)
          return tc_op_wrong(scan, inner, "operations follow it in its block");
    }
  return true;
}

static bool check_op(tc_scan *scan, const tc_op *op) {
  const tc_op_row *row = op->row;
  bool empty_else = tc_op_is(op, "scf.if") && op->region_count == 1;
  bool module = tc_op_is(op, "builtin.module");
  if (module != (tc_parent(op) == NULL))
    return tc_op_wrong(scan, op,
                       module ? "a module within a module"
                              : "the text must hold one module, 'builtin.module'");
  bool counts =
      check_count(scan, op, "operands", op->operand_count, row->operands_least,
                  row->operands_most) &&
      check_count(scan, op, "results", op->result_count, row->results_least, row->results_most) &&
      check_count(scan, op, "successors", op->successor_count, row->successors, row->successors) &&
      (empty_else ||
       check_count(scan, op, "regions", op->region_count, row->regions, row->regions));
  if (!counts || !check_segments(scan, op) || !check_attributes(scan, op) || !check_types(scan, op))
    return false;
  if (module && op->regions[0].block_count != 1)
    return tc_op_wrong(scan, op, "it has %zu blocks and must have 1", op->regions[0].block_count);
  return check_ends(scan, op);
}

static bool check_row(tc_scan *scan, const tc_op *op) {
  return op->row->check == NULL || op->row->check(scan, op);
}

/* Holds op and all operations within it against check. */
static bool check_all(tc_scan *scan, const tc_op *op, bool (*check)(tc_scan *, const tc_op *)) {
  if (!check(scan, op))
    return false;
  for (size_t i = 0; i < op->region_count; i++)
    for (const tc_block *b = op->regions[i].first; b != NULL; b = b->next)
      for (const tc_op *inner = b->first; inner != NULL; inner = inner->next)
        if (!check_all(scan, inner, check))
          return false;
  return true;
}

/* A row's own check looks at other operations too: they have their counts and attributes by then.
 */
bool tc_check_module(tc_scan *scan, const tc_op *op) {
  return check_all(scan, op, check_op) && check_all(scan, op, check_row);
}
