/* nest.c: nests as for loops, and places as sums of their variables. */
#include "emit_c.h"

tc_loops tc_c_loops_of(const tc_nest *nest) {
  tc_loops loops = {.count = nest->dim_count};
  unsigned low = nest->bits;
  for (unsigned k = 0; k < nest->dim_count; k++) {
    low -= nest->dims[k];
    loops.low[k] = (uint8_t)low;
    loops.bits[k] = nest->dims[k];
  }
  return loops;
}

void tc_c_cut(tc_loops *loops, unsigned bit) {
  unsigned k = 0;
  while (k < loops->count && !(loops->low[k] < bit && bit < loops->low[k] + loops->bits[k]))
    k++;
  if (k == loops->count)
    return;
  for (unsigned i = loops->count; i > k; i--) {
    loops->low[i] = loops->low[i - 1];
    loops->bits[i] = loops->bits[i - 1];
  }
  loops->count++;
  loops->bits[k + 1] = (uint8_t)(bit - loops->low[k]);
  loops->bits[k] = (uint8_t)(loops->bits[k] - loops->bits[k + 1]);
  loops->low[k] = (uint8_t)bit;
}

tc_map tc_c_identity(unsigned low, unsigned count) {
  tc_map map = {.count = (uint8_t)count};
  for (unsigned i = 0; i < count; i++)
    map.bit[i] = (uint8_t)(low + i);
  return map;
}

/* The loop that covers the bit; loops->count where none does. */
static unsigned loop_of(const tc_loops *loops, unsigned bit) {
  unsigned k = 0;
  while (k < loops->count && !(loops->low[k] <= bit && bit < loops->low[k] + loops->bits[k]))
    k++;
  return k;
}

/* Bits from..from+count of the variable of loop k, moved to bit to. */
static const char *term(tc_c *e, unsigned k, unsigned from, unsigned count, unsigned to) {
  const tc_loops *loops = e->loops;
  const char *out = tc_c_format(e, "i%u", loops->low[k]);
  if (from > 0)
    out = tc_c_format(e, "(%s >> %u)", out, from);
  if (from + count < loops->bits[k])
    out = tc_c_format(e, "(%s & %llu)", out, (1ULL << count) - 1);
  return to == 0 ? out : tc_c_format(e, "%s * %llu", out, 1ULL << to);
}

const char *tc_c_place(tc_c *e, const tc_map *map) {
  const char *out = "";
  uint64_t fixed = 0;
  for (unsigned to = 0; to < map->count;) {
    unsigned bit = map->bit[to], run = 1;
    if (bit == TC_BIT_ZERO || bit == TC_BIT_ONE) {
      fixed |= bit == TC_BIT_ONE ? UINT64_C(1) << to : 0;
      to++;
      continue;
    }
    unsigned k = loop_of(e->loops, bit);
    if (k == e->loops->count) {
      tc_c_refuse(e, "a place names bit %u, which no loop has", bit);
      return "0";
    }
    while (to + run < map->count && map->bit[to + run] == bit + run &&
           bit + run < (unsigned)e->loops->low[k] + e->loops->bits[k])
      run++;
    const char *next = term(e, k, bit - e->loops->low[k], run, to);
    out = out[0] == '\0' ? next : tc_c_format(e, "%s + %s", next, out);
    to += run;
  }
  if (out[0] == '\0')
    return tc_c_format(e, "%llu", (unsigned long long)fixed);
  return fixed == 0 ? out : tc_c_format(e, "%s + %llu", out, (unsigned long long)fixed);
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

void tc_c_nest(tc_c *e, const tc_nest *nest) {
  tc_loops loops = tc_c_loops_of(nest);
  const tc_loops *outer = e->loops;
  bool vectorize = nest->independent && tc_c_vectorizable(&nest->body);
  e->loops = &loops;
  unsigned last = loops.count - 1;
  bool joint = is_long(e) && loops.count > 1 && loops.bits[last] < FEW;
  unsigned opened = loops.count == 0 ? 0 : open_outer_loops(e, &loops, joint ? loops.count : last);
  if (loops.count == 0 || joint) {
    tc_c_block(e, &nest->body);
  } else if (!vectorize || !tc_c_split(e, nest, loops.bits[last])) {
    tc_c_open_loop(e, &loops, last, vectorize);
    tc_c_block(e, &nest->body);
    tc_c_close(e);
  }
  while (opened-- > 0)
    tc_c_close(e);
  e->loops = outer;
}
