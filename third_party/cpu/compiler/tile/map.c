/* map.c: maps of bits, and what part of a place each loop of a nest makes. */
#include "tile.h"

#include <string.h>

tc_map tc_map_bits(unsigned low, unsigned count) {
  tc_map map = {.count = (uint8_t)count};
  for (unsigned i = 0; i < count; i++)
    map.bit[i] = (uint8_t)(low + i);
  return map;
}

tc_map tc_identity(unsigned bits) {
  return tc_map_bits(0, bits);
}

tc_map tc_map_without(unsigned bits, unsigned low, unsigned count) {
  tc_map map = tc_map_bits(0, low), above = tc_map_bits(low + count, bits - low - count);
  tc_map_append(&map, &above);
  return map;
}

tc_map tc_map_slice(const tc_map *map, unsigned low, unsigned count) {
  tc_map made = {.count = (uint8_t)count};
  memcpy(made.bit, map->bit + low, count);
  return made;
}

void tc_map_append(tc_map *map, const tc_map *more) {
  memcpy(map->bit + map->count, more->bit, more->count);
  map->count = (uint8_t)(map->count + more->count);
}

void tc_map_push(tc_map *map, unsigned bit) {
  map->bit[map->count++] = (uint8_t)bit;
}

uint64_t tc_map_fixed(const tc_map *map) {
  uint64_t fixed = 0;
  for (unsigned i = 0; i < map->count; i++)
    fixed |= (uint64_t)(map->bit[i] == TC_BIT_ONE) << i;
  return fixed;
}

tc_loops tc_loops_of(const tc_nest *nest) {
  tc_loops loops = {.count = nest->dim_count};
  unsigned low = nest->bits;
  for (unsigned k = 0; k < nest->dim_count; k++) {
    low -= nest->dims[k];
    loops.low[k] = (uint8_t)low;
    loops.bits[k] = nest->dims[k];
  }
  return loops;
}

void tc_loops_cut(tc_loops *loops, unsigned bit) {
  unsigned k = tc_loop_of(loops, bit);
  if (k == loops->count || loops->low[k] == bit)
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

unsigned tc_loop_of(const tc_loops *loops, unsigned bit) {
  unsigned k = 0;
  while (k < loops->count && !(loops->low[k] <= bit && bit < loops->low[k] + loops->bits[k]))
    k++;
  return k;
}

uint32_t tc_loops_within(const tc_loops *loops, unsigned low, unsigned count) {
  uint32_t set = 0;
  for (unsigned k = 0; k < loops->count; k++)
    if (loops->low[k] >= low && loops->low[k] < low + count)
      set |= UINT32_C(1) << k;
  return set;
}

bool tc_next_run(const tc_loops *loops, const tc_map *map, tc_run *run) {
  unsigned at = run->at + run->count;
  while (at < map->count && map->bit[at] >= TC_BIT_ZERO)
    at++;
  if (at >= map->count)
    return false;
  unsigned bit = map->bit[at], loop = tc_loop_of(loops, bit), count = 1;
  *run = (tc_run){.at = at, .count = count, .loop = loop};
  if (loop == loops->count)
    return true;
  unsigned low = loops->low[loop], end = low + loops->bits[loop];
  while (at + count < map->count && map->bit[at + count] == bit + count && bit + count < end)
    count++;
  run->count = count;
  run->skipped = bit - low;
  return true;
}
