/* nest.c: nests as linalg.generic, or as loops of scf where order matters. */
#include "emit_linalg.h"

#include <string.h>

/* The least bit of a loop, counted from the innermost bit of the nest. */
static unsigned low_of(const tc_nest *nest, unsigned loop) {
  unsigned low = 0;
  for (unsigned d = nest->dim_count; d-- > loop + 1;)
    low += nest->dims[d];
  return low;
}

static unsigned loop_of(const tc_nest *nest, unsigned bit) {
  unsigned end = 0, d = nest->dim_count;
  while (d > 0 && bit >= end)
    end += nest->dims[--d];
  return d;
}

/* Bits of the place, from at on, that are consecutive bits of one loop. */
typedef struct tc_run {
  unsigned at, count, loop, skipped; /* skipped: bits of the loop below */
  bool whole;                        /* it is all of the loop */
} tc_run;

static tc_run next_run(const tc_nest *nest, const tc_map *map, unsigned at) {
  unsigned bit = map->bit[at], loop = loop_of(nest, bit), low = low_of(nest, loop), count = 1;
  unsigned end = low + nest->dims[loop];
  while (at + count < map->count && map->bit[at + count] == bit + count && bit + count < end)
    count++;
  return (tc_run){at, count, loop, bit - low, bit == low && count == nest->dims[loop]};
}

tc_ssa tc_mlir_place(tc_mlir *e, const tc_map *map) {
  int64_t constant = 0;
  tc_ssa sum = 0;
  for (unsigned at = 0; at < map->count;) {
    if (map->bit[at] >= TC_BIT_ZERO) {
      constant |= (int64_t)(map->bit[at] == TC_BIT_ONE) << at;
      at++;
      continue;
    }
    tc_run run = next_run(e->nest, map, at);
    tc_ssa term = e->index[run.loop];
    if (run.skipped > 0)
      term =
          tc_mlir_binary(e, "arith.shrui", term, tc_mlir_number(e, run.skipped, "index"), "index");
    if (run.skipped + run.count < e->nest->dims[run.loop])
      term = tc_mlir_binary(e, "arith.andi", term,
                            tc_mlir_number(e, ((int64_t)1 << run.count) - 1, "index"), "index");
    if (at > 0)
      term = tc_mlir_binary(e, "arith.muli", term, tc_mlir_number(e, (int64_t)1 << at, "index"),
                            "index");
    sum = sum == 0 ? term : tc_mlir_binary(e, "arith.addi", sum, term, "index");
    at += run.count;
  }
  if (sum == 0)
    return tc_mlir_number(e, constant, "index");
  return constant == 0
             ? sum
             : tc_mlir_binary(e, "arith.addi", sum, tc_mlir_number(e, constant, "index"), "index");
}

tc_map tc_mlir_without(const tc_nest *nest, unsigned low, unsigned count) {
  tc_map map = {0};
  for (unsigned bit = 0; bit < nest->bits; bit++)
    if (bit < low || bit >= low + count)
      map.bit[map.count++] = (uint8_t)bit;
  return map;
}

/* Adds "memref<4x8xf32, strided<[8, 1], offset: 3>>", and the sizes and strides as lists before it:
 * what a memref.reinterpret_cast says. */
static void add_shape(tc_text *text, const tc_nest *nest, const tc_view *view,
                      const int64_t *strides, int64_t offset, const char *element, bool whole) {
  tc_text sizes = {0}, steps = {0}, shape = {0};
  for (unsigned d = 0; d < nest->dim_count; d++) {
    if ((view->loops >> d & 1) == 0)
      continue;
    const char *comma = sizes.len > 0 ? ", " : "";
    tc_add_format(&sizes, "%s%lld", comma, 1LL << nest->dims[d]);
    tc_add_format(&steps, "%s%lld", comma, (long long)strides[d]);
    tc_add_format(&shape, "%lldx", 1LL << nest->dims[d]);
  }
  const char *size = sizes.data != NULL ? sizes.data : "",
             *step = steps.data != NULL ? steps.data : "";
  if (whole)
    tc_add_format(text, "offset: [%lld], sizes: [%s], strides: [%s] ", (long long)offset, size,
                  step);
  else
    tc_add_format(text, "memref<%s%s, strided<[%s]", shape.data != NULL ? shape.data : "", element,
                  step);
  if (!whole && offset != 0)
    tc_add_format(text, ", offset: %lld", (long long)offset);
  if (!whole)
    tc_add_str(text, ">>");
  text->failed = text->failed || sizes.failed || steps.failed || shape.failed;
  tc_text_free(&sizes);
  tc_text_free(&steps);
  tc_text_free(&shape);
}

/* Prints the view of a flat memref of 2^bits elements. */
static void print_view(tc_mlir *e, tc_view *view, tc_ssa flat, unsigned bits,
                       const int64_t *strides, int64_t offset) {
  const char *element = tc_mlir_stored(e, view->element);
  tc_text list = {0}, type = {0};
  add_shape(&list, e->nest, view, strides, offset, element, true);
  add_shape(&type, e->nest, view, strides, offset, element, false);
  view->memref = tc_mlir_new(e);
  view->type = list.failed || type.failed ? NULL : tc_copy(e->arena, type.data, type.len);
  if (view->type == NULL) {
    e->out->failed = true;
    view->type = "";
  } else {
    tc_mlir_line(e, "%%v%zu = memref.reinterpret_cast %%v%zu to %s: memref<%lldx%s> to %s",
                 view->memref, flat, list.data, 1LL << bits, element, view->type);
  }
  tc_text_free(&list);
  tc_text_free(&type);
}

/* The strides of the loops in the places that map names. */
static bool strides_of(const tc_nest *nest, const tc_map *map, int64_t *strides, int64_t *offset,
                       uint32_t *loops) {
  for (unsigned at = 0; at < map->count;) {
    if (map->bit[at] >= TC_BIT_ZERO) {
      *offset |= (int64_t)(map->bit[at] == TC_BIT_ONE) << at;
      at++;
      continue;
    }
    tc_run run = next_run(nest, map, at);
    if (!run.whole)
      return false;
    strides[run.loop] += (int64_t)1 << at;
    *loops |= 1u << run.loop;
    at += run.count;
  }
  return true;
}

bool tc_mlir_view(tc_mlir *e, tc_view *view, const tc_buffer *buffer, const tc_map *map) {
  int64_t strides[TC_MAX_BITS] = {0}, offset = 0;
  *view = (tc_view){.element = buffer->element};
  if (!strides_of(e->nest, map, strides, &offset, &view->loops))
    return false;
  print_view(e, view, e->buffers[buffer->id], buffer->bits, strides, offset);
  return true;
}

tc_view tc_mlir_view_of_var(tc_mlir *e, const tc_var *var) {
  tc_view view = {.element = var->type, .is_var = true, .memref = e->vars[var->id]};
  tc_text type = {0};
  tc_add_format(&type, "memref<%s>", tc_mlir_type(e, var->type));
  view.type = type.failed ? NULL : tc_copy(e->arena, type.data, type.len);
  tc_text_free(&type);
  if (view.type == NULL) {
    e->out->failed = true;
    view.type = "";
  }
  return view;
}

bool tc_mlir_is_generic(const tc_nest *nest) {
  if (!nest->independent || nest->bits == 0)
    return false;
  for (size_t i = 0; i < nest->body.count; i++) {
    const tc_inst *inst = nest->body.insts[i];
    switch (inst->kind) {
    case TC_INST_CONST:
    case TC_INST_GET:
    case TC_INST_INDEX:
    case TC_INST_OP:
    case TC_INST_LOAD:
    case TC_INST_STORE:
    case TC_INST_WRITE:
      break;
    case TC_INST_READ: /* inputs are read before anything is written */
    case TC_INST_READ_AT:
      for (size_t k = 0; k < i; k++)
        if (nest->body.insts[k]->kind == TC_INST_WRITE &&
            nest->body.insts[k]->buffer == inst->buffer)
          return false;
      break;
    default:
      return false;
    }
  }
  return true;
}

/* Whether each of the nest's accesses has a view. */
static bool has_views(const tc_nest *nest) {
  for (size_t i = 0; i < nest->body.count; i++) {
    const tc_inst *inst = nest->body.insts[i];
    int64_t strides[TC_MAX_BITS] = {0}, offset = 0;
    uint32_t loops = 0;
    if ((inst->kind == TC_INST_READ || inst->kind == TC_INST_WRITE) &&
        !strides_of(nest, &inst->map, strides, &offset, &loops))
      return false;
  }
  return true;
}

static void add_loops(tc_text *text, const tc_nest *nest, uint32_t set) {
  const char *comma = "";
  tc_add_char(text, '(');
  for (unsigned d = 0; d < nest->dim_count; d++)
    if ((set >> d & 1) != 0) {
      tc_add_format(text, "%sd%u", comma, d);
      comma = ", ";
    }
  tc_add_char(text, ')');
}

/* "(%v1, %v2 : memref<4xf32>, memref<8xf32>)" */
static void add_operands(tc_text *text, const tc_view *views, size_t count) {
  for (size_t i = 0; i < count; i++)
    tc_add_format(text, "%s%%v%zu", i > 0 ? ", " : "(", views[i].memref);
  for (size_t i = 0; i < count; i++)
    tc_add_format(text, "%s%s", i > 0 ? ", " : " : ", views[i].type);
  tc_add_char(text, ')');
}

void tc_mlir_head(tc_mlir *e, const tc_view *views, size_t in_count, size_t out_count,
                  uint32_t reduced, tc_ssa *args) {
  const tc_nest *nest = e->nest;
  tc_text text = {0};
  tc_add_str(&text, "linalg.generic {indexing_maps = [");
  for (size_t i = 0; i < in_count + out_count; i++) {
    tc_add_str(&text, i > 0 ? ", affine_map<" : "affine_map<");
    add_loops(&text, nest, UINT32_MAX);
    tc_add_str(&text, " -> ");
    add_loops(&text, nest, views[i].loops);
    tc_add_char(&text, '>');
  }
  tc_add_str(&text, "], iterator_types = [");
  for (unsigned d = 0; d < nest->dim_count; d++)
    tc_add_format(&text, "%s\"%s\"", d > 0 ? ", " : "",
                  (reduced >> d & 1) != 0 ? "reduction" : "parallel");
  tc_add_str(&text, "]}");
  if (in_count > 0) {
    tc_add_str(&text, " ins");
    add_operands(&text, views, in_count);
  }
  if (out_count > 0) {
    tc_add_str(&text, " outs");
    add_operands(&text, views + in_count, out_count);
  }
  tc_add_str(&text, " {\n");
  for (unsigned i = 0; i < e->depth; i++)
    tc_add(&text, "  ", 2);
  for (size_t i = 0; i < in_count + out_count; i++) {
    const tc_type *type = views[i].element;
    args[i] = tc_mlir_new(e);
    tc_add_format(&text, "%s%%v%zu: %s", i > 0 ? ", " : "^bb0(", args[i],
                  views[i].is_var ? tc_mlir_type(e, type) : tc_mlir_stored(e, type));
  }
  tc_add_str(&text, "):");
  if (text.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e, "%s", text.data);
  tc_text_free(&text);
  e->depth++;
}

/* A view without elements of its own, for loops that no other operand runs over. */
static tc_view view_of_space(tc_mlir *e) {
  static const tc_type byte = {.kind = TC_INT, .text = "i8", .width = 8};
  const int64_t strides[TC_MAX_BITS] = {0};
  tc_view view = {.element = &byte, .loops = UINT32_MAX};
  print_view(e, &view, e->space, 0, strides, 0);
  return view;
}

/* The indices that the body asks for. */
static void print_indices(tc_mlir *e) {
  uint32_t wanted = 0;
  for (size_t i = 0; i < e->nest->body.count; i++) {
    const tc_inst *inst = e->nest->body.insts[i];
    for (unsigned at = 0; inst->kind == TC_INST_INDEX && at < inst->map.count; at++)
      if (inst->map.bit[at] < TC_BIT_ZERO)
        wanted |= 1u << loop_of(e->nest, inst->map.bit[at]);
  }
  for (unsigned d = 0; d < e->nest->dim_count; d++)
    if ((wanted >> d & 1) != 0) {
      e->index[d] = tc_mlir_new(e);
      tc_mlir_line(e, "%%v%zu = linalg.index %u : index", e->index[d], d);
    }
}

/* The views of all reads, or of all writes; their number. */
static size_t print_views(tc_mlir *e, tc_inst_kind kind, tc_view *views) {
  size_t count = 0;
  for (size_t i = 0; i < e->nest->body.count; i++) {
    const tc_inst *inst = e->nest->body.insts[i];
    if (inst->kind == kind)
      (void)tc_mlir_view(e, &views[count++], inst->buffer, &inst->map);
  }
  return count;
}

tc_ssa tc_mlir_generic(tc_mlir *e, const tc_view *more, uint32_t reduced, bool *good) {
  const tc_code_block *body = &e->nest->body;
  tc_view *views = tc_alloc_array(e->arena, body->count + 2, sizeof *views);
  tc_ssa *args = tc_alloc_array(e->arena, body->count + 2, sizeof *args);
  uint32_t all = e->nest->dim_count == 32 ? UINT32_MAX : (1u << e->nest->dim_count) - 1, taken = 0;
  *good = false;
  if (views == NULL || args == NULL)
    e->out->failed = true;
  if (views == NULL || args == NULL || !has_views(e->nest))
    return 0;
  for (size_t i = 0; i < body->count; i++)
    if (body->insts[i]->kind == TC_INST_GET)
      tc_mlir_set(e, body->insts[i], tc_mlir_scalar(e, body->insts[i]));
  size_t in_count = print_views(e, TC_INST_READ, views);
  size_t reads = in_count;
  for (size_t i = 0; i < body->count; i++)
    if (body->insts[i]->kind == TC_INST_WRITE)
      (void)strides_of(e->nest, &body->insts[i]->map, (int64_t[TC_MAX_BITS]){0}, &(int64_t){0},
                       &taken);
  for (size_t i = 0; i < in_count; i++)
    taken |= views[i].loops;
  if (((taken | (more != NULL ? more->loops : 0)) & all) != all)
    views[in_count++] = view_of_space(e);
  size_t out_count = print_views(e, TC_INST_WRITE, views + in_count);
  if (more != NULL)
    views[in_count + out_count++] = *more;
  tc_mlir_head(e, views, in_count, out_count, reduced, args);
  print_indices(e);
  for (size_t i = 0, k = 0; i < body->count && k < reads; i++)
    if (body->insts[i]->kind == TC_INST_READ)
      tc_mlir_set(e, body->insts[i], args[k++]);
  e->form = TC_FORM_GENERIC;
  tc_mlir_block(e, body);
  *good = true;
  return more != NULL ? args[in_count + out_count - 1] : 0;
}

void tc_mlir_yield(tc_mlir *e, const tc_view *more, tc_ssa value) {
  tc_text values = {0}, types = {0};
  for (size_t i = 0; i < e->nest->body.count; i++) {
    const tc_inst *inst = e->nest->body.insts[i];
    if (inst->kind != TC_INST_WRITE)
      continue;
    tc_add_format(&values, "%s%%v%zu", values.len > 0 ? ", " : " ", tc_mlir_value(e, inst));
    tc_add_format(&types, "%s%s", types.len > 0 ? ", " : " : ",
                  tc_mlir_stored(e, inst->buffer->element));
  }
  if (more != NULL) {
    tc_add_format(&values, "%s%%v%zu", values.len > 0 ? ", " : " ", value);
    tc_add_format(&types, "%s%s", types.len > 0 ? ", " : " : ",
                  more->is_var ? tc_mlir_type(e, more->element) : tc_mlir_stored(e, more->element));
  }
  if (values.failed || types.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e, "linalg.yield%s%s", values.data != NULL ? values.data : "",
                 types.data != NULL ? types.data : "");
  tc_text_free(&values);
  tc_text_free(&types);
  e->depth--;
  tc_mlir_line(e, "}");
}

static void open_loop(tc_mlir *e, unsigned loop, bool reverse) {
  int64_t size = (int64_t)1 << e->nest->dims[loop];
  tc_ssa zero = tc_mlir_number(e, 0, "index"), one = tc_mlir_number(e, 1, "index");
  tc_ssa end = tc_mlir_number(e, size, "index"),
         last = reverse ? tc_mlir_number(e, size - 1, "index") : 0;
  tc_ssa index = tc_mlir_new(e);
  tc_mlir_line(e, "scf.for %%v%zu = %%v%zu to %%v%zu step %%v%zu {", index, zero, end, one);
  e->depth++;
  e->index[loop] = reverse ? tc_mlir_binary(e, "arith.subi", last, index, "index") : index;
}

void tc_mlir_open(tc_mlir *e, uint32_t last, bool reverse) {
  for (unsigned d = 0; d < e->nest->dim_count; d++)
    if ((last >> d & 1) == 0)
      open_loop(e, d, false);
  for (unsigned d = 0; d < e->nest->dim_count; d++)
    if ((last >> d & 1) != 0)
      open_loop(e, d, reverse);
}

void tc_mlir_close(tc_mlir *e) {
  for (unsigned d = 0; d < e->nest->dim_count; d++) {
    e->depth--;
    tc_mlir_line(e, "}");
  }
}

void tc_mlir_nest(tc_mlir *e, const tc_nest *nest) {
  const tc_nest *outer = e->nest;
  tc_form form = e->form;
  tc_ssa index[TC_MAX_BITS];
  bool good = false;
  memcpy(index, e->index, sizeof index);
  e->nest = nest;
  if (tc_mlir_is_generic(nest))
    (void)tc_mlir_generic(e, NULL, 0, &good);
  if (good) {
    tc_mlir_yield(e, NULL, 0);
  } else {
    e->form = TC_FORM_LOOPS;
    tc_mlir_open(e, 0, false);
    tc_mlir_block(e, &nest->body);
    tc_mlir_close(e);
  }
  memcpy(e->index, index, sizeof index);
  e->form = form;
  e->nest = outer;
}
