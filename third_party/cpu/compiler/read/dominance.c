/* dominance.c: in a region of several blocks, is each use behind the definition on every way? */
#include "ops.h"

#include <string.h>

/* Dominators of the blocks of one region as bits: row i holds those of block i. */
typedef struct dominators {
  size_t count, words;
  uint64_t *bits;
  tc_block **blocks;
} dominators;

static uint64_t *row_of(const dominators *d, size_t block) {
  return d->bits + block * d->words;
}

static bool has(const uint64_t *row, size_t block) {
  return (row[block / 64] >> block % 64 & 1) != 0;
}

/* Narrows the rows of where this block leads to; whether anything changed. */
static bool flow(const dominators *d, size_t from) {
  const tc_op *end = d->blocks[from]->last;
  bool changed = false;
  for (size_t i = 0; end != NULL && i < end->successor_count; i++) {
    size_t to = end->successors[i].block->index;
    for (size_t w = 0; w < d->words; w++) {
      uint64_t self = to / 64 == w ? (uint64_t)1 << to % 64 : 0;
      uint64_t kept = row_of(d, to)[w] & (row_of(d, from)[w] | self);
      changed = changed || kept != row_of(d, to)[w];
      row_of(d, to)[w] = kept;
    }
  }
  return changed;
}

/* All rows full but the entry's, then narrowed until nothing changes. What is not reached keeps a
 * full row: anything may be used there. */
static bool find_dominators(dominators *d, tc_arena *arena, const tc_region *region) {
  d->count = region->block_count;
  d->words = (d->count + 63) / 64;
  d->blocks = tc_alloc_array(arena, d->count, sizeof *d->blocks);
  d->bits = tc_alloc_array(arena, d->count * d->words, sizeof *d->bits);
  if (d->blocks == NULL || d->bits == NULL)
    return false;
  memset(d->bits, 0xff, d->count * d->words * sizeof *d->bits);
  memset(d->bits, 0, d->words * sizeof *d->bits);
  d->bits[0] = 1;
  for (tc_block *b = region->first; b != NULL; b = b->next)
    d->blocks[b->index] = b;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < d->count; i++)
      changed = flow(d, i) || changed;
  }
  return true;
}

/* The block of the region that holds op, at whatever depth; NULL when none does. */
static const tc_block *holder(const tc_op *op, const tc_region *region) {
  while (op != NULL && op->block != NULL && op->block->region != region)
    op = tc_parent(op);
  return op == NULL ? NULL : op->block;
}

static bool check_uses(tc_scan *scan, const dominators *d, const tc_value *value,
                       const tc_block *block) {
  for (const tc_use *use = value->uses; use != NULL; use = use->next) {
    const tc_block *user = holder(use->op, block->region);
    if (user != NULL && !has(row_of(d, user->index), block->index))
      return tc_op_wrong(scan, use->op,
                         "operand %zu, '%%%.60s', is not defined on every way to its block",
                         use->index, value->name);
  }
  return true;
}

static bool check_region(tc_scan *scan, tc_arena *arena, const tc_region *region) {
  dominators d = {0};
  if (region->block_count < 2)
    return true;
  if (!find_dominators(&d, arena, region))
    return tc_no_memory(scan);
  for (const tc_block *b = region->first; b != NULL; b = b->next) {
    for (size_t i = 0; i < b->arg_count; i++)
      if (!check_uses(scan, &d, &b->args[i], b))
        return false;
    for (const tc_op *op = b->first; op != NULL; op = op->next)
      for (size_t i = 0; i < op->result_count; i++)
        if (!check_uses(scan, &d, &op->results[i], b))
          return false;
  }
  return true;
}

bool tc_check_dominance(tc_scan *scan, tc_arena *arena, const tc_op *op) {
  for (size_t i = 0; i < op->region_count; i++) {
    if (!check_region(scan, arena, &op->regions[i]))
      return false;
    for (const tc_block *b = op->regions[i].first; b != NULL; b = b->next)
      for (const tc_op *inner = b->first; inner != NULL; inner = inner->next)
        if (inner->region_count > 0 && !tc_check_dominance(scan, arena, inner))
          return false;
  }
  return true;
}
