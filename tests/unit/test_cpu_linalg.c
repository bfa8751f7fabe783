/* The linalg that is printed for programs built by hand. That mlir-opt takes what is printed for
 * whole kernels is tested in tests/cpu/test_linalg.py. */
#include "unit.h"

#include "compiler/emit.h"
#include "compiler/read/number.h"

#include <stdio.h>
#include <string.h>

static tc_type bit = {.kind = TC_INT, .text = "i1", .width = 1};
static tc_type word = {.kind = TC_INT, .text = "i32", .width = 32};
static tc_type number = {.kind = TC_FLOAT, .text = "f32", .width = 32};
static tc_type small = {.kind = TC_FLOAT, .text = "f8E5M2", .width = 8};
static tc_type pointer = {.kind = TC_PTR, .text = "!tt.ptr<f32>", .element = &number};

/* The parameters, and buffers of 64 elements. */
static tc_var x = {0, &pointer}, n = {1, &word}, sum = {2, &number};
static tc_buffer a = {.id = 0, .element = &number, .bits = 6, .on_stack = true};
static tc_buffer b = {.id = 1, .element = &small, .bits = 6, .offset = 128};
static tc_buffer c = {.id = 2, .element = &number, .bits = 6, .offset = 256};

static tc_arena *arena;
static size_t inst_count;
static tc_list body;
static tc_err err;

/* Adds an instruction with up to three arguments, NULL for none. */
static tc_inst *put_inst(tc_code_block *block, tc_inst inst, const tc_inst *first,
                         const tc_inst *second, const tc_inst *third) {
  tc_inst *made = tc_alloc(arena, sizeof *made);
  *made = inst;
  made->id = inst_count++;
  made->args = tc_alloc_array(arena, 3, sizeof *made->args);
  made->args[0] = first;
  made->args[1] = second;
  made->args[2] = third;
  made->arg_count = (size_t)(first != NULL) + (second != NULL) + (third != NULL);
  assert_true(tc_reserve(arena, &block->insts, block->count, &block->cap, sizeof *block->insts));
  return block->insts[block->count++] = made;
}

static tc_map in_order(unsigned count) {
  tc_map map = {.count = (uint8_t)count};
  for (unsigned i = 0; i < count; i++)
    map.bit[i] = (uint8_t)i;
  return map;
}

static tc_stmt *add(tc_stmt stmt) {
  tc_stmt *made = tc_alloc(arena, sizeof *made);
  *made = stmt;
  *(body.last != NULL ? &body.last->next : &body.first) = made;
  return body.last = made;
}

static tc_stmt *add_nest(tc_stmt_kind kind, unsigned outer, unsigned inner) {
  tc_stmt stmt = {.kind = kind};
  stmt.nest = (tc_nest){.bits = outer + inner, .dim_count = 2, .independent = true};
  stmt.nest.dims[0] = (uint8_t)outer;
  stmt.nest.dims[1] = (uint8_t)inner;
  return add(stmt);
}

static int begin(void **state) {
  (void)state;
  number.format = tc_float_format_of("f32", 3);
  small.format = tc_float_format_of("f8E5M2", 6);
  arena = tc_arena_new();
  body = (tc_list){0};
  inst_count = 0;
  err = (tc_err){0};
  return arena != NULL ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  tc_arena_free(arena);
  return 0;
}

/* What is printed for the statements so far; the code goes to *rc. */
static tc_text print_kernel(int *rc) {
  tc_var *vars[] = {&x, &n, &sum};
  tc_buffer *buffers[] = {&a, &b, &c};
  tc_function kernel = {.name = "k.1",
                        .is_public = true,
                        .param_count = 2,
                        .var_count = 3,
                        .buffer_count = 3,
                        .params = vars,
                        .vars = vars,
                        .buffers = buffers,
                        .body = &body,
                        .frame = 512,
                        .own_frame = 512};
  tc_function *functions[] = {&kernel};
  tc_program program = {
      .arena = arena, .function_count = 1, .functions = functions, .entry = &kernel};
  tc_text text = {0};
  *rc = tc_emit_linalg(&text, &program, &err);
  return text;
}

/* Each of the lines must be in what is printed, in this order. */
static void assert_printed(const char *const *lines, size_t count) {
  int rc;
  tc_text text = print_kernel(&rc);
  if (rc != TC_OK)
    fail_msg("%s", err.what);
  const char *at = text.data;
  for (size_t i = 0; i < count; i++) {
    const char *found = strstr(at, lines[i]);
    if (found == NULL)
      fail_msg("there is no '%s' in, or it stands too early:\n%s", lines[i], text.data);
    at = found + strlen(lines[i]);
  }
  tc_text_free(&text);
}

/* x[i] = exp(x[i]) where i < n, kept in a, transposed, and in b. */
static void add_elementwise(void) {
  tc_code_block *block = &add_nest(TC_STMT_NEST, 3, 3)->nest.body;
  tc_inst *base = put_inst(block, (tc_inst){.kind = TC_INST_GET, .type = &pointer, .var = &x}, NULL,
                           NULL, NULL);
  tc_inst *limit =
      put_inst(block, (tc_inst){.kind = TC_INST_GET, .type = &word, .var = &n}, NULL, NULL, NULL);
  tc_inst *i = put_inst(block, (tc_inst){.kind = TC_INST_INDEX, .type = &word, .map = in_order(6)},
                        NULL, NULL, NULL);
  tc_inst *at =
      put_inst(block, (tc_inst){.kind = TC_INST_OP, .code = TC_CODE_ADDPTR, .type = &pointer}, base,
               i, NULL);
  tc_inst *mask = put_inst(
      block, (tc_inst){.kind = TC_INST_OP, .code = TC_CODE_CMPI, .type = &bit, .integer = 2}, i,
      limit, NULL);
  tc_inst *value =
      put_inst(block, (tc_inst){.kind = TC_INST_LOAD, .type = &number}, at, mask, NULL);
  value = put_inst(block, (tc_inst){.kind = TC_INST_OP, .code = TC_CODE_EXP, .type = &number},
                   value, NULL, NULL);
  tc_inst *byte = put_inst(
      block, (tc_inst){.kind = TC_INST_OP, .code = TC_CODE_FPCAST, .type = &small, .integer = 1},
      value, NULL, NULL);
  put_inst(block, (tc_inst){.kind = TC_INST_WRITE, .buffer = &b, .map = in_order(6)}, byte, NULL,
           NULL);
  put_inst(block, (tc_inst){.kind = TC_INST_WRITE, .buffer = &a, .map = {6, {3, 4, 5, 0, 1, 2}}},
           value, NULL, NULL);
  put_inst(block, (tc_inst){.kind = TC_INST_STORE}, at, value, mask);
}

static void an_independent_nest_is_one_generic(void **state) {
  (void)state;
  add_elementwise();
  static const char *const lines[] = {
      "module {\n  memref.global",
      "func.func private @encode_f8E5M2(%number: f32) -> i8",
      "func.func @\"k.1\"(%v1: i64, %v2: i32, %v3: i32",
      "attributes {llvm.emit_c_interface, frame = 512 : i64, params = \"pw\"}",
      "memref.alloca() {alignment = 64 : i64} : memref<64xf32>",
      "memref<512xi8> to memref<64xi8>",
      "sizes: [8, 8], strides: [8, 1]",
      "sizes: [8, 8], strides: [1, 8]",
      "iterator_types = [\"parallel\", \"parallel\"]} outs(",
      "linalg.index 0 : index",
      "arith.cmpi slt,",
      "scf.if",
      "llvm.load",
      "math.exp",
      "func.call @encode_f8E5M2(",
      "llvm.store",
      "linalg.yield",
      "func.return",
  };
  assert_printed(lines, COUNT(lines));
}

static void order_makes_loops(void **state) {
  (void)state;
  tc_stmt *stmt = add_nest(TC_STMT_NEST, 2, 4);
  stmt->nest.independent = false;
  tc_inst *value =
      put_inst(&stmt->nest.body,
               (tc_inst){.kind = TC_INST_READ, .type = &number, .buffer = &a, .map = in_order(6)},
               NULL, NULL, NULL);
  put_inst(&stmt->nest.body, (tc_inst){.kind = TC_INST_SET, .var = &sum}, value, NULL, NULL);
  static const char *const lines[] = {"arith.constant 4 : index",
                                      "scf.for",
                                      "arith.constant 16 : index",
                                      "scf.for",
                                      "memref.load",
                                      "memref.store"};
  assert_printed(lines, COUNT(lines));
}

/* The sum, or another combination, of a along the bits from low on. */
static void add_along(tc_stmt_kind kind, tc_code simple, unsigned low, unsigned count,
                      tc_target *target) {
  tc_stmt *stmt = add_nest(kind, 4, 2);
  const tc_inst **inputs = tc_alloc_array(arena, 2, sizeof *inputs);
  inputs[0] =
      put_inst(&stmt->nest.body,
               (tc_inst){.kind = TC_INST_READ, .type = &number, .buffer = &a, .map = in_order(6)},
               NULL, NULL, NULL);
  tc_code_block *block = &stmt->combine.body;
  tc_inst *left = put_inst(block, (tc_inst){.kind = TC_INST_ARG, .type = &number, .integer = 0},
                           NULL, NULL, NULL);
  tc_inst *right = put_inst(block, (tc_inst){.kind = TC_INST_ARG, .type = &number, .integer = 1},
                            NULL, NULL, NULL);
  inputs[1] = put_inst(block, (tc_inst){.kind = TC_INST_OP, .code = TC_CODE_FADD, .type = &number},
                       left, right, NULL);
  stmt->combine.simple = simple;
  stmt->combine.count = stmt->input_count = 1;
  stmt->inputs = inputs;
  stmt->combine.results = inputs + 1;
  stmt->targets = target;
  stmt->axis_low = low;
  stmt->axis_bits = count;
  stmt->reverse = kind == TC_STMT_SCAN;
}

static void a_simple_reduction_is_a_generic(void **state) {
  (void)state;
  tc_target whole = {.var = &sum}, rows = {.buffer = &c};
  add_along(TC_STMT_REDUCE, TC_CODE_FADD, 0, 6, &whole);
  add_along(TC_STMT_REDUCE, TC_CODE_FADD, 1, 2, &rows); /* cuts both loops */
  static const char *const lines[] = {
      "arith.constant -0.000000e+00 : f32",
      "linalg.fill",
      "-> ()>], iterator_types = [\"reduction\", \"reduction\"]",
      "arith.addf",
      "linalg.yield",
      "linalg.fill",
      ("(d0, d1, d2, d3) -> (d0, d3)>], iterator_types = "
       "[\"parallel\", \"reduction\", \"reduction\", \"parallel\"]"),
      "arith.addf",
      "linalg.yield"};
  assert_printed(lines, COUNT(lines));
}

static void what_has_no_neutral_element_is_begun_with_the_first(void **state) {
  (void)state;
  tc_target whole = {.var = &sum}, all = {.buffer = &c};
  add_along(TC_STMT_REDUCE, TC_CODE_NONE, 0, 6, &whole);
  add_along(TC_STMT_SCAN, TC_CODE_FADD, 2, 4, &all);
  static const char *const lines[] = {
      "scf.for",   "scf.for",    "scf.if",  "memref.store",
      "} else {",  "arith.addf", "scf.for", "arith.constant 15 : index",
      "scf.for",   "arith.subi", "scf.if",  "} else {",
      "arith.addf"};
  assert_printed(lines, COUNT(lines));
}

static void a_dot_is_a_generic_over_its_panels(void **state) {
  (void)state;
  add((tc_stmt){
      .kind = TC_STMT_DOT,
      .dot = {.m = 3, .n = 3, .k = 3, .a_panel = 2, .b_panel = 3, .a = &a, .b = &a, .acc = &c}});
  static const char *const lines[] = {
      "sizes: [2, 8, 4], strides: [32, 4, 1]",
      "sizes: [8, 8], strides: [8, 1]",
      "sizes: [2, 4, 8], strides: [32, 8, 1]",
      ("(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d3)>, "
       "affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>"),
      "[\"parallel\", \"reduction\", \"parallel\", \"parallel\"]",
      "arith.mulf",
      "arith.addf"};
  assert_printed(lines, COUNT(lines));
}

static void flow_keeps_its_structure(void **state) {
  (void)state;
  const tc_inst get = {.kind = TC_INST_GET, .type = &word, .var = &n};
  const tc_inst one = {.kind = TC_INST_CONST, .type = &word, .integer = 1};
  const tc_inst yes = {.kind = TC_INST_CONST, .type = &bit, .integer = 1};
  tc_stmt label = {.kind = TC_STMT_LABEL, .label = 3},
          leave = {.kind = TC_STMT_BREAK, .condition = &yes};
  tc_list labels = {&label, &label}, leaves = {&leave, &leave};
  add((tc_stmt){.kind = TC_STMT_FOR,
                .var = &n,
                .low = &one,
                .high = &get,
                .step = &one,
                .list = &labels,
                .is_unsigned = true});
  add((tc_stmt){.kind = TC_STMT_LOOP, .list = &leaves});
  add((tc_stmt){.kind = TC_STMT_JUMP, .label = 5, .condition = &yes});
  add((tc_stmt){.kind = TC_STMT_RETURN});
  add((tc_stmt){.kind = TC_STMT_LABEL, .label = 5});
  add((tc_stmt){.kind = TC_STMT_RETURN});
  static const char *const lines[] = {
      "scf.for unsigned", "scf.execute_region {", "cf.br ^label3",  "^label3:",
      "scf.yield",        "scf.while : () -> ()", "scf.condition(", "} do {",
      "scf.yield",        "^label5, ^next0",      "^next0:",        "func.return",
      "^next1:",          "cf.br ^label5",        "^label5:",       "func.return"};
  assert_printed(lines, COUNT(lines));
}

static void what_has_no_form_is_refused_with_its_line(void **state) {
  (void)state;
  int rc;
  add((tc_stmt){.kind = TC_STMT_BREAK, .line = 7});
  tc_text text = print_kernel(&rc);
  assert_int_equal(rc, TC_EREFUSED);
  assert_int_equal(err.line, 7);
  assert_string_equal(err.what,
                      "a loop with two ends, or one within an 'if', has no form in linalg");
  assert_null(text.data);
}

static void lack_of_memory_is_an_error(void **state) {
  (void)state;
  int rc;
  tc_target whole = {.var = &sum}, all = {.buffer = &c};
  add_elementwise();
  add_along(TC_STMT_REDUCE, TC_CODE_FADD, 0, 6, &whole);
  add_along(TC_STMT_SCAN, TC_CODE_FADD, 2, 4, &all);
  (void)tc_alloc_fail_at(0);
  tc_text text = print_kernel(&rc);
  assert_int_equal(rc, TC_OK);
  tc_text_free(&text);
  size_t calls = tc_alloc_fail_at(0);
  assert_true(calls > 20);
  for (size_t k = 1; k <= calls; k++) {
    err = (tc_err){0};
    (void)tc_alloc_fail_at(k);
    text = print_kernel(&rc);
    assert_int_equal(rc, TC_ENOMEM);
    assert_int_equal(err.code, TC_ENOMEM);
    tc_text_free(&text);
  }
  (void)tc_alloc_fail_at(0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(an_independent_nest_is_one_generic),
      TEST(order_makes_loops),
      TEST(a_simple_reduction_is_a_generic),
      TEST(what_has_no_neutral_element_is_begun_with_the_first),
      TEST(a_dot_is_a_generic_over_its_panels),
      TEST(flow_keeps_its_structure),
      TEST(what_has_no_form_is_refused_with_its_line),
      TEST(lack_of_memory_is_an_error),
  };
  return cmocka_run_group_tests_name("cpu_linalg", tests, NULL, NULL);
}
