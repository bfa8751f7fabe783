/* tile_print.c: the program for people's eyes. */
#include "tile.h"

static void print_list(tc_text *text, const tc_list *list, int depth);

static void indent(tc_text *text, int depth) {
  tc_add_format(text, "%*s", 2 * depth, "");
}

/* [i3 i2 0 1]: the bits from the most significant on. */
static void print_map(tc_text *text, const tc_map *map) {
  tc_add_char(text, '[');
  for (unsigned i = map->count; i-- > 0;) {
    if (map->bit[i] >= TC_BIT_ZERO)
      tc_add_char(text, map->bit[i] == TC_BIT_ONE ? '1' : '0');
    else
      tc_add_format(text, "i%u", (unsigned)map->bit[i]);
    if (i > 0)
      tc_add_char(text, ' ');
  }
  tc_add_char(text, ']');
}

static void print_body(tc_text *text, const tc_code_block *body, int depth);

static const char *kind_name(tc_inst_kind kind) {
  static const char *const names[] = {
      "const", "get",   "index", "arg",         "op",     "read",         "read_at",
      "load",  "rmw",   "cas",   "atomic_load", "poll",   "atomic_store", "set",
      "write", "store", "count", "print",       "assert", "call",         "scalars"};
  return names[kind];
}

static void print_flags(tc_text *text, unsigned flags) {
  static const char *const names[] = {"nowrap", "volatile", "hex", "signed"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if ((flags >> i & 1) != 0)
      tc_add_format(text, " %s", names[i]);
}

static bool shows_integer(const tc_inst *inst) {
  return inst->kind == TC_INST_CONST || inst->kind == TC_INST_INDEX || inst->kind == TC_INST_ARG ||
         inst->kind == TC_INST_PRINT || inst->integer != 0;
}

static void print_inst(tc_text *text, const tc_inst *inst, int depth) {
  indent(text, depth);
  if (inst->type != NULL)
    tc_add_format(text, "%%%zu: %s = ", inst->id, inst->type->text);
  bool coded = inst->kind == TC_INST_OP || inst->kind == TC_INST_RMW;
  tc_add_str(text, coded ? tc_code_name(inst->code) : kind_name(inst->kind));
  print_flags(text, inst->flags);
  if (shows_integer(inst))
    tc_add_format(text, " %lld", (long long)inst->integer);
  if (inst->var != NULL)
    tc_add_format(text, " v%zu", inst->var->id);
  if (inst->buffer != NULL)
    tc_add_format(text, " b%zu", inst->buffer->id);
  if (inst->kind == TC_INST_READ || inst->kind == TC_INST_WRITE || inst->kind == TC_INST_INDEX)
    print_map(text, &inst->map);
  if (inst->callee != NULL)
    tc_add_format(text, " @%s", inst->callee->name);
  if (inst->text != NULL)
    tc_add_format(text, " \"%s\"", inst->text);
  for (size_t i = 0; i < inst->arg_count; i++)
    tc_add_format(text, "%s%%%zu", i == 0 ? " " : ", ", inst->args[i]->id);
  for (size_t i = 0; i < inst->var_count; i++)
    tc_add_format(text, "%sv%zu", i == 0 ? " -> " : ", ", inst->vars[i]->id);
  tc_add_char(text, '\n');
  if (inst->list != NULL)
    print_list(text, inst->list, depth + 1);
}

static void print_body(tc_text *text, const tc_code_block *body, int depth) {
  for (size_t i = 0; i < body->count; i++)
    print_inst(text, body->insts[i], depth);
}

static void print_nest(tc_text *text, const char *name, const tc_stmt *s, int depth) {
  indent(text, depth);
  tc_add_str(text, name);
  for (unsigned i = 0; i < s->nest.dim_count; i++)
    tc_add_format(text, "%s2^%u", i == 0 ? " " : "x", (unsigned)s->nest.dims[i]);
  if (s->nest.bits > 0 && !s->nest.independent)
    tc_add_str(text, " in order");
  if (s->axis_bits > 0)
    tc_add_format(text, " axis i%u+%u%s", s->axis_low, s->axis_bits, s->reverse ? " reverse" : "");
  tc_add_format(text, " // line %zu\n", s->line);
  print_body(text, &s->nest.body, depth + 1);
}

static void print_target(tc_text *text, const tc_target *target) {
  if (target->var != NULL)
    tc_add_format(text, " v%zu", target->var->id);
  else
    tc_add_format(text, " b%zu", target->buffer->id);
}

static void print_combined(tc_text *text, const tc_stmt *s, int depth) {
  print_nest(text, s->kind == TC_STMT_REDUCE ? "reduce" : "scan", s, depth);
  indent(text, depth);
  tc_add_str(text, "combine");
  for (size_t i = 0; i < s->input_count; i++)
    tc_add_format(text, " %%%zu", s->inputs[i]->id);
  tc_add_str(text, " into");
  for (size_t i = 0; i < s->input_count; i++)
    print_target(text, &s->targets[i]);
  if (s->combine.simple != TC_CODE_NONE)
    tc_add_format(text, " by %s", tc_code_name(s->combine.simple));
  tc_add_char(text, '\n');
  print_body(text, &s->combine.body, depth + 1);
  indent(text, depth);
  tc_add_str(text, "yield");
  for (size_t i = 0; i < s->combine.count; i++)
    tc_add_format(text, " %%%zu", s->combine.results[i]->id);
  tc_add_char(text, '\n');
}

static void print_scalar(tc_text *text, const tc_inst *inst) {
  if (inst == NULL)
    tc_add_str(text, "always");
  else if (inst->kind == TC_INST_CONST)
    tc_add_format(text, "%lld", (long long)inst->integer);
  else
    tc_add_format(text, "v%zu", inst->var->id);
}

static void print_for(tc_text *text, const tc_stmt *s, int depth) {
  tc_add_format(text, "for v%zu = ", s->var->id);
  print_scalar(text, s->low);
  tc_add_str(text, s->is_unsigned ? " to unsigned " : " to ");
  print_scalar(text, s->high);
  tc_add_str(text, " step ");
  print_scalar(text, s->step);
  tc_add_char(text, '\n');
  print_list(text, s->list, depth + 1);
}

static void print_if(tc_text *text, const tc_stmt *s, int depth) {
  tc_add_str(text, "if ");
  print_scalar(text, s->condition);
  tc_add_char(text, '\n');
  print_list(text, s->list, depth + 1);
  if (s->otherwise != NULL) {
    indent(text, depth);
    tc_add_str(text, "else\n");
    print_list(text, s->otherwise, depth + 1);
  }
}

static void print_dot(tc_text *text, const tc_dot *d) {
  tc_add_format(text, "dot b%zu += b%zu/%u%s * b%zu/%u%s batch 2^%u m 2^%u n 2^%u k 2^%u\n",
                d->acc->id, d->a->id, d->a_panel, d->unsigned_a ? "u" : "", d->b->id, d->b_panel,
                d->unsigned_b ? "u" : "", d->batch, d->m, d->n, d->k);
}

static void print_flow(tc_text *text, const tc_stmt *s, int depth) {
  indent(text, depth);
  switch (s->kind) {
  case TC_STMT_DOT:
    print_dot(text, &s->dot);
    break;
  case TC_STMT_COPY:
    tc_add_format(text, "copy b%zu = b%zu\n", s->targets[0].buffer->id, s->source->id);
    break;
  case TC_STMT_FOR:
    print_for(text, s, depth);
    break;
  case TC_STMT_IF:
    print_if(text, s, depth);
    break;
  case TC_STMT_LOOP:
    tc_add_str(text, "loop\n");
    print_list(text, s->list, depth + 1);
    break;
  case TC_STMT_LABEL:
    tc_add_format(text, "label %zu\n", s->label);
    break;
  case TC_STMT_RETURN:
    tc_add_str(text, "return");
    for (size_t i = 0; i < s->value_count; i++) {
      tc_add_char(text, ' ');
      print_scalar(text, s->values[i]);
    }
    tc_add_char(text, '\n');
    break;
  case TC_STMT_BARRIER:
    tc_add_str(text, "barrier\n");
    break;
  default: /* a jump or a break */
    if (s->kind == TC_STMT_JUMP)
      tc_add_format(text, "jump %zu if ", s->label);
    else
      tc_add_str(text, "break unless ");
    print_scalar(text, s->condition);
    tc_add_char(text, '\n');
  }
}

static void print_list(tc_text *text, const tc_list *list, int depth) {
  for (const tc_stmt *s = list->first; s != NULL; s = s->next) {
    if (s->kind == TC_STMT_NEST)
      print_nest(text, s->nest.bits == 0 ? "do" : "nest", s, depth);
    else if (s->kind == TC_STMT_REDUCE || s->kind == TC_STMT_SCAN)
      print_combined(text, s, depth);
    else
      print_flow(text, s, depth);
  }
}

static void print_function(tc_text *text, const tc_function *f) {
  tc_add_format(text, "%s @%s(", f->is_public ? "kernel" : "function", f->name);
  for (size_t i = 0; i < f->param_count; i++)
    tc_add_format(text, "%sv%zu: %s", i == 0 ? "" : ", ", f->params[i]->id,
                  f->params[i]->type->text);
  tc_add_format(text, ") stack %zu frame %zu\n", f->stack, f->frame);
  for (size_t i = 0; i < f->buffer_count; i++) {
    const tc_buffer *b = f->buffers[i];
    tc_add_format(text, "  buffer b%zu: 2^%u of %s", b->id, b->bits, b->element->text);
    if (b->constant != NULL)
      tc_add_str(text, " constant\n");
    else if (b->on_stack)
      tc_add_str(text, " on the stack\n");
    else
      tc_add_format(text, " at %zu\n", b->offset);
  }
  print_list(text, f->body, 1);
}

void tc_tile_print(tc_text *text, const tc_program *program) {
  for (size_t i = 0; i < program->function_count; i++)
    print_function(text, program->functions[i]);
}
