/* Statements of Python texts: where they are, what they bind and use; what no Python text is. The
 * rest is held against Python itself in tests/package. */
#include "package/py_module.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

static size_t add_names(char *out, size_t room, const char *mark, spec_py_names names) {
  size_t len = 0;
  for (size_t i = 0; i < names.count && len < room; i++)
    len += (size_t)snprintf(out + len, room - len, "%s%.*s", i == 0 ? mark : ",",
                            (int)names.items[i].name.len, names.items[i].name.text);
  return len;
}

/* "kind line-line =bound ?used {body}" of each statement, joined by "; ". */
static size_t describe(char *out, size_t room, spec_py_block block) {
  size_t len = 0;
  out[0] = '\0';
  for (size_t i = 0; i < block.count && len + 2 < room; i++) {
    const spec_py_statement *s = &block.items[i];
    len += (size_t)snprintf(out + len, room - len, "%s%s %u", i > 0 ? "; " : "",
                            spec_py_kind_name(s->kind), s->line);
    if (s->last_line != s->line)
      len += (size_t)snprintf(out + len, room - len, "-%u", s->last_line);
    len += add_names(out + len, room - len, " =", s->binds);
    len += add_names(out + len, room - len, " ?", s->uses);
    if (s->body.count > 0) {
      len += (size_t)snprintf(out + len, room - len, " {");
      len += describe(out + len, room - len, s->body);
      len += (size_t)snprintf(out + len, room - len, "}");
    }
  }
  return len;
}

static void check(const char *text, const char *wanted) {
  char found[1024];
  spec_py_module module;
  spec_py_fault fault;
  const spec_py_source source = {text, strlen(text), "m.py"};
  assert_int_equal(spec_py_module_read(&module, &fault, arena, &source, NULL), SPEC_OK);
  if (fault.what != NULL)
    print_error("'%s': line %zu: %s\n", text, fault.line, fault.what);
  assert_null(fault.what);
  (void)describe(found, sizeof found, module.body);
  assert_string_equal(found, wanted);
}

static void test_extents(void **state) {
  (void)state;
  check("", "");
  check("\n# only\n   \n\f\n", "");
  check("x = 1", "assignment 1 =x");
  check("x = 1; y = x;\nz", "assignment 1 =x; assignment 1 =y ?x; expression 2 ?z");
  check("@a\n@b(\n1)\n# c\ndef f():\n  x\n  # end\n\ny", "function 1-6 =f ?a,b; expression 9 ?y");
  check("if a:\n  b\nelif c: d; e\nelse:\n  f\ng",
        "if 1-5 ?a,b,c,d,e,f {expression 2 ?b; expression 3 ?d; expression 3 ?e; expression 5 ?f}; "
        "expression 6 ?g");
  check("x = \\\n  1\ny = (\n\n2)  # c\n", "assignment 1-2 =x; assignment 3-5 =y");
  check("class C:\n  a = 1\n  class D: b = a\n  c = b\nd",
        "class 1-4 =C ?a,b {assignment 2 =a; class 3 =D ?a {assignment 3 =b ?a}; "
        "assignment 4 =c ?b}; expression 5 ?d");
  check("match x:\n  case [a, *b] if c: d\n  case E.f | G(h=i): pass\nmatch = "
        "1\nmatch(x)\nmatch[0]: y",
        "match 1-3 =a,b,i ?x,c,d,E,G {expression 2 ?d; simple 3}; assignment 4 =match; "
        "expression 5 ?match,x; assignment 6 ?match,y");
  check("type A[T] = B\ntype = 1\ntype(x)", "type 1 =A; assignment 2 =type; expression 3 ?type,x");
  check("try:\n  import a\nexcept* E as e: x\nfinally: y",
        "try 1-4 =a ?E,x,y {import 2 =a; expression 3 ?x; expression 4 ?y}");
}

static void test_line_ends_and_beginnings(void **state) {
  (void)state;
  check("\xef\xbb\xbf# coding: UTF_8\r\nx = 1\r\n", "assignment 2 =x");
  check("a\rb\r\nc\n", "expression 1 ?a; expression 2 ?b; expression 3 ?c");
  check("if a:\r\tb\r\tc\r", "if 1-3 ?a,b,c {expression 2 ?b; expression 3 ?c}");
  check("if a:\n  b\n\fc", "if 1-2 ?a,b {expression 2 ?b}; expression 3 ?c");
  check("\\\nx\n  \\\n\nif a:\n  \\\n    b\n  c",
        "expression 2 ?x; if 5-8 ?a,b,c {expression 7 ?b; expression 8 ?c}");
}

static void test_strings(void **state) {
  (void)state;
  check("'(#'; \"\\\"]\"; r'\\\\'; x", "expression 1; expression 1; expression 1; expression 1 ?x");
  check("'''a\n'\\'''\n# '''; x\ny", "expression 1-3; expression 3 ?x; expression 4 ?y");
  check("bR'\\\\'; u'' 'a'\n'a\\\nb'", "expression 1; expression 1; expression 2-3");
  check("f'{a}{{b}}{c!r:>{d}}' rf'\\{e}'", "expression 1 ?a,c,d,e");
  /* what only newer versions take */
  check("f'{a['b']}' f\"{f\"{f'{c}'}\"}\"", "expression 1 ?a,c");
  check("f'{\n  a # }\n  + b\n}'\nx", "expression 1-4 ?a,b; expression 5 ?x");
  check("f'''{\n'''\n'''\n}''' t'{a!s}' tr'\\{b:{c}}'", "expression 1-4 ?a,b,c");
  check("f'\\N{DASH}{a:\\N{DASH}}' f'{a=}' f'{a!=b}' f'{(x:=1)}'", "expression 1 =x ?a,a,a,b");
  check("f'{lambda_}{a:{{}}}'; print'x'", "expression 1 ?lambda_,a; expression 1 ?print");
}

static void test_names(void **state) {
  (void)state;
  check("a.b = c[d] = (e, [*f]), g, *h = i", "assignment 1 =e,f,g,h ?a,c,d,i");
  check("x += y; z: w; v: u = t; (s): r", "assignment 1 =x ?x,y; assignment 1 =z ?w; "
                                          "assignment 1 =v ?u,t; assignment 1 =s ?r");
  check("import a.b, c.d as e\nfrom . import f, g as h\nfrom ...i import *\nfrom j import (k,)",
        "import 1 =a,e; from 2 =f,h; from 3; from 4 =k");
  check("del a, b[c], (d.e, f)", "del 1 =a,f ?b,c,d");
  check("lambda a, b=c, *d: e; [f for f in g if h]; {i: j for (i, j) in k for l in i}",
        "expression 1 ?c; expression 1 ?g,h; expression 1 ?k");
  check("[x for x in x]; f(a=b, *c, **d); e.f.g; 1if h else 2",
        "expression 1 ?x; "
        "expression 1 ?f,b,c,d; expression 1 ?e; expression 1 ?h");
  check("def f[T](a: T, b: U = c, *, d=lambda e: f) -> G[T]: h", "function 1 =f ?U,c,G");
  check("class C[T: int](B[T], metaclass=M): pass", "class 1 =C ?B,M {simple 1}");
  check("async def f(): await x\nasync with a as b: c\nasync for d in e: pass",
        "function 1 =f; with 2 =b ?a,c {expression 2 ?c}; for 3 =d ?e {simple 3}");
  check("with (a as b, c as (d, e.f)): pass\nwith (a, b): pass",
        "with 1 =b,d ?a,c,e {simple 1}; with 2 ?a,b {simple 2}");
  check("global a; raise b from c; assert d, e; return",
        "simple 1; simple 1 ?b,c; simple 1 ?d,e; simple 1");
}

static void test_what_a_class_answers_itself(void **state) {
  (void)state;
  spec_py_module module;
  spec_py_fault fault;
  const char *text = "class C:\n  a = 1\n  if x: b = 1\n  c = a, b\n";
  const spec_py_source source = {text, strlen(text), "m.py"};
  assert_int_equal(spec_py_module_read(&module, &fault, arena, &source, NULL), SPEC_OK);
  const spec_py_statement *last = &module.body.items[0].body.items[2];
  assert_int_equal(last->uses.items[0].local, 1); /* a */
  assert_int_equal(last->uses.items[1].local, 0); /* b, under a condition */
}

static void test_faults(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t line;
    const char *what;
  } rows[] = {
      {"x = (\n\n1", 1, "never closed"},
      {"x = 1)\n", 1, "no opening one"},
      {"x = (\n]\n", 2, "does not match"},
      {"x\n'a\n", 2, "string is never closed"},
      {"'''a\n\n", 1, "string is never closed"},
      {"f'{a\n", 1, "never closed"},
      {"f'{a:'", 1, "field is never closed"},
      {"f'}'", 1, "single '}'"},
      {"f'''\n{a", 2, "never closed"},
      {"x = $\n", 1, "a character"},
      {"x = 1 \\ 2\n", 1, "follows the backslash"},
      {"x = 1 \\\n", 1, "ends behind a backslash"},
      {"if a:\n    b\n  c\n", 3, "matches no enclosing block"},
      {"if a:\n\tb\n        c\n", 3, "tabs and spaces"},
      {"if a:\nb\n", 1, "block is missing"},
      {"def f():\n\n", 1, "block is missing"},
      {"a\n  b\n", 2, "without a block"},
      {"if a\n  b\n", 1, "colon is missing"},
      {"else:\n  b\n", 1, "without the statement"},
      {"try:\n  b\nc\n", 3, "'try' without"},
      {"@a\nb = 1\n", 2, "decorator"},
      {"@a\n", 1, "decorator"},
      {"async x\n", 1, "'async'"},
      {"def f: pass\n", 1, "parentheses"},
      {"def (): pass\n", 1, "without a name"},
      {"match a:\n  b\n", 2, "'case' is missing"},
      {"import\n", 1, "without a name"},
      {"from a\n", 1, "'from' without"},
      {"a;;b\n", 1, "semicolon"},
      {"a = \n", 1, "lacks one side"},
      {"a: b =\n", 1, "lacks one side"},
      {"a; += b\n", 1, "lacks one side"},
      {"a; else\n", 1, "no statement begins so"},
      {"a\n\xff\n", 2, "not UTF-8"},
      {"# coding: latin-1\n", 1, "another encoding"},
      {"\n#!x -*- coding=cp1252 -*-\n", 2, "another encoding"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_py_module module;
    spec_py_fault fault;
    const spec_py_source source = {rows[i].text, strlen(rows[i].text), "m.py"};
    assert_int_equal(spec_py_module_read(&module, &fault, arena, &source, NULL), SPEC_OK);
    if (fault.what == NULL) {
      fail_msg("'%s' is taken", rows[i].text);
      continue;
    }
    if (fault.line != rows[i].line || strstr(fault.what, rows[i].what) == NULL)
      print_error("'%s': line %zu: %s\n", rows[i].text, fault.line, fault.what);
    assert_int_equal(fault.line, rows[i].line);
    assert_non_null(strstr(fault.what, rows[i].what));
  }
}

static void test_nul_and_depth(void **state) {
  (void)state;
  spec_py_module module;
  spec_py_fault fault;
  char deep[1000];
  const spec_py_source nul = {"a\n\0b", 4, "m.py"};
  assert_int_equal(spec_py_module_read(&module, &fault, arena, &nul, NULL), SPEC_OK);
  assert_string_equal(fault.what, "a NUL byte");
  assert_int_equal(fault.line, 2);
  memset(deep, '(', sizeof deep);
  const spec_py_source brackets = {deep, sizeof deep, "m.py"};
  assert_int_equal(spec_py_module_read(&module, &fault, arena, &brackets, NULL), SPEC_OK);
  assert_non_null(strstr(fault.what, "too deeply"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_extents),
      cmocka_unit_test(test_line_ends_and_beginnings),
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_what_a_class_answers_itself),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_nul_and_depth),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
