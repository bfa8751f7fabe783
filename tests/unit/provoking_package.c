/* provoking_package.c: packages in which something is amiss. */
#include "package/package.h"
#include "provoking.h"

/* Puts together the package of backend acme, which has no error. */
static void put_together(void) {
  spec_plan *plan = sound_plan(&found);
  spec_package package;
  assert_int_equal(spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, NULL), SPEC_OK);
  spec_plan_free(plan);
}

void test_findings_of_modules(void **state) {
  (void)state;
  put_folder("trunk");
  put("vendors/acme/spec/triton/runtime/a.py", "a = 1\nb = '\xe4'\n");
  put("vendors/acme/spec/triton/runtime/b.py", "a = 1\n\nb = (\n");
  put("vendors/acme/spec/triton/runtime/c.txt", "b = (");
  put("vendors/acme/spec/triton/runtime/d.py", "import triton_spec\n");
  put_together();
  expect(SPEC_F_MODULE_ENCODING, SPEC_WARNING, "/runtime/a.py:2", "not UTF-8");
  expect(SPEC_F_MODULE_SYNTAX, SPEC_WARNING, "/runtime/b.py:3", "no Python");
  expect(SPEC_F_IMPORTS_TOOL, SPEC_WARNING, "/runtime/d.py:1",
         "which a baked package does without");
  assert_int_equal(found.count, 3);
}

void test_findings_of_hooks(void **state) {
  (void)state;
  put_folder("trunk");
  put("trunk/python/triton/__init__.py", "");
  put("vendors/acme/spec/triton/__init__.py",
      "def triton_extend_globals(g): pass\ndef lost(): pass\n");
  put_together();
  expect(SPEC_F_HOOK_CALLED, SPEC_NOTE, "/spec/triton/__init__.py", "'triton/__init__.py'");
  expect(SPEC_F_HOOK_UNUSED, SPEC_WARNING, "/spec/triton/__init__.py:2", "'lost'");
}

void test_finding_no_cache_key(void **state) {
  (void)state;
  put_folder("trunk");
  put("trunk/python/triton/compiler/compiler.py", "");
  put("vendors/acme/spec/triton/runtime/x.py", "x");
  put_together();
  expect(SPEC_F_NO_CACHE_KEY, SPEC_WARNING, "/python/triton/compiler/compiler.py",
         "'triton/runtime/cache.py'");
}
