/* stmt.c: statements and control flow. */
#include "emit_c.h"

static const char *scalar(tc_c *e, const tc_inst *inst) {
  return inst->kind == TC_INST_GET ? tc_c_format(e, "s%zu", inst->var->id) : tc_c_value(e, inst);
}

static void loop_for(tc_c *e, const tc_stmt *s) {
  size_t id = s->var->id;
  const char *cast = s->is_unsigned ? tc_c_format(e, "(uint%u_t)", tc_width(s->var->type)) : "";
  tc_c_open(e, "for (s%zu = %s; %ss%zu < %s%s; s%zu += %s) {", id, scalar(e, s->low), cast, id,
            cast, scalar(e, s->high), id, scalar(e, s->step));
  tc_c_list(e, s->list);
  tc_c_close(e);
}

static void branch(tc_c *e, const tc_stmt *s) {
  tc_c_open(e, "if (%s) {", scalar(e, s->condition));
  tc_c_list(e, s->list);
  if (s->otherwise != NULL && s->otherwise->first != NULL) {
    e->depth--;
    tc_c_open(e, "} else {");
    tc_c_list(e, s->otherwise);
  }
  tc_c_close(e);
}

static void copy(tc_c *e, const tc_stmt *s) {
  const tc_buffer *to = s->targets[0].buffer, *from = s->source;
  tc_c_line(e, "__builtin_memcpy(b%zu, b%zu, %llu * sizeof *b%zu);", to->id, from->id,
            1ULL << to->bits, to->id);
}

static void dot(tc_c *e, const tc_stmt *s) {
  const tc_dot *d = &s->dot;
  const tc_type *a = d->a->element;
  const char *kind = tc_c_suffix(e, a);
  if (a->kind == TC_INT)
    kind = tc_c_format(e, "%s%s", d->unsigned_a ? "u8" : "i8", d->unsigned_b ? "u8" : "i8");
  const char *cast = a->kind == TC_INT ? "(uint32_t *)" : "";
  tc_c_line(e, "tt_dot_%s(%sb%zu, b%zu, b%zu, %u, %u, %u, %u, %u, %u);", kind, cast, d->acc->id,
            d->a->id, d->b->id, d->batch, d->m, d->n, d->k, d->a_panel, d->b_panel);
}

static void leave(tc_c *e, const tc_stmt *s) {
  for (size_t i = 0; i < s->value_count; i++)
    tc_c_line(e, "*r%zu = %s;", i, scalar(e, s->values[i]));
  tc_c_line(e, "return;");
}

static void jump(tc_c *e, const tc_stmt *s) {
  const char *when =
      s->condition == NULL ? "" : tc_c_format(e, "if (%s) ", scalar(e, s->condition));
  tc_c_line(e, "%sgoto L%zu;", when, s->label);
}

static void statement(tc_c *e, const tc_stmt *s) {
  switch (s->kind) {
  case TC_STMT_NEST:
    tc_c_nest(e, s);
    break;
  case TC_STMT_REDUCE:
    tc_c_reduce(e, s);
    break;
  case TC_STMT_SCAN:
    tc_c_scan(e, s);
    break;
  case TC_STMT_DOT:
    dot(e, s);
    break;
  case TC_STMT_COPY:
    copy(e, s);
    break;
  case TC_STMT_FOR:
    loop_for(e, s);
    break;
  case TC_STMT_IF:
    branch(e, s);
    break;
  case TC_STMT_LOOP:
    tc_c_open(e, "for (;;) {");
    tc_c_list(e, s->list);
    tc_c_close(e);
    break;
  case TC_STMT_BREAK:
    tc_c_line(e, "if (!%s) break;", scalar(e, s->condition));
    break;
  case TC_STMT_LABEL:
    tc_c_line(e, "L%zu:;", s->label);
    break;
  case TC_STMT_JUMP:
    jump(e, s);
    break;
  case TC_STMT_RETURN:
    leave(e, s);
    break;
  case TC_STMT_BARRIER: /* a program is one thread */
    break;
  }
}

void tc_c_list(tc_c *e, const tc_list *list) {
  for (const tc_stmt *s = list == NULL ? NULL : list->first; s != NULL && e->rc == TC_OK;
       s = s->next) {
    e->line = s->line;
    statement(e, s);
  }
}
