/* dot.c: a product of matrices as one linalg.generic over the packed operands. */
#include "emit_linalg.h"

/* The loops, from the outermost on: batch, panels of m, panels of n, k, the rows and columns within
 * a panel. */
enum { BATCH, M_PANEL, N_PANEL, K, M_ROW, N_COLUMN, LOOPS };

static void take(tc_map *map, unsigned low, unsigned count) {
  tc_map more = tc_map_bits(low, count);
  tc_map_append(map, &more);
}

/* The loops of the dot, without those of one position, and the bit at which each begins; that over
 * k is two where bf16 lies in pairs of k. */
static tc_loops loops_of(const tc_dot *dot, unsigned pair, unsigned *low) {
  const unsigned bits[LOOPS] = {dot->batch, dot->m - dot->a_panel, dot->n - dot->b_panel,
                                dot->k,     dot->a_panel,          dot->b_panel};
  tc_loops loops = {0};
  for (unsigned d = 0, end = dot->batch + dot->m + dot->n + dot->k; d < LOOPS; d++) {
    low[d] = end -= bits[d];
    if (bits[d] == 0)
      continue;
    loops.low[loops.count] = (uint8_t)low[d];
    loops.bits[loops.count++] = (uint8_t)bits[d];
  }
  tc_loops_cut(&loops, low[K] + pair);
  return loops;
}

/* The operand's element as one of acc's. */
static tc_ssa widen(tc_mlir *e, tc_ssa a, const tc_type *from, const tc_type *to,
                    bool is_unsigned) {
  if (from->kind == TC_FLOAT)
    return from->width == to->width ? a : tc_mlir_widen(e, a, from);
  return tc_mlir_resize(e, a, from->width, to->width, !is_unsigned);
}

static void print_body(tc_mlir *e, const tc_dot *dot, const tc_ssa *args) {
  const tc_type *type = dot->acc->element;
  const char *name = tc_mlir_type(e, type);
  bool is_float = type->kind == TC_FLOAT;
  tc_ssa a = widen(e, args[0], dot->a->element, type, dot->unsigned_a);
  tc_ssa b = widen(e, args[1], dot->b->element, type, dot->unsigned_b);
  tc_ssa product = tc_mlir_binary(e, is_float ? "arith.mulf" : "arith.muli", a, b, name);
  tc_ssa sum = tc_mlir_binary(e, is_float ? "arith.addf" : "arith.addi", args[2], product, name);
  tc_mlir_line(e, "linalg.yield %%v%zu : %s", sum, name);
  e->depth--;
  tc_mlir_line(e, "}");
}

/* Where the operands' elements lie, by the bits of the loops. */
static void places(const tc_dot *dot, unsigned pair, const unsigned *low, tc_map *a, tc_map *b,
                   tc_map *acc) {
  take(a, low[M_ROW], dot->a_panel);
  take(a, low[K], dot->k);
  take(a, low[M_PANEL], dot->m - dot->a_panel);
  take(a, low[BATCH], dot->batch);
  take(b, low[K], pair);
  take(b, low[N_COLUMN], dot->b_panel);
  take(b, low[K] + pair, dot->k - pair);
  take(b, low[N_PANEL], dot->n - dot->b_panel);
  take(b, low[BATCH], dot->batch);
  take(acc, low[N_COLUMN], dot->b_panel);
  take(acc, low[N_PANEL], dot->n - dot->b_panel);
  take(acc, low[M_ROW], dot->a_panel);
  take(acc, low[M_PANEL], dot->m - dot->a_panel);
  take(acc, low[BATCH], dot->batch);
}

void tc_mlir_dot(tc_mlir *e, const tc_dot *dot) {
  const tc_loops *outer = e->loops;
  unsigned low[LOOPS], pair = dot->b->element->kind == TC_FLOAT && dot->b->element->width == 16;
  tc_loops loops = loops_of(dot, pair, low);
  tc_map a = {0}, b = {0}, acc = {0};
  tc_view views[3];
  tc_ssa args[3];
  places(dot, pair, low, &a, &b, &acc);
  e->loops = &loops;
  if (!tc_mlir_view(e, &views[0], dot->a, &a) || !tc_mlir_view(e, &views[1], dot->b, &b) ||
      !tc_mlir_view(e, &views[2], dot->acc, &acc)) {
    tc_mlir_refuse(e, "the operands of a dot do not lie in panels");
  } else {
    tc_mlir_head(e, views, 2, 1, tc_loops_within(&loops, low[K], dot->k), args);
    print_body(e, dot, args);
  }
  e->loops = outer;
}
