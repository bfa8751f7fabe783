/* What is tried with a region that git's merge of lines gives up. */
#include "base/buf.h"
#include "diff/merge_region.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

/* A region, and how it comes out: NULL when something of it stays a conflict. */
typedef struct region_case {
  const char *path, *before, *base, *ours, *theirs, *after, *merged;
  spec_merge_how how; /* one of the pieces' */
} region_case;

static spec_line line_of(const char *text) {
  return (spec_line){text, strlen(text)};
}

static void check(const region_case *c) {
  spec_merge_pieces pieces = {0};
  const spec_merge_region region = {line_of(c->base),   line_of(c->ours),  line_of(c->theirs),
                                    line_of(c->before), line_of(c->after), c->path};
  assert_int_equal(spec_merge_region_resolve(&pieces, arena, &region, NULL), 0);
  spec_buf text = {0};
  bool met = false;
  for (size_t i = 0; i < pieces.count; i++) {
    if (pieces.items[i].text.len > 0)
      spec_buf_add(&text, pieces.items[i].text.text, pieces.items[i].text.len);
    met = met || pieces.items[i].how == c->how;
  }
  if ((c->merged == NULL) != (pieces.conflicts > 0) || !met)
    print_error("%s: %s against %s: %s\n", c->path, c->ours, c->theirs, spec_buf_text(&text));
  assert_int_equal(c->merged == NULL, pieces.conflicts > 0);
  assert_true(met);
  if (c->merged != NULL)
    assert_string_equal(spec_buf_text(&text), c->merged);
  spec_buf_dispose(&text);
}

static void check_all(const region_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    check(&cases[i]);
}

static void changes_that_touch(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "a\nb\nc\n", "x\nb\nc\n", "a\ny\nc\n", "", "x\ny\nc\n", SPEC_MERGE_HISTOGRAM},
      {"a.cpp", "", "old();\n", "ours();\nold();\n", "theirs();\n", "", "ours();\ntheirs();\n",
       SPEC_MERGE_HISTOGRAM},
      {"a.cpp", "", "gone();\n", "gone();\nours();\n", "", "", "ours();\n", SPEC_MERGE_HISTOGRAM},
      /* Within what is gone there is no place for what was added. */
      {"a.cpp", "", "a\nb\n", "a\nours\nb\n", "", "", NULL, SPEC_MERGE_CONFLICT},
  };
  check_all(cases, COUNT(cases));
}

static void tokens_of_one_line(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "f(a, b, c);\n", "f(a, b, d);\n", "g(a, b, c);\n", "", "g(a, b, d);\n",
       SPEC_MERGE_TOKENS},
      {"a.py", "", "x = f(a, b, \"s t\")\n", "x = f(a, b, \"s u\")\n", "y = f(a, b, \"s t\")\n", "",
       "y = f(a, b, \"s u\")\n", SPEC_MERGE_TOKENS},
      /* A renamed parameter in what surrounds the vendor's. */
      {"a.cpp", "", "void f(int size, bool x) {\n", "void f(int size, bool x, int mine) {\n",
       "void f(int count, bool x) {\n", "", "void f(int count, bool x, int mine) {\n",
       SPEC_MERGE_TOKENS},
      /* Both changed the same token. */
      {"a.cpp", "", "f(a, b, c);\n", "f(a, x, c);\n", "f(a, y, c);\n", "", NULL,
       SPEC_MERGE_CONFLICT},
      /* Both added a parameter: callers tell them apart by their order. */
      {"a.cpp", "", "f(int a, int b);\n", "f(int a, int b, int x);\n", "f(int a, int b, int y);\n",
       "", NULL, SPEC_MERGE_CONFLICT},
      /* Neighbours, each changed by one side, make an expression that nobody wrote. */
      {"a.cpp", "", "return a + b;\n", "return a * b;\n", "return a + c;\n", "", NULL,
       SPEC_MERGE_CONFLICT},
      /* Rewritten: what is equal is so by chance. */
      {"a.cpp", "", "f(a, b);\n", "f(a, b, c);\n", "if (none) return fail(a, with(these));\n", "",
       NULL, SPEC_MERGE_CONFLICT},
  };
  check_all(cases, COUNT(cases));
}

static void what_was_formatted_anew(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "call(first, second, third);\n", "call(first, other, third);\n",
       "call(first,\n     second,\n     third);\n", "", "call(first,\n     other,\n     third);\n",
       SPEC_MERGE_TOKENS},
      {"a.cpp", "", "\tx = f(1);\n", "\tx = f(2);\n", "    x = f(1);\n", "", "    x = f(2);\n",
       SPEC_MERGE_TOKENS},
      {"a.cpp", "", "x = f(1);\r\n", "x = f(2);\r\n", "y = f(1);\r\n", "", "y = f(2);\r\n",
       SPEC_MERGE_TOKENS},
      {"a.py", "", "    x = f(1, 2)\n", "    x = f(1, 3)\n", "        x = f(1, 2)\n", "",
       "        x = f(1, 3)\n", SPEC_MERGE_TOKENS},
      /* Indented by one side, lines added by the other: in Python that is another meaning. */
      {"a.py", "", "    x = f(1, 2)\n    y = 2\n", "    x = f(1, 3)\n    z = 1\n    y = 2\n",
       "        x = f(1, 2)\n        y = 2\n", "", NULL, SPEC_MERGE_CONFLICT},
  };
  check_all(cases, COUNT(cases));
}

static void lists_of_names(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.py", "", "from m import a, b\n", "from m import a, b, ours\n",
       "from m import a, b, theirs\n", "", "from m import a, b, theirs, ours\n", SPEC_MERGE_TOKENS},
      /* The trunk added a line behind the import too: the vendor's name is no part of that. */
      {"a.py", "", "from m import a, b\n", "from m import a, b, ours\n",
       "from m import a, b, theirs\n\nX = (1, 2)\n", "",
       "from m import a, b, theirs, ours\n\nX = (1, 2)\n", SPEC_MERGE_TOKENS},
      {"a.py", "", "from m import a, b\n", "from m import a, b, ours\n",
       "from m import a, b, t as u\n", "", NULL, SPEC_MERGE_CONFLICT},
      {"a.py", "from m import (\n    a,\n", "", "    ours,\n", "    theirs,\n", ")\n",
       "    ours,\n    theirs,\n", SPEC_MERGE_UNITED},
      {"a.py", "def f(\n    a,\n", "", "    ours,\n", "    theirs,\n", "):\n", NULL,
       SPEC_MERGE_CONFLICT},
      {"CMakeLists.txt", "add_library(x\n", "", "  ours.cpp\n", "  a.cpp\n", ")\n",
       "  a.cpp\n  ours.cpp\n", SPEC_MERGE_UNITED},
      {"CMakeLists.txt", "", "", "add_subdirectory(Ours)\n", "add_subdirectory(Theirs)\n", "",
       "add_subdirectory(Ours)\nadd_subdirectory(Theirs)\n", SPEC_MERGE_UNITED},
  };
  check_all(cases, COUNT(cases));
}

static void additions_side_by_side(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "", "#include \"b\"\n", "#include \"a\"\n#include \"b\"\n", "",
       "#include \"a\"\n#include \"b\"\n", SPEC_MERGE_UNITED},
      {"a.py", "", "", "import ours\n", "x = 1\n", "", NULL, SPEC_MERGE_CONFLICT},
      {"a.py", "\n\n", "", "def ours():\n    pass\n\n\n", "def theirs():\n    pass\n\n\n",
       "def f():\n", "def ours():\n    pass\n\n\ndef theirs():\n    pass\n\n\n", SPEC_MERGE_UNITED},
      {"a.cpp", "}\n\n", "", "void ours() {\n}\n\n", "void theirs() {\n}\n\n", "void f() {\n",
       "void ours() {\n}\n\nvoid theirs() {\n}\n\n", SPEC_MERGE_UNITED},
      /* One function twice. */
      {"a.py", "\n\n", "", "def f():\n    return 1\n\n\n", "def f():\n    return 2\n\n\n",
       "def g():\n", NULL, SPEC_MERGE_CONFLICT},
      /* The vendor's line belongs to what follows. */
      {"a.py", "\n\n", "", "@mark\n", "def theirs():\n    pass\n\n\n", "def f():\n",
       "def theirs():\n    pass\n\n\n@mark\n", SPEC_MERGE_UNITED},
      /* Statements of one body. */
      {"a.py", "def f():\n", "", "    ours()\n", "    theirs()\n", "", NULL, SPEC_MERGE_CONFLICT},
      {"a.cpp", "{\n", "", "  ours();\n", "  theirs();\n", "}\n", NULL, SPEC_MERGE_CONFLICT},
  };
  check_all(cases, COUNT(cases));
}

static void what_both_did_alike(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "a\n", "x\n", "x\ny\n", "", "x\ny\n", SPEC_MERGE_HISTOGRAM},
      {"a.cpp", "", "", "x\ny\nz\n", "x\nz\n", "", "x\ny\nz\n", SPEC_MERGE_HISTOGRAM},
  };
  check_all(cases, COUNT(cases));
}

static void a_last_line_without_newline(void **state) {
  (void)state;
  static const region_case cases[] = {
      {"a.cpp", "", "a\n", "a", "a\nb\n", "", NULL, SPEC_MERGE_CONFLICT},
      {"a.cpp", "", "", "#include <a>", "#include <b>", "", NULL, SPEC_MERGE_CONFLICT},
      {"a.cpp", "", "f(a, b);", "f(a, c);", "g(a, b);", "", "g(a, c);", SPEC_MERGE_TOKENS},
  };
  check_all(cases, COUNT(cases));
}

static void what_stays_a_conflict_is_small(void **state) {
  (void)state;
  spec_merge_pieces pieces = {0};
  const spec_merge_region region = {line_of("a\n"), line_of("x\n1\ny\n"), line_of("x\n2\ny\n"),
                                    line_of(""),    line_of(""),          "a.cpp"};
  assert_int_equal(spec_merge_region_resolve(&pieces, arena, &region, NULL), 0);
  assert_int_equal(pieces.count, 3);
  assert_int_equal(pieces.conflicts, 1);
  assert_int_equal(pieces.items[1].ours.len, 2);
  assert_string_equal(spec_merge_how_name(pieces.items[1].how), "conflict");
}

/* Whatever allocation fails, that is what the caller is told. */
static void each_failing_allocation(void **state) {
  (void)state;
  static const struct {
    const char *base, *ours, *theirs;
  } cases[] = {
      {"from m import a, b\n", "from m import a, b, ours\n", "from m import a, b, theirs\n"},
      {"", "import a\n", "import b\n"},
      {"a\nb\n", "x\nb\n", "a\ny\n"},
      {"a\n", "x\n1\ny\n", "x\n2\ny\n"},
  };
  for (size_t i = 0; i < 2 * COUNT(cases); i++)
    for (size_t n = 1, failed = 1; failed; n++) {
      spec_merge_pieces pieces = {0};
      const spec_merge_region region = {line_of(cases[i / 2].base),
                                        line_of(cases[i / 2].ours),
                                        line_of(cases[i / 2].theirs),
                                        line_of("import x\n"),
                                        line_of(""),
                                        "a.py"};
      (void)(i % 2 ? spec_alloc_fail_at(n) : spec_arena_fail_at(n));
      int rc = spec_merge_region_resolve(&pieces, arena, &region, NULL);
      failed = rc != 0;
      (void)(i % 2 ? spec_alloc_fail_at(0) : spec_arena_fail_at(0));
      assert_true(rc == 0 || rc == SPEC_ENOMEM);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(changes_that_touch, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(tokens_of_one_line, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(what_was_formatted_anew, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(lists_of_names, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(additions_side_by_side, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(what_both_did_alike, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(a_last_line_without_newline, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(what_stays_a_conflict_is_small, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(each_failing_allocation, make_arena, free_arena),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
