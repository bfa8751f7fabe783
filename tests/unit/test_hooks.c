/* A backend's hooks: the two that get their call, and those that nothing asks for. */
#include "package/package.h"
#include "planning.h"

#include <string.h>

static findings found;
static spec_plan *plan;
static spec_package package;

static int set_up(void **state) {
  int rc = enter_scratch(state);
  put("trunk/triton/__init__.py", "a = 1");
  put("trunk/triton/language/__init__.py", "b = 2\n");
  put("trunk/triton/runtime/jit.py", "x = spec_func('asked')\ny = spec_call(\"called\", 1)\n");
  return rc;
}

static int tear_down(void **state) {
  spec_plan_free(plan);
  plan = NULL;
  return leave_scratch(state);
}

static void make(const char *hooks) {
  put("vendors/acme/spec/triton/__init__.py", hooks);
  spec_plan_free(plan);
  plan = NULL;
  assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_OK);
  assert_int_equal(spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, NULL), SPEC_OK);
}

static const char *text(const char *path) {
  const spec_member *m = spec_package_find(&package, path);
  assert_non_null(m);
  return m->text;
}

#define CALL(from, hook)                                              \
  "# spec: the call of a hook that this trunk does not make itself\n" \
  "from " from " import spec_call as _spec_call\n"                    \
  "_spec_call(\"" hook "\", globals())\ndel _spec_call\n"

static void test_calls(void **state) {
  (void)state;
  make("def triton_extend_globals(g): pass\nfrom .own import f as language_extend_globals\n");
  assert_string_equal(text("triton/__init__.py"),
                      "a = 1\n" CALL("._flagtree_spec", "triton_extend_globals"));
  assert_string_equal(text("triton/language/__init__.py"),
                      "b = 2\n" CALL(".._flagtree_spec", "language_extend_globals"));
  assert_int_equal(found.count, 2);
  assert_string_equal(find_said(&found, "hook-called")->where,
                      at("vendors/acme/spec/triton/__init__.py"));
  const spec_member *m = spec_package_find(&package, "triton/__init__.py");
  assert_int_equal(m->span_count, 1); /* the trunk's line; ours are nobody's */
  assert_string_equal(m->spans[0].file, at("trunk/triton/__init__.py"));
}

static void test_a_trunk_with_call_sites(void **state) {
  (void)state;
  put("trunk/triton/__init__.py", "spec_call('triton_extend_globals', globals())\n");
  make("def triton_extend_globals(g): pass\n");
  assert_string_equal(text("triton/__init__.py"),
                      "spec_call('triton_extend_globals', globals())\n");
  assert_int_equal(found.count, 0);
}

static void test_two_layers_one_call(void **state) {
  (void)state;
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put("vendors/base/spec/triton/__init__.py", "def triton_extend_globals(g): pass\n");
  make("def triton_extend_globals(g): pass\n");
  assert_string_equal(text("triton/__init__.py"),
                      "a = 1\n" CALL("._flagtree_spec", "triton_extend_globals"));
}

static void unused(const char *hooks, const char *name) {
  make(hooks);
  const said *it = find_said(&found, "hook-unused");
  if ((it != NULL) != (name != NULL))
    print_error("%s: %s\n", hooks, it == NULL ? "nothing" : it->message);
  assert_true((it != NULL) == (name != NULL));
  if (it != NULL && name != NULL)
    assert_non_null(strstr(it->message, name));
}

static void test_hooks_that_nothing_asks_for(void **state) {
  (void)state;
  unused("def asked(): pass\n", NULL);
  unused("from .own import called\n", NULL);
  unused("def lost(): pass\n", "'lost'");
  unused("from .own import lost\n", "'lost'");
  unused("lost = 1\n", "'lost'");
  unused("if 1:\n    def lost(): pass\n", "'lost'");
  unused("import os\nimport triton.language as tl\n", NULL); /* modules are no hooks */
  unused("def _own(): pass\n", NULL);
  unused("def helper(): pass\ndef asked(): return helper()\n", NULL);
  unused("x = asked = 1\n", "'x'");
}

static void test_a_list_of_what_is_published(void **state) {
  (void)state;
  unused("__all__ = ['asked']\ndef asked(): pass\ndef other(): pass\n", NULL);
  unused("__all__ = ['lost']\ndef lost(): pass\n", "'lost'");
}

/* A vendor's own modules may ask as well; that the registry names a hook is no question. */
static void test_questions_of_the_overlay(void **state) {
  (void)state;
  put("vendors/acme/spec/triton/runtime/own.py", "spec_call('own')\n");
  unused("def own(): pass\n", NULL);
  unused("def lost(): 'lost'\n", NULL); /* for it may be a call of its own */
}

static void test_a_registry_that_is_no_python(void **state) {
  (void)state;
  make("def f(:\n");
  assert_int_equal(found.count, 1);
  assert_non_null(find_said(&found, "module-syntax"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_calls),
      TEST(test_a_trunk_with_call_sites),
      TEST(test_two_layers_one_call),
      TEST(test_hooks_that_nothing_asks_for),
      TEST(test_a_list_of_what_is_published),
      TEST(test_questions_of_the_overlay),
      TEST(test_a_registry_that_is_no_python),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
