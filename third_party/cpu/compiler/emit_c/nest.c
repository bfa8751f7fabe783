/* nest.c: nests as for loops, and places as sums of their variables. */
#include "emit_c.h"

/* The bits of a run, from the variable of its loop. */
static const char *term(tc_c *e, const tc_run *run) {
  const tc_loops *loops = e->loops;
  const char *out = tc_c_format(e, "i%u", loops->low[run->loop]);
  if (run->skipped > 0)
    out = tc_c_format(e, "(%s >> %u)", out, run->skipped);
  if (run->skipped + run->count < loops->bits[run->loop])
    out = tc_c_format(e, "(%s & %llu)", out, (1ULL << run->count) - 1);
  return run->at == 0 ? out : tc_c_format(e, "%s * %llu", out, 1ULL << run->at);
}

const char *tc_c_place(tc_c *e, const tc_map *map) {
  const char *out = "";
  unsigned long long fixed = tc_map_fixed(map);
  for (tc_run run = {0}; tc_next_run(e->loops, map, &run);) {
    if (run.loop == e->loops->count) {
      tc_c_refuse(e, "a place names bit %u, which no loop has", map->bit[run.at]);
      return "0";
    }
    const char *next = term(e, &run);
    out = out[0] == '\0' ? next : tc_c_format(e, "%s + %s", next, out);
  }
  if (out[0] == '\0')
    return tc_c_format(e, "%llu", fixed);
  return fixed == 0 ? out : tc_c_format(e, "%s + %llu", out, fixed);
}

bool tc_c_vectorizable(const tc_code_block *block) {
  for (size_t i = 0; i < block->count; i++)
    switch (block->insts[i]->kind) {
    case TC_INST_RMW:
    case TC_INST_CAS:
    case TC_INST_ATOMIC_LOAD:
    case TC_INST_POLL:
    case TC_INST_ATOMIC_STORE:
    case TC_INST_COUNT:
    case TC_INST_PRINT:
    case TC_INST_ASSERT:
    case TC_INST_CALL:
    case TC_INST_SCALARS:
    case TC_INST_SET:
      return false;
    default:
      break;
    }
  return true;
}

/* With more tiles than this a kernel is long, as a sort is: clang would spend seconds on unrolling
 * its loops, and what it spends on a loop counts. FEW: bits of a loop that is not worth vectors
 * then, at most; FEW_APART: where what it writes does not lie together. */
enum { LONG_KERNEL = 16, FEW = 2, FEW_APART = 1 };

bool tc_c_is_long(const tc_c *e) {
  return e->function->buffer_count > LONG_KERNEL;
}

static bool is_few(const tc_c *e, unsigned bits, bool apart) {
  return tc_c_is_long(e) && bits <= (apart ? FEW_APART : FEW);
}

static void open_loop(tc_c *e, const tc_loops *loops, unsigned k, bool vectorize) {
  unsigned low = loops->low[k];
  if (vectorize)
    tc_c_line(e, "#pragma clang loop vectorize(assume_safety)%s",
              tc_c_is_long(e) ? " unroll(disable)" : "");
  else if (tc_c_is_long(e))
    tc_c_line(e, "#pragma clang loop unroll(disable)");
  tc_c_open(e, "for (int64_t i%u = 0; i%u < %llu; i%u++) {", low, low, 1ULL << loops->bits[k], low);
}

void tc_c_open_loop(tc_c *e, const tc_loops *loops, unsigned k, bool vectorize) {
  open_loop(e, loops, k, vectorize && !is_few(e, loops->bits[k], false));
}

/* Opens the first count loops as one, whose variable has the bits of all. Loops of two or four
 * positions, as those of a sort are, are vectorised as one loop only. */
static void open_joint_loop(tc_c *e, const tc_loops *loops, unsigned count) {
  unsigned low = loops->low[count - 1], bits = loops->low[0] + loops->bits[0] - low;
  tc_c_line(e, "#pragma clang loop unroll(disable)");
  tc_c_open(e, "for (int64_t i = 0; i < %llu; i++) {", 1ULL << bits);
  for (unsigned k = 0; k < count; k++)
    tc_c_line(e, "const int64_t i%u = i >> %u & %llu;", loops->low[k], loops->low[k] - low,
              (1ULL << loops->bits[k]) - 1);
}

/* Opens all loops but those that the caller emits; returns how many it opened. */
static unsigned open_outer_loops(tc_c *e, const tc_loops *loops, unsigned count) {
  if (count > 1 && tc_c_is_long(e)) {
    open_joint_loop(e, loops, count);
    return 1;
  }
  for (unsigned k = 0; k < count; k++)
    tc_c_open_loop(e, loops, k, false);
  return count;
}

/* Whether consecutive positions write elsewhere than to consecutive elements. */
static bool writes_apart(const tc_nest *nest) {
  for (size_t i = 0; i < nest->body.count; i++) {
    const tc_inst *inst = nest->body.insts[i];
    for (unsigned k = 0; inst->kind == TC_INST_WRITE && k < nest->bits; k++)
      if (k >= inst->map.count || inst->map.bit[k] != k)
        return true;
  }
  return false;
}

/* The innermost loop, of few positions, is unrolled, and that around it is vectorised: as one loop
 * they would scatter what they write. */
static void unrolled_nest(tc_c *e, const tc_nest *nest, const tc_loops *loops) {
  unsigned last = loops->count - 1;
  for (unsigned k = 0; k < last; k++)
    tc_c_open_loop(e, loops, k, k + 1 == last);
  tc_c_line(e, "#pragma clang loop unroll(full)");
  tc_c_open(e, "for (int64_t i0 = 0; i0 < %llu; i0++) {", 1ULL << loops->bits[last]);
  tc_c_block(e, &nest->body);
  for (unsigned k = 0; k < loops->count; k++)
    tc_c_close(e);
}

void tc_c_nest(tc_c *e, const tc_stmt *stmt) {
  const tc_nest *nest = &stmt->nest;
  if (!e->told && tc_c_call_shared(e, nest))
    return;
  tc_loops loops = tc_loops_of(nest);
  const tc_loops *outer = e->loops;
  bool vectorize = nest->independent && tc_c_vectorizable(&nest->body);
  e->loops = &loops;
  unsigned last = loops.count - 1;
  bool apart = writes_apart(nest);
  bool few = loops.count > 0 && is_few(e, loops.bits[last], apart), joint = few && loops.count > 1;
  if (joint && apart && vectorize) {
    unrolled_nest(e, nest, &loops);
    e->loops = outer;
    return;
  }
  unsigned opened = loops.count == 0 ? 0 : open_outer_loops(e, &loops, joint ? loops.count : last);
  if (loops.count == 0 || joint) {
    tc_c_block(e, &nest->body);
  } else if (!vectorize || !tc_c_split(e, stmt, loops.bits[last])) {
    open_loop(e, &loops, last, vectorize && !few);
    tc_c_block(e, &nest->body);
    tc_c_close(e);
  }
  while (opened-- > 0)
    tc_c_close(e);
  e->loops = outer;
}
