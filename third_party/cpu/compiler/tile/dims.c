/* dims.c: the loops of a nest. Where bits that are neighbours in the nest are neighbours in the
 * same order in every place that the nest touches, one loop runs over them: an element-wise nest
 * over a tensor of ten dimensions is one loop. */
#include "tile.h"

/* Adds to *cuts the bits at which a loop must begin for that map. */
static void cut_at(const tc_map *map, unsigned bits, uint64_t *cuts) {
  uint64_t joined = 0, used = 0; /* bits that follow the one below them in the map; bits in it */
  for (unsigned i = 0; i < map->count; i++) {
    unsigned bit = map->bit[i];
    if (bit >= bits)
      continue;
    used |= UINT64_C(1) << bit;
    if (bit > 0 && i > 0 && map->bit[i - 1] + 1U == bit)
      joined |= UINT64_C(1) << bit;
  }
  for (unsigned b = 1; b < bits; b++) {
    bool both_absent = (used >> b & 1) == 0 && (used >> (b - 1) & 1) == 0;
    if (!both_absent && (joined >> b & 1) == 0)
      *cuts |= UINT64_C(1) << b;
  }
}

/* An index that is a truth value is no address: what it asks costs the same in a longer loop. */
static bool has_map(const tc_inst *inst) {
  return (inst->kind == TC_INST_INDEX && tc_width(inst->type) > 1) || inst->kind == TC_INST_READ ||
         inst->kind == TC_INST_WRITE;
}

void tc_dims(tc_nest *nest, uint32_t wanted) {
  uint64_t cuts = wanted;
  uint8_t sizes[TC_MAX_BITS];
  unsigned count = 0, from = 0;
  for (size_t i = 0; i < nest->body.count; i++)
    if (has_map(nest->body.insts[i]))
      cut_at(&nest->body.insts[i]->map, nest->bits, &cuts);
  for (unsigned b = 1; b <= nest->bits; b++)
    if (b == nest->bits || (cuts >> b & 1) != 0) {
      sizes[count++] = (uint8_t)(b - from);
      from = b;
    }
  nest->dim_count = count;
  for (unsigned i = 0; i < count; i++)
    nest->dims[i] = sizes[count - 1 - i];
}
