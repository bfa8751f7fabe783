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
 * then. */
enum { LONG_KERNEL = 16, FEW = 3 };

static bool is_long(const tc_c *e) {
  return e->function->buffer_count > LONG_KERNEL;
}

void tc_c_open_loop(tc_c *e, const tc_loops *loops, unsigned k, bool vectorize) {
  unsigned low = loops->low[k];
  if (vectorize && !(is_long(e) && loops->bits[k] < FEW))
    tc_c_line(e, "#pragma clang loop vectorize(assume_safety)%s",
              is_long(e) ? " unroll(disable)" : "");
  else if (is_long(e))
    tc_c_line(e, "#pragma clang loop unroll(disable)");
  tc_c_open(e, "for (int64_t i%u = 0; i%u < %llu; i%u++) {", low, low, 1ULL << loops->bits[k], low);
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
  if (count > 1 && is_long(e)) {
    open_joint_loop(e, loops, count);
    return 1;
  }
  for (unsigned k = 0; k < count; k++)
    tc_c_open_loop(e, loops, k, false);
  return count;
}

void tc_c_nest(tc_c *e, const tc_stmt *stmt) {
  const tc_nest *nest = &stmt->nest;
  tc_loops loops = tc_loops_of(nest);
  const tc_loops *outer = e->loops;
  bool vectorize = nest->independent && tc_c_vectorizable(&nest->body);
  e->loops = &loops;
  unsigned last = loops.count - 1;
  bool joint = is_long(e) && loops.count > 1 && loops.bits[last] < FEW;
  unsigned opened = loops.count == 0 ? 0 : open_outer_loops(e, &loops, joint ? loops.count : last);
  if (loops.count == 0 || joint) {
    tc_c_block(e, &nest->body);
  } else if (!vectorize || !tc_c_split(e, stmt, loops.bits[last])) {
    tc_c_open_loop(e, &loops, last, vectorize);
    tc_c_block(e, &nest->body);
    tc_c_close(e);
  }
  while (opened-- > 0)
    tc_c_close(e);
  e->loops = outer;
}
