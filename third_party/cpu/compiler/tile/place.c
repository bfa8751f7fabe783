/* place.c: where each buffer lies. Small ones are local arrays, which the C compiler sees through;
 * the rest share the frame: two buffers that are never live at once may have the same room. */
#include "tile.h"

#include <stdio.h>
#include <string.h>

#define STACK_MOST ((size_t)256 * 1024) /* bytes of local arrays in a function */
#define ARRAY_MOST ((size_t)64 * 1024)  /* bytes of one of them */
#define ALIGNMENT  ((size_t)64)
#define FRAME_MOST ((size_t)1 << 40)

/* Statements in the order of the text, numbered from 1. A range is live from first to last. */
typedef struct range {
  size_t first, last;
} range;

typedef struct placer {
  tc_arena *arena;
  const tc_function *function;
  range *buffers; /* by id; first 0: never touched */
  range *loops;   /* whose ends may go back to their beginnings */
  size_t loop_count, loop_cap;
  size_t *labels; /* the number of the statement, by label; 0: not come yet */
  size_t now;
  size_t callee_frame;
  bool failed;
} placer;

static void touch(placer *p, const tc_buffer *buffer) {
  if (buffer == NULL)
    return;
  range *r = &p->buffers[buffer->id];
  r->first = r->first == 0 ? p->now : r->first;
  r->last = p->now;
}

static void add_loop(placer *p, size_t first, size_t last) {
  if (!tc_reserve(p->arena, &p->loops, p->loop_count, &p->loop_cap, sizeof *p->loops))
    p->failed = true;
  else
    p->loops[p->loop_count++] = (range){first, last};
}

static void walk_list(placer *p, const tc_list *list);

static void walk_body(placer *p, const tc_code_block *body) {
  for (size_t i = 0; i < body->count; i++) {
    const tc_inst *inst = body->insts[i];
    touch(p, inst->buffer);
    if (inst->callee != NULL && inst->callee->frame > p->callee_frame)
      p->callee_frame = inst->callee->frame;
    if (inst->list != NULL)
      walk_list(p, inst->list);
  }
}

static void walk_stmt(placer *p, const tc_stmt *s) {
  size_t first = ++p->now;
  walk_body(p, &s->nest.body);
  walk_body(p, &s->combine.body);
  touch(p, s->source);
  touch(p, s->dot.a);
  touch(p, s->dot.b);
  touch(p, s->dot.acc);
  for (size_t i = 0; s->targets != NULL && i < (s->kind == TC_STMT_COPY ? 1 : s->input_count); i++)
    touch(p, s->targets[i].buffer);
  if (s->list != NULL)
    walk_list(p, s->list);
  if (s->otherwise != NULL)
    walk_list(p, s->otherwise);
  if (s->kind == TC_STMT_FOR || s->kind == TC_STMT_LOOP)
    add_loop(p, first, ++p->now);
  if (s->kind == TC_STMT_LABEL)
    p->labels[s->label] = first;
  if (s->kind == TC_STMT_JUMP && p->labels[s->label] != 0)
    add_loop(p, p->labels[s->label], first);
}

static void walk_list(placer *p, const tc_list *list) {
  for (const tc_stmt *s = list->first; s != NULL; s = s->next)
    walk_stmt(p, s);
}

/* What is written before a loop and read in it is live up to the loop's end. */
static void extend(placer *p) {
  bool more = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < p->function->buffer_count; i++)
      for (size_t k = 0; k < p->loop_count; k++) {
        range *b = &p->buffers[i], *l = &p->loops[k];
        if (b->first < l->first && b->last >= l->first && b->last < l->last) {
          b->last = l->last;
          more = true;
        }
      }
  }
}

static size_t bytes_of(const tc_buffer *buffer) {
  size_t width = (tc_width(buffer->element) + 7) / 8;
  return ((width << buffer->bits) + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* The least offset at which no placed buffer that is live together with this one lies. */
static size_t room_for(const placer *p, const tc_buffer *buffer, size_t size) {
  const range *mine = &p->buffers[buffer->id];
  size_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < buffer->id; i++) {
      const tc_buffer *other = p->function->buffers[i];
      const range *r = &p->buffers[i];
      if (other->on_stack || other->constant != NULL || r->first == 0 || r->first > mine->last ||
          r->last < mine->first)
        continue;
      size_t end = other->offset + bytes_of(other);
      if (other->offset < offset + size && offset < end) {
        offset = end;
        moved = true;
      }
    }
  }
  return offset;
}

static void place(const placer *p, tc_function *f) {
  for (size_t i = 0; i < f->buffer_count; i++) {
    tc_buffer *buffer = f->buffers[i];
    size_t size = bytes_of(buffer);
    if (buffer->constant != NULL || p->buffers[i].first == 0)
      continue;
    if (size <= ARRAY_MOST && f->stack + size <= STACK_MOST) {
      buffer->on_stack = true;
      f->stack += size;
      continue;
    }
    buffer->offset = room_for(p, buffer, size);
    if (buffer->offset + size > f->own_frame)
      f->own_frame = buffer->offset + size;
  }
  f->frame = f->own_frame + p->callee_frame;
}

static int fail_memory(tc_err *err) {
  *err = (tc_err){.code = TC_ENOMEM};
  (void)snprintf(err->what, sizeof err->what, "out of memory");
  return TC_ENOMEM;
}

int tc_place(tc_program *program, tc_err *err) {
  for (size_t i = 0; i < program->function_count; i++) {
    tc_function *f = program->functions[i];
    placer p = {.arena = program->arena, .function = f};
    p.buffers = tc_alloc_array(program->arena, f->buffer_count, sizeof *p.buffers);
    p.labels = tc_alloc_array(program->arena, f->label_count, sizeof *p.labels);
    if (p.buffers == NULL || p.labels == NULL)
      return fail_memory(err);
    walk_list(&p, f->body);
    if (p.failed)
      return fail_memory(err);
    extend(&p);
    place(&p, f);
    if (f->frame > FRAME_MOST) {
      *err = (tc_err){.code = TC_EREFUSED, .line = 1, .column = 1};
      (void)snprintf(err->what, sizeof err->what, "function '%.100s' needs %zu bytes for its tiles",
                     f->name, f->frame);
      return TC_EREFUSED;
    }
  }
  return TC_OK;
}
