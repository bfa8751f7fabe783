/* lower.c: functions, and which operation is lowered where. */
#include "lowering.h"

#include <stdio.h>
#include <string.h>

typedef void lower_fn(tc_lowering *l, const tc_op *op);

/* A scalar constant is written wherever it is used. */
static void lower_lazy(tc_lowering *l, const tc_op *op) {
  if (tc_is_tensor(&op->results[0]))
    tc_settle(l, op);
}

/* A scalar of a tensor of one element. */
static void lower_unsplat(tc_lowering *l, const tc_op *op) {
  tc_writer *w = tc_straight(l);
  tc_map map = {0};
  tc_bind_scalar(l, &op->results[0], tc_at(l, w, op->operands[0], &map), w);
}

static void check_join(tc_lowering *l, const tc_op *op) {
  const tc_type *from = op->operands[0]->type, *to = op->results[0].type;
  bool splits = tc_op_is(op, "tt.split");
  const tc_type *whole = splits ? from : to, *part = splits ? to : from;
  bool same = splits ? op->results[1].type == to : op->operands[1]->type == from;
  bool cat = tc_op_is(op, "tt.cat");
  if (!same || whole->kind != TC_TENSOR || whole->rank == 0 ||
      tc_bits(l, whole) != tc_bits(l, part) + 1 || tc_element(whole) != tc_element(part) ||
      whole->shape[cat ? 0 : whole->rank - 1] < 2)
    tc_reject(l, op, "", "it makes no '%.100s' of '%.100s'", to->text, from->text);
}

static void lower_join(tc_lowering *l, const tc_op *op) {
  check_join(l, op);
  tc_settle(l, op);
}

static void lower_split(tc_lowering *l, const tc_op *op) {
  check_join(l, op);
  if (tc_is_tensor(&op->results[0])) {
    tc_settle(l, op);
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    tc_map map = {.count = 1, .bit = {i == 0 ? TC_BIT_ZERO : TC_BIT_ONE}};
    tc_writer *w = tc_straight(l);
    tc_bind_scalar(l, &op->results[i], tc_at(l, w, op->operands[0], &map), w);
  }
}

static void lower_barrier(tc_lowering *l, const tc_op *op) {
  (void)op;
  (void)tc_add_stmt(l, TC_STMT_BARRIER);
}

static void lower_nothing(tc_lowering *l, const tc_op *op) {
  (void)l;
  (void)op;
}

static void lower_unreachable(tc_lowering *l, const tc_op *op) {
  (void)op;
  (void)tc_add_stmt(l, TC_STMT_RETURN);
}

static void refuse_assembly(tc_lowering *l, const tc_op *op) {
  tc_reject(l, op, "write it in Triton's language, or call a function of libdevice",
            "PTX inline assembly cannot run on a CPU");
}

static void refuse_descriptor(tc_lowering *l, const tc_op *op) {
  tc_reject(l, op, "run Triton's pass rewrite_tensor_descriptor_to_pointer first",
            "tensor descriptors are not lowered");
}

static void refuse_block_pointer(tc_lowering *l, const tc_op *op) {
  tc_reject(l, op, "run Triton's pass rewrite_tensor_pointer first",
            "pointers to blocks are not lowered");
}

static const struct {
  const char *name;
  lower_fn *lower;
} table[] = {
    {"arith.constant", lower_lazy},
    {"ub.poison", lower_lazy},
    {"tt.make_range", lower_lazy},
    {"tt.splat", lower_lazy},
    {"tt.broadcast", lower_lazy},
    {"tt.expand_dims", lower_lazy},
    {"tt.reshape", lower_lazy},
    {"tt.trans", lower_lazy},
    {"tt.unsplat", lower_unsplat},
    {"tt.join", lower_join},
    {"tt.cat", lower_join},
    {"tt.split", lower_split},
    {"tt.gather", tc_lower_gather},
    {"tt.load", tc_lower_load},
    {"tt.store", tc_lower_store},
    {"tt.atomic_rmw", tc_lower_atomic},
    {"tt.atomic_cas", tc_lower_atomic},
    {"tt.atomic_load", tc_lower_atomic},
    {"tt.atomic_store", tc_lower_store},
    {"tt.atomic_poll", tc_lower_atomic},
    {"tt.print", tc_lower_print},
    {"tt.assert", tc_lower_assert},
    {"tt.histogram", tc_lower_histogram},
    {"tt.reduce", tc_lower_reduce},
    {"tt.scan", tc_lower_scan},
    {"tt.map_elementwise", tc_lower_map},
    {"tt.dot", tc_lower_dot},
    {"tt.dot_scaled", tc_lower_dot_scaled},
    {"tt.call", tc_lower_call},
    {"tt.return", tc_lower_return},
    {"scf.for", tc_lower_for},
    {"scf.if", tc_lower_if},
    {"scf.while", tc_lower_while},
    {"scf.yield", lower_nothing},
    {"scf.condition", lower_nothing},
    {"cf.br", tc_lower_branch},
    {"cf.cond_br", tc_lower_branch},
    {"ub.unreachable", lower_unreachable},
    {"tt.reduce.return", tc_lower_region_return},
    {"tt.scan.return", tc_lower_region_return},
    {"tt.map_elementwise.return", tc_lower_region_return},
    {"gpu.barrier", lower_barrier},
    {"ttg.barrier", lower_barrier},
    {"ttg.local_barrier", lower_barrier},
    {"tt.elementwise_inline_asm", refuse_assembly},
    {"tt.make_tensor_ptr", refuse_block_pointer},
    {"tt.advance", refuse_block_pointer},
    {"tt.make_tensor_descriptor", refuse_descriptor},
    {"tt.descriptor_load", refuse_descriptor},
    {"tt.descriptor_store", refuse_descriptor},
    {"tt.descriptor_reduce", refuse_descriptor},
    {"tt.descriptor_gather", refuse_descriptor},
    {"tt.descriptor_scatter", refuse_descriptor},
};

/* Shapes of element operations that the reader's table leaves free. */
static void check_element(tc_lowering *l, const tc_op *op) {
  bool tensor = op->result_count > 0 && tc_is_tensor(&op->results[0]);
  for (size_t i = 0; i < op->operand_count; i++)
    if (tc_is_tensor(op->operands[i]) &&
        (!tensor || tc_bits(l, op->operands[i]->type) != tc_bits(l, op->results[0].type)))
      tc_reject(l, op, "", "operand %zu, '%.100s', has another shape than the result", i,
                op->operands[i]->type->text);
}

void tc_lower_op(tc_lowering *l, const tc_op *op) {
  if (tc_is_element_op(op)) {
    check_element(l, op);
    if (op->result_count > 0 && tc_is_tensor(&op->results[0]))
      tc_settle(l, op);
    else
      tc_bind_element_op(l, tc_straight(l), op);
    return;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, op->name) == 0) {
      table[i].lower(l, op);
      return;
    }
  tc_reject(l, op, "", "it cannot be lowered for a CPU");
}

/* --- functions ----------------------------------------------------------------------------------
 */

/* How deep functions may call, and calls that pass tensors: each is lowered anew. */
enum { MOST_CALLS = 64, MOST_INLINED = 256 };

bool tc_passes_tensors(const tc_op *call) {
  for (size_t i = 0; i < call->operand_count; i++)
    if (tc_is_tensor(call->operands[i]))
      return true;
  for (size_t i = 0; i < call->result_count; i++)
    if (tc_is_tensor(&call->results[i]))
      return true;
  return false;
}

const tc_op *tc_find_function(const tc_module *module, const tc_attr *symbol) {
  for (const tc_op *f = module->op->regions[0].first->first; f != NULL; f = f->next) {
    const tc_attr *name = tc_attr_of(f, "sym_name");
    if (tc_op_is(f, "tt.func") && name->len == symbol->len &&
        memcmp(name->text, symbol->text, name->len) == 0)
      return f;
  }
  return NULL;
}

tc_function *tc_function_of(tc_lowering *l, const tc_attr *symbol, const tc_op *op) {
  for (size_t i = 0; i < l->program->function_count; i++) {
    const char *name = l->program->functions[i]->name;
    if (strlen(name) == symbol->len && memcmp(name, symbol->text, symbol->len) == 0)
      return l->program->functions[i];
  }
  tc_reject(l, op, "", "the function '%.100s' is not there", symbol->text);
}

static void lower_function(tc_lowering *l, const tc_op *op, unsigned depth);

static bool is_lowered(const tc_lowering *l, const tc_attr *symbol) {
  for (size_t i = 0; i < l->program->function_count; i++)
    if (strcmp(l->program->functions[i]->name, symbol->text) == 0)
      return true;
  return false;
}

/* Lowers what is called in these blocks. */
static void lower_callees(tc_lowering *l, const tc_region *region, unsigned depth);

static void lower_callee(tc_lowering *l, const tc_op *call, unsigned depth) {
  const tc_op *f = tc_find_function(l->module, tc_attr_of(call, "callee"));
  if (depth >= MOST_CALLS)
    tc_reject(l, call, "write it as a loop", "functions call each other too deeply, or themselves");
  if (f == NULL)
    tc_reject(l, call, "", "the function is not there");
  if (tc_passes_tensors(call)) {
    if (++l->inline_count > MOST_INLINED)
      tc_reject(l, call, "let Triton inline the function", "too many calls pass tensors");
    lower_callees(l, &f->regions[0], depth + 1);
  } else
    lower_function(l, f, depth + 1);
}

/* Lowers what is called in these blocks. */
static void lower_callees(tc_lowering *l, const tc_region *region, unsigned depth) {
  for (const tc_block *b = region->first; b != NULL; b = b->next)
    for (const tc_op *op = b->first; op != NULL; op = op->next) {
      for (size_t i = 0; i < op->region_count; i++)
        lower_callees(l, &op->regions[i], depth);
      if (!tc_op_is(op, "tt.call") || is_lowered(l, tc_attr_of(op, "callee")))
        continue;
      lower_callee(l, op, depth);
    }
}

static void check_param(tc_lowering *l, const tc_op *op, const tc_type *type) {
  if (type->kind == TC_DESC)
    refuse_descriptor(l, op);
  if (type->kind == TC_TENSOR || type->kind == TC_FUNCTION || type->kind == TC_OTHER)
    tc_reject(l, op, "pass scalars and pointers, or let Triton inline the function",
              "'%.100s' goes into or out of it", type->text);
}

static void add_params(tc_lowering *l, const tc_op *op) {
  tc_function *f = l->function;
  const tc_block *entry = op->regions[0].first;
  const tc_type *type = tc_attr_of(op, "function_type")->type;
  f->param_count = entry->arg_count;
  f->result_count = type->result_count;
  f->params = tc_take(l, f->param_count, sizeof(tc_var *));
  f->results = tc_take(l, f->result_count, sizeof(tc_type *));
  for (size_t i = 0; i < f->result_count; i++) {
    check_param(l, op, type->results[i]);
    f->results[i] = type->results[i];
  }
  for (size_t i = 0; i < f->param_count; i++) {
    check_param(l, op, entry->args[i].type);
    f->params[i] = tc_new_var(l, entry->args[i].type);
    tc_bind_var(l, &entry->args[i], f->params[i]);
  }
}

static void lower_function(tc_lowering *l, const tc_op *op, unsigned depth) {
  const tc_attr *name = tc_attr_of(op, "sym_name");
  lower_callees(l, &op->regions[0], depth);
  if (is_lowered(l, name)) /* it calls itself by way of others */
    return;
  tc_function *f = tc_take(l, 1, sizeof *f);
  l->function = f;
  l->op = op;
  l->var_cap = l->buffer_cap = 0;
  l->inst_count = 0;
  f->name = tc_copy(l->arena, name->text, name->len);
  if (f->name == NULL)
    (void)tc_take(l, SIZE_MAX, 1);
  f->is_public = tc_is_public(op);
  f->body = tc_take(l, 1, sizeof *f->body);
  (void)tc_enter(l, f->body);
  add_params(l, op);
  tc_lower_blocks(l, &op->regions[0]);
  tc_fuse(l, f->body);
  if (!tc_reserve(l->arena, &l->program->functions, l->program->function_count, &l->function_cap,
                  sizeof(tc_function *)))
    (void)tc_take(l, SIZE_MAX, 1);
  l->program->functions[l->program->function_count++] = f;
}

static void lower_module(tc_lowering *l) {
  const tc_block *body = l->module->op->regions[0].first;
  for (const tc_op *op = body != NULL ? body->first : NULL; op != NULL; op = op->next) {
    l->op = op;
    if (!tc_op_is(op, "tt.func"))
      tc_reject(l, op, "", "only functions are lowered from a module");
    if (!tc_is_public(op))
      continue;
    if (l->program->entry != NULL)
      tc_reject(l, op, "compile each kernel by itself", "it is a second kernel of the module");
    lower_function(l, op, 0);
    l->program->entry = l->program->functions[l->program->function_count - 1];
  }
  if (l->program->entry == NULL)
    tc_reject(l, l->module->op, "", "the module has no public function");
}

static int out_of_memory(tc_err *err) {
  *err = (tc_err){.code = TC_ENOMEM};
  (void)snprintf(err->what, sizeof err->what, "out of memory");
  return TC_ENOMEM;
}

/* Fills the program; what fails comes back here. */
static int run(tc_lowering *l) {
  if (setjmp(l->failed) != 0) /* NOLINT(cert-err52-cpp) */
    return l->err->code;
  lower_module(l);
  return tc_place(l->program, l->err);
}

int tc_lower(tc_program **out, const tc_module *module, const tc_lower_options *options,
             tc_err *err) {
  tc_arena *arena = tc_arena_new(), *scratch = tc_arena_new();
  tc_program *program = arena != NULL ? tc_alloc(arena, sizeof *program) : NULL;
  int rc = TC_ENOMEM;
  if (program == NULL || scratch == NULL) {
    rc = out_of_memory(err);
  } else {
    *program = (tc_program){.arena = arena};
    tc_lowering *l = tc_alloc(scratch, sizeof *l);
    if (l == NULL) {
      rc = out_of_memory(err);
    } else {
      *l = (tc_lowering){.program = program,
                         .arena = arena,
                         .scratch = scratch,
                         .module = module,
                         .err = err,
                         .strict = options != NULL && options->strict};
      rc = run(l);
    }
  }
  tc_arena_free(scratch);
  if (rc == TC_OK)
    *out = program;
  else
    tc_arena_free(arena);
  return rc;
}

void tc_program_free(tc_program *program) {
  if (program != NULL)
    tc_arena_free(program->arena);
}
