/* share.c: nests that do the same to other buffers are calls of one function, so that clang sees it
 * once: what it spends on a kernel grows with the loops. The stages of a sort differ in the bit of
 * the place that says which way they sort besides, and the last ones have a constant there; so
 * truth values that are bits of the place are told to the function. */
#include "emit_c.h"

#include <string.h>

enum { MOST_INSTS = 64 };

static bool is_truth(const tc_inst *inst) {
  return inst->kind == TC_INST_INDEX && tc_width(inst->type) == 1;
}

static bool may_share(const tc_nest *nest) {
  const tc_code_block *body = &nest->body;
  bool good = nest->independent && nest->bits > 0 && body->count <= MOST_INSTS;
  for (size_t i = 0; i < body->count && good; i++) {
    const tc_inst *inst = body->insts[i];
    bool access = inst->kind == TC_INST_READ || inst->kind == TC_INST_WRITE;
    bool operation = inst->kind == TC_INST_OP && inst->code != TC_CODE_EXTERN &&
                     inst->code != TC_CODE_ASSUME && inst->code != TC_CODE_PID &&
                     inst->code != TC_CODE_NPID;
    bool index = inst->kind == TC_INST_INDEX && (!is_truth(inst) || inst->map.count <= 1);
    good = operation || index || (access && inst->buffer->constant == NULL) ||
           inst->kind == TC_INST_CONST;
  }
  return good;
}

static size_t position(const tc_code_block *body, const tc_inst *inst) {
  size_t i = 0;
  while (i < body->count && body->insts[i] != inst)
    i++;
  return i;
}

/* The first instruction on the same buffer. */
static size_t first_on(const tc_code_block *body, size_t at) {
  size_t i = 0;
  while (body->insts[i]->buffer != body->insts[at]->buffer)
    i++;
  return i;
}

/* The loop whose bit a truth value is; loops->count where it is a constant. */
static unsigned loop_of_truth(const tc_loops *loops, const tc_inst *inst) {
  return inst->map.count == 0 ? loops->count : tc_loop_of(loops, inst->map.bit[0]);
}

/* Whether a function of a's loop can be told what b is. */
static bool covers_truth(const tc_nest *nest, const tc_inst *a, const tc_inst *b) {
  tc_loops loops = tc_loops_of(nest);
  unsigned loop = loop_of_truth(&loops, b);
  return loop == loops.count || loop == loop_of_truth(&loops, a);
}

static bool same_map(const tc_map *a, const tc_map *b) {
  return a->count == b->count && memcmp(a->bit, b->bit, a->count) == 0;
}

static bool same_types(const tc_type *a, const tc_type *b) {
  return a == NULL || b == NULL ? a == b : tc_same_type(a, b);
}

static bool covers_inst(const tc_nest *nest, const tc_nest *other, size_t at) {
  const tc_inst *a = nest->body.insts[at], *b = other->body.insts[at];
  if (a->kind != b->kind || !same_types(a->type, b->type) || a->arg_count != b->arg_count)
    return false;
  for (size_t i = 0; i < a->arg_count; i++)
    if (position(&nest->body, a->args[i]) != position(&other->body, b->args[i]))
      return false;
  if (is_truth(a))
    return covers_truth(nest, a, b);
  if (a->code != b->code || a->flags != b->flags || a->integer != b->integer ||
      !same_map(&a->map, &b->map))
    return false;
  return a->buffer == NULL || (a->buffer->bits == b->buffer->bits &&
                               same_types(a->buffer->element, b->buffer->element) &&
                               first_on(&nest->body, at) == first_on(&other->body, at));
}

/* Whether a function made of the nest can do what the other one does. */
static bool covers(const tc_nest *nest, const tc_nest *other) {
  bool good = nest->bits == other->bits && nest->dim_count == other->dim_count &&
              memcmp(nest->dims, other->dims, nest->dim_count) == 0 &&
              nest->body.count == other->body.count;
  for (size_t i = 0; i < nest->body.count && good; i++)
    good = covers_inst(nest, other, i);
  return good;
}

static void add_nest(tc_c *e, const tc_stmt *stmt) {
  const tc_nest *nest = &stmt->nest;
  size_t i = 0;
  if (!may_share(nest))
    return;
  while (i < e->shared_count && !covers(&e->shared[i].stmt->nest, nest) &&
         !covers(nest, &e->shared[i].stmt->nest))
    i++;
  if (i == e->shared_count) {
    if (!tc_reserve(e->arena, &e->shared, i, &e->shared_cap, sizeof *e->shared)) {
      e->rc = TC_ENOMEM;
      return;
    }
    e->shared[e->shared_count++] = (tc_c_shared){.stmt = stmt};
  }
  if (!covers(&e->shared[i].stmt->nest, nest))
    e->shared[i].stmt = stmt; /* which covers all that the one before did */
  e->shared[i].count++;
}

static void add_list(tc_c *e, const tc_list *list) {
  for (const tc_stmt *s = list == NULL ? NULL : list->first; s != NULL; s = s->next) {
    if (s->kind == TC_STMT_NEST)
      add_nest(e, s);
    add_list(e, s->list);
    add_list(e, s->otherwise);
  }
}

static const char *name(tc_c *e, size_t number) {
  return tc_c_format(e, "%s_nest%zu", tc_c_function_name(e, e->function), number);
}

static bool names_buffer(const tc_code_block *body, size_t at) {
  return body->insts[at]->buffer != NULL && first_on(body, at) == at;
}

static void define(tc_c *e, size_t number) {
  const tc_nest *nest = &e->shared[number].stmt->nest;
  const char *out = tc_c_format(e, "static __attribute__((noinline)) void %s(", name(e, number));
  const char *comma = "";
  for (size_t i = 0; i < nest->body.count; i++) {
    const tc_inst *inst = nest->body.insts[i];
    if (is_truth(inst))
      out = tc_c_format(e, "%s%sunsigned n%zu, unsigned k%zu", out, comma, inst->id, inst->id);
    else if (names_buffer(&nest->body, i))
      out = tc_c_format(e, "%s%s%s *restrict b%zu", out, comma,
                        tc_c_memory(e, inst->buffer->element), inst->buffer->id);
    else
      continue;
    comma = ", ";
  }
  tc_c_open(e, "%s) {", out);
  e->told = true;
  tc_c_nest(e, e->shared[number].stmt);
  e->told = false;
  tc_c_close(e);
  tc_add_char(e->text, '\n');
}

void tc_c_share(tc_c *e) {
  e->shared_count = 0;
  if (!tc_c_is_long(e))
    return;
  add_list(e, e->function->body);
  for (size_t i = 0; i < e->shared_count; i++)
    if (e->shared[i].count > 1)
      define(e, i);
}

/* What a call tells of a truth value: the bit of the loop's variable, and what it is flipped by. */
static const char *told(tc_c *e, const tc_nest *nest, const tc_inst *inst) {
  enum { NO_BIT = 63 }; /* 0 in every variable */
  tc_loops loops = tc_loops_of(nest);
  unsigned loop = loop_of_truth(&loops, inst);
  unsigned bit = loop == loops.count ? NO_BIT : (unsigned)(inst->map.bit[0] - loops.low[loop]);
  return tc_c_format(e, "%u, %u", bit, (unsigned)(inst->integer & 1));
}

bool tc_c_call_shared(tc_c *e, const tc_nest *nest) {
  size_t k = 0;
  if (!may_share(nest))
    return false;
  while (k < e->shared_count && !covers(&e->shared[k].stmt->nest, nest))
    k++;
  if (k == e->shared_count || e->shared[k].count == 1)
    return false;
  const char *out = tc_c_format(e, "%s(", name(e, k)), *comma = "";
  for (size_t i = 0; i < nest->body.count; i++) {
    const tc_inst *inst = nest->body.insts[i];
    if (is_truth(inst))
      out = tc_c_format(e, "%s%s%s", out, comma, told(e, nest, inst));
    else if (names_buffer(&nest->body, i))
      out = tc_c_format(e, "%s%sb%zu", out, comma, inst->buffer->id);
    else
      continue;
    comma = ", ";
  }
  tc_c_line(e, "%s);", out);
  return true;
}

const char *tc_c_told(tc_c *e, const tc_inst *inst) {
  unsigned loop = loop_of_truth(e->loops, inst);
  if (loop == e->loops->count)
    return tc_c_format(e, "(uint8_t)k%zu", inst->id);
  return tc_c_format(e, "(uint8_t)((i%u >> n%zu & 1) ^ k%zu)", e->loops->low[loop], inst->id,
                     inst->id);
}
