/* Merging modules: each rule of docs/reference/merge.md. Whether the merged text does what it
 * should is held against a model in tests/package. */
#include "package/merge.h"
#include "planning.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

static findings found;
static int merge(spec_merged *out, const char *trunk, const char *vendor, spec_err *err) {
  found = (findings){0};
  spec_reporter report = {.arena = arena, .on_event = remember, .user = &found};
  const spec_merge_input input = {.trunk = {trunk, strlen(trunk), "/t.py"},
                                  .vendor = {vendor, strlen(vendor), "/v.py"},
                                  .overlay = "v"};
  *out = (spec_merged){0};
  return spec_merge(out, arena, &report, &input, err);
}

/* In `wanted`, "#3" stands for the comment that says line 3 of the vendor's. */
static void gives(const char *trunk, const char *vendor, const char *wanted) {
  char full[2048];
  size_t len = 0;
  spec_merged out;
  for (const char *p = wanted; *p != '\0'; p++) {
    bool mark = *p == '#' && p[1] >= '0' && p[1] <= '9';
    len += (size_t)snprintf(full + len, sizeof full - len, mark ? "# spec: from v:" : "%c", *p);
  }
  assert_int_equal(merge(&out, trunk, vendor, NULL), SPEC_OK);
  for (size_t i = 0; i < found.count; i++)
    if (found.items[i].severity == SPEC_ERROR)
      print_error("%s: %s\n", found.items[i].where, found.items[i].message);
  assert_non_null(out.text);
  assert_string_equal(out.text, full);
  assert_int_equal(out.len, strlen(full));
}

static void refuses(const char *trunk, const char *vendor, const char *code) {
  spec_merged out;
  assert_int_equal(merge(&out, trunk, vendor, NULL), SPEC_OK);
  assert_null(out.text);
  assert_non_null(find_said(&found, code));
}

static void test_a_definition_in_its_place(void **state) {
  (void)state;
  gives("a\n@x\n@y\ndef f():  # old\n  1\nb\n", "@z\ndef f(): 2  # new\n",
        "a\n#1\n@z\ndef f(): 2  # new\nb\n");
  gives("class C: pass\nclass D(C): pass", "class C: x = 1",
        "#1\nclass C: x = 1\nclass D(C): pass");
  gives("def f(): 1\n", "async def f(): 2\n", "#1\nasync def f(): 2\n");
  gives("def f(): 1\n", "f = 2\n", "#1\nf = 2\n");
  gives("def f(): 1\n", "from .g import f\n", "#1\nfrom .g import f\n");
}

static void test_groups_are_one_definition(void **state) {
  (void)state;
  gives("@overload\ndef f(a): ...\n"
        "@t.overload\ndef f(b): ...\ndef f(c): 1\nx\n",
        "def f(d): 2\n", "#1\ndef f(d): 2\nx\n");
  gives("def f(c): 1\n", "@overload\ndef f(a): ...\n\n@overload\ndef f(b): ...\ndef f(c): 2\n",
        "#1\n@overload\ndef f(a): ...\n\n\n#4\n@overload\ndef f(b): ...\n\n\n#6\ndef f(c): 2\n");
  refuses("@overload2\ndef f(a): ...\ndef f(c): 1\n", "def f(d): 2\n", "merge-ambiguous");
  refuses("@a.b.overload\ndef f(a): ...\ndef f(c): 1\n", "def f(d): 2\n", "merge-ambiguous");
  refuses("", "def f(): 1\nclass f: 2\n", "merge-ambiguous");
}

static void test_the_trunk_binds_the_name_again(void **state) {
  (void)state;
  gives("def f(): 1\nf = w(f)\n", "def f(): 2\n", "#1\ndef f(): 2\nf = w(f)\n");
  gives("f = None\ndef f(): 1\n", "def f(): 2\n", "f = None\n#1\ndef f(): 2\n");
  gives("def f(): 1\ntry: from c import f\nexcept ImportError: pass\n", "def f(): 2\n",
        "def f(): 1\ntry: from c import f\nexcept ImportError: pass\n\n\n#1\ndef f(): 2\n");
  refuses("def f(): 1\ng = f\nfrom c import f\n", "def f(): 2\n", "merge-rebound");
  gives("def f(): 1\ndef g(a=f): 1\nfrom c import f\n", "def f(): 2\ndef g(): 3\n",
        "def f(): 1\n#2\ndef g(): 3\nfrom c import f\n\n\n#1\ndef f(): 2\n");
}

static void test_a_definition_in_a_branch(void **state) {
  (void)state;
  gives("if a:\n  def f(): 1\nelse:\n  f = 2\n# c\nb\n", "def f(): 3\n",
        "if a:\n  def f(): 1\nelse:\n  f = 2\n\n\n#1\ndef f(): 3\n\n\n# c\nb\n");
  assert_non_null(find_said(&found, "merge-branch"));
}

static void test_a_name_that_is_imported_or_assigned(void **state) {
  (void)state;
  gives("from a import f, g\nx = f\n", "def f(): 1\n",
        "from a import f, g\n\n\n#1\ndef f(): 1\n\n\nx = f\n");
  gives("x = 1\ny = x\n", "x = 2\n", "#1\nx = 2\ny = x\n");
  gives("x: int\n", "x: int = 2\n", "#1\nx: int = 2\n");
  gives("x = 1\ndel x\n", "def x(): 2\n", "x = 1\ndel x\n\n\n#1\ndef x(): 2\n");
  gives("x = 1; z = 3\n", "x = 2\n", "x = 1; z = 3\n#1\nx = 2\n");
  gives("x = z = 1\ny = 2\n", "x = 2\n", "x = z = 1\n#1\nx = 2\ny = 2\n");
  gives("x = 1\n", "x += 2\n", "x = 1\n#1\nx += 2\n");
  gives("import a.b\n", "import a.c\n", "import a.b\n#1\nimport a.c\n");
  refuses("x = 1; y = x\n", "x = 2\n", "merge-order");
}

static void test_new_statements(void **state) {
  (void)state;
  gives("def f(): 1\nx = 2\n", "def g(): 3\n", "def f(): 1\nx = 2\n\n\n#1\ndef g(): 3\n");
  gives("x = 1\ndef f(): 1\n", "def g(): 2\ny = 3\ndef f(): 4\nz = 5\n",
        "x = 1\n\n\n#1\ndef g(): 2\n\n\n#2\ny = 3\n#3\ndef f(): 4\n\n\n#4\nz = 5\n");
  gives("x = 1\ndef f(): 1\nt = 2\n", "@g\ndef f(): 2\nw = t\ndef g(h): 3\n",
        "x = 1\n\n\n#4\ndef g(h): 3\n\n\n#1\n@g\ndef f(): 2\nt = 2\n#3\nw = t\n");
  refuses("def f(): 1\nx = 2\n", "@g\ndef f(): 2\n@x\ndef g(): 3\n", "merge-order");
  gives("def f(): 1\nx = 2\n", "@x\n@print\ndef g(): 3\n",
        "def f(): 1\nx = 2\n\n\n#1\n@x\n@print\ndef g(): 3\n");
}

static void test_builtins_may_be_bound_later(void **state) {
  (void)state;
  gives("def f(): 1\nrange = 2\n", "def f(a=range): 2\n", "#1\ndef f(a=range): 2\nrange = 2\n");
  gives("from a import *\nx = s\ndef f(): 1\ns = 2\n", "def f(a=s): 2\n",
        "from a import *\nx = s\n#1\ndef f(a=s): 2\ns = 2\n");
}

static void test_annotations(void **state) {
  (void)state;
  refuses("def f(): 1\nclass T: pass\n", "def f(a: T): 2\n", "merge-order");
  gives("from __future__ import annotations\ndef f(): 1\nclass T: pass\n", "def f(a: T): 2\n",
        "from __future__ import annotations\n#1\ndef f(a: T): 2\nclass T: pass\n");
}

static void test_what_may_be_called_early(void **state) {
  (void)state;
  gives("def f(): 1\ndef g(): f()\nx = g()\n", "def f(): h()\ndef h(): k\nk = 1\ndef z(): 2\n",
        "#1\ndef f(): h()\ndef g(): f()\n\n\n#2\ndef h(): k\n\n\n#3\nk = 1\nx = g()\n\n\n"
        "#4\ndef z(): 2\n");
}

static void test_what_is_replaced_can_be_kept(void **state) {
  (void)state;
  gives("def f(): 1\nx = f\n", "old = f\ndef f(): old()\n",
        "def f(): 1\n\n\n#1\nold = f\n\n\n#2\ndef f(): old()\n\n\nx = f\n");
}

static void test_imports(void **state) {
  (void)state;
  gives("'''d'''\nimport a\ntry: import b\nexcept ImportError: b = None\nx\nimport z\n",
        "import c\nfrom d import (e,\n f)\n",
        "'''d'''\nimport a\ntry: import b\nexcept ImportError: b = None\n#1\nimport c\n"
        "#2\nfrom d import (e,\n f)\nx\nimport z\n");
  gives(
      "import a, b.c\nfrom d import e as f, g\nif TYPE_CHECKING:\n  import h\n",
      "import a\nimport b.c\nfrom d import (g, e as f,)\nif TYPE_CHECKING:\n    import h\nx = 1\n",
      "import a, b.c\nfrom d import e as f, g\nif TYPE_CHECKING:\n  import h\n#6\nx = 1\n");
  gives("from a import x\nfrom b import x\n", "from a import x\n",
        "from a import x\nfrom b import x\n#1\nfrom a import x\n");
  gives("x = 1\n", "if typing.TYPE_CHECKING: import a\n",
        "#1\nif typing.TYPE_CHECKING: import a\nx = 1\n");
  gives("import a\nx = 1\n", "from b import *\n", "import a\n#1\nfrom b import *\nx = 1\n");
  gives("from __future__ import annotations\nx = 1\n",
        "from __future__ import annotations\nimport b\n",
        "from __future__ import annotations\n#2\nimport b\nx = 1\n");
}

static void test_all(void **state) {
  (void)state;
  gives("__all__ = ['a']\n__all__ += ['b']\n__all__.extend(c)\nx\n",
        "__all__: list[str] = [\n  'd',  # 4\n]\n",
        "__all__ = ['a']\n__all__ += ['b']\n__all__.extend(c)\n"
        "#1\n__all__ = [*__all__, *([\n  'd',  # 4\n])]\nx\n");
  gives("__all__ = ['a']\n", "__all__ = 'b', 'c'\n",
        "__all__ = ['a']\n#1\n__all__ = [*__all__, *('b', 'c')]\n");
  gives("__all__ = ['a']\n", "__all__: t(b=1) = ['b']\n",
        "__all__ = ['a']\n#1\n__all__ = [*__all__, *(['b'])]\n");
  gives("__all__ = ['a']\n", "__all__: list\n", "__all__ = ['a']\n#1\n__all__: list\n");
  gives("__all__ = ['a']\n", "__all__ += ['b']\n", "__all__ = ['a']\n#1\n__all__ += ['b']\n");
}

static void test_everything_else(void **state) {
  (void)state;
  gives("def f(): 1\nif __name__ == '__main__': f()\n",
        "'''d'''\npass\n...\nprint(f)\nif __name__ == '__main__': g()\nfor x in y: z\n",
        "def f(): 1\n\n\n#4\nprint(f)\n#6\nfor x in y: z\nif __name__ == '__main__': f()\n"
        "#5\nif __name__ == '__main__': g()\n");
}

static void test_methods(void **state) {
  (void)state;
  gives(
      "class C(B):\n    '''d'''\n    x = 1\n    @p\n    def m(self): 1\n    # end\ny\n",
      "class C:  # spec: methods\n  '''e'''\n  @p\n  def m(self):\n    '''a\n  b'''\n\n  x = 2\n"
      "  def n(self): (\n  3)\n",
      "class C(B):\n    '''d'''\n    #8\n    x = 2\n    #3\n    @p\n    def m(self):\n      '''a\n"
      "  b'''\n\n    #9\n    def n(self): (\n    3)\n\n    # end\ny\n");
  gives("@d\nclass C(B, k=1): pass\n",
        "@d\nclass C(B,\n  k=1):\n  # spec: methods\n  x = f'''\n  {a}\n'''\n",
        "@d\nclass C(B, k=1):\n    pass\n    #5\n    x = f'''\n  {a}\n'''\n");
  gives("class C:\n\tclass D:\n\t\tx = 1\n\ty = 1\n",
        "class C:  # spec: methods\n\tclass D():  # spec: methods\n\t\tz = 2\n\ty = 2\n",
        "class C:\n\tclass D:\n\t\tx = 1\n\t\t#3\n\t\tz = 2\n\t#4\n\ty = 2\n");
  gives("class C: x = 1; y = 2\nz\n", "class C: z = 3; x = 4  # spec: methods\n",
        "class C:\n    x = 1; y = 2\n    #1\n    z = 3\n    #1\n    x = 4\nz\n");
}

static void test_a_property_is_one_definition(void **state) {
  (void)state;
  gives("class C:\n  @property\n  def x(self): 1\n  @x.setter\n  def x(self, v): 2\n  y = 3\n",
        "class C:  # spec: methods\n  @property\n  def x(self): 4\n",
        "class C:\n  #2\n  @property\n  def x(self): 4\n  y = 3\n");
}

static void test_line_ends(void **state) {
  (void)state;
  gives("a = 1\r\ndef f(): 1", "def f(): 2", "a = 1\r\n#1\r\ndef f(): 2\r\n");
  gives("a = 1\rb = 2", "def f(): 2", "a = 1\rb = 2\r\r\r#1\rdef f(): 2\r");
  gives("a = 1\rb = 2\n\nc = 3\r", "b = 4; d = 5", "a = 1\r#1\rb = 4\r\n\nc = 3\r#1\rd = 5\r");
  gives("# c", "x = 1", "# c\n#1\nx = 1\n");
  gives("", "x = 1", "#1\nx = 1\n");
  gives("\xef\xbb\xbfx = 1\n", "\xef\xbb\xbfy = 1\n", "\xef\xbb\xbfx = 1\n#1\ny = 1\n");
  gives("x = 1 \\\n\ny = 2\n", "x += 1\n", "x = 1 \\\n\n#1\nx += 1\ny = 2\n");
}

static void test_spans(void **state) {
  (void)state;
  spec_merged out;
  assert_int_equal(
      merge(&out, "a = 1\ndef f():\n  1\nb = 2\n", "# c\ndef f():\n  2\nc = 3\n", NULL), SPEC_OK);
  assert_string_equal(out.text,
                      "a = 1\n# spec: from v:2\ndef f():\n  2\nb = 2\n# spec: from v:4\nc = 3\n");
  static const spec_merge_span wanted[] = {
      {1, 1, 1, false}, {3, 2, 2, true}, {5, 1, 4, false}, {7, 1, 4, true}};
  assert_int_equal(out.span_count, COUNT(wanted));
  for (size_t i = 0; i < COUNT(wanted); i++) {
    assert_int_equal(out.spans[i].line, wanted[i].line);
    assert_int_equal(out.spans[i].count, wanted[i].count);
    assert_int_equal(out.spans[i].source_line, wanted[i].source_line);
    assert_int_equal(out.spans[i].vendor, wanted[i].vendor);
  }
}

static void test_strict_signatures(void **state) {
  (void)state;
  found = (findings){0};
  spec_reporter report = {.arena = arena, .on_event = remember, .user = &found};
  const char *trunk = "class C:\n  def m(self, a): 1\n", *vendor = "class C:\n  def m(this): 1\n";
  const spec_merge_input input = {.trunk = {trunk, strlen(trunk), "/t.py"},
                                  .vendor = {vendor, strlen(vendor), "/v.py"},
                                  .overlay = "v",
                                  .strict_signatures = true};
  spec_merged out = {0};
  assert_int_equal(spec_merge(&out, arena, &report, &input, NULL), SPEC_OK);
  assert_null(out.text);
  assert_int_equal(find_said(&found, "merge-signature")->severity, SPEC_ERROR);
  assert_string_equal(find_said(&found, "merge-signature")->where, "/v.py:2");
}

/* Uses all parts of the merge. */
static const char rich_trunk[] =
    "'d'\nfrom __future__ import annotations\nimport a\nx = 1\n@overload\ndef f(): ...\n"
    "@w\ndef f(b, c): 1\nclass C: pass\nif x:\n  def g(): 1\ny = f()\n__all__ = ['f']\n";
static const char rich_vendor[] =
    "from __future__ import annotations\nimport a, b\nimport b\ndef f(b): h()\ndef h(): 1\n"
    "class C:  # spec: methods\n  @property\n  def p(self): 1\n  @p.setter\n  def p(self, v): 2\n"
    "def g(): 2\nx = 2\n__all__ = ['h']\nprint(x)\nnew = [i for i in x]\n";

typedef size_t fail_at_fn(size_t n);

static void fail_each(fail_at_fn *fail_at, const char *vendor) {
  size_t n = 0;
  for (bool reached = true; reached;) {
    spec_err err = {0};
    spec_merged out;
    spec_arena *outer = arena;
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    (void)fail_at(++n);
    int rc = merge(&out, rich_trunk, vendor, &err);
    reached = fail_at(0) >= n;
    /* A report that memory ran out for is lost, but the reporter knows. */
    if (rc != (reached ? SPEC_ENOMEM : SPEC_OK) && !(reached && rc == SPEC_OK))
      print_error("allocation %zu: %d %s\n", n, rc, err.what);
    assert_true(rc == SPEC_OK || (reached && rc == SPEC_ENOMEM));
    assert_int_equal(err.code, rc);
    spec_arena_free(arena);
    arena = outer;
  }
  assert_true(n > 20);
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  fail_each(spec_alloc_fail_at, rich_vendor);
  fail_each(spec_arena_fail_at, rich_vendor);
  fail_each(spec_arena_fail_at, "def f(): 1\ndef f(): 2\n@z\ndef g(): 1\nz = q\nq = z\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_definition_in_its_place),
      cmocka_unit_test(test_groups_are_one_definition),
      cmocka_unit_test(test_the_trunk_binds_the_name_again),
      cmocka_unit_test(test_a_definition_in_a_branch),
      cmocka_unit_test(test_a_name_that_is_imported_or_assigned),
      cmocka_unit_test(test_new_statements),
      cmocka_unit_test(test_builtins_may_be_bound_later),
      cmocka_unit_test(test_annotations),
      cmocka_unit_test(test_what_may_be_called_early),
      cmocka_unit_test(test_what_is_replaced_can_be_kept),
      cmocka_unit_test(test_imports),
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_everything_else),
      cmocka_unit_test(test_methods),
      cmocka_unit_test(test_a_property_is_one_definition),
      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_spans),
      cmocka_unit_test(test_strict_signatures),
      cmocka_unit_test(test_every_allocation_fails),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
