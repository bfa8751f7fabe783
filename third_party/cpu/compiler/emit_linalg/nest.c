/* nest.c: nests as linalg.generic, or as loops of scf where order matters. */
#include "emit_linalg.h"

/* The bits of a run, from the index of its loop. */
static tc_ssa term_of(tc_mlir *e, const tc_run *run) {
  tc_ssa term = e->index[run->loop];
  if (run->skipped > 0)
    term =
        tc_mlir_binary(e, "arith.shrui", term, tc_mlir_number(e, run->skipped, "index"), "index");
  if (run->skipped + run->count < e->loops->bits[run->loop])
    term = tc_mlir_binary(e, "arith.andi", term,
                          tc_mlir_number(e, ((int64_t)1 << run->count) - 1, "index"), "index");
  if (run->at > 0)
    term = tc_mlir_binary(e, "arith.muli", term, tc_mlir_number(e, (int64_t)1 << run->at, "index"),
                          "index");
  return term;
}

tc_ssa tc_mlir_place(tc_mlir *e, const tc_map *map) {
  int64_t constant = (int64_t)tc_map_fixed(map);
  tc_ssa sum = 0;
  for (tc_run run = {0}; tc_next_run(e->loops, map, &run);) {
    if (run.loop == e->loops->count) {
      tc_mlir_refuse(e, "a place names bit %u, which no loop has", map->bit[run.at]);
      return 0;
    }
    tc_ssa term = term_of(e, &run);
    sum = sum == 0 ? term : tc_mlir_binary(e, "arith.addi", sum, term, "index");
  }
  if (sum == 0)
    return tc_mlir_number(e, constant, "index");
  return constant == 0
             ? sum
             : tc_mlir_binary(e, "arith.addi", sum, tc_mlir_number(e, constant, "index"), "index");
}

/* What the text says, in the arena; the text is freed. */
static const char *kept(tc_mlir *e, tc_text *text) {
  const char *copy = text->failed ? NULL : tc_copy(e->arena, text->data, text->len);
  tc_text_free(text);
  e->out->failed = e->out->failed || copy == NULL;
  return copy != NULL ? copy : "";
}

/* Adds an item to a list with commas. */
static void add_item(tc_text *list, int64_t item) {
  tc_add_format(list, "%s%lld", list->len > 0 ? ", " : "", (long long)item);
}

/* Prints the view of a flat memref of 2^bits elements. */
static void print_view(tc_mlir *e, tc_view *view, tc_ssa flat, unsigned bits,
                       const int64_t *strides, int64_t offset) {
  const char *element = tc_mlir_stored(e, view->element);
  tc_text sizes = {0}, steps = {0}, type = {0};
  tc_add_str(&type, "memref<");
  tc_add_str(&sizes, "");
  tc_add_str(&steps, "");
  for (unsigned d = 0; d < e->loops->count; d++)
    if ((view->loops >> d & 1) != 0) {
      add_item(&sizes, 1LL << e->loops->bits[d]);
      add_item(&steps, strides[d]);
      tc_add_format(&type, "%lldx", 1LL << e->loops->bits[d]);
    }
  tc_add_format(&type, "%s, strided<[%s]", element, steps.failed ? "" : steps.data);
  if (offset != 0)
    tc_add_format(&type, ", offset: %lld", (long long)offset);
  tc_add_str(&type, ">>");
  view->memref = tc_mlir_new(e);
  view->type = kept(e, &type);
  if (sizes.failed || steps.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e,
                 "%%v%zu = memref.reinterpret_cast %%v%zu to offset: [%lld], sizes: [%s], "
                 "strides: [%s] : memref<%lldx%s> to %s",
                 view->memref, flat, (long long)offset, sizes.data, steps.data, 1LL << bits,
                 element, view->type);
  tc_text_free(&sizes);
  tc_text_free(&steps);
}

/* The strides of the loops in the places that map names. */
static bool strides_of(const tc_loops *loops, const tc_map *map, int64_t *strides,
                       uint32_t *taken) {
  for (tc_run run = {0}; tc_next_run(loops, map, &run);) {
    if (run.loop == loops->count || run.count != loops->bits[run.loop])
      return false;
    strides[run.loop] += (int64_t)1 << run.at;
    *taken |= 1u << run.loop;
  }
  return true;
}

bool tc_mlir_view(tc_mlir *e, tc_view *view, const tc_buffer *buffer, const tc_map *map) {
  int64_t strides[TC_MAX_BITS] = {0};
  *view = (tc_view){.element = buffer->element};
  if (!strides_of(e->loops, map, strides, &view->loops))
    return false;
  print_view(e, view, e->buffers[buffer->id], buffer->bits, strides, (int64_t)tc_map_fixed(map));
  return true;
}

tc_view tc_mlir_view_of_var(tc_mlir *e, const tc_var *var) {
  tc_view view = {.element = var->type, .is_var = true, .memref = e->vars[var->id]};
  tc_text type = {0};
  tc_add_format(&type, "memref<%s>", tc_mlir_type(e, var->type));
  view.type = kept(e, &type);
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

/* Whether each of the nest's accesses has a view; *taken gets the loops over which they run. */
static bool has_views(const tc_mlir *e, uint32_t *taken) {
  for (size_t i = 0; i < e->nest->body.count; i++) {
    const tc_inst *inst = e->nest->body.insts[i];
    int64_t strides[TC_MAX_BITS] = {0};
    if ((inst->kind == TC_INST_READ || inst->kind == TC_INST_WRITE) &&
        !strides_of(e->loops, &inst->map, strides, taken))
      return false;
  }
  return true;
}

static void add_loops(tc_text *text, const tc_loops *loops, uint32_t set) {
  const char *comma = "";
  tc_add_char(text, '(');
  for (unsigned d = 0; d < loops->count; d++)
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
  tc_text text = {0};
  tc_add_str(&text, "linalg.generic {indexing_maps = [");
  for (size_t i = 0; i < in_count + out_count; i++) {
    tc_add_str(&text, i > 0 ? ", affine_map<" : "affine_map<");
    add_loops(&text, e->loops, UINT32_MAX);
    tc_add_str(&text, " -> ");
    add_loops(&text, e->loops, views[i].loops);
    tc_add_char(&text, '>');
  }
  tc_add_str(&text, "], iterator_types = [");
  for (unsigned d = 0; d < e->loops->count; d++)
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
        wanted |= 1u << tc_loop_of(e->loops, inst->map.bit[at]);
  }
  for (unsigned d = 0; d < e->loops->count; d++)
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
  uint32_t all = e->loops->count == 32 ? UINT32_MAX : (1u << e->loops->count) - 1;
  uint32_t taken = more != NULL ? more->loops : 0;
  *good = false;
  if (views == NULL || args == NULL)
    e->out->failed = true;
  if (views == NULL || args == NULL || !has_views(e, &taken))
    return 0;
  for (size_t i = 0; i < body->count; i++)
    if (body->insts[i]->kind == TC_INST_GET)
      tc_mlir_set(e, body->insts[i], tc_mlir_scalar(e, body->insts[i]));
  size_t in_count = print_views(e, TC_INST_READ, views);
  size_t reads = in_count;
  if ((taken & all) != all)
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
  int64_t size = (int64_t)1 << e->loops->bits[loop];
  tc_ssa zero = tc_mlir_number(e, 0, "index"), one = tc_mlir_number(e, 1, "index");
  tc_ssa end = tc_mlir_number(e, size, "index"),
         last = reverse ? tc_mlir_number(e, size - 1, "index") : 0;
  tc_ssa index = tc_mlir_new(e);
  tc_mlir_line(e, "scf.for %%v%zu = %%v%zu to %%v%zu step %%v%zu {", index, zero, end, one);
  e->depth++;
  e->index[loop] = reverse ? tc_mlir_binary(e, "arith.subi", last, index, "index") : index;
}

void tc_mlir_open(tc_mlir *e, uint32_t last, bool reverse) {
  for (unsigned d = 0; d < e->loops->count; d++)
    if ((last >> d & 1) == 0)
      open_loop(e, d, false);
  for (unsigned d = 0; d < e->loops->count; d++)
    if ((last >> d & 1) != 0)
      open_loop(e, d, reverse);
}

void tc_mlir_close(tc_mlir *e) {
  for (unsigned d = 0; d < e->loops->count; d++) {
    e->depth--;
    tc_mlir_line(e, "}");
  }
}

void tc_mlir_nest(tc_mlir *e, const tc_nest *nest) {
  const tc_nest *outer_nest = e->nest;
  const tc_loops *outer = e->loops;
  tc_form form = e->form;
  tc_loops loops = tc_loops_of(nest);
  bool good = false;
  e->nest = nest;
  e->loops = &loops;
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
  e->form = form;
  e->loops = outer;
  e->nest = outer_nest;
}
