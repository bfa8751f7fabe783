/* provoking_merge.c: merges that each break one rule. */
#include "package/merge.h"
#include "provoking.h"

#include <string.h>

static const struct {
  spec_finding finding;
  spec_severity severity;
  const char *trunk, *vendor;
  const char *where, *word;
} rows[] = {
    {SPEC_F_MERGE_SYNTAX, SPEC_ERROR, "x = 1\n", "def f():\n  return (\n", "v.py:2",
     "never closed"},
    {SPEC_F_MERGE_SYNTAX, SPEC_ERROR, "x = 'a\n", "x = 2\n", "t.py:1", "never closed"},
    {SPEC_F_MERGE_ENCODING, SPEC_ERROR, "x = 1\n", "\n# caf\xe9\n", "v.py:2", "not UTF-8"},
    {SPEC_F_MERGE_EMPTY, SPEC_ERROR, "import os\n", "'doc'\nimport os\npass\n", "v.py:1", "o.py"},
    {SPEC_F_MERGE_AMBIGUOUS, SPEC_ERROR, "def f(): pass\ndef f(): pass\n", "def f(): pass\n",
     "v.py:1", "trunk's module defines 'f' more than once: lines 1, 2"},
    {SPEC_F_MERGE_AMBIGUOUS, SPEC_ERROR, "def f(): return 1\n", "def f(): pass\n\ndef f(): pass\n",
     "v.py:3", "vendor's module defines 'f' more than once: lines 1 and 3"},
    {SPEC_F_MERGE_REBOUND, SPEC_ERROR, "def f(): pass\nx = f\nif x:\n  def f(): pass\n",
     "def f(): pass\n", "v.py:1", "again in line 3, and evaluates it in line 2"},
    {SPEC_F_MERGE_ORDER, SPEC_ERROR, "def f(): pass\nx = 1\n", "@x\ndef f(): pass\n", "v.py:2",
     "'f' would have to come behind line 2 of the trunk's, which binds 'x'"},
    {SPEC_F_MERGE_ORDER, SPEC_ERROR, "", "x = y\ny = x\n", "v.py:2", "needs it in turn"},
    {SPEC_F_MERGE_FUTURE, SPEC_ERROR, "def f(): pass\n",
     "from __future__ import annotations\ndef f(): return 1\n", "v.py:1", "annotations"},
    {SPEC_F_MERGE_NO_CLASS, SPEC_ERROR, "x = 1\n", "class C:  # spec: methods\n  y = 1\n", "v.py:1",
     "nothing"},
    {SPEC_F_MERGE_HEAD, SPEC_ERROR, "class C(A): pass\n", "class C(B):  # spec: methods\n  y = 1\n",
     "v.py:1", "bases of class 'C'"},
    {SPEC_F_MERGE_INDENT, SPEC_ERROR, "class C:\n\tx = 1\n", "class C:  # spec: methods\n  y = 1\n",
     "v.py:1", "by spaces, and the trunk's by tabs"},
    {SPEC_F_MERGE_MARK, SPEC_ERROR, "class C:\n  x = 1\n", "class C:  # spec: method\n  y = 1\n",
     "v.py:1", "'# spec: method'"},
    {SPEC_F_MERGE_SIGNATURE, SPEC_WARNING, "def f(a): pass\n", "def f(a, b): pass\n", "v.py:1",
     "parameter 'b' has no default"},
    {SPEC_F_MERGE_DECORATOR, SPEC_WARNING, "@a.b(1)\n@c\ndef f(): pass\n", "def f(): pass\n",
     "v.py:1", "@a.b(1), @c"},
    {SPEC_F_MERGE_REDUNDANT, SPEC_WARNING, "@c\ndef f():\n  pass\n",
     "@c\ndef f():\n    pass # same\n", "v.py:2", "'f'"},
    {SPEC_F_MERGE_ALL, SPEC_WARNING, "x = 1\n", "__all__ = ['y']\ny = 1\n", "v.py:1", "__all__"},
    {SPEC_F_MERGE_STAR, SPEC_NOTE, "x = 1\n", "from .y import *\n", "v.py:1", "import *"},
    {SPEC_F_MERGE_BRANCH, SPEC_NOTE, "import os\nif os:\n  def f(): pass\n", "def f(): pass\n",
     "v.py:1", "'f' inside of the statement in line 2"},
};

void test_merge_findings(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_arena *arena;
    spec_merged out = {0};
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    found = (findings){0};
    spec_reporter report = {.arena = arena, .on_event = remember, .user = &found};
    const spec_merge_input input = {
        .trunk = {rows[i].trunk, strlen(rows[i].trunk), "/t.py"},
        .vendor = {rows[i].vendor, strlen(rows[i].vendor), "/v.py"},
        .overlay = "o.py",
    };
    assert_int_equal(spec_merge(&out, arena, &report, &input, NULL), SPEC_OK);
    expect(rows[i].finding, rows[i].severity, rows[i].where, rows[i].word);
    for (size_t k = 0; k < found.count; k++) /* notes may come along */
      if (found.items[k].severity != SPEC_NOTE)
        assert_string_equal(found.items[k].code, spec_finding_code(rows[i].finding));
    assert_true((out.text == NULL) == (rows[i].severity == SPEC_ERROR));
    spec_arena_free(arena);
  }
}
