/* fold.c: reductions and scans. Both run the loops without the axis outside, then the axis,
 * then the lanes: up to 2^LANE_BITS neighbours, each with an accumulator of its own, so that the
 * innermost loop has independent positions and unit strides.
 *
 * Above the lanes of a reduction along the innermost dimension lies the rest of the axis itself;
 * its lanes are folded at the end, halves onto halves. */
#include "emit_c.h"

enum { LANE_BITS = 5, ROW_BITS = 8 };

typedef struct tc_fold {
  const tc_stmt *stmt;
  tc_loops loops;               /* all that the nest runs */
  unsigned lanes;               /* bits: the lowest of the loop */
  unsigned axis_low, axis_high; /* the bits of the axis that are a loop of their own */
  bool across;                  /* the lanes are of the axis */
  unsigned inner;               /* bits of the innermost loop, before it was cut */
} tc_fold;

static bool in_axis(const tc_fold *f, unsigned k) {
  return f->loops.low[k] >= f->axis_low && f->loops.low[k] < f->axis_high;
}

static bool in_lanes(const tc_fold *f, unsigned k) {
  return f->loops.low[k] < f->lanes;
}

static tc_fold fold_of(const tc_stmt *s, bool scan) {
  unsigned high = s->axis_low + s->axis_bits;
  tc_fold f = {.stmt = s, .loops = tc_loops_of(&s->nest), .axis_high = high};
  f.across = s->axis_low == 0 && !scan;
  f.inner = f.loops.count > 0 ? f.loops.bits[f.loops.count - 1] : 0;
  unsigned most = f.across ? s->axis_bits : s->axis_low;
  unsigned limit = f.across ? LANE_BITS : ROW_BITS;
  f.lanes = most < limit ? most : limit;
  f.axis_low = f.across ? f.lanes : s->axis_low;
  tc_loops_cut(&f.loops, f.lanes);
  tc_loops_cut(&f.loops, f.axis_low);
  tc_loops_cut(&f.loops, f.axis_high);
  return f;
}

static const char *accumulator(tc_c *e, size_t k, const char *lane) {
  return tc_c_format(e, "a%zu[%s]", k, lane);
}

static const char *lane_of(tc_c *e, const tc_fold *f) {
  tc_map map = tc_identity(f->lanes);
  return tc_c_place(e, &map);
}

static void declare_accumulators(tc_c *e, const tc_fold *f) {
  for (size_t k = 0; k < f->stmt->input_count; k++)
    tc_c_line(e, "_Alignas(64) %s;",
              tc_c_variable(e, f->stmt->inputs[k]->type,
                            tc_c_format(e, "a%zu[%llu]", k, 1ULL << f->lanes)));
}

static void open_lanes(tc_c *e, const tc_fold *f, bool vectorize) {
  for (unsigned k = 0; k < f->loops.count; k++)
    if (in_lanes(f, k))
      tc_c_open_loop(e, &f->loops, k, vectorize && k + 1 == f->loops.count);
}

static void close_lanes(tc_c *e, const tc_fold *f) {
  for (unsigned k = 0; k < f->loops.count; k++)
    if (in_lanes(f, k))
      tc_c_close(e);
}

/* a[left] = combine(a[left], right): right is one expression an input. */
static void combine(tc_c *e, const tc_fold *f, const char *left, const char *const *right) {
  const tc_combine *c = &f->stmt->combine;
  const char **args = tc_alloc_array(e->arena, 2 * c->count, sizeof *args);
  if (args == NULL) {
    e->rc = TC_ENOMEM;
    return;
  }
  for (size_t k = 0; k < c->count; k++) {
    args[k] = accumulator(e, k, left);
    args[c->count + k] = right[k];
  }
  const char *const *outer = e->combine_args;
  e->combine_args = args;
  tc_c_block(e, &c->body);
  for (size_t k = 0; k < c->count; k++)
    tc_c_line(e, "%s = %s;", args[k], tc_c_value(e, c->results[k]));
  e->combine_args = outer;
}

/* One step along the axis for all lanes: the inputs, combined unless it is the first. */
static void step(tc_c *e, const tc_fold *f, bool first, bool keep) {
  const tc_stmt *s = f->stmt;
  bool vectorize = tc_c_vectorizable(&s->nest.body) && tc_c_vectorizable(&s->combine.body);
  open_lanes(e, f, vectorize);
  tc_c_block(e, &s->nest.body);
  const char *lane = lane_of(e, f);
  const char **right = tc_alloc_array(e->arena, s->input_count, sizeof *right);
  for (size_t k = 0; right != NULL && k < s->input_count; k++) {
    right[k] = tc_c_value(e, s->inputs[k]);
    if (first)
      tc_c_line(e, "%s = %s;", accumulator(e, k, lane), right[k]);
  }
  if (right == NULL)
    e->rc = TC_ENOMEM;
  else if (!first)
    combine(e, f, lane, right);
  tc_map here = tc_identity(s->nest.bits);
  for (size_t k = 0; keep && k < s->input_count; k++)
    tc_c_line(e, "b%zu[%s] = %s;", s->targets[k].buffer->id, tc_c_place(e, &here),
              accumulator(e, k, lane));
  close_lanes(e, f);
}

/* The loops' variables along the axis, from the number of the step. */
static void define_axis(tc_c *e, const tc_fold *f, const char *number) {
  for (unsigned k = 0; k < f->loops.count; k++)
    if (in_axis(f, k))
      tc_c_line(e, "const int64_t i%u = %s >> %u & %llu;", f->loops.low[k], number,
                f->loops.low[k] - f->axis_low, (1ULL << f->loops.bits[k]) - 1);
}

/* The first step, which has nothing to combine. */
static void begin_axis(tc_c *e, const tc_fold *f, uint64_t first, bool keep) {
  tc_c_open(e, "{");
  define_axis(e, f, tc_c_format(e, "(int64_t)%llu", (unsigned long long)first));
  step(e, f, true, keep);
  tc_c_close(e);
}

/* Further steps, up to that one. */
static void go_on(tc_c *e, const tc_fold *f, const char *end, const char *number, bool keep) {
  tc_c_open(e, "for (; step < %s; step++) {", end);
  define_axis(e, f, number);
  step(e, f, false, keep);
  tc_c_close(e);
}

/* Runs the axis from its beginning, or from its end. */
static void run_axis(tc_c *e, const tc_fold *f, bool keep) {
  unsigned bits = f->axis_high - f->axis_low;
  unsigned long long size = 1ULL << bits;
  bool reverse = f->stmt->reverse;
  begin_axis(e, f, reverse ? size - 1 : 0, keep);
  if (bits == 0)
    return;
  const char *end = tc_c_format(e, "%llu", size);
  tc_c_open(e, "{");
  tc_c_line(e, "int64_t step = 1;");
  if (f->across && f->inner == f->axis_high &&
      tc_c_begin_plain(e, &f->stmt->nest, f->inner, 1U << f->lanes)) {
    go_on(e, f, tc_c_format(e, "plain >> %u", f->lanes), "step", keep);
    tc_c_end_plain(e);
    go_on(e, f, end, "step", keep);
    tc_c_close(e);
  } else {
    go_on(e, f, end, reverse ? tc_c_format(e, "(%llu - step)", size - 1) : "step", keep);
  }
  tc_c_close(e);
}

/* Halves of the lanes onto halves, down to one. */
static void fold_lanes(tc_c *e, const tc_fold *f) {
  if (f->lanes == 0)
    return;
  size_t count = f->stmt->input_count;
  const char **right = tc_alloc_array(e->arena, count, sizeof *right);
  if (right == NULL) {
    e->rc = TC_ENOMEM;
    return;
  }
  for (size_t k = 0; k < count; k++)
    right[k] = tc_c_format(e, "a%zu[lane + half]", k);
  tc_c_line(e, "#pragma clang loop unroll(full)");
  tc_c_open(e, "for (int64_t half = %llu; half > 0; half /= 2) {", 1ULL << (f->lanes - 1));
  if (tc_c_vectorizable(&f->stmt->combine.body))
    tc_c_line(e, "#pragma clang loop vectorize(assume_safety)");
  tc_c_open(e, "for (int64_t lane = 0; lane < half; lane++) {");
  combine(e, f, "lane", right);
  tc_c_close(e);
  tc_c_close(e);
}

/* The accumulators to the targets of a reduction. */
static void deliver(tc_c *e, const tc_fold *f) {
  const tc_stmt *s = f->stmt;
  tc_map map = tc_map_without(s->nest.bits, s->axis_low, s->axis_bits);
  if (!f->across)
    open_lanes(e, f, true);
  const char *lane = f->across ? "0" : lane_of(e, f), *place = tc_c_place(e, &map);
  for (size_t k = 0; k < s->input_count; k++) {
    const char *value = accumulator(e, k, lane);
    if (s->targets[k].var != NULL)
      tc_c_line(e, "s%zu = %s;", s->targets[k].var->id, value);
    else
      tc_c_line(e, "b%zu[%s] = %s;", s->targets[k].buffer->id, place, value);
  }
  if (!f->across)
    close_lanes(e, f);
}

static void fold(tc_c *e, const tc_fold *f, bool scan) {
  const tc_loops *outer = e->loops;
  unsigned opened = 1;
  e->loops = &f->loops;
  tc_c_open(e, "{");
  for (unsigned k = 0; k < f->loops.count; k++)
    if (!in_axis(f, k) && !in_lanes(f, k)) {
      tc_c_open_loop(e, &f->loops, k, false);
      opened++;
    }
  declare_accumulators(e, f);
  run_axis(e, f, scan);
  if (f->across)
    fold_lanes(e, f);
  if (!scan)
    deliver(e, f);
  while (opened-- > 0)
    tc_c_close(e);
  e->loops = outer;
}

void tc_c_reduce(tc_c *e, const tc_stmt *stmt) {
  if (tc_c_sum(e, stmt))
    return;
  tc_fold f = fold_of(stmt, false);
  fold(e, &f, false);
}

/* Whether the scan is a running sum along the innermost dimension that ttrt_scan.h has. */
static bool is_running_sum(const tc_stmt *s) {
  const tc_type *type = s->inputs[0]->type;
  tc_c_class class = tc_c_class_of(type);
  return s->input_count == 1 && s->axis_low == 0 && s->axis_bits >= 3 && !s->reverse &&
         tc_width(type) == 32 &&
         ((class == TC_C_FLOAT && s->combine.simple == TC_CODE_FADD) ||
          (class == TC_C_INT && s->combine.simple == TC_CODE_ADD));
}

/* The inputs to their target, then its rows in place. */
static void running_sum(tc_c *e, const tc_stmt *s) {
  tc_loops loops = tc_loops_of(&s->nest);
  const tc_loops *outer = e->loops;
  const tc_map here = tc_identity(s->nest.bits);
  size_t target = s->targets[0].buffer->id;
  e->loops = &loops;
  for (unsigned k = 0; k < loops.count; k++)
    tc_c_open_loop(e, &loops, k, k + 1 == loops.count && tc_c_vectorizable(&s->nest.body));
  tc_c_block(e, &s->nest.body);
  tc_c_line(e, "b%zu[%s] = %s;", target, tc_c_place(e, &here), tc_c_value(e, s->inputs[0]));
  for (unsigned k = 0; k < loops.count; k++)
    tc_c_close(e);
  e->loops = outer;
  const tc_type *type = s->inputs[0]->type;
  tc_c_open(e, "for (int64_t row = 0; row < %llu; row++) {", 1ULL << (s->nest.bits - s->axis_bits));
  tc_c_line(e, "tt_scan_add_%s(%sb%zu + row * %llu, %llu);", tc_c_suffix(e, type),
            type->kind == TC_FLOAT ? "" : "(uint32_t *)", target, 1ULL << s->axis_bits,
            1ULL << s->axis_bits);
  tc_c_close(e);
}

void tc_c_scan(tc_c *e, const tc_stmt *stmt) {
  if (is_running_sum(stmt)) {
    running_sum(e, stmt);
    return;
  }
  tc_fold f = fold_of(stmt, true);
  fold(e, &f, true);
}
