/* reduce.c: reductions and scans. */
#include "emit_linalg.h"

/* Prints the combination of args, 2n of them, into results, n. */
static void print_combine(tc_mlir *e, const tc_combine *combine, const tc_ssa *args,
                          tc_ssa *results) {
  const tc_ssa *outer = e->combine_args;
  e->combine_args = args;
  tc_mlir_block(e, &combine->body);
  for (size_t i = 0; i < combine->count; i++)
    results[i] = tc_mlir_value(e, combine->results[i]);
  e->combine_args = outer;
}

static tc_ssa load_target(tc_mlir *e, const tc_target *target, tc_ssa place) {
  const tc_buffer *b = target->buffer;
  if (target->var != NULL)
    return tc_mlir_load_var(e, target->var);
  return tc_mlir_from_stored(e, tc_mlir_load_at(e, b, place), b->element);
}

static void store_target(tc_mlir *e, const tc_target *target, tc_ssa place, tc_ssa value) {
  const tc_buffer *b = target->buffer;
  if (target->var != NULL)
    tc_mlir_store_var(e, target->var, value);
  else
    tc_mlir_store_at(e, b, place, tc_mlir_to_stored(e, value, b->element));
}

/* A fill and a linalg.generic with reduction loops; false if the statement has no such form. */
static bool reduce_simply(tc_mlir *e, const tc_stmt *stmt, uint32_t axis) {
  const tc_target *target = &stmt->targets[0];
  const tc_type *type = stmt->inputs[0]->type;
  tc_map map = tc_map_without(e->nest->bits, stmt->axis_low, stmt->axis_bits);
  uint64_t bits;
  tc_view view;
  bool good = false;
  if (stmt->input_count != 1 || !tc_mlir_is_generic(e->nest) ||
      !tc_neutral(stmt->combine.simple, type, &bits))
    return false;
  if (target->var != NULL)
    view = tc_mlir_view_of_var(e, target->var);
  else if (!tc_mlir_view(e, &view, target->buffer, &map))
    return false;
  tc_ssa begin = tc_mlir_constant(e, bits, type);
  if (!view.is_var)
    begin = tc_mlir_to_stored(e, begin, type);
  tc_mlir_line(e, "linalg.fill ins(%%v%zu : %s) outs(%%v%zu : %s)", begin,
               view.is_var ? tc_mlir_type(e, type) : tc_mlir_stored(e, type), view.memref,
               view.type);
  tc_ssa before = tc_mlir_generic(e, &view, axis, &good);
  if (!good)
    return false;
  tc_ssa args[2] = {view.is_var ? before : tc_mlir_from_stored(e, before, type),
                    tc_mlir_value(e, stmt->inputs[0])};
  tc_ssa result = 0;
  print_combine(e, &stmt->combine, args, &result);
  tc_mlir_yield(e, &view, view.is_var ? result : tc_mlir_to_stored(e, result, type));
  return true;
}

/* Whether the position is the first along the axis. */
static tc_ssa is_first(tc_mlir *e, uint32_t axis, bool reverse) {
  tc_ssa made = 0;
  for (unsigned d = 0; d < e->loops->count; d++)
    if ((axis >> d & 1) != 0) {
      tc_ssa begin = tc_mlir_number(e, reverse ? (1LL << e->loops->bits[d]) - 1 : 0, "index");
      tc_ssa here = tc_mlir_binary(e, "arith.cmpi eq,", e->index[d], begin, "index");
      made = made == 0 ? here : tc_mlir_binary(e, "arith.andi", made, here, "i1");
    }
  return made != 0 ? made : tc_mlir_number(e, 1, "i1");
}

/* Loops in which the result so far, in sums, becomes the input or its combination with that. */
static void run_along(tc_mlir *e, const tc_stmt *stmt, uint32_t axis, const tc_target *sums,
                      bool is_scan) {
  size_t n = stmt->input_count;
  tc_ssa *args = tc_alloc_array(e->arena, 3 * n, sizeof *args), place = 0;
  if (args == NULL) {
    e->out->failed = true;
    return;
  }
  tc_map map = tc_map_without(e->nest->bits, stmt->axis_low, stmt->axis_bits),
         all = tc_identity(e->nest->bits);
  e->form = TC_FORM_LOOPS;
  tc_mlir_open(e, axis, stmt->reverse);
  tc_mlir_block(e, &stmt->nest.body);
  for (size_t i = 0; i < n; i++)
    args[n + i] = tc_mlir_value(e, stmt->inputs[i]);
  if (!is_scan)
    place = tc_mlir_place(e, &map);
  tc_ssa first = is_first(e, axis, stmt->reverse);
  tc_mlir_line(e, "scf.if %%v%zu {", first);
  e->depth++;
  for (size_t i = 0; i < n; i++)
    store_target(e, &sums[i], place, args[n + i]);
  e->depth--;
  tc_mlir_line(e, "} else {");
  e->depth++;
  for (size_t i = 0; i < n; i++)
    args[i] = load_target(e, &sums[i], place);
  print_combine(e, &stmt->combine, args, args + 2 * n);
  for (size_t i = 0; i < n; i++)
    store_target(e, &sums[i], place, args[2 * n + i]);
  e->depth--;
  tc_mlir_line(e, "}");
  if (is_scan)
    place = tc_mlir_place(e, &all);
  for (size_t i = 0; is_scan && i < n; i++)
    store_target(e, &stmt->targets[i], place, load_target(e, &sums[i], 0));
  tc_mlir_close(e);
}

static void along_axis(tc_mlir *e, const tc_stmt *stmt, bool is_scan, const tc_target *sums) {
  const tc_nest *nest = e->nest;
  const tc_loops *outer = e->loops;
  tc_form form = e->form;
  tc_loops loops = tc_loops_of(&stmt->nest);
  tc_loops_cut(&loops, stmt->axis_low);
  tc_loops_cut(&loops, stmt->axis_low + stmt->axis_bits);
  uint32_t axis = tc_loops_within(&loops, stmt->axis_low, stmt->axis_bits);
  e->nest = &stmt->nest;
  e->loops = &loops;
  if (is_scan || !reduce_simply(e, stmt, axis))
    run_along(e, stmt, axis, sums, is_scan);
  e->form = form;
  e->loops = outer;
  e->nest = nest;
}

void tc_mlir_reduce(tc_mlir *e, const tc_stmt *stmt) {
  along_axis(e, stmt, false, stmt->targets);
}

/* The sums of a scan are variables of their own, which e->vars gets behind the function's. */
void tc_mlir_scan(tc_mlir *e, const tc_stmt *stmt) {
  size_t n = stmt->input_count, count = e->function->var_count;
  tc_target *sums = tc_alloc_array(e->arena, n, sizeof *sums);
  tc_var *vars = tc_alloc_array(e->arena, n, sizeof *vars);
  tc_ssa *names = tc_alloc_array(e->arena, count + n, sizeof *names), *outer = e->vars;
  if (sums == NULL || vars == NULL || names == NULL) {
    e->out->failed = true;
    return;
  }
  for (size_t i = 0; i < count; i++)
    names[i] = e->vars[i];
  for (size_t i = 0; i < n; i++) {
    vars[i] = (tc_var){count + i, stmt->inputs[i]->type};
    sums[i] = (tc_target){.var = &vars[i]};
    names[count + i] = tc_mlir_new(e);
    tc_mlir_entry(e, "%%v%zu = memref.alloca() : memref<%s>", names[count + i],
                  tc_mlir_type(e, vars[i].type));
  }
  e->vars = names;
  along_axis(e, stmt, true, sums);
  e->vars = outer;
}
