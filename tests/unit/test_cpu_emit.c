/* The C emitter of the cpu backend: small programs are built by hand, emitted, compiled with clang,
 * loaded and run. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "unit.h"

#include "compiler/emit.h"
#include "rt/ttabi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const tc_float_format f32_format = {"f32", 32, 8, 23, 127, TC_IEEE};
static const tc_type f32 = {.kind = TC_FLOAT, .text = "f32", .width = 32, .format = &f32_format};
static const tc_type i32 = {.kind = TC_INT, .text = "i32", .width = 32};
static const tc_type i1 = {.kind = TC_INT, .text = "i1", .width = 1};
static const tc_type i4 = {.kind = TC_INT, .text = "i4", .width = 4};
static const tc_type to_f32 = {.kind = TC_PTR, .text = "!tt.ptr<f32>", .element = &f32};

/* A program of one function that is being built. */
typedef struct build {
  tc_arena *arena;
  tc_program program;
  tc_function function;
  tc_list body;
  tc_function *functions[1];
  tc_var *vars[16], *params[8];
  tc_buffer *buffers[8];
  tc_code_block *block;
  size_t inst_count;
} build;

static void *take(build *b, size_t size) {
  void *out = tc_alloc(b->arena, size);
  assert_non_null(out);
  return out;
}

static build *begin(void) {
  build *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->arena = tc_arena_new();
  b->function = (tc_function){.name = "kernel",
                              .is_public = true,
                              .params = b->params,
                              .vars = b->vars,
                              .buffers = b->buffers,
                              .body = &b->body};
  b->functions[0] = &b->function;
  b->program = (tc_program){
      .arena = b->arena, .function_count = 1, .functions = b->functions, .entry = &b->function};
  return b;
}

static tc_var *variable(build *b, const tc_type *type) {
  tc_var *var = take(b, sizeof *var);
  *var = (tc_var){.id = b->function.var_count, .type = type};
  b->vars[b->function.var_count++] = var;
  return var;
}

static tc_var *parameter(build *b, const tc_type *type) {
  tc_var *var = variable(b, type);
  b->params[b->function.param_count++] = var;
  return var;
}

static tc_buffer *buffer(build *b, const tc_type *type, unsigned bits) {
  tc_buffer *out = take(b, sizeof *out);
  *out =
      (tc_buffer){.id = b->function.buffer_count, .element = type, .bits = bits, .on_stack = true};
  b->buffers[b->function.buffer_count++] = out;
  return out;
}

static tc_stmt *statement(build *b, tc_list *list, tc_stmt_kind kind) {
  tc_stmt *s = take(b, sizeof *s);
  s->kind = kind;
  s->line = 7;
  if (list->last == NULL)
    list->first = s;
  else
    list->last->next = s;
  list->last = s;
  b->block = &s->nest.body;
  return s;
}

/* A nest of loops of so many bits, the outermost first; 0 ends the list. */
static tc_stmt *nest(build *b, tc_stmt_kind kind, uint8_t first, uint8_t second) {
  tc_stmt *s = statement(b, &b->body, kind);
  s->nest.independent = true;
  s->nest.bits = first + second;
  s->nest.dim_count = second > 0 ? 2 : first > 0 ? 1 : 0;
  s->nest.dims[0] = first;
  s->nest.dims[1] = second;
  return s;
}

static tc_inst *inst(build *b, tc_inst_kind kind, const tc_type *type) {
  tc_inst *out = take(b, sizeof *out);
  *out = (tc_inst){.kind = kind, .type = type, .id = b->inst_count++};
  assert_true(tc_reserve(b->arena, &b->block->insts, b->block->count, &b->block->cap,
                         sizeof *b->block->insts));
  b->block->insts[b->block->count++] = out;
  return out;
}

/* Gives an instruction its arguments, and puts it behind them: compilers differ in which argument
 * of a call they evaluate first. */
static tc_inst *with(build *b, tc_inst *out, size_t count, const tc_inst *first,
                     const tc_inst *second, const tc_inst *third) {
  const tc_inst *all[] = {first, second, third};
  size_t i = 0;
  while (b->block->insts[i] != out)
    i++;
  for (; i + 1 < b->block->count; i++)
    b->block->insts[i] = b->block->insts[i + 1];
  b->block->insts[i] = out;
  out->arg_count = count;
  out->args = take(b, sizeof all);
  memcpy(out->args, all, sizeof all);
  return out;
}

static tc_inst *operation(build *b, tc_code code, const tc_type *type, const tc_inst *first,
                          const tc_inst *second) {
  tc_inst *out = inst(b, TC_INST_OP, type);
  out->code = code;
  return with(b, out, second == NULL ? 1 : 2, first, second, NULL);
}

static tc_inst *get(build *b, tc_var *var) {
  tc_inst *out = inst(b, TC_INST_GET, var->type);
  out->var = var;
  return out;
}

static tc_inst *constant(build *b, const tc_type *type, int64_t bits) {
  tc_inst *out = inst(b, TC_INST_CONST, type);
  out->integer = bits;
  return out;
}

static tc_map bits_of(unsigned low, unsigned count) {
  tc_map map = {.count = (uint8_t)count};
  for (unsigned i = 0; i < count; i++)
    map.bit[i] = (uint8_t)(low + i);
  return map;
}

static tc_inst *position(build *b, unsigned low, unsigned count) {
  tc_inst *out = inst(b, TC_INST_INDEX, &i32);
  out->map = bits_of(low, count);
  return out;
}

static tc_inst *touch(build *b, tc_inst_kind kind, tc_buffer *to, tc_map map,
                      const tc_inst *value) {
  tc_inst *out = inst(b, kind, kind == TC_INST_READ ? to->element : NULL);
  out->buffer = to;
  out->map = map;
  return value == NULL ? out : with(b, out, 1, value, NULL, NULL);
}

static void give_up(const tt_env *env, const char *message) {
  (void)env;
  fail_msg("the kernel gave up: %s", message);
}

static void ignore_line(const tt_env *env, const char *line, size_t len) {
  (void)env, (void)line, (void)len;
}

static void ignore_wait(const tt_env *env) {
  (void)env;
}

/* Runs a program of the PATH; its exit status, or -1. */
static int execute(const char *const *words) {
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    (void)execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
  }
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* kernel.c to kernel.so; ttrt.h is found from where this source was compiled. */
static void compile(void) {
  char include[4096];
  const char *end = strstr(__FILE__, "tests/unit/");
  assert_non_null(end);
  (void)snprintf(include, sizeof include, "-I%.*sthird_party/cpu/rt", (int)(end - __FILE__),
                 __FILE__);
  const char *const words[] = {"clang-22",
                               "-std=gnu11",
                               "-O2",
                               "-march=native",
                               "-fno-math-errno",
                               "-ffp-contract=fast",
                               "-fPIC",
                               "-shared",
                               "-Wall",
                               "-Wextra",
                               "-Werror",
                               include,
                               "-o",
                               "kernel.so",
                               "kernel.c",
                               "-lm",
                               NULL};
  assert_int_equal(execute(words), 0);
}

/* Emits, compiles and runs one program of the grid, number 2 of 3. */
static void run(build *b, const void *const *params) {
  tc_text text = {0};
  tc_err err = {0};
  if (tc_emit_c(&text, &b->program, &err) != TC_OK)
    fail_msg("%zu: %s", err.line, err.what);
  put("kernel.c", text.data);
  compile();
  void *library = dlopen("./kernel.so", RTLD_NOW);
  if (library == NULL)
    fail_msg("%s", dlerror());
  const tt_kernel *kernel = dlsym(library, "ttcpu_kernel");
  assert_non_null(kernel);
  assert_int_equal(kernel->abi, TT_ABI);
  assert_int_equal(kernel->param_count, b->function.param_count);
  assert_string_equal(kernel->name, "kernel");
  static const tt_runtime runtime = {.print = ignore_line, .fail = give_up, .wait = ignore_wait};
  _Alignas(64) static char frame[1 << 16];
  tt_env env = {.id = {1, 0, 0}, .count = {3, 1, 1}, .frame = frame, .runtime = &runtime};
  kernel->run(params, &env);
  assert_int_equal(dlclose(library), 0);
  tc_text_free(&text);
}

static void finish(build *b) {
  tc_arena_free(b->arena);
  free(b);
}

/* x + offset of the grid, and the mask i < n. */
static const tc_inst *element(build *b, tc_var *x, tc_var *n, unsigned bits, tc_inst **mask) {
  tc_inst *pid = inst(b, TC_INST_OP, &i32);
  pid->code = TC_CODE_PID;
  tc_inst *base = operation(b, TC_CODE_MUL, &i32, pid, constant(b, &i32, 1 << bits));
  tc_inst *i = operation(b, TC_CODE_ADD, &i32, base, position(b, 0, bits));
  base->flags = i->flags = TC_NO_WRAP;
  *mask = operation(b, TC_CODE_CMPI, &i1, i, get(b, n));
  (*mask)->integer = 2;
  return operation(b, TC_CODE_ADDPTR, &to_f32, get(b, x), i);
}

/* count floats that end where a page ends, behind which nothing may be touched. */
static float *at_the_edge(size_t count) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *made = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(made != MAP_FAILED);
  assert_int_equal(mprotect(made + page, page, PROT_NONE), 0);
  return (float *)(void *)(made + page) - count;
}

static void a_masked_sum_touches_no_masked_lane(void **state) {
  (void)state;
  build *b = begin();
  tc_var *x = parameter(b, &to_f32), *y = parameter(b, &to_f32), *n = parameter(b, &i32);
  tc_inst *mask;
  (void)nest(b, TC_STMT_NEST, 6, 0);
  const tc_inst *from = element(b, x, n, 6, &mask);
  tc_inst *loaded = with(b, inst(b, TC_INST_LOAD, &f32), 2, from, mask, NULL);
  tc_inst *sum = operation(b, TC_CODE_FADD, &f32, loaded, constant(b, &f32, 0x3F800000));
  const tc_inst *to = element(b, y, n, 6, &mask);
  (void)with(b, inst(b, TC_INST_STORE, NULL), 3, to, sum, mask);

  int32_t count = 97;
  float *in = at_the_edge(97), *out = at_the_edge(97);
  for (int i = 0; i < count; i++) {
    in[i] = (float)i;
    out[i] = -1;
  }
  run(b, (const void *[]){&in, &out, &count});
  for (int i = 0; i < count; i++)
    assert_true(out[i] == (i >= 64 ? (float)i + 1 : -1));
  finish(b);
}

/* A buffer of the elements of a tile in memory. */
static tc_buffer *loaded(build *b, tc_var *x, uint8_t first, uint8_t second) {
  tc_buffer *made = buffer(b, &f32, first + second);
  (void)nest(b, TC_STMT_NEST, first, second);
  tc_inst *at = operation(b, TC_CODE_ADDPTR, &to_f32, get(b, x), position(b, 0, first + second));
  tc_inst *value = with(b, inst(b, TC_INST_LOAD, &f32), 1, at, NULL, NULL);
  (void)touch(b, TC_INST_WRITE, made, bits_of(0, first + second), value);
  return made;
}

static void stored(build *b, tc_buffer *from, tc_var *y, uint8_t bits) {
  (void)nest(b, TC_STMT_NEST, bits, 0);
  tc_inst *value = touch(b, TC_INST_READ, from, bits_of(0, bits), NULL);
  tc_inst *at = operation(b, TC_CODE_ADDPTR, &to_f32, get(b, y), position(b, 0, bits));
  (void)with(b, inst(b, TC_INST_STORE, NULL), 2, at, value, NULL);
}

/* Inputs of a fold: the tile's elements; the combination adds them. */
static void add_up(build *b, tc_stmt *s, tc_buffer *from, unsigned axis_low, unsigned axis_bits) {
  s->axis_low = axis_low;
  s->axis_bits = axis_bits;
  s->input_count = 1;
  s->inputs = take(b, sizeof(tc_inst *));
  s->targets = take(b, sizeof(tc_target));
  s->inputs[0] = touch(b, TC_INST_READ, from, bits_of(0, s->nest.bits), NULL);
  b->block = &s->combine.body;
  tc_inst *left = inst(b, TC_INST_ARG, &f32), *right = inst(b, TC_INST_ARG, &f32);
  right->integer = 1;
  s->combine.count = 1;
  s->combine.results = take(b, sizeof(tc_inst *));
  s->combine.results[0] = operation(b, TC_CODE_FADD, &f32, left, right);
  s->combine.simple = TC_CODE_FADD;
}

static void fold_is_right(tc_stmt_kind kind, uint8_t first, uint8_t second, bool inner,
                          bool reverse) {
  build *b = begin();
  tc_var *x = parameter(b, &to_f32), *y = parameter(b, &to_f32);
  tc_buffer *in = loaded(b, x, first, second);
  tc_stmt *s = nest(b, kind, first, second);
  uint8_t axis = inner ? second : first;
  add_up(b, s, in, inner ? 0 : second, axis);
  uint8_t bits = (uint8_t)(kind == TC_STMT_SCAN ? first + second : first + second - axis);
  tc_buffer *out = buffer(b, &f32, bits);
  s->targets[0].buffer = out;
  s->reverse = reverse;
  stored(b, out, y, bits);

  static float from[1 << 12], to[1 << 12];
  float *const pointers[] = {from, to};
  int rows = 1 << first, columns = 1 << second;
  for (int i = 0; i < rows * columns; i++)
    from[i] = (float)(i % 13);
  run(b, (const void *[]){&pointers[0], &pointers[1]});
  int outer = inner ? rows : columns, count = inner ? columns : rows;
  for (int o = 0; o < outer; o++) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
      int k = reverse ? count - 1 - i : i, at = inner ? o * columns + k : k * columns + o;
      sum += from[at];
      if (kind == TC_STMT_SCAN)
        assert_true(to[at] == sum);
    }
    if (kind == TC_STMT_REDUCE)
      assert_true(to[o] == sum);
  }
  finish(b);
}

static void reductions_run_along_either_axis(void **state) {
  (void)state;
  fold_is_right(TC_STMT_REDUCE, 2, 8, true, false);
  fold_is_right(TC_STMT_REDUCE, 2, 3, true, false);
  fold_is_right(TC_STMT_REDUCE, 3, 9, false, false);
}

static void scans_run_in_order_both_ways(void **state) {
  (void)state;
  fold_is_right(TC_STMT_SCAN, 2, 5, true, false);
  fold_is_right(TC_STMT_SCAN, 2, 5, true, true);
  fold_is_right(TC_STMT_SCAN, 4, 2, true, false);
  fold_is_right(TC_STMT_SCAN, 4, 3, false, true);
}

static void dot_is_right(unsigned m, unsigned n, unsigned k) {
  build *b = begin();
  tc_var *x = parameter(b, &to_f32), *y = parameter(b, &to_f32), *z = parameter(b, &to_f32);
  tc_buffer *left = loaded(b, x, (uint8_t)(m + k), 0);
  tc_buffer *right = loaded(b, y, (uint8_t)(k + n), 0);
  tc_buffer *sum = loaded(b, z, (uint8_t)(m + n), 0);
  tc_stmt *s = statement(b, &b->body, TC_STMT_DOT);
  s->dot = (tc_dot){.m = m, .n = n, .k = k, .a = left, .b = right, .acc = sum};
  s->dot.b_panel = n; /* one panel: row-major */
  stored(b, sum, z, (uint8_t)(m + n));

  static float a[1 << 12], c[1 << 12], acc[1 << 12];
  float *const pointers[] = {a, c, acc};
  int rows = 1 << m, columns = 1 << n, depth = 1 << k;
  for (int i = 0; i < 1 << 12; i++) {
    a[i] = (float)(i % 7);
    c[i] = (float)(i % 5);
    acc[i] = 1;
  }
  run(b, (const void *[]){&pointers[0], &pointers[1], &pointers[2]});
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      float wanted = 1;
      for (int l = 0; l < depth; l++)
        wanted += a[i * depth + l] * c[l * columns + j];
      assert_true(acc[i * columns + j] == wanted);
    }
  finish(b);
}

static void products_add_to_their_accumulator(void **state) {
  (void)state;
  dot_is_right(4, 5, 3);
  dot_is_right(1, 2, 4);
}

/* y[0] = 10 + 9 + ... + 1, leaving by a branch what is above 5. */
static void loops_and_branches_run(void **state) {
  (void)state;
  build *b = begin();
  tc_var *y = parameter(b, &to_f32), *i = variable(b, &i32), *sum = variable(b, &i32);
  (void)nest(b, TC_STMT_NEST, 0, 0);
  tc_inst *set = inst(b, TC_INST_SET, NULL);
  set->var = sum;
  (void)with(b, set, 1, constant(b, &i32, 0), NULL, NULL);
  tc_stmt *loop = statement(b, &b->body, TC_STMT_FOR);
  loop->var = i;
  loop->low = constant(b, &i32, 1);
  loop->high = constant(b, &i32, 11);
  loop->step = constant(b, &i32, 1);
  loop->list = take(b, sizeof(tc_list));
  tc_var *small = variable(b, &i1);
  (void)statement(b, loop->list, TC_STMT_NEST);
  tc_inst *compared = operation(b, TC_CODE_CMPI, &i1, get(b, i), constant(b, &i32, 5));
  compared->integer = 3;
  set = inst(b, TC_INST_SET, NULL);
  set->var = small;
  (void)with(b, set, 1, compared, NULL, NULL);
  tc_stmt *branch = statement(b, loop->list, TC_STMT_IF);
  branch->condition = get(b, small);
  branch->list = take(b, sizeof(tc_list));
  (void)statement(b, branch->list, TC_STMT_NEST);
  tc_inst *more = operation(b, TC_CODE_ADD, &i32, get(b, sum), get(b, i));
  set = inst(b, TC_INST_SET, NULL);
  set->var = sum;
  (void)with(b, set, 1, more, NULL, NULL);
  (void)nest(b, TC_STMT_NEST, 0, 0);
  tc_inst *real = operation(b, TC_CODE_SITOFP, &f32, get(b, sum), NULL);
  (void)with(b, inst(b, TC_INST_STORE, NULL), 2, get(b, y), real, NULL);

  float out = 0;
  float *pointer = &out;
  run(b, (const void *[]){&pointer});
  assert_true(out == 15);
  finish(b);
}

static void a_type_without_counterpart_is_refused(void **state) {
  (void)state;
  build *b = begin();
  (void)variable(b, &i4);
  (void)nest(b, TC_STMT_NEST, 0, 0);
  tc_text text = {0};
  tc_err err = {0};
  assert_int_equal(tc_emit_c(&text, &b->program, &err), TC_EREFUSED);
  assert_string_equal(err.what, "type 'i4' has no counterpart in C");
  tc_text_free(&text);
  finish(b);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void) {
  if (execute((const char *const[]){"clang-22", "--version", NULL}) != 0) {
    (void)fprintf(stderr, "skipped: there is no clang-22\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(a_masked_sum_touches_no_masked_lane),
      IN_SCRATCH(reductions_run_along_either_axis),
      IN_SCRATCH(scans_run_in_order_both_ways),
      IN_SCRATCH(products_add_to_their_accumulator),
      IN_SCRATCH(loops_and_branches_run),
      cmocka_unit_test(a_type_without_counterpart_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
