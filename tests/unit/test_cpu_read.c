/* The reader of the cpu backend: what it takes, what it refuses and where. */
#include "unit.h"

#include "compiler/read/ir.h"

#include <stdio.h>
#include <string.h>

#define FUNCTION(type) "\"tt.func\"() <{function_type = " type ", sym_name = \"f\"}> ({\n"
#define HEAD           "\"builtin.module\"() ({\n" FUNCTION("(i32) -> ()") "^bb0(%a: i32):\n"
#define TAIL           "\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n"

static tc_err err;

static tc_module *read_sound(const char *text) {
  tc_module *module = NULL;
  err = (tc_err){0};
  int rc = tc_read(&module, text, strlen(text), &err);
  if (rc != TC_OK)
    fail_msg("%zu:%zu: %s\n%s", err.line, err.column, err.what, text);
  return module;
}

static void assert_refused(const char *text, size_t line, size_t column, const char *what) {
  tc_module *module = NULL;
  err = (tc_err){0};
  assert_int_equal(tc_read(&module, text, strlen(text), &err), TC_EREFUSED);
  assert_null(module);
  assert_string_equal(err.what, what);
  assert_int_equal(err.line, line);
  assert_int_equal(err.column, column);
}

/* A body within a function of one argument, %a: i32; it begins on line 4. */
static void body_refused(const char *body, size_t line, size_t column, const char *what) {
  char text[4096];
  (void)snprintf(text, sizeof text, "%s%s\n%s", HEAD, body, TAIL);
  assert_refused(text, line + 3, column, what);
}

/* What is printed for the attribute; the caller frees it. */
static void assert_attr(const char *in, const char *out) {
  char text[4096];
  tc_module *module = NULL;
  tc_text printed = {0};
  (void)snprintf(text, sizeof text, "\"builtin.module\"() ({\n^bb0:\n}) {x = %s} : () -> ()", in);
  module = read_sound(text);
  tc_print_attr(&printed, tc_attr_of(module->op, "x"));
  assert_string_equal(printed.data, out);
  tc_text_free(&printed);
  tc_module_free(module);
}

static void attributes_are_printed_as_mlir_does(void **state) {
  (void)state;
  assert_attr("1", "1 : i64");
  assert_attr("-1 : i1", "true");
  assert_attr("255 : i8", "-1 : i8");
  assert_attr("255 : ui8", "255 : ui8");
  assert_attr("0x10 : i32", "16 : i32");
  assert_attr("123456789012345678901234567890 : i128", "123456789012345678901234567890 : i128");
  assert_attr("18446744073709551615", "-1 : i64");
  assert_attr("0.7 : f32", "0.699999988 : f32");
  assert_attr("0.1 : f32", "1.000000e-01 : f32");
  assert_attr("3.4028234e38 : f32", "3.40282347E+38 : f32");
  assert_attr("16777216.0 : f32", "0x4B800000 : f32");
  assert_attr("0xFF800000 : f32", "0xFF800000 : f32");
  assert_attr("-0.0 : f16", "-0.000000e+00 : f16");
  assert_attr("0.75 : f8E5M2", "7.500000e-01 : f8E5M2");
  assert_attr("[1, 2 : i32, 1.5, unit]", "[1, 2 : i32, 1.500000e+00, unit]");
  assert_attr("{a, b = true, \"c d\" = {}}", "{a, b = true, \"c d\" = {}}");
  assert_attr("\"a\\22\\\\\\n\"", "\"a\\22\\\\\\0A\"");
  assert_attr("@a::@\"b c\"", "@a::@\"b c\"");
  assert_attr("array<i32: 1, -2>", "array<i32: 1, -2>");
  assert_attr("array<i1: true, false>", "array<i1: true, false>");
  assert_attr("array<i64>", "array<i64>");
  assert_attr("#tt.x<a = b, {\">\"}>", "#tt.x<a = b, {\">\"}>");
  assert_attr("(i32, f32) -> ()", "(i32, f32) -> ()");
}

static void dense_elements_are_bits(void **state) {
  (void)state;
  assert_attr("dense<[1, 2]> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>");
  assert_attr("dense<[2, 2]> : tensor<2xi8>", "dense<2> : tensor<2xi8>");
  assert_attr("dense<\"0x0202\"> : tensor<2xi8>", "dense<2> : tensor<2xi8>");
  assert_attr("dense<\"0x01020304\"> : tensor<2xi16>", "dense<[513, 1027]> : tensor<2xi16>");
  assert_attr("dense<\"0x02\"> : tensor<3xi1>", "dense<[false, true, false]> : tensor<3xi1>");
  assert_attr("dense<[[1.0], [2.0]]> : tensor<2x1xbf16>",
              "dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xbf16>");
  assert_attr("dense<> : tensor<0xf32>", "dense<> : tensor<0xf32>");
  assert_attr("dense<7> : tensor<i32>", "dense<7> : tensor<i32>");
}

static void types_are_interned(void **state) {
  (void)state;
  tc_module *module = read_sound(
      "!t = tensor<4x!tt.ptr<f8E4M3FN, 3>>\n\"builtin.module\"() ({\n^bb0:\n}) "
      "{x = !t, y = tensor<4x!tt.ptr<f8E4M3FN,3>>, z = !tt.tensordesc<tensor<4x8xi1, #a.b<1>>>, "
      "c = !tt.ptr<f32, \"constant\">} : () -> ()");
  const tc_type *type = tc_attr_of(module->op, "x")->type;
  assert_ptr_equal(type, tc_attr_of(module->op, "y")->type);
  assert_int_equal(type->kind, TC_TENSOR);
  assert_int_equal(type->element->width, 3);
  assert_string_equal(type->element->element->format->name, "f8E4M3FN");
  type = tc_attr_of(module->op, "z")->type;
  assert_int_equal(type->kind, TC_DESC);
  assert_int_equal(type->count, 32);
  assert_string_equal(type->text, "!tt.tensordesc<tensor<4x8xi1, #a.b<1>>>");
  assert_string_equal(tc_attr_of(module->op, "c")->type->text, "!tt.ptr<f32, \"constant\">");
  tc_module_free(module);
}

static void uses_are_listed(void **state) {
  (void)state;
  tc_module *module =
      read_sound(HEAD "%0:2 = \"arith.addui_extended\"(%a, %a) : (i32, i32) -> (i32, i32)\n"
                      "%1 = \"arith.addi\"(%0#1, %0#1) : (i32, i32) -> i32\n" TAIL);
  const tc_block *entry = module->op->regions[0].first->first->regions[0].first;
  const tc_op *add = entry->first->next;
  assert_ptr_equal(add->operands[0], &entry->first->results[1]);
  assert_null(entry->first->results[0].uses);
  assert_ptr_equal(entry->first->results[1].uses->op, add);
  assert_int_equal(entry->first->results[1].uses->index, 1);
  assert_int_equal(entry->first->results[1].uses->next->index, 0);
  assert_ptr_equal(entry->args[0].uses->op, entry->first);
  assert_ptr_equal(tc_parent(add), module->op->regions[0].first->first);
  tc_module_free(module);
}

static void what_is_no_generic_form_is_refused(void **state) {
  (void)state;
  assert_refused("module {\n}\n", 1, 1, "the quoted name of an operation is wanted");
  assert_true(strstr(err.mend, "--mlir-print-op-generic") != NULL);
  assert_refused("", 1, 1, "the quoted name of an operation is wanted");
  assert_refused("\"builtin.module\"() ({", 1, 22, "the quoted name of an operation is wanted");
  assert_refused("\"tt.return\"() : () -> ()", 1, 1,
                 "op 'tt.return': the text must hold one module, 'builtin.module'");
  assert_refused(HEAD TAIL "x", 7, 1, "more follows behind the module");
  assert_refused("\"builtin.module", 1, 1, "a string without its closing quote");
}

static void unknown_operations_are_refused(void **state) {
  (void)state;
  body_refused("  \"tt.new\"() : () -> ()", 1, 3, "op 'tt.new': the compiler does not know it");
  assert_true(strstr(err.mend, "op_table.c") != NULL);
}

static void values_are_checked(void **state) {
  (void)state;
  body_refused("%0 = \"arith.addi\"(%a, %b) : (i32, i32) -> i32", 1, 23,
               "'%b' is used and not defined before");
  body_refused("%a = \"tt.get_program_id\"() <{axis = 0 : i32}> : () -> i32", 1, 1,
               "'%a' is defined twice, first at 3:6");
  body_refused("%0 = \"arith.addi\"(%a, %a) : (i32, i64) -> i32", 1, 6,
               "op 'arith.addi': operand 1, '%a', is of type 'i32', not 'i64'");
  body_refused("%0 = \"arith.addi\"(%a, %a#1) : (i32, i32) -> i32", 1, 23,
               "'%a' has 1 results, counted from #0");
  body_refused("\"arith.addi\"(%a, %a) : (i32, i32) -> i32", 1, 1,
               "op 'arith.addi': its 1 results have no name");
  assert_refused(
      "\"builtin.module\"() ({\n" FUNCTION(
          "() -> ()") "\"cf.br\"()[^bb2] : () -> ()\n"
                      "^bb1:\n%0 = \"tt.get_program_id\"() <{axis = 0 : i32}> : () -> i32\n"
                      "\"cf.br\"()[^bb2] : () -> ()\n^bb2:\n"
                      "%1 = \"arith.addi\"(%0, %0) : (i32, i32) -> i32\n" TAIL,
      8, 6, "op 'arith.addi': operand 1, '%0', is not defined on every way to its block");
}

static void rows_of_the_table_are_kept(void **state) {
  (void)state;
  body_refused("%0 = \"arith.addi\"(%a) : (i32) -> i32", 1, 6,
               "op 'arith.addi': it has 1 operands and must have 2");
  body_refused("%0 = \"arith.addf\"(%a, %a) : (i32, i32) -> i32", 1, 6,
               "op 'arith.addf': operand 0 has the type 'i32', which it does not work on");
  body_refused("%0 = \"arith.addi\"(%a, %a) : (i32, i32) -> i64", 1, 6,
               "op 'arith.addi': result 0 has the type 'i64' and operand 0 'i32'");
  body_refused("%0 = \"arith.cmpi\"(%a, %a) : (i32, i32) -> i1", 1, 6,
               "op 'arith.cmpi': it lacks the attribute 'predicate'");
  body_refused("%0 = \"arith.cmpi\"(%a, %a) <{predicate = \"eq\"}> : (i32, i32) -> i1", 1, 6,
               "op 'arith.cmpi': its attribute 'predicate' is not an integer");
  body_refused("%0 = \"arith.extsi\"(%a) : (i32) -> tensor<4xi64>", 1, 6,
               "op 'arith.extsi': result 0, 'tensor<4xi64>', has another shape than 'i32'");
  body_refused("%0 = \"tt.make_range\"() <{start = 0 : i32, end = 4 : i32}> : () -> tensor<8xi32>",
               1, 6,
               "op 'tt.make_range': from 0 to 4 there are not the 8 elements of 'tensor<8xi32>'");
  body_refused("%0 = \"tt.load\"(%a) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32) -> i32",
               1, 6, "op 'tt.load': its operandSegmentSizes are not those of 1 operands");
  body_refused("%0 = \"tt.call\"(%a) <{callee = @g}> : (i32) -> i32", 1, 6,
               "op 'tt.call': the module has no function 'g'");
  body_refused("\"tt.return\"() : () -> ()", 1, 1,
               "op 'tt.return': operations follow it in its block");
  body_refused("\"scf.for\"(%a, %a, %a) ({\n^bb0(%i: i32):\n\"scf.yield\"(%i) : (i32) -> ()\n})"
               " : (i32, i32, i32) -> ()",
               3, 1, "op 'scf.yield': 1 values for 0 results of the loop");
}

static void values_flow_as_typed(void **state) {
  (void)state;
  body_refused("\"scf.while\"() ({\n\"scf.condition\"() : () -> ()\n}, {\n"
               "\"scf.yield\"() : () -> ()\n}) : () -> ()",
               2, 1, "op 'scf.condition': it has 0 operands and must have at least 1");
  body_refused(FUNCTION("() -> ()") "\"tt.return\"() : () -> ()\n}) : () -> ()", 1, 1,
               "op 'tt.func': it is not in the module, but in 'tt.func'");
  body_refused("\"scf.if\"(%a) ({\n\"scf.yield\"() : () -> ()\n}, {\n}) : (i32) -> ()", 1, 1,
               "op 'scf.if': its condition is of type 'i32'");
  body_refused("\"tt.return\"(%a) : (i32) -> ()\n^b:", 1, 1,
               "op 'tt.return': the function is of type '(i32) -> ()'");
  body_refused("\"cf.br\"(%a)[^b] : (i32) -> ()\n^b:", 1, 1,
               "op 'cf.br': 1 values for 0 arguments of the block");
  body_refused("\"cf.br\"()[^c] : () -> ()\n^b:", 4, 1,
               "the region has no block '^c', to which it branches");
  body_refused("%0 = \"tt.splat\"(%a) : (i32) -> tensor<4xi32>\n"
               "%1 = \"tt.reduce\"(%0) <{axis = 0 : i32}> ({\n^b(%b: i32):\n"
               "\"tt.reduce.return\"(%b) : (i32) -> ()\n}) : (tensor<4xi32>) -> i32",
               2, 6, "op 'tt.reduce': 1 operands, 1 results, 1 arguments and 1 returned values");
  body_refused("%0 = \"tt.call\"(%a) <{callee = @f}> : (i32) -> i32", 1, 6,
               "op 'tt.call': 'f' is of type '(i32) -> ()'");
}

static void shapes_are_checked(void **state) {
  (void)state;
#define SPLAT "%0 = \"tt.splat\"(%a) : (i32) -> tensor<4x1xi32>\n"
  body_refused(SPLAT "%1 = \"tt.broadcast\"(%0) : (tensor<4x1xi32>) -> tensor<8x8xi32>", 2, 6,
               "op 'tt.broadcast': 'tensor<4x1xi32>' does not become 'tensor<8x8xi32>'");
  body_refused(SPLAT "%1 = \"tt.reshape\"(%0) : (tensor<4x1xi32>) -> tensor<8xi32>", 2, 6,
               "op 'tt.reshape': 'tensor<4x1xi32>' does not become 'tensor<8xi32>'");
  body_refused(SPLAT "%1 = \"tt.trans\"(%0) <{order = array<i32: 0, 1>}> : (tensor<4x1xi32>) -> "
                     "tensor<1x4xi32>",
               2, 6, "op 'tt.trans': 'tensor<4x1xi32>' does not become 'tensor<1x4xi32>'");
  body_refused(SPLAT "%1 = \"tt.expand_dims\"(%0) <{axis = 0 : i32}> : (tensor<4x1xi32>) -> "
                     "tensor<4x1x1xi32>",
               2, 6, "op 'tt.expand_dims': 'tensor<4x1xi32>' does not become 'tensor<4x1x1xi32>'");
  body_refused(SPLAT "%1 = \"tt.addptr\"(%0, %0) : (tensor<4x1xi32>, tensor<4x1xi32>) -> "
                     "tensor<4x1xi32>",
               2, 6,
               "op 'tt.addptr': it makes 'tensor<4x1xi32>' of 'tensor<4x1xi32>', which must be one "
               "type of pointer");
  body_refused(SPLAT "%1 = \"tt.dot\"(%0, %0, %0) <{inputPrecision = 0 : i32}> : (tensor<4x1xi32>, "
                     "tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>",
               2, 6,
               "op 'tt.dot': 'tensor<4x1xi32>' times 'tensor<4x1xi32>' is not added to "
               "'tensor<4x1xi32>'");
  body_refused("%0 = \"arith.constant\"() <{value = 1 : i32}> : () -> i64", 1, 6,
               "op 'arith.constant': its value is not of the type 'i64'");
#undef SPLAT
}

static void numbers_keep_to_their_type(void **state) {
  (void)state;
  static const char *const values[][2] = {
      {"256 : i8", "'256' is no 'i8'"},
      {"-129 : i8", "'-129' is no 'i8'"},
      {"-1 : ui8", "'-1' is no 'ui8'"},
      {"128 : si8", "'128' is no 'si8'"},
      {"1.5 : i32", "'1.5' is no 'i32'"},
      {"1.5 : i128", "'1.5' is no 'i128'"},
      {"1 : f32", NULL},
      {"dense<1> : tensor<2xi128>", "no number here has the type 'i128'"},
      {"dense<[1, 2]> : tensor<3xi8>", "the list has not the 3 elements of 'tensor<3xi8>'"},
      {"dense<\"0x01\"> : tensor<3xi16>", "1 bytes are no elements of 'tensor<3xi16>'"},
      {"1 : i0", "'i0': an integer has 1 to 65536 bits"},
      {"tensor<?xf32>", "a tensor of unknown shape"},
      {"!t", "'!t' stands for no type"},
      {"#t", "'#t' stands for no attribute"},
      {"f7", "unknown type 'f7'"},
      {"{a, a}", "the attribute 'a' is there twice"},
      {"\"\\q\"", "an unknown escape in a string"},
      {"#a.b<(>", "')' is wanted before '>'"},
  };
  for (size_t i = 0; i < COUNT(values); i++) {
    char text[256];
    tc_module *module = NULL;
    (void)snprintf(text, sizeof text, "\"builtin.module\"() ({\n^b:\n}) {x = %s} : () -> ()",
                   values[i][0]);
    err = (tc_err){0};
    int rc = tc_read(&module, text, strlen(text), &err);
    if (values[i][1] == NULL) {
      assert_int_equal(rc, TC_OK);
    } else {
      assert_int_equal(rc, TC_EREFUSED);
      assert_string_equal(err.what, values[i][1]);
      assert_true(err.line >= 1 && err.column >= 1);
    }
    tc_module_free(module);
  }
}

static void nesting_has_an_end(void **state) {
  (void)state;
  char text[8192] = "\"builtin.module\"() ({\n^bb0:\n}) {x = ";
  memset(text + strlen(text), '[', 4000);
  tc_module *module = NULL;
  assert_int_equal(tc_read(&module, text, strlen(text), &err), TC_EREFUSED);
  assert_string_equal(err.what, "nested more than 128 deep");
  /* Each alias is twice the one before. */
  size_t len = (size_t)snprintf(text, sizeof text, "#a0 = [1, 1]\n");
  for (int i = 1; i < 60; i++)
    len +=
        (size_t)snprintf(text + len, sizeof text - len, "#a%d = [#a%d, #a%d]\n", i, i - 1, i - 1);
  assert_int_equal(tc_read(&module, text, len, &err), TC_EREFUSED);
  assert_string_equal(err.what, "an attribute of more than 65536 parts");
}

static void lack_of_memory_is_an_error(void **state) {
  (void)state;
  const char text[] = "#x = 1\n!t = i32\n" HEAD
                      "%0 = \"arith.constant\"() <{value = dense<[1, 2]> : tensor<2xi32>}> "
                      ": () -> tensor<2xi32> loc(#l)\n" TAIL "#l = loc(unknown)";
  (void)tc_alloc_fail_at(0);
  tc_module_free(read_sound(text));
  size_t calls = tc_alloc_fail_at(0);
  assert_true(calls > 50);
  for (size_t n = 1; n <= calls; n++) {
    tc_module *module = NULL;
    err = (tc_err){0};
    (void)tc_alloc_fail_at(n);
    assert_int_equal(tc_read(&module, text, sizeof text - 1, &err), TC_ENOMEM);
    assert_null(module);
  }
  (void)tc_alloc_fail_at(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes_are_printed_as_mlir_does),
      cmocka_unit_test(dense_elements_are_bits),
      cmocka_unit_test(types_are_interned),
      cmocka_unit_test(uses_are_listed),
      cmocka_unit_test(what_is_no_generic_form_is_refused),
      cmocka_unit_test(unknown_operations_are_refused),
      cmocka_unit_test(values_are_checked),
      cmocka_unit_test(rows_of_the_table_are_kept),
      cmocka_unit_test(values_flow_as_typed),
      cmocka_unit_test(shapes_are_checked),
      cmocka_unit_test(numbers_keep_to_their_type),
      cmocka_unit_test(nesting_has_an_end),
      cmocka_unit_test(lack_of_memory_is_an_error),
  };
  return cmocka_run_group_tests_name("cpu_read", tests, NULL, NULL);
}
