/* fuse.c: a nest and the reduction behind it that reads what the nest writes become one, so that
 * elements are combined as they are made instead of being read again. */
#include "lowering.h"

#include <string.h>

/* Whether the block only computes, reads and loads, but for instructions of kind also. */
static bool is_plain(const tc_code_block *block, tc_inst_kind also) {
  for (size_t i = 0; i < block->count; i++)
    switch (block->insts[i]->kind) {
    case TC_INST_CONST:
    case TC_INST_GET:
    case TC_INST_INDEX:
    case TC_INST_ARG:
    case TC_INST_OP:
    case TC_INST_READ:
    case TC_INST_READ_AT:
    case TC_INST_LOAD:
      break;
    default:
      if (block->insts[i]->kind != also)
        return false;
    }
  return true;
}

static bool touches(const tc_code_block *block, const tc_buffer *buffer) {
  for (size_t i = 0; i < block->count; i++)
    if (block->insts[i]->buffer == buffer)
      return true;
  return false;
}

static bool reads_var(const tc_code_block *block, const tc_var *var) {
  for (size_t i = 0; i < block->count; i++)
    if (block->insts[i]->kind == TC_INST_GET && block->insts[i]->var == var)
      return true;
  return false;
}

static bool is_straight(const tc_stmt *s) {
  return s->kind == TC_STMT_NEST && s->nest.bits == 0;
}

/* Whether the nest may run behind these statements instead of before them. */
static bool may_pass(const tc_code_block *nest, tc_stmt *const *between, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const tc_code_block *block = &between[i]->nest.body;
    if (!is_plain(block, TC_INST_SET))
      return false;
    for (size_t k = 0; k < block->count; k++)
      if (block->insts[k]->kind == TC_INST_SET && reads_var(nest, block->insts[k]->var))
        return false;
    for (size_t k = 0; k < nest->count; k++)
      if (nest->insts[k]->kind == TC_INST_WRITE && touches(block, nest->insts[k]->buffer))
        return false;
  }
  return true;
}

/* What the block writes where the instruction reads; NULL if that is no whole answer. */
static const tc_inst *written_at(const tc_code_block *block, const tc_inst *read) {
  const tc_inst *found = NULL;
  for (size_t i = 0; i < block->count; i++) {
    const tc_inst *inst = block->insts[i];
    if (inst->kind != TC_INST_WRITE || inst->buffer != read->buffer)
      continue;
    if (found != NULL || inst->map.count != read->map.count ||
        memcmp(inst->map.bit, read->map.bit, read->map.count) != 0 ||
        !tc_same_type(inst->args[0]->type, read->type))
      return NULL;
    found = inst->args[0];
  }
  return found;
}

static bool writes(const tc_code_block *block, const tc_buffer *buffer) {
  for (size_t i = 0; i < block->count; i++)
    if (block->insts[i]->kind == TC_INST_WRITE && block->insts[i]->buffer == buffer)
      return true;
  return false;
}

/* Whether both run over the same positions, and would together, with an innermost loop no shorter.
 */
static bool is_alike(const tc_nest *nest, const tc_nest *reduce) {
  return nest->independent && nest->bits == reduce->bits && nest->bits > 0 &&
         nest->dims[nest->dim_count - 1] >= reduce->dims[reduce->dim_count - 1] &&
         is_plain(&nest->body, TC_INST_WRITE) && is_plain(&reduce->body, TC_INST_WRITE);
}

/* Whether the reduction reads something that the nest writes, all of it element by element. */
static bool may_join(const tc_stmt *nest, const tc_stmt *reduce) {
  const tc_code_block *from = &nest->nest.body, *to = &reduce->nest.body;
  bool joined = false;
  if (nest->kind != TC_STMT_NEST || !is_alike(&nest->nest, &reduce->nest))
    return false;
  for (size_t i = 0; i < reduce->input_count; i++)
    if (reduce->targets[i].buffer != NULL && touches(from, reduce->targets[i].buffer))
      return false;
  for (size_t i = 0; i < to->count; i++) {
    const tc_inst *inst = to->insts[i];
    if (inst->kind == TC_INST_WRITE && touches(from, inst->buffer))
      return false;
    if (inst->buffer == NULL || !writes(from, inst->buffer))
      continue;
    if (inst->kind != TC_INST_READ || written_at(from, inst) == NULL)
      return false;
    joined = true;
  }
  return joined;
}

static void replace(const tc_inst **list, size_t count, const tc_inst *old, const tc_inst *made) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == old)
      list[i] = made;
}

/* Puts the nest's instructions before the reduction's, which take what was written. */
static void join(tc_lowering *l, const tc_stmt *nest, tc_stmt *reduce) {
  const tc_code_block *from = &nest->nest.body;
  tc_code_block *to = &reduce->nest.body, all = {0};
  all.cap = from->count + to->count;
  all.insts = tc_take(l, all.cap, sizeof *all.insts);
  for (size_t i = 0; i < from->count; i++)
    all.insts[all.count++] = from->insts[i];
  for (size_t i = 0; i < to->count; i++) {
    const tc_inst *made =
        to->insts[i]->kind == TC_INST_READ ? written_at(from, to->insts[i]) : NULL;
    if (made == NULL) {
      all.insts[all.count++] = to->insts[i];
      continue;
    }
    for (size_t k = i + 1; k < to->count; k++)
      replace(to->insts[k]->args, to->insts[k]->arg_count, to->insts[i], made);
    replace(reduce->inputs, reduce->input_count, to->insts[i], made);
  }
  *to = all;
  tc_end_fold(reduce);
}

void tc_fuse(tc_lowering *l, tc_list *list) {
  size_t count = 0, cap = 0;
  tc_stmt **kept = NULL;
  for (tc_stmt *s = list->first; s != NULL; s = s->next) {
    if (s->list != NULL)
      tc_fuse(l, s->list);
    if (s->otherwise != NULL)
      tc_fuse(l, s->otherwise);
    while (s->kind == TC_STMT_REDUCE) {
      size_t at = count;
      while (at > 0 && is_straight(kept[at - 1]))
        at--;
      if (at == 0 || !may_join(kept[at - 1], s) ||
          !may_pass(&kept[at - 1]->nest.body, kept + at, count - at))
        break;
      join(l, kept[at - 1], s);
      memmove(kept + at - 1, kept + at, (count - at) * sizeof(tc_stmt *));
      count--;
    }
    if (!tc_reserve(l->scratch, &kept, count, &cap, sizeof(tc_stmt *)))
      (void)tc_take_scratch(l, SIZE_MAX, 1);
    kept[count++] = s;
  }
  for (size_t i = 0; i < count; i++)
    kept[i]->next = i + 1 < count ? kept[i + 1] : NULL;
  list->first = count > 0 ? kept[0] : NULL;
  list->last = count > 0 ? kept[count - 1] : NULL;
}
