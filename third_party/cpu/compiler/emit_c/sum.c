/* sum.c: reductions along the innermost loop with one accumulator. The operation is one that
 * clang's vectoriser knows how to do in any order: it chooses how many lanes there are, keeps them
 * in registers and adds them up at the end. */
#include "emit_c.h"

/* Whether clang makes lanes of it: not of floats of 16 bits, nor of maxima of floats, which pass
 * over NaN or keep it. */
static bool has_lanes(const tc_type *type, tc_code code) {
  if (tc_width(type) < 32)
    return false;
  return tc_c_class_of(type) == TC_C_INT || code == TC_CODE_FADD || code == TC_CODE_FMUL;
}

void tc_c_position(tc_c *e, const tc_stmt *stmt) {
  tc_c_block(e, &stmt->nest.body);
  if (stmt->kind != TC_STMT_REDUCE)
    return;
  const char *args[] = {"a0", tc_c_value(e, stmt->inputs[0])};
  const char *const *outer = e->combine_args;
  e->combine_args = args;
  tc_c_open(e, "{");
  tc_c_line(e, "#pragma clang fp reassociate(on)");
  tc_c_block(e, &stmt->combine.body);
  tc_c_line(e, "a0 = %s;", tc_c_value(e, stmt->combine.results[0]));
  tc_c_close(e);
  e->combine_args = outer;
}

static void deliver(tc_c *e, const tc_stmt *s) {
  tc_map map = tc_map_without(s->nest.bits, s->axis_low, s->axis_bits);
  if (s->targets[0].var != NULL)
    tc_c_line(e, "s%zu = a0;", s->targets[0].var->id);
  else
    tc_c_line(e, "b%zu[%s] = a0;", s->targets[0].buffer->id, tc_c_place(e, &map));
}

bool tc_c_sum(tc_c *e, const tc_stmt *s) {
  const tc_type *type = s->inputs[0]->type;
  uint64_t begin;
  if (s->axis_low > 0 || s->axis_bits < 3 || !has_lanes(type, s->combine.simple) ||
      !tc_neutral(s->combine.simple, type, &begin) || !tc_c_vectorizable(&s->nest.body))
    return false;
  const tc_loops *outer = e->loops;
  tc_loops loops = tc_loops_of(&s->nest);
  unsigned last = loops.count - 1, k = 0;
  e->loops = &loops;
  tc_c_open(e, "{");
  for (; loops.low[k] >= s->axis_bits; k++)
    tc_c_open_loop(e, &loops, k, false);
  tc_c_line(e, "%s = %s;", tc_c_variable(e, type, "a0"), tc_c_number(e, type, begin));
  for (unsigned along = k; along < last; along++)
    tc_c_open_loop(e, &loops, along, false);
  if (!tc_c_split(e, s, loops.bits[last])) {
    tc_c_open_loop(e, &loops, last, true);
    tc_c_position(e, s);
    tc_c_close(e);
  }
  for (unsigned along = k; along < last; along++)
    tc_c_close(e);
  deliver(e, s);
  for (; k > 0; k--)
    tc_c_close(e);
  tc_c_close(e);
  e->loops = outer;
  return true;
}
