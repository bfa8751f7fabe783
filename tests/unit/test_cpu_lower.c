/* The lowering of the cpu backend: what a module becomes as loop nests, and what is refused. */
#include "unit.h"

#include "compiler/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING                                                                                \
  "\"builtin.module\"() ({\n"                                                                  \
  "\"tt.func\"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = \"k\"," \
  " sym_visibility = \"public\"}> ({\n^bb0(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32):\n"
#define CLOSING "\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n"

/* %i is 0 to 31, %px and %py are pointers to the elements of %x and %y. */
#define POINTERS                                                                          \
  "%i = \"tt.make_range\"() <{start = 0 : i32, end = 32 : i32}> : () -> tensor<32xi32>\n" \
  "%sx = \"tt.splat\"(%x) : (!tt.ptr<f32>) -> tensor<32x!tt.ptr<f32>>\n"                  \
  "%sy = \"tt.splat\"(%y) : (!tt.ptr<f32>) -> tensor<32x!tt.ptr<f32>>\n"                  \
  "%px = \"tt.addptr\"(%sx, %i) : (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) -> "          \
  "tensor<32x!tt.ptr<f32>>\n"                                                             \
  "%py = \"tt.addptr\"(%sy, %i) : (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) -> "          \
  "tensor<32x!tt.ptr<f32>>\n"
#define LOAD(name, from)                                                                \
  "%" name " = \"tt.load\"(%" from ") <{operandSegmentSizes = array<i32: 1, 0, 0>}> : " \
  "(tensor<32x!tt.ptr<f32>>) -> tensor<32xf32>\n"
#define STORE(to, what) \
  "\"tt.store\"(%" to ", %" what ") : (tensor<32x!tt.ptr<f32>>, tensor<32xf32>) -> ()\n"

static tc_err err;

/* The lowered text, or NULL and err; the caller frees it. */
static char *lowered(const char *body, bool strict) {
  char text[16384];
  tc_module *module = NULL;
  tc_program *program = NULL;
  tc_text out = {0};
  tc_lower_options options = {.strict = strict};
  (void)snprintf(text, sizeof text, "%s%s%s", OPENING, body, CLOSING);
  err = (tc_err){0};
  if (tc_read(&module, text, strlen(text), &err) != TC_OK)
    fail_msg("%zu:%zu: %s\n%s", err.line, err.column, err.what, text);
  if (tc_lower(&program, module, &options, &err) == TC_OK)
    tc_tile_print(&out, program);
  tc_program_free(program);
  tc_module_free(module);
  return out.data;
}

static void assert_has(const char *body, bool strict, const char *part, size_t times) {
  char *text = lowered(body, strict);
  size_t found = 0;
  if (text == NULL)
    fail_msg("%zu:%zu: %s", err.line, err.column, err.what);
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
    found++;
  if (found != times)
    fail_msg("%zu times and not %zu: %s\n%s", found, times, part, text);
  free(text);
}

static void assert_rejected(const char *body, size_t line, const char *what, const char *mend) {
  char *text = lowered(body, false);
  assert_null(text);
  assert_int_equal(err.code, TC_EREFUSED);
  assert_int_equal(err.line, line);
  assert_string_equal(err.what, what);
  assert_true(strstr(err.mend, mend) != NULL);
}

static void elements_are_fused_into_their_root(void **state) {
  (void)state;
  char *text = lowered(POINTERS LOAD("v", "px") STORE("py", "v"), false);
  assert_string_equal(text,
                      "kernel @k(v0: !tt.ptr<f32>, v1: !tt.ptr<f32>, v2: i32) stack 0 frame 0\n"
                      "  nest 2^5 // line 10\n"
                      "    %0: !tt.ptr<f32> = get v1\n"
                      "    %1: i32 = index 0[i4 i3 i2 i1 i0]\n"
                      "    %2: !tt.ptr<f32> = addptr %0, %1\n"
                      "    %3: !tt.ptr<f32> = get v0\n"
                      "    %4: !tt.ptr<f32> = addptr %3, %1\n"
                      "    %5: f32 = load %4\n"
                      "    store %2, %5\n"
                      "  return\n");
  free(text);
}

static void loads_keep_their_place_where_memory_may_change(void **state) {
  (void)state;
  const char *apart = POINTERS LOAD("v", "px") STORE("py", "v");
  const char *in_place = POINTERS LOAD("v", "px") STORE("px", "v");
  const char *behind = POINTERS LOAD("v", "px") STORE("py", "w0") STORE("py", "v");
  char between[4096];
  assert_has(apart, false, "buffer b", 0);
  assert_has(apart, true, "buffer b", 1);
  assert_has(in_place, false, "buffer b", 1);
  (void)snprintf(between, sizeof between, "%s%s%s", POINTERS LOAD("w0", "py"), LOAD("v", "px"),
                 strstr(behind, "\"tt.store\""));
  assert_has(between, false, "write b", 2);
}

static void cheap_values_are_computed_again(void **state) {
  (void)state;
  assert_has(
      POINTERS LOAD("v", "px") STORE(
          "py", "v") "%w = \"math.exp\"(%v) : (tensor<32xf32>) -> tensor<32xf32>\n" STORE("py", "w")
          STORE("px", "w"),
      false, " = exp", 1);
  assert_has(POINTERS
             "%f = \"arith.sitofp\"(%i) : (tensor<32xi32>) -> tensor<32xf32>\n" STORE("px", "f")
                 STORE("py", "f"),
             false, "sitofp", 2);
}

static void views_are_strings_of_bits(void **state) {
  (void)state;
  assert_has(
      POINTERS LOAD(
          "v", "px") "%a = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<8x4xf32>\n"
                     "%b = \"tt.trans\"(%a) <{order = array<i32: 1, 0>}> : (tensor<8x4xf32>) -> "
                     "tensor<4x8xf32>\n"
                     "%c = \"tt.reshape\"(%b) : (tensor<4x8xf32>) -> tensor<32xf32>\n" STORE("px",
                                                                                             "c"),
      false, "write b0[i4 i3 i2 i1 i0]", 1);
  assert_has(
      POINTERS LOAD("v", "px") STORE(
          "py", "v") "%a = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<8x4xf32>\n"
                     "%b = \"tt.trans\"(%a) <{order = array<i32: 1, 0>}> : (tensor<8x4xf32>) -> "
                     "tensor<4x8xf32>\n"
                     "%c = \"tt.reshape\"(%b) : (tensor<4x8xf32>) -> tensor<32xf32>\n" STORE("px",
                                                                                             "c"),
      false, "read b0[i2 i1 i0 i4 i3]", 1);
}

static void halves_are_constant_bits(void **state) {
  (void)state;
  const char *body = POINTERS LOAD(
      "v",
      "px") "%a = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<16x2xf32>\n"
            "%b:2 = \"tt.split\"(%a) : (tensor<16x2xf32>) -> (tensor<16xf32>, tensor<16xf32>)\n"
            "%c = \"tt.join\"(%b#1, %b#0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16x2xf32>\n"
            "%d = \"tt.reshape\"(%c) : (tensor<16x2xf32>) -> tensor<32xf32>\n" STORE("px", "d")
                STORE("py", "d");
  assert_has(body, false, "select", 0 + 2);
}

static void short_axes_are_no_loops(void **state) {
  (void)state;
  assert_has(
      POINTERS LOAD(
          "v",
          "px") "%a = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<16x2xf32>\n"
                "%r = \"tt.reduce\"(%a) <{axis = 1 : i32}> ({\n^bb0(%l: f32, %m: f32):\n"
                "%s = \"arith.addf\"(%l, %m) : (f32, f32) -> f32\n"
                "\"tt.reduce.return\"(%s) : (f32) -> ()\n}) : (tensor<16x2xf32>) -> "
                "tensor<16xf32>\n"
                "%c = \"tt.join\"(%r, %r) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16x2xf32>\n"
                "%d = \"tt.reshape\"(%c) : (tensor<16x2xf32>) -> tensor<32xf32>\n" STORE("px", "d"),
      false, "reduce", 0);
}

/* An exchange of a sort: the larger of two elements four places apart goes to the left where bit 3
 * of the place is 1, the smaller one elsewhere. */
#define EXCHANGE                                                                                \
  "%h = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<2x2x2x4xf32>\n"                         \
  "%ix = \"tt.bitcast\"(%h) : (tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xi32>\n"                   \
  "%both = \"tt.reduce\"(%ix) <{axis = 2 : i32}> ({\n^bb0(%l: i32, %m: i32):\n"                 \
  "%t = \"arith.xori\"(%l, %m) : (i32, i32) -> i32\n"                                           \
  "\"tt.reduce.return\"(%t) : (i32) -> ()\n}) : (tensor<2x2x2x4xi32>) -> tensor<2x2x4xi32>\n"   \
  "%e = \"tt.expand_dims\"(%both) <{axis = 2 : i32}> : (tensor<2x2x4xi32>) -> "                 \
  "tensor<2x2x1x4xi32>\n"                                                                       \
  "%b = \"tt.broadcast\"(%e) : (tensor<2x2x1x4xi32>) -> tensor<2x2x2x4xi32>\n"                  \
  "%iy = \"arith.xori\"(%ix, %b) : (tensor<2x2x2x4xi32>, tensor<2x2x2x4xi32>) -> "              \
  "tensor<2x2x2x4xi32>\n"                                                                       \
  "%w = \"tt.bitcast\"(%iy) : (tensor<2x2x2x4xi32>) -> tensor<2x2x2x4xf32>\n"                   \
  "%more = \"arith.cmpf\"(%h, %w) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : " \
  "(tensor<2x2x2x4xf32>, tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xi1>\n"                          \
  "%two = \"tt.make_range\"() <{start = 0 : i32, end = 2 : i32}> : () -> tensor<2xi32>\n"       \
  "%two3 = \"tt.reshape\"(%two) : (tensor<2xi32>) -> tensor<1x2x1x1xi32>\n"                     \
  "%two2 = \"tt.reshape\"(%two) : (tensor<2xi32>) -> tensor<1x1x2x1xi32>\n"                     \
  "%b3 = \"tt.broadcast\"(%two3) : (tensor<1x2x1x1xi32>) -> tensor<1x2x2x1xi32>\n"              \
  "%b2 = \"tt.broadcast\"(%two2) : (tensor<1x1x2x1xi32>) -> tensor<1x2x2x1xi32>\n"              \
  "%turn = \"arith.xori\"(%b3, %b2) : (tensor<1x2x2x1xi32>, tensor<1x2x2x1xi32>) -> "           \
  "tensor<1x2x2x1xi32>\n"                                                                       \
  "%zero = \"arith.constant\"() <{value = dense<0> : tensor<1x2x2x1xi32>}> : () -> "            \
  "tensor<1x2x2x1xi32>\n"                                                                       \
  "%is = \"arith.cmpi\"(%turn, %zero) <{predicate = 1 : i64}> : (tensor<1x2x2x1xi32>, "         \
  "tensor<1x2x2x1xi32>) -> tensor<1x2x2x1xi1>\n"                                                \
  "%all = \"tt.broadcast\"(%is) : (tensor<1x2x2x1xi1>) -> tensor<2x2x2x4xi1>\n"                 \
  "%swap = \"arith.cmpi\"(%more, %all) <{predicate = 1 : i64}> : (tensor<2x2x2x4xi1>, "         \
  "tensor<2x2x2x4xi1>) -> tensor<2x2x2x4xi1>\n"                                                 \
  "%o = \"arith.select\"(%swap, %w, %h) : (tensor<2x2x2x4xi1>, tensor<2x2x2x4xf32>, "           \
  "tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xf32>\n"                                               \
  "%u = \"tt.reshape\"(%o) : (tensor<2x2x2x4xf32>) -> tensor<32xf32>\n"

static void elements_are_exchanged_in_pairs(void **state) {
  (void)state;
  const char *body = POINTERS LOAD("v", "px") EXCHANGE STORE("py", "u");
  assert_has(body, false, "nest 2^2x2^2 ", 1);
  assert_has(body, false, "read b0[i3 i2 0 i1 i0]", 1);
  assert_has(body, false, "read b0[i3 i2 1 i1 i0]", 1);
  assert_has(body, false, "write b1[i3 i2 0 i1 i0]", 1);
  assert_has(body, false, "write b1[i3 i2 1 i1 i0]", 1);
  assert_has(body, false, "i1 = index 0[i2]", 1);
  assert_has(body, false, "i1 = index 1[i2]", 1);
  assert_has(body, false, "bitcast", 0);
  assert_has(body, false, "xor", 0);
}

#define REDUCE                                                              \
  "%r = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n^bb0(%l: f32, %m: f32):\n" \
  "%s = \"arith.addf\"(%l, %m) : (f32, f32) -> f32\n"                       \
  "\"tt.reduce.return\"(%s) : (f32) -> ()\n}) : (tensor<32xf32>) -> f32\n"  \
  "\"tt.store\"(%y, %r) : (!tt.ptr<f32>, f32) -> ()\n"

static void loads_go_into_reductions(void **state) {
  (void)state;
  assert_has(POINTERS LOAD("v", "px") REDUCE, false, "reduce 2^5 axis i0+5", 1);
  assert_has(POINTERS LOAD("v", "px") REDUCE, false, "buffer", 0);
  assert_has(POINTERS LOAD("v", "px") REDUCE, false, "by fadd", 1);
}

#define LESS_SUM                                                                                   \
  "%b = \"tt.splat\"(%r) : (f32) -> tensor<32xf32>\n"                                              \
  "%d = \"arith.subf\"(%v, %b) : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>\n" STORE("px", \
                                                                                             "d")

static void what_is_kept_is_reduced_as_it_is_made(void **state) {
  (void)state;
  const char *apart = "%pn = \"tt.addptr\"(%x, %n) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>\n"
                      "%one = \"tt.load\"(%pn) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : "
                      "(!tt.ptr<f32>) -> f32\n"
                      "\"tt.store\"(%py, %v) : (tensor<32x!tt.ptr<f32>>, tensor<32xf32>) -> ()\n";
  char body[4096];
  const char *with[] = {"", "%k = \"arith.muli\"(%n, %n) : (i32, i32) -> i32\n", apart};
  for (size_t i = 0; i < 3; i++) {
    (void)snprintf(body, sizeof body, "%s%s%s%s", POINTERS LOAD("v", "px"), with[i], REDUCE,
                   LESS_SUM);
    assert_has(body, false, " write b0", 1);
    assert_has(body, false, " read b0", i < 2 ? 1 : 3);
    assert_has(body, false, "  nest 2^5", i < 2 ? 1 : 3);
  }
}

/* Scans of 16-bit floats are summed as f32; what goes in is rounded as before. */
static void scans_of_small_floats_are_wide(void **state) {
  (void)state;
  const char *body = POINTERS LOAD(
      "v",
      "px") "%h = \"arith.truncf\"(%v) : (tensor<32xf32>) -> tensor<32xbf16>\n"
            "%d = \"arith.addf\"(%h, %h) : (tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>\n"
            "%z = \"arith.constant\"() <{value = 0.0 : bf16}> : () -> bf16\n"
            "%s = \"tt.scan\"(%d) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%l: bf16, %m: "
            "bf16):\n"
            "%t = \"arith.addf\"(%l, %m) : (bf16, bf16) -> bf16\n"
            "%u = \"arith.maxnumf\"(%t, %z) : (bf16, bf16) -> bf16\n"
            "\"tt.scan.return\"(%u) : (bf16) -> ()\n}) : (tensor<32xbf16>) -> tensor<32xbf16>\n"
            "%w = \"arith.extf\"(%s) : (tensor<32xbf16>) -> tensor<32xf32>\n" STORE("py", "w");
  assert_has(body, false, ": bf16 = fadd", 1);
  assert_has(body, false, ": f32 = fadd", 1);
  assert_has(body, false, ": f32 = maxnum", 1);
}

static void pointers_that_move_on_are_one_variable(void **state) {
  (void)state;
  assert_has(
      POINTERS
      "%zero = \"arith.constant\"() <{value = 0 : i32}> : () -> i32\n"
      "%one = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
      "%by = \"arith.constant\"() <{value = dense<32> : tensor<32xi32>}> : () -> "
      "tensor<32xi32>\n"
      "%p = \"scf.for\"(%zero, %n, %one, %px) ({\n^bb0(%c: i32, %q: tensor<32x!tt.ptr<f32>>):\n"
      "%v = \"tt.load\"(%q) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : "
      "(tensor<32x!tt.ptr<f32>>) -> tensor<32xf32>\n" STORE(
          "py", "v") "%o = \"tt.addptr\"(%q, %by) : (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) -> "
                     "tensor<32x!tt.ptr<f32>>\n"
                     "\"scf.yield\"(%o) : (tensor<32x!tt.ptr<f32>>) -> ()\n"
                     "}) : (i32, i32, i32, tensor<32x!tt.ptr<f32>>) -> tensor<32x!tt.ptr<f32>>\n",
      false, "buffer", 0);
}

/* Two tensors that a loop exchanges. */
static void what_is_carried_is_assigned_at_once(void **state) {
  (void)state;
  const char *body = POINTERS LOAD("v", "px")
      LOAD("w", "py") "%one = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
                      "%p:2 = \"scf.for\"(%one, %n, %one, %v, %w) ({\n"
                      "^bb0(%c: i32, %a: tensor<32xf32>, %b: tensor<32xf32>):\n"
                      "\"scf.yield\"(%b, %a) : (tensor<32xf32>, tensor<32xf32>) -> ()\n"
                      "}) : (i32, i32, i32, tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, "
                      "tensor<32xf32>)\n" STORE("px", "p#0") STORE("py", "p#1");
  assert_has(body, false,
             "    copy b2 = b1\n    copy b3 = b0\n    copy b0 = b2\n    copy b1 = b3\n", 1);
}

static void integers_wrap_where_their_bits_are_kept(void **state) {
  (void)state;
  const char *body =
      POINTERS "%m = \"arith.muli\"(%i, %i) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>\n"
               "%f = \"arith.sitofp\"(%m) : (tensor<32xi32>) -> tensor<32xf32>\n" STORE("px", "f");
  const char *address =
      POINTERS "%m = \"arith.muli\"(%i, %i) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>\n"
               "%pm = \"tt.addptr\"(%sy, %m) : (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) -> "
               "tensor<32x!tt.ptr<f32>>\n" LOAD("v", "pm") STORE("px", "v");
  assert_has(body, false, "mul nowrap", 0);
  assert_has(address, false, "mul nowrap", 1);
}

/* Where the row does not wrap, the addresses go up by one. */
static void rows_that_do_not_wrap_are_told_apart(void **state) {
  (void)state;
  const char *body = POINTERS
      "%sn = \"tt.splat\"(%n) : (i32) -> tensor<32xi32>\n"
      "%r = \"arith.remsi\"(%i, %sn) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>\n"
      "%pr = \"tt.addptr\"(%sx, %r) : (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) -> "
      "tensor<32x!tt.ptr<f32>>\n" LOAD("v", "pr") STORE("py", "v");
  assert_has(body, false, "  if v", 1);
  assert_has(body, false, " = rems", 1);
  assert_has(body, false, "      store", 2);
}

/* The accumulator of a loop is added to where it is; f32 operands are multiplied where they are. */
static void sums_of_products_stay_in_place(void **state) {
  (void)state;
  const char *body = POINTERS LOAD("v", "px") STORE(
      "py", "v") "%a = \"tt.reshape\"(%v) : (tensor<32xf32>) -> tensor<8x4xf32>\n"
                 "%b = \"tt.trans\"(%a) <{order = array<i32: 1, 0>}> : (tensor<8x4xf32>) -> "
                 "tensor<4x8xf32>\n"
                 "%z = \"arith.constant\"() <{value = dense<0.0> : tensor<8x8xf32>}> : () -> "
                 "tensor<8x8xf32>\n"
                 "%one = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
                 "%s = \"scf.for\"(%one, %n, %one, %z) ({\n^bb0(%c: i32, %acc: tensor<8x8xf32>):\n"
                 "%d = \"tt.dot\"(%a, %b, %acc) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 "
                 ": i32}> : "
                 "(tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                 "\"scf.yield\"(%d) : (tensor<8x8xf32>) -> ()\n"
                 "}) : (i32, i32, i32, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
                 "%m = \"tt.reduce\"(%s) <{axis = 1 : i32}> ({\n^bb0(%l: f32, %q: f32):\n"
                 "%t = \"arith.addf\"(%l, %q) : (f32, f32) -> f32\n"
                 "\"tt.reduce.return\"(%t) : (f32) -> ()\n}) : (tensor<8x8xf32>) -> tensor<8xf32>\n"
                 "%w = \"tt.reduce\"(%m) <{axis = 0 : i32}> ({\n^bb0(%l: f32, %q: f32):\n"
                 "%t = \"arith.addf\"(%l, %q) : (f32, f32) -> f32\n"
                 "\"tt.reduce.return\"(%t) : (f32) -> ()\n}) : (tensor<8xf32>) -> f32\n"
                 "\"tt.store\"(%y, %w) : (!tt.ptr<f32>, f32) -> ()\n";
  assert_has(body, false, "copy", 0);
  assert_has(body, false, "batch 2^0 m 2^3 n 2^3 k 2^2", 1);
}

/* A function of tensors is lowered in the call's place, with its early return. */
static void tensors_go_through_functions(void **state) {
  (void)state;
  assert_has(
      POINTERS LOAD("v",
                    "px") "%w = \"tt.call\"(%v, %n) <{callee = @f}> : (tensor<32xf32>, i32) -> "
                          "tensor<32xf32>\n" STORE(
                              "py",
                              "w") "\"tt.return\"() : () -> ()\n}) : () -> ()\n"
                                   "\"tt.func\"() <{function_type = (tensor<32xf32>, i32) -> "
                                   "tensor<32xf32>, sym_name = \"f\", "
                                   "sym_visibility = \"private\"}> ({\n^bb0(%a: tensor<32xf32>, "
                                   "%k: i32):\n"
                                   "%zero = \"arith.constant\"() <{value = 0 : i32}> : () -> i32\n"
                                   "%c = \"arith.cmpi\"(%k, %zero) <{predicate = 2 : i64}> : (i32, "
                                   "i32) -> i1\n"
                                   "\"cf.cond_br\"(%c)[^bb1, ^bb2] <{operandSegmentSizes = "
                                   "array<i32: 1, 0, 0>}> : (i1) -> ()\n"
                                   "^bb1:\n\"tt.return\"(%a) : (tensor<32xf32>) -> ()\n^bb2:\n"
                                   "%d = \"arith.addf\"(%a, %a) : (tensor<32xf32>, tensor<32xf32>) "
                                   "-> tensor<32xf32>\n"
                                   "\"tt.return\"(%d) : (tensor<32xf32>) -> ()\n}) : () -> ()\n"
                                   "\"tt.func\"() <{function_type = () -> (), sym_name = \"g\", "
                                   "sym_visibility = \"private\"}> ({\n",
      false, "function @", 0);
}

static void what_cannot_run_is_refused(void **state) {
  (void)state;
  assert_rejected(
      "%b = \"tt.elementwise_inline_asm\"(%n) <{asm_string = \"x\", constraints = \"=r,r\","
      " packed_element = 1 : i32, pure = true}> : (i32) -> i32\n",
      4, "op 'tt.elementwise_inline_asm': PTX inline assembly cannot run on a CPU", "libdevice");
  assert_rejected(
      "%t = \"tt.make_range\"() <{start = 0 : i32, end = 3 : i32}> : () -> tensor<3xi32>\n", 4,
      "op 'tt.make_range': a dimension of 'tensor<3xi32>' is no power of two", "powers of two");
  assert_rejected(
      "\"tt.call\"() <{callee = @k2}> : () -> ()\n\"tt.return\"() : () -> ()\n}) : () -> ()\n"
      "\"tt.func\"() <{function_type = () -> (), sym_name = \"k2\", sym_visibility = "
      "\"private\"}> ({\n\"tt.call\"() <{callee = @k2}> : () -> ()\n",
      8, "op 'tt.call': functions call each other too deeply, or themselves", "a loop");
}

/* Loops as tc_dims makes them for one map of four bits. */
static void assert_dims(const uint8_t bits[4], uint32_t cuts, unsigned count, const uint8_t *dims) {
  tc_inst read = {.kind = TC_INST_READ, .map = {.count = 4}}, *insts[] = {&read};
  tc_nest nest = {.bits = 4, .body = {.count = 1, .insts = insts}};
  memcpy(read.map.bit, bits, 4);
  tc_dims(&nest, cuts);
  assert_int_equal(nest.dim_count, count);
  assert_memory_equal(nest.dims, dims, count);
}

static void neighbours_are_one_loop(void **state) {
  (void)state;
  assert_dims((const uint8_t[]){0, 1, 2, 3}, 0, 1, (const uint8_t[]){4});
  assert_dims((const uint8_t[]){0, 1, 2, 3}, 1 << 1, 2, (const uint8_t[]){3, 1});
  assert_dims((const uint8_t[]){2, 3, 0, 1}, 0, 2, (const uint8_t[]){2, 2});
  assert_dims((const uint8_t[]){3, 2, 1, 0}, 0, 4, (const uint8_t[]){1, 1, 1, 1});
  assert_dims((const uint8_t[]){TC_BIT_ONE, 2, 3, TC_BIT_ZERO}, 0, 2, (const uint8_t[]){2, 2});
}

static void lack_of_memory_is_an_error(void **state) {
  (void)state;
  const char *text = OPENING POINTERS LOAD("v", "px") REDUCE STORE("px", "v") CLOSING;
  tc_module *module = NULL;
  tc_program *program = NULL;
  assert_int_equal(tc_read(&module, text, strlen(text), &err), TC_OK);
  (void)tc_alloc_fail_at(0);
  assert_int_equal(tc_lower(&program, module, NULL, &err), TC_OK);
  tc_program_free(program);
  size_t calls = tc_alloc_fail_at(0);
  assert_true(calls > 100);
  for (size_t n = 1; n <= calls; n++) {
    program = NULL;
    err = (tc_err){0};
    (void)tc_alloc_fail_at(n);
    assert_int_equal(tc_lower(&program, module, NULL, &err), TC_ENOMEM);
    assert_null(program);
  }
  (void)tc_alloc_fail_at(0);
  tc_module_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_are_fused_into_their_root),
      cmocka_unit_test(loads_keep_their_place_where_memory_may_change),
      cmocka_unit_test(cheap_values_are_computed_again),
      cmocka_unit_test(views_are_strings_of_bits),
      cmocka_unit_test(halves_are_constant_bits),
      cmocka_unit_test(short_axes_are_no_loops),
      cmocka_unit_test(elements_are_exchanged_in_pairs),
      cmocka_unit_test(loads_go_into_reductions),
      cmocka_unit_test(what_is_kept_is_reduced_as_it_is_made),
      cmocka_unit_test(scans_of_small_floats_are_wide),
      cmocka_unit_test(pointers_that_move_on_are_one_variable),
      cmocka_unit_test(what_is_carried_is_assigned_at_once),
      cmocka_unit_test(integers_wrap_where_their_bits_are_kept),
      cmocka_unit_test(rows_that_do_not_wrap_are_told_apart),
      cmocka_unit_test(sums_of_products_stay_in_place),
      cmocka_unit_test(tensors_go_through_functions),
      cmocka_unit_test(what_cannot_run_is_refused),
      cmocka_unit_test(neighbours_are_one_loop),
      cmocka_unit_test(lack_of_memory_is_an_error),
  };
  return cmocka_run_group_tests_name("cpu_lower", tests, NULL, NULL);
}
