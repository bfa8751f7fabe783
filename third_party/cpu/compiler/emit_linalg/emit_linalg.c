/* emit_linalg.c: the module, its functions and their statements. */
#include "emit_linalg.h"

static tc_ssa condition_of(tc_mlir *e, const tc_stmt *stmt) {
  return tc_mlir_scalar(e, stmt->condition);
}

static void print_copy(tc_mlir *e, const tc_stmt *stmt) {
  const tc_buffer *to = stmt->targets[0].buffer, *from = stmt->source;
  const char *type = tc_mlir_stored(e, from->element);
  tc_mlir_line(e, "memref.copy %%v%zu, %%v%zu : memref<%lldx%s> to memref<%lldx%s>",
               e->buffers[from->id], e->buffers[to->id], 1LL << from->bits, type, 1LL << to->bits,
               type);
}

static void print_stmt(tc_mlir *e, const tc_stmt *stmt);

/* Statements from first up to end, which is not printed, NULL for all: in a region with blocks if
 * there are labels. */
static void print_range(tc_mlir *e, const tc_stmt *first, const tc_stmt *end) {
  bool outer = e->is_nested, has_labels = false;
  for (const tc_stmt *s = first; s != end; s = s->next)
    has_labels = has_labels || s->kind == TC_STMT_LABEL || s->kind == TC_STMT_JUMP;
  e->is_nested = true;
  if (has_labels) {
    tc_mlir_line(e, "scf.execute_region {");
    e->depth++;
  }
  for (const tc_stmt *s = first; s != end; s = s->next)
    print_stmt(e, s);
  if (has_labels) {
    tc_mlir_line(e, "scf.yield");
    e->depth--;
    tc_mlir_line(e, "}");
  }
  e->is_nested = outer;
}

void tc_mlir_list(tc_mlir *e, const tc_list *list) {
  if (list != NULL)
    print_range(e, list->first, NULL);
}

/* A list within an operation. */
static void print_nested(tc_mlir *e, const tc_list *list) {
  e->depth++;
  tc_mlir_list(e, list);
  e->depth--;
}

static void print_for(tc_mlir *e, const tc_stmt *stmt) {
  tc_ssa low = tc_mlir_scalar(e, stmt->low), high = tc_mlir_scalar(e, stmt->high);
  tc_ssa step = tc_mlir_scalar(e, stmt->step), index = tc_mlir_new(e);
  tc_mlir_line(e, "scf.for %s%%v%zu = %%v%zu to %%v%zu step %%v%zu : %s {",
               stmt->is_unsigned ? "unsigned " : "", index, low, high, step,
               tc_mlir_type(e, stmt->var->type));
  e->depth++;
  tc_mlir_store_var(e, stmt->var, index);
  tc_mlir_list(e, stmt->list);
  e->depth--;
  tc_mlir_line(e, "}");
}

static void print_if(tc_mlir *e, const tc_stmt *stmt) {
  tc_mlir_line(e, "scf.if %%v%zu {", condition_of(e, stmt));
  print_nested(e, stmt->list);
  if (stmt->otherwise != NULL && stmt->otherwise->first != NULL) {
    tc_mlir_line(e, "} else {");
    print_nested(e, stmt->otherwise);
  }
  tc_mlir_line(e, "}");
}

/* scf.while: what is before the break is its first region, what is behind it the second. */
static void print_loop(tc_mlir *e, const tc_stmt *stmt) {
  const tc_stmt *leave = stmt->list->first;
  while (leave != NULL && leave->kind != TC_STMT_BREAK)
    leave = leave->next;
  tc_mlir_line(e, "scf.while : () -> () {");
  e->depth++;
  print_range(e, stmt->list->first, leave);
  tc_mlir_line(e, "scf.condition(%%v%zu)",
               leave != NULL ? condition_of(e, leave) : tc_mlir_number(e, 1, "i1"));
  e->depth--;
  tc_mlir_line(e, "} do {");
  e->depth++;
  print_range(e, leave != NULL ? leave->next : NULL, NULL);
  tc_mlir_line(e, "scf.yield");
  e->depth--;
  tc_mlir_line(e, "}");
}

static void print_label(tc_mlir *e, const char *kind, size_t number) {
  e->depth--;
  tc_mlir_line(e, "^%s%zu:", kind, number);
  e->depth++;
}

/* A jump; what stands behind it needs a block of its own. */
static void print_jump(tc_mlir *e, const tc_stmt *stmt) {
  size_t next = e->block_count++;
  if (stmt->condition != NULL)
    tc_mlir_line(e, "cf.cond_br %%v%zu, ^label%zu, ^next%zu", condition_of(e, stmt), stmt->label,
                 next);
  else
    tc_mlir_line(e, "cf.br ^label%zu", stmt->label);
  print_label(e, "next", next);
}

/* Adds "%v1, %v2 : i32, f32". */
static void add_values(tc_mlir *e, tc_text *text, const tc_stmt *stmt) {
  for (size_t i = 0; i < stmt->value_count; i++)
    tc_add_format(text, "%s%%v%zu", i > 0 ? ", " : " ", tc_mlir_scalar(e, stmt->values[i]));
  for (size_t i = 0; i < stmt->value_count; i++)
    tc_add_format(text, "%s%s", i > 0 ? ", " : " : ", tc_mlir_type(e, stmt->values[i]->type));
}

static void print_return(tc_mlir *e, const tc_stmt *stmt) {
  tc_text text = {0};
  if (e->is_nested)
    tc_mlir_refuse(e, "a return within a loop has no form in linalg");
  add_values(e, &text, stmt);
  if (text.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e, "func.return%s", text.data != NULL ? text.data : "");
  tc_text_free(&text);
  if (stmt->next != NULL)
    print_label(e, "next", e->block_count++);
}

static void print_stmt(tc_mlir *e, const tc_stmt *stmt) {
  e->line = stmt->line != 0 ? stmt->line : e->line;
  switch (stmt->kind) {
  case TC_STMT_NEST:
    tc_mlir_nest(e, &stmt->nest);
    break;
  case TC_STMT_REDUCE:
    tc_mlir_reduce(e, stmt);
    break;
  case TC_STMT_SCAN:
    tc_mlir_scan(e, stmt);
    break;
  case TC_STMT_DOT:
    tc_mlir_dot(e, &stmt->dot);
    break;
  case TC_STMT_COPY:
    print_copy(e, stmt);
    break;
  case TC_STMT_FOR:
    print_for(e, stmt);
    break;
  case TC_STMT_IF:
    print_if(e, stmt);
    break;
  case TC_STMT_LOOP:
    print_loop(e, stmt);
    break;
  case TC_STMT_BREAK:
    tc_mlir_refuse(e, "a loop with two ends, or one within an 'if', has no form in linalg");
    break;
  case TC_STMT_LABEL:
    tc_mlir_line(e, "cf.br ^label%zu", stmt->label);
    print_label(e, "label", stmt->label);
    break;
  case TC_STMT_JUMP:
    print_jump(e, stmt);
    break;
  case TC_STMT_RETURN:
    print_return(e, stmt);
    break;
  case TC_STMT_BARRIER: /* a program is one thread */
    break;
  }
}

/* The callee runs in the frame behind the caller's own. */
static tc_ssa frame_of_callee(tc_mlir *e, const tc_function *callee) {
  tc_ssa offset = tc_mlir_number(e, (int64_t)e->function->own_frame, "index"),
         made = tc_mlir_new(e);
  tc_mlir_line(e, "%%v%zu = memref.view %%v%zu[%%v%zu][] : memref<%zuxi8> to memref<%zuxi8>", made,
               e->ids + 6, offset, e->function->frame, callee->frame);
  return made;
}

/* Adds the types of a function's own operands, behind its parameters. */
static void add_own_types(tc_text *text, const tc_function *f) {
  tc_add_format(text, "%si32, i32, i32, i32, i32, i32, memref<%zuxi8>, !llvm.ptr",
                f->param_count > 0 ? ", " : "", f->frame);
}

static void print_call_line(tc_mlir *e, const tc_inst *inst, tc_ssa frame, tc_ssa results) {
  const tc_function *f = inst->callee;
  tc_text text = {0};
  for (size_t i = 0; i < inst->var_count; i++)
    tc_add_format(&text, "%s%%v%zu", i > 0 ? ", " : "", results + i);
  tc_add_str(&text, inst->var_count > 0 ? " = func.call @" : "func.call @");
  tc_mlir_quote(&text, f->name, false);
  for (size_t i = 0; i < inst->arg_count; i++)
    tc_add_format(&text, "%s%%v%zu", i > 0 ? ", " : "(", tc_mlir_value(e, inst->args[i]));
  for (size_t i = 0; i < 6; i++)
    tc_add_format(&text, "%s%%v%zu", i > 0 || inst->arg_count > 0 ? ", " : "(", e->ids + i);
  tc_add_format(&text, ", %%v%zu, %%v%zu) : (", frame, e->ids + 7);
  for (size_t i = 0; i < f->param_count; i++)
    tc_add_format(&text, "%s%s", i > 0 ? ", " : "", tc_mlir_type(e, f->params[i]->type));
  add_own_types(&text, f);
  tc_add_str(&text, ") -> (");
  for (size_t i = 0; i < f->result_count; i++)
    tc_add_format(&text, "%s%s", i > 0 ? ", " : "", tc_mlir_type(e, f->results[i]));
  tc_add_char(&text, ')');
  if (text.failed)
    e->out->failed = true;
  else
    tc_mlir_line(e, "%s", text.data);
  tc_text_free(&text);
}

void tc_mlir_call(tc_mlir *e, const tc_inst *inst) {
  tc_ssa frame = frame_of_callee(e, inst->callee), results = e->count + 1;
  e->count += inst->var_count;
  print_call_line(e, inst, frame, results);
  for (size_t i = 0; i < inst->var_count; i++)
    if (inst->vars[i] != NULL)
      tc_mlir_store_var(e, inst->vars[i], results + i);
}

/* The elements of a constant buffer as one global. */
static void add_constant(tc_mlir *e, const tc_buffer *b, size_t number) {
  unsigned width = tc_width(b->element), bytes = width < 8 ? 1 : width / 8;
  tc_add_format(&e->globals,
                "  memref.global \"private\" constant @constant%zu : memref<%lldx%s> = dense<\"0x",
                number, 1LL << b->bits, tc_mlir_stored(e, b->element));
  for (size_t i = 0; i < (size_t)1 << b->bits; i++)
    for (unsigned byte = 0; byte < bytes; byte++)
      tc_add_format(&e->globals, "%02X", (unsigned)(b->constant[i] >> (8 * byte) & 0xff));
  tc_add_str(&e->globals, "\">\n");
}

static void print_buffer(tc_mlir *e, const tc_buffer *b) {
  const char *type = tc_mlir_stored(e, b->element);
  tc_ssa made = e->buffers[b->id] = tc_mlir_new(e);
  if (b->constant != NULL) {
    size_t number = e->string_count++;
    add_constant(e, b, number);
    tc_mlir_entry(e, "%%v%zu = memref.get_global @constant%zu : memref<%lldx%s>", made, number,
                  1LL << b->bits, type);
  } else if (b->on_stack) {
    tc_mlir_entry(e, "%%v%zu = memref.alloca() {alignment = 64 : i64} : memref<%lldx%s>", made,
                  1LL << b->bits, type);
  } else {
    tc_ssa offset = tc_mlir_new(e);
    tc_mlir_entry(e, "%%v%zu = arith.constant %zu : index", offset, b->offset);
    tc_mlir_entry(e, "%%v%zu = memref.view %%v%zu[%%v%zu][] : memref<%zuxi8> to memref<%lldx%s>",
                  made, e->ids + 6, offset, e->function->frame, 1LL << b->bits, type);
  }
}

/* The line that begins a function. Its parameters are the values 1, 2, ...; then come those of
 * every function. */
static void print_signature(tc_mlir *e, tc_text *out, const tc_function *f) {
  tc_add_str(out, f->is_public ? "  func.func @" : "  func.func private @");
  tc_mlir_quote(out, f->name, false);
  tc_add_char(out, '(');
  for (size_t i = 0; i < f->param_count; i++)
    tc_add_format(out, "%%v%zu: %s, ", tc_mlir_new(e), tc_mlir_type(e, f->params[i]->type));
  e->ids = e->count + 1;
  e->count += 8;
  for (size_t i = 0; i < 6; i++)
    tc_add_format(out, "%%v%zu: i32, ", e->ids + i);
  tc_add_format(out, "%%v%zu: memref<%zuxi8>, %%v%zu: !llvm.ptr)", e->ids + 6, f->frame,
                e->ids + 7);
  for (size_t i = 0; i < f->result_count; i++)
    tc_add_format(out, "%s%s", i > 0 ? ", " : " -> (", tc_mlir_type(e, f->results[i]));
  tc_add_str(out, f->result_count > 0 ? ")" : "");
  if (f->is_public) {
    tc_add_format(out, " attributes {llvm.emit_c_interface, frame = %zu : i64, params = \"",
                  f->frame);
    for (size_t i = 0; i < f->param_count; i++)
      tc_add_char(out, tc_letter(f->params[i]->type));
    tc_add_str(out, "\"}");
  }
  tc_add_str(out, " {\n");
}

static void print_entry(tc_mlir *e, const tc_function *f) {
  e->space = tc_mlir_new(e);
  tc_mlir_entry(e, "%%v%zu = memref.alloca() : memref<1xi8>", e->space);
  for (size_t i = 0; i < f->var_count; i++) {
    const char *type = tc_mlir_type(e, f->vars[i]->type);
    e->vars[i] = tc_mlir_new(e);
    tc_mlir_entry(e, "%%v%zu = memref.alloca() : memref<%s>", e->vars[i], type);
    if (i < f->param_count)
      tc_mlir_entry(e, "memref.store %%v%zu, %%v%zu[] : memref<%s>", i + 1, e->vars[i], type);
  }
  for (size_t i = 0; i < f->buffer_count; i++)
    print_buffer(e, f->buffers[i]);
}

static void print_function(tc_mlir *e, tc_text *out, const tc_function *f) {
  tc_text body = {0};
  e->function = f;
  e->count = e->block_count = e->value_cap = 0;
  e->vars = tc_alloc_array(e->arena, f->var_count + 1, sizeof *e->vars);
  e->buffers = tc_alloc_array(e->arena, f->buffer_count + 1, sizeof *e->buffers);
  if (e->vars == NULL || e->buffers == NULL) {
    out->failed = true;
    return;
  }
  e->out = &body;
  e->depth = 2;
  e->entry.len = 0;
  print_signature(e, out, f);
  print_entry(e, f);
  const tc_stmt *last = f->body->last;
  for (const tc_stmt *s = f->body->first; s != NULL; s = s->next)
    print_stmt(e, s);
  if (last == NULL || last->kind != TC_STMT_RETURN)
    tc_mlir_line(e, "func.return");
  out->failed = out->failed || body.failed || e->entry.failed;
  if (!out->failed) {
    tc_add(out, e->entry.data, e->entry.len);
    tc_add_str(out, body.data != NULL ? body.data : "");
    tc_add_str(out, "  }\n");
  }
  tc_text_free(&body);
  e->out = out;
}

int tc_emit_linalg(tc_text *text, const tc_program *program, tc_err *err) {
  tc_text functions = {0};
  tc_mlir e = {.arena = tc_arena_new(), .err = err, .out = &functions};
  if (e.arena != NULL)
    for (size_t i = 0; i < program->function_count && e.status == TC_OK; i++)
      print_function(&e, &functions, program->functions[i]);
  if (e.status == TC_OK && e.arena != NULL && !functions.failed && !e.globals.failed) {
    tc_add_str(text, "module {\n");
    tc_add_str(text, e.globals.data != NULL ? e.globals.data : "");
    tc_add_str(text, functions.data != NULL ? functions.data : "");
    tc_add_str(text, "}\n");
  }
  if (e.status == TC_OK &&
      (e.arena == NULL || functions.failed || e.globals.failed || text->failed)) {
    e.status = TC_ENOMEM;
    if (err != NULL)
      *err = (tc_err){.code = TC_ENOMEM, .what = "out of memory"};
  }
  tc_text_free(&functions);
  tc_text_free(&e.globals);
  tc_text_free(&e.entry);
  tc_arena_free(e.arena);
  return e.status;
}
