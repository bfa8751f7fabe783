/* Imports of triton_spec: in which statements they are seen, and where they are said to be. */
#include "package/imports.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

/* The lines that a module of the overlay is told for, "1 3"; valid until the next call. */
static const char *lines_of(const char *text) {
  static char lines[256];
  findings found;
  spec_err err = {0};
  spec_package package;
  put("vendors/acme/spec/triton/language/x.py", text);
  spec_plan *plan = sound_plan(&found);
  int rc = spec_package_new(&package, plan, SPEC_PACKAGE_BAKED, &err);
  lines[0] = '\0';
  for (size_t i = 0; i < found.count; i++) {
    const char *line = strrchr(found.items[i].where, ':');
    if (strcmp(found.items[i].code, "imports-triton-spec") != 0 || line == NULL)
      continue;
    size_t len = strlen(lines);
    (void)snprintf(lines + len, sizeof lines - len, "%s%s", len > 0 ? " " : "", line + 1);
  }
  assert_int_equal(rc, lines[0] != '\0' ? SPEC_EREFUSED : SPEC_OK);
  spec_plan_free(plan);
  return lines;
}

static void test_imports_are_seen(void **state) {
  (void)state;
  put("trunk/python/triton/language/core.py", "");
  assert_string_equal(lines_of("import triton_spec\n"), "1");
  assert_string_equal(lines_of("import os, triton_spec as t\n"), "1");
  assert_string_equal(lines_of("import os.path as p, sys, triton_spec.x\n"), "1");
  assert_string_equal(lines_of("from triton_spec import spec_call\n"), "1");
  assert_string_equal(lines_of("from triton_spec.x import (a,\n  b)\n"), "1");
  assert_string_equal(lines_of("x = 1; import triton_spec\n"), "1");
  assert_string_equal(lines_of("if x: import triton_spec\n"), "1");
  assert_string_equal(lines_of("import \\\n  triton_spec\n"), "2");
  assert_string_equal(lines_of("def f():\n  '''doc'''\n  import triton_spec\n  class A:\n    from "
                               "triton_spec import *\n"),
                      "3 5");
}

static void test_other_texts_are_not(void **state) {
  (void)state;
  put("trunk/python/triton/language/core.py", "");
  const char *const texts[] = {
      "# import triton_spec\n",
      "'import triton_spec'\n",
      "'''\nimport triton_spec\n'''\n",
      "f'{1}import triton_spec'\n",
      "import triton_spec_more, my_triton_spec, a.triton_spec\n",
      "from . import triton_spec\n",
      "from .triton_spec import x\n",
      "from a import triton_spec, b\n",
      "from a import (triton_spec,\n  b)\nimport c\n",
      "import a as triton_spec\n",
      "triton_spec = 1; x = triton_spec, triton_spec\n",
      "def f():\n  yield from triton_spec\n  raise E from triton_spec\n",
      "x = {1: triton_spec}\ny = lambda: triton_spec\nz = a[1:triton_spec]\n",
      "import triton_spec (\n", /* no Python: another finding's matter */
      "triton_spe",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    const char *lines = lines_of(texts[i]);
    if (lines[0] != '\0')
      fail_msg("%s: line %s", texts[i], lines);
  }
}

static void test_live_packages_may_have_them(void **state) {
  (void)state;
  findings found;
  spec_package package;
  put("trunk/python/triton/language/core.py", "");
  put("vendors/acme/spec/triton/language/x.py", "import triton_spec\n");
  spec_plan *plan = sound_plan(&found);
  assert_int_equal(spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, NULL), SPEC_OK);
  spec_plan_free(plan);
  const said *it = find_said(&found, "imports-triton-spec");
  assert_non_null(it);
  assert_int_equal(it->severity, SPEC_WARNING);
}

/* A made module's lines are those of the vendor's file. */
static void test_a_patch_is_told_at_its_own_line(void **state) {
  (void)state;
  findings found;
  spec_package package;
  put("trunk/python/triton/language/core.py", "a\nb\nc\n");
  put("vendors/acme/spec/triton/language/core.py.patch",
      "--- a/core.py\n+++ b/core.py\n@@ -1,3 +1,4 @@\n a\n b\n+import triton_spec\n c\n");
  spec_plan *plan = sound_plan(&found);
  assert_int_equal(spec_package_new(&package, plan, SPEC_PACKAGE_BAKED, NULL), SPEC_EREFUSED);
  spec_plan_free(plan);
  const said *it = find_said(&found, "imports-triton-spec");
  assert_non_null(it);
  const char *file = strrchr(it->where, '/');
  assert_string_equal(file != NULL ? file : "", "/core.py.patch:6");
}

static void test_out_of_memory_is_told(void **state) {
  (void)state;
  put("trunk/python/triton/language/core.py", "");
  put("vendors/acme/spec/triton/language/x.py", "import triton_spec\n");
  findings found;
  for (size_t n = 1;; n++) {
    spec_plan *plan = sound_plan(&found);
    const spec_override *o = spec_plan_find(plan, "python/triton/language/x.py");
    const spec_member member = {
        .path = "triton/language/x.py", .text = "import triton_spec\n", .len = 19, .override = o};
    (void)spec_arena_fail_at(n);
    int rc = spec_imports_check(plan, &member, SPEC_PACKAGE_BAKED, NULL);
    bool reached = spec_arena_fail_at(0) >= n;
    assert_int_equal(rc, reached ? SPEC_ENOMEM : SPEC_OK);
    spec_plan_free(plan);
    if (!reached) {
      assert_true(n > 1);
      return;
    }
  }
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_imports_are_seen),
      IN_SCRATCH(test_other_texts_are_not),
      IN_SCRATCH(test_live_packages_may_have_them),
      IN_SCRATCH(test_a_patch_is_told_at_its_own_line),
      IN_SCRATCH(test_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
