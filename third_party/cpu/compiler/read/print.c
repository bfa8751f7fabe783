/* print.c: a module in MLIR's generic form, laid out as MLIR's printer does. */
#include "ir.h"

#include <string.h>

static void add_op(tc_text *text, const tc_op *op, int depth);

static void add_indent(tc_text *text, int depth) {
  for (int i = 0; i < depth; i++)
    tc_add_str(text, "  ");
}

static void add_value(tc_text *text, const tc_value *value) {
  tc_add_format(text, "%%%s", value->name);
  if (value->op != NULL && value->op->result_count > 1)
    tc_add_format(text, "#%zu", value->index);
}

static void add_location(tc_text *text, const tc_attr *location) {
  if (location != NULL) {
    tc_add_char(text, ' ');
    tc_add(text, location->text, location->len);
  }
}

/* "  // 2 preds: ^bb0, ^bb1", as MLIR adds it to a label. */
static void add_predecessors(tc_text *text, const tc_block *block) {
  tc_text from = {0};
  size_t count = 0;
  for (const tc_block *b = block->region->first; b != NULL; b = b->next)
    for (size_t i = 0; b->last != NULL && i < b->last->successor_count; i++)
      if (b->last->successors[i].block == block) {
        bool bare = b->index == 0 && b->arg_count == 0; /* its label is not printed */
        tc_add_format(&from, "%s^%s", count++ > 0 ? ", " : "", bare ? "bb0" : b->label);
      }
  if (count == 0)
    tc_add_str(text, block->index > 0 ? "  // no predecessors" : "");
  else if (count == 1)
    tc_add_format(text, "  // pred: %s", from.data);
  else
    tc_add_format(text, "  // %zu preds: %s", count, from.failed ? "" : from.data);
  text->failed = text->failed || from.failed;
  tc_text_free(&from);
}

static void add_label(tc_text *text, const tc_block *block, int depth) {
  add_indent(text, depth);
  tc_add_format(text, "^%s", block->label != NULL ? block->label : "bb0");
  for (size_t i = 0; i < block->arg_count; i++) {
    tc_add_str(text, i > 0 ? ", " : "(");
    add_value(text, &block->args[i]);
    tc_add_format(text, ": %s", block->args[i].type->text);
    add_location(text, block->args[i].location);
  }
  tc_add_str(text, block->arg_count > 0 ? "):" : ":");
  add_predecessors(text, block);
  tc_add_char(text, '\n');
}

static void add_region(tc_text *text, const tc_region *region, int depth) {
  tc_add_str(text, "{\n");
  for (const tc_block *b = region->first; b != NULL; b = b->next) {
    if (b->index > 0 || b->arg_count > 0 || b->first == NULL)
      add_label(text, b, depth);
    for (const tc_op *op = b->first; op != NULL; op = op->next) {
      add_indent(text, depth + 1);
      add_op(text, op, depth + 1);
      tc_add_char(text, '\n');
    }
  }
  add_indent(text, depth);
  tc_add_char(text, '}');
}

static void add_successors(tc_text *text, const tc_op *op) {
  for (size_t i = 0; i < op->successor_count; i++) {
    const tc_successor *to = &op->successors[i];
    tc_add_format(text, "%s^%s", i > 0 ? ", " : "[", to->block->label);
    for (size_t k = 0; k < to->count; k++) {
      tc_add_str(text, k > 0 ? ", " : "(");
      add_value(text, to->values[k]);
    }
    for (size_t k = 0; k < to->count; k++)
      tc_add_format(text, "%s%s", k > 0 ? ", " : " : ", to->values[k]->type->text);
    tc_add_str(text, to->count > 0 ? ")" : "");
  }
  tc_add_str(text, op->successor_count > 0 ? "]" : "");
}

static void add_types(tc_text *text, const tc_op *op) {
  tc_add_str(text, " : (");
  for (size_t i = 0; i < op->operand_count; i++)
    tc_add_format(text, "%s%s", i > 0 ? ", " : "", op->operands[i]->type->text);
  tc_add_str(text, ") -> ");
  bool bare = op->result_count == 1 && op->results[0].type->kind != TC_FUNCTION;
  tc_add_str(text, bare ? "" : "(");
  for (size_t i = 0; i < op->result_count; i++)
    tc_add_format(text, "%s%s", i > 0 ? ", " : "", op->results[i].type->text);
  tc_add_str(text, bare ? "" : ")");
}

/* From the results' names to the properties. */
static void add_front(tc_text *text, const tc_op *op) {
  if (op->result_count > 0 && op->results[0].name != NULL) {
    tc_add_format(text, "%%%s", op->results[0].name);
    if (op->result_count > 1)
      tc_add_format(text, ":%zu", op->result_count);
    tc_add_str(text, " = ");
  }
  tc_add_format(text, "\"%s\"(", op->name);
  for (size_t i = 0; i < op->operand_count; i++) {
    tc_add_str(text, i > 0 ? ", " : "");
    add_value(text, op->operands[i]);
  }
  tc_add_char(text, ')');
  add_successors(text, op);
  if (op->properties != NULL && op->properties->count > 0) {
    tc_add_str(text, " <");
    tc_print_attr(text, op->properties);
    tc_add_char(text, '>');
  }
}

static void add_op(tc_text *text, const tc_op *op, int depth) {
  add_front(text, op);
  for (size_t i = 0; i < op->region_count; i++) {
    tc_add_str(text, i > 0 ? ", " : " (");
    add_region(text, &op->regions[i], depth);
  }
  tc_add_str(text, op->region_count > 0 ? ")" : "");
  if (op->attributes != NULL && op->attributes->count > 0) {
    tc_add_char(text, ' ');
    tc_print_attr(text, op->attributes);
  }
  add_types(text, op);
  add_location(text, op->location);
}

static void add_aliases(tc_text *text, const tc_module *module, bool behind) {
  for (size_t i = 0; i < module->alias_count; i++)
    if (module->aliases[i].behind == behind) {
      tc_add_format(text, "%s = ", module->aliases[i].name);
      tc_print_attr(text, module->aliases[i].value);
      tc_add_char(text, '\n');
    }
}

void tc_print(tc_text *text, const tc_module *module) {
  add_aliases(text, module, false);
  add_op(text, module->op, 0);
  tc_add_char(text, '\n');
  add_aliases(text, module, true);
}
