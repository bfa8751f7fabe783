/* Patches in a plan: which file each is of, and what stands in its way. */
#include "planning.h"

#include "base/path.h"
#include "core/plan.h"
#include <stdio.h>
#include <string.h>

static findings found;

/* The override of a module of the package, in a plan that may be refused. */
static const spec_override *override_of(spec_plan *plan, const char *module) {
  return spec_plan_find(plan, spec_path_join(plan->arena, "python/triton", module));
}

static spec_plan *refused_plan(const char *code, const char *where) {
  spec_plan *plan;
  int rc = plan_backend(&found, &plan, "acme", NULL);
  if (rc != SPEC_EREFUSED || find_said(&found, code) == NULL)
    print_error("%d, not '%s'\n", rc, code);
  assert_int_equal(rc, SPEC_EREFUSED);
  assert_non_null(strstr(find_said(&found, code)->where, where));
  return plan;
}

static void test_of_a_module(void **state) {
  (void)state;
  put("trunk/python/triton/runtime/jit.py", "");
  put("trunk/python/triton/testing.py", "");
  put("trunk/python/triton/__init__.py", "");
  put("vendors/acme/spec/triton/runtime/jit.py.patch", "not looked at yet");
  put("vendors/acme/spec/triton/testing.py.patch", "");
  put("vendors/acme/spec/triton/__init__.py.patch", "");
  put("vendors/acme/spec/triton/__init__.py", ""); /* the hooks: another file */
  spec_plan *plan = sound_plan(&found);
  const spec_override *jit = override_of(plan, "runtime/jit.py"),
                      *testing = override_of(plan, "testing.py"),
                      *init = override_of(plan, "__init__.py");
  assert_int_equal(jit->action, SPEC_PATCH);
  assert_int_equal(jit->kind, SPEC_KIND_PYTHON);
  assert_int_equal(jit->policy, SPEC_POLICY_WHOLE);
  assert_string_equal(jit->overlay, "spec/triton/runtime/jit.py.patch");
  assert_string_equal(jit->vendor, at("vendors/acme/spec/triton/runtime/jit.py.patch"));
  assert_int_equal(testing->action, SPEC_PATCH);
  assert_int_equal(testing->policy, SPEC_POLICY_MERGE);
  assert_int_equal(init->action, SPEC_PATCH);
  assert_null(override_of(plan, "testing.py.patch"));
  assert_int_equal(found.count, 0);
  assert_string_equal(spec_action_name(SPEC_PATCH), "patch");
  spec_plan_free(plan);
}

static void test_of_an_installed_package(void **state) {
  (void)state;
  put("trunk/triton/testing.py", "");
  put("vendors/acme/spec/triton/testing.py.patch", "");
  spec_plan *plan;
  assert_int_equal(plan_installed(&found, &plan, "acme", NULL), SPEC_OK);
  assert_int_equal(spec_plan_find(plan, "triton/testing.py")->action, SPEC_PATCH);
  spec_plan_free(plan);
}

static void test_closed(void **state) {
  (void)state;
  put("trunk/python/triton/knobs.py", "");
  put("vendors/acme/spec/triton/knobs.py.patch", "");
  spec_plan_free(refused_plan("closed", "knobs.py.patch"));
  put("vendors/acme/spec.ini", "[policy]\nknobs.py = merge\n");
  spec_plan_free(sound_plan(&found));
  assert_non_null(find_said(&found, "policy-changed"));
}

static void test_beside_the_whole_file(void **state) {
  (void)state;
  put("trunk/python/triton/testing.py", "");
  put("vendors/acme/spec/triton/testing.py", "x");
  put("vendors/acme/spec/triton/testing.py.patch", "");
  spec_plan_free(refused_plan("duplicate", "testing.py.patch"));
}

static void test_removed_and_patched(void **state) {
  (void)state;
  put("trunk/python/triton/testing.py", "");
  put("vendors/acme/spec/triton/testing.py.patch", "");
  put("vendors/acme/spec.ini", "[remove]\npath = python/triton/testing.py\n");
  spec_plan_free(refused_plan("remove-overridden", "spec.ini"));
}

static void test_of_no_file(void **state) {
  (void)state;
  put("trunk/python/triton/testing.py/x", "");
  put("trunk/python/triton/Errors.py", "");
  put("vendors/acme/spec/triton/testing.py.patch", "");
  put("vendors/acme/spec/triton/errors.py.patch", "");
  put("vendors/acme/spec/triton/gone.py.patch", "");
  spec_plan_free(refused_plan("trunk-not-a-file", "testing.py.patch"));
  assert_non_null(strstr(find_said(&found, "case-clash")->message, "python/triton/Errors.py"));
  assert_non_null(strstr(find_said(&found, "patch-no-file")->where, "gone.py.patch"));
}

static void test_layers(void **state) {
  (void)state;
  put("trunk/python/triton/gone.py", "");
  put("vendors/base/spec/triton/new.py", "x");
  put("vendors/base/spec.ini", "[remove]\npath = python/triton/gone.py\n");
  put("vendors/acme/spec/triton/new.py.patch", "");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  spec_plan *plan = sound_plan(&found);
  const spec_override *o = override_of(plan, "new.py");
  assert_int_equal(o->action, SPEC_PATCH);
  assert_int_equal(o->below->action, SPEC_ADD);
  spec_plan_free(plan);
  put("vendors/acme/spec/triton/gone.py.patch", "");
  spec_plan_free(refused_plan("patch-no-file", "gone.py.patch"));
}

/* A file that the trunk lacks is made by a patch of /dev/null, and by no other. */
static void test_creation(void **state) {
  (void)state;
  put("trunk/x", "");
  put("vendors/acme/spec/triton/new.py.patch", "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n");
  spec_plan *plan = sound_plan(&found);
  assert_int_equal(override_of(plan, "new.py")->action, SPEC_PATCH);
  assert_false(override_of(plan, "new.py")->in_trunk);
  spec_plan_free(plan);
  put("trunk/python/triton/new/__init__.py", "");
  spec_plan_free(refused_plan("module-clash", "new.py.patch"));
}

/* Data is patched if the trunk or a layer below has it; else a name that ends so is data. */
static void test_of_data(void **state) {
  (void)state;
  put("trunk/python/triton/tools/data.json", "");
  put("vendors/base/spec/triton/tools/more.json", "x");
  put("vendors/acme/spec/triton/tools/data.json.patch", "");
  put("vendors/acme/spec/triton/tools/more.json.patch", "");
  put("vendors/acme/spec/triton/tools/own.json", "x");
  put("vendors/acme/spec/triton/tools/own.json.patch", "");
  put("vendors/acme/python/src/notes.patch", ""); /* the vendor's own */
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  spec_plan *plan = sound_plan(&found);
  assert_int_equal(override_of(plan, "tools/data.json")->action, SPEC_PATCH);
  assert_int_equal(override_of(plan, "tools/data.json")->policy, SPEC_POLICY_WHOLE);
  assert_int_equal(override_of(plan, "tools/more.json")->action, SPEC_PATCH);
  assert_int_equal(override_of(plan, "tools/own.json")->action, SPEC_ADD);
  assert_int_equal(override_of(plan, "tools/own.json.patch")->action, SPEC_ADD);
  spec_plan_free(plan);
}

/* The rules for what a copy may stand for are the same. */
static void test_refused_as_copies_are(void **state) {
  (void)state;
  static const char *const files[][2] = {{"top-cmakelists", "spec_cpp/CMakeLists.txt.patch"},
                                         {"unknown-kind", "spec_cpp/x.patch"},
                                         {"unknown-kind", "spec_cpp/lib/notes.md.patch"},
                                         {"misplaced", "spec_cpp/python/triton/a.py.patch"},
                                         {"patch-no-file", "spec_cpp/lib/gone.c.patch"},
                                         {"patch-no-file", "python/src/gone.cc.patch"}};
  put("trunk/CMakeLists.txt", "");
  put("trunk/x", "");
  put("trunk/lib/notes.md", "");
  for (size_t i = 0; i < COUNT(files); i++) {
    char file[5000];
    (void)snprintf(file, sizeof file, "vendors/acme/%s", files[i][1]);
    put(file, "");
    spec_plan_free(refused_plan(files[i][0], files[i][1]));
    assert_int_equal(remove(at(file)), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_of_a_module),
      IN_SCRATCH(test_of_an_installed_package),
      IN_SCRATCH(test_closed),
      IN_SCRATCH(test_beside_the_whole_file),
      IN_SCRATCH(test_removed_and_patched),
      IN_SCRATCH(test_of_no_file),
      IN_SCRATCH(test_layers),
      IN_SCRATCH(test_creation),
      IN_SCRATCH(test_of_data),
      IN_SCRATCH(test_refused_as_copies_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
