/* read_block.c: regions, and blocks in them. */
#include "reader.h"

#include <string.h>

/* Labels are searched one by one, and dominance is found by passes over all blocks. */
#define MAX_BLOCKS 1024

/* The block of that label in the region: one that is to come has no line yet. */
tc_block *tc_block_of(tc_reader *r, tc_region *region, const tc_token *t) {
  for (tc_block *b = region->first; b != NULL; b = b->next)
    if (b->label != NULL && strlen(b->label) == t->len - 1 &&
        memcmp(b->label, t->start + 1, t->len - 1) == 0)
      return b;
  if (region->block_count == MAX_BLOCKS)
    return (void)tc_refuse_at(&r->scan, t->start, "a region of more than %d blocks", MAX_BLOCKS),
           NULL;
  tc_block *made = tc_reader_alloc(r, sizeof *made);
  if (made == NULL || (made->label = tc_copy(r->arena, t->start + 1, t->len - 1)) == NULL)
    return (void)tc_no_memory(&r->scan), NULL;
  made->region = region;
  if (region->last != NULL)
    region->last->next = made;
  else
    region->first = made;
  region->last = made;
  region->block_count++;
  return made;
}

/* Puts the block behind those that are there already: labels may be used in any order. */
static void place_block(tc_region *region, tc_block *block, size_t index) {
  tc_block **at = &region->first, *last = NULL;
  while (*at != block)
    at = &(*at)->next;
  *at = block->next;
  at = &region->first;
  for (size_t i = 0; i < index; i++)
    at = &(*at)->next;
  block->next = *at;
  *at = block;
  block->index = index;
  for (tc_block *b = region->first; b != NULL; b = b->next)
    last = b;
  region->last = last;
}

/* `(%a: i32, %b: f32 loc(...))` */
static bool read_arguments(tc_reader *r, tc_block *block) {
  tc_token names[1024];
  tc_value *args = NULL;
  size_t count = 0, cap = 0;
  while (!tc_is(&r->scan, ')')) {
    if (r->scan.token.kind != TC_VALUE || count == sizeof names / sizeof *names)
      return tc_refuse(&r->scan, "an argument of the block is wanted");
    if (!tc_reserve(r->arena, &args, count, &cap, sizeof *args))
      return tc_no_memory(&r->scan);
    names[count] = r->scan.token;
    tc_value *made = &args[count++];
    *made = (tc_value){.block = block, .index = count - 1};
    made->name = tc_copy(r->arena, names[count - 1].start + 1, names[count - 1].len - 1);
    if (made->name == NULL)
      return tc_no_memory(&r->scan);
    if (!tc_next(&r->scan) || !tc_expect(&r->scan, ':') || (made->type = tc_read_type(r)) == NULL)
      return false;
    if (tc_is_name(&r->scan, "loc") && (made->location = tc_read_location(r)) == NULL)
      return false;
    if (!tc_took(&r->scan, ','))
      break;
  }
  block->args = args;
  block->arg_count = count;
  for (size_t i = 0; i < count; i++)
    if (!tc_define(r, &names[i], &args[i], 1))
      return false;
  return tc_expect(&r->scan, ')');
}

/* `^bb1(%a: i32):`, or nothing at a region's start. */
static tc_block *read_label(tc_reader *r, tc_region *region, size_t index) {
  const tc_token t = r->scan.token;
  const tc_token unlabelled = {TC_LABEL, "^", 1};
  tc_block *block = tc_block_of(r, region, t.kind == TC_LABEL ? &t : &unlabelled);
  if (block == NULL)
    return NULL;
  if (block->line != 0)
    return (void)tc_refuse(&r->scan, "the block '^%.60s' is there twice", block->label), NULL;
  tc_place_of(&r->scan, t.start, &block->line, &block->column);
  place_block(region, block, index);
  if (t.kind != TC_LABEL) {
    block->label = NULL;
    return block;
  }
  if (!tc_next(&r->scan) || (tc_took(&r->scan, '(') && !read_arguments(r, block)) ||
      !tc_expect(&r->scan, ':'))
    return NULL;
  return block;
}

static bool read_block(tc_reader *r, tc_block *block) {
  while (!tc_is(&r->scan, '}') && r->scan.token.kind != TC_LABEL) {
    tc_op *op = tc_read_op(r, block);
    if (op == NULL)
      return false;
    if (block->last != NULL)
      block->last->next = op;
    else
      block->first = op;
    block->last = op;
  }
  return true;
}

bool tc_read_region(tc_reader *r, tc_region *region) {
  size_t outer = r->values.count, index = 0;
  if (!tc_deeper(r) || !tc_expect(&r->scan, '{'))
    return false;
  while (!tc_is(&r->scan, '}')) {
    tc_block *block = read_label(r, region, index++);
    if (block == NULL || !read_block(r, block))
      return false;
  }
  for (const tc_block *b = region->first; b != NULL; b = b->next)
    if (b->line == 0)
      return tc_refuse(&r->scan, "the region has no block '^%.60s', to which it branches",
                       b->label);
  tc_names_cut(&r->values, outer);
  r->depth--;
  return tc_expect(&r->scan, '}');
}
