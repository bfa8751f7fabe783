/* build.c: pieces of a program, and the tables that the lowering keeps. */
#include "lowering.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Noreturn void tc_reject(tc_lowering *l, const tc_op *op, const char *mend, const char *format,
                         ...) {
  va_list list;
  *l->err = (tc_err){.code = TC_EREFUSED, .line = op->line, .column = op->column};
  int len = snprintf(l->err->what, sizeof l->err->what, "op '%.100s': ", op->name);
  size_t used = len > 0 ? (size_t)len : 0;
  va_start(list, format);
  (void)vsnprintf(l->err->what + used, sizeof l->err->what - used, format, list);
  va_end(list);
  (void)snprintf(l->err->mend, sizeof l->err->mend, "%s", mend);
  longjmp(l->failed, 1);
}

static void *take(tc_lowering *l, tc_arena *arena, size_t count, size_t size) {
  void *made = tc_alloc_array(arena, count, size);
  if (made != NULL)
    return made;
  *l->err = (tc_err){.code = TC_ENOMEM};
  (void)snprintf(l->err->what, sizeof l->err->what, "out of memory");
  longjmp(l->failed, 1);
}

void *tc_take(tc_lowering *l, size_t count, size_t size) {
  return take(l, l->arena, count, size);
}

void *tc_take_scratch(tc_lowering *l, size_t count, size_t size) {
  return take(l, l->scratch, count, size);
}

/* Makes room for one more item of the program's. */
static void reserve(tc_lowering *l, void *array, size_t count, size_t *cap, size_t size) {
  if (!tc_reserve(l->arena, array, count, cap, size))
    (void)take(l, l->arena, SIZE_MAX, 1);
}

static size_t hash(const void *key, const tc_map *map) {
  uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  for (unsigned i = 0; i < map->count; i++)
    h = (h ^ map->bit[i]) * UINT64_C(0x100000001B3);
  return (size_t)(h ^ h >> 32);
}

static bool same_map(const tc_map *a, const tc_map *b) {
  return a->count == b->count && memcmp(a->bit, b->bit, a->count) == 0;
}

void *tc_table_get(const tc_table *table, const void *key, const tc_map *map) {
  if (table->bucket_count == 0)
    return NULL;
  const tc_entry *e = table->buckets[hash(key, map) & (table->bucket_count - 1)];
  while (e != NULL && (e->key != key || !same_map(&e->map, map)))
    e = e->next;
  return e != NULL ? e->value : NULL;
}

static void grow(tc_lowering *l, tc_table *table) {
  size_t count = table->bucket_count == 0 ? 16 : 4 * table->bucket_count;
  tc_entry **made = tc_take_scratch(l, count, sizeof(tc_entry *));
  for (size_t i = 0; i < table->bucket_count; i++)
    for (tc_entry *e = table->buckets[i], *next; e != NULL; e = next) {
      tc_entry **bucket = &made[hash(e->key, &e->map) & (count - 1)];
      next = e->next;
      e->next = *bucket;
      *bucket = e;
    }
  table->buckets = made;
  table->bucket_count = count;
}

void tc_table_put(tc_lowering *l, tc_table *table, const void *key, const tc_map *map,
                  void *value) {
  if (table->count >= table->bucket_count)
    grow(l, table);
  tc_entry *e = tc_take_scratch(l, 1, sizeof *e);
  tc_entry **bucket = &table->buckets[hash(key, map) & (table->bucket_count - 1)];
  *e = (tc_entry){.key = key, .map = *map, .value = value, .next = *bucket};
  *bucket = e;
  table->count++;
}

tc_var *tc_new_var(tc_lowering *l, const tc_type *type) {
  tc_function *f = l->function;
  tc_var *var = tc_take(l, 1, sizeof *var);
  reserve(l, &f->vars, f->var_count, &l->var_cap, sizeof(tc_var *));
  *var = (tc_var){.id = f->var_count, .type = type};
  f->vars[f->var_count++] = var;
  return var;
}

tc_buffer *tc_new_buffer(tc_lowering *l, const tc_type *element, unsigned bits) {
  tc_function *f = l->function;
  tc_buffer *buffer = tc_take(l, 1, sizeof *buffer);
  reserve(l, &f->buffers, f->buffer_count, &l->buffer_cap, sizeof(tc_buffer *));
  *buffer = (tc_buffer){.id = f->buffer_count, .element = element, .bits = bits};
  f->buffers[f->buffer_count++] = buffer;
  return buffer;
}

tc_stmt *tc_add_stmt(tc_lowering *l, tc_stmt_kind kind) {
  tc_stmt *s = tc_take(l, 1, sizeof *s);
  s->kind = kind;
  s->line = l->op != NULL ? l->op->line : 0;
  if (l->list->last == NULL)
    l->list->first = s;
  else
    l->list->last->next = s;
  l->list->last = s;
  l->straight = NULL;
  return s;
}

tc_stmt *tc_begin_nest(tc_lowering *l, tc_writer *w, tc_stmt_kind kind, unsigned bits) {
  tc_stmt *s = tc_add_stmt(l, kind);
  s->nest.bits = bits;
  s->nest.independent = true;
  *w = (tc_writer){.body = &s->nest.body};
  return s;
}

void tc_end_nest(tc_stmt *nest, uint32_t cuts) {
  tc_dims(&nest->nest, cuts);
}

void tc_end_fold(tc_stmt *s) {
  tc_end_nest(s, UINT32_C(1) << s->axis_low | UINT32_C(1) << (s->axis_low + s->axis_bits));
}

tc_writer *tc_straight(tc_lowering *l) {
  if (l->straight == NULL) {
    tc_writer *w = tc_take_scratch(l, 1, sizeof *w);
    (void)tc_begin_nest(l, w, TC_STMT_NEST, 0);
    l->straight = w;
  }
  return l->straight;
}

tc_list *tc_enter(tc_lowering *l, tc_list *list) {
  tc_list *before = l->list;
  l->list = list;
  l->straight = NULL;
  return before;
}

static void append(tc_lowering *l, tc_code_block *body, tc_inst *inst) {
  if (!tc_reserve(l->arena, &body->insts, body->count, &body->cap, sizeof(tc_inst *)))
    (void)take(l, l->arena, SIZE_MAX, 1);
  body->insts[body->count++] = inst;
}

tc_inst *tc_write(tc_lowering *l, tc_writer *w, tc_inst_kind kind, const tc_type *type) {
  tc_inst *inst = tc_take(l, 1, sizeof *inst);
  inst->kind = kind;
  inst->type = type;
  inst->id = l->inst_count++;
  append(l, w->body, inst);
  return inst;
}

const tc_inst *tc_write_const(tc_lowering *l, tc_writer *w, const tc_type *type, uint64_t bits) {
  tc_map key = {.count = sizeof bits};
  memcpy(key.bit, &bits, sizeof bits);
  tc_inst *inst = tc_table_get(&w->made, type, &key);
  if (inst == NULL) {
    inst = tc_write(l, w, TC_INST_CONST, type);
    inst->integer = (int64_t)bits;
    tc_table_put(l, &w->made, type, &key, inst);
  }
  return inst;
}

const tc_inst *tc_write_get(tc_lowering *l, tc_writer *w, tc_var *var) {
  tc_map none = {0};
  tc_inst *inst = tc_table_get(&w->made, var, &none);
  if (inst == NULL) {
    inst = tc_write(l, w, TC_INST_GET, var->type);
    inst->var = var;
    tc_table_put(l, &w->made, var, &none, inst);
  }
  return inst;
}

/* Straight code ends here: what it has got of the variable is not the variable any more. */
void tc_write_set(tc_lowering *l, tc_writer *w, tc_var *var, const tc_inst *value) {
  const tc_inst *args[3] = {value};
  tc_write_effect(l, w, TC_INST_SET, args)->var = var;
  if (w == l->straight)
    l->straight = NULL;
}

const tc_inst *tc_write_index(tc_lowering *l, tc_writer *w, const tc_type *type, const tc_map *map,
                              int64_t base) {
  tc_inst *inst = tc_write(l, w, TC_INST_INDEX, type);
  inst->map = *map;
  inst->integer = base;
  return inst;
}

static void set_args(tc_lowering *l, tc_inst *inst, const tc_inst *const args[3]) {
  while (inst->arg_count < 3 && args[inst->arg_count] != NULL)
    inst->arg_count++;
  inst->args = tc_take(l, inst->arg_count, sizeof *inst->args);
  for (size_t i = 0; i < inst->arg_count; i++)
    inst->args[i] = args[i];
}

const tc_inst *tc_write_op(tc_lowering *l, tc_writer *w, tc_code code, const tc_type *type,
                           const tc_inst *const args[3]) {
  tc_inst *inst = tc_write(l, w, TC_INST_OP, type);
  inst->code = code;
  set_args(l, inst, args);
  return inst;
}

const tc_inst *tc_write_unary(tc_lowering *l, tc_writer *w, tc_code code, const tc_type *type,
                              const tc_inst *arg) {
  const tc_inst *args[3] = {arg};
  return tc_write_op(l, w, code, type, args);
}

const tc_inst *tc_write_binary(tc_lowering *l, tc_writer *w, tc_code code, const tc_inst *a,
                               const tc_inst *b) {
  const tc_inst *args[3] = {a, b};
  return tc_write_op(l, w, code, a->type, args);
}

const tc_inst *tc_write_compare(tc_lowering *l, tc_writer *w, tc_predicate predicate,
                                const tc_inst *a, const tc_inst *b) {
  const tc_inst *args[3] = {a, b};
  tc_inst *inst = (tc_inst *)tc_write_op(l, w, TC_CODE_CMPI, &tc_i1, args);
  inst->integer = predicate;
  return inst;
}

tc_inst *tc_write_effect(tc_lowering *l, tc_writer *w, tc_inst_kind kind,
                         const tc_inst *const args[3]) {
  tc_inst *inst = tc_write(l, w, kind, NULL);
  set_args(l, inst, args);
  return inst;
}

const tc_inst *tc_read_buffer(tc_lowering *l, tc_writer *w, const tc_buffer *buffer,
                              const tc_map *map) {
  tc_inst *inst = tc_table_get(&w->made, buffer, map);
  if (inst == NULL) {
    inst = tc_write(l, w, TC_INST_READ, buffer->element);
    inst->buffer = (tc_buffer *)buffer;
    inst->map = *map;
    tc_table_put(l, &w->made, buffer, map, inst);
  }
  return inst;
}

void tc_write_buffer(tc_lowering *l, tc_writer *w, tc_buffer *buffer, const tc_map *map,
                     const tc_inst *value) {
  const tc_inst *args[3] = {value};
  tc_inst *inst = tc_write_effect(l, w, TC_INST_WRITE, args);
  inst->buffer = buffer;
  inst->map = *map;
}

void tc_copy_buffer(tc_lowering *l, tc_buffer *to, tc_buffer *from) {
  if (to == from)
    return;
  tc_stmt *s = tc_add_stmt(l, TC_STMT_COPY);
  s->targets = tc_take(l, 1, sizeof *s->targets);
  s->targets->buffer = to;
  s->source = from;
}

const tc_inst *tc_write_cast(tc_lowering *l, tc_writer *w, const tc_type *type,
                             const tc_inst *value) {
  if (tc_same_type(type, value->type))
    return value;
  tc_inst *inst = (tc_inst *)tc_write_unary(l, w, TC_CODE_FPCAST, type, value);
  inst->integer = 1;
  return inst;
}
