/* Where an override of a trunk path lies, and which paths have none. */
#include "core/counterpart.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

static spec_counterpart of(const spec_backend *backend, const char *trunk) {
  spec_counterpart place;
  assert_int_equal(spec_counterpart_of(&place, arena, backend, trunk, NULL), SPEC_OK);
  assert_int_equal(place.overlay == NULL, place.reason != NULL);
  return place;
}

static const spec_backend plain = {.name = "acme"};

static void test_places(void **state) {
  (void)state;
  static const struct {
    const char *trunk, *overlay;
    spec_kind kind;
    spec_counterpart_form form;
    spec_policy policy;
    bool removable;
  } rows[] = {
      {"lib/a.cpp", "spec_cpp/lib/a.cpp", SPEC_KIND_SOURCE, SPEC_COUNTERPART_ANY, SPEC_POLICY_NONE,
       true},
      {"python/src/ir.cc", "spec_cpp/python/src/ir.cc", SPEC_KIND_SOURCE, SPEC_COUNTERPART_ANY,
       SPEC_POLICY_NONE, true},
      {"include/a.h", "spec_cpp/include/a.h", SPEC_KIND_HEADER, SPEC_COUNTERPART_ANY,
       SPEC_POLICY_NONE, false},
      {"lib/CMakeLists.txt", "spec_cpp/lib/CMakeLists.txt", SPEC_KIND_CMAKE, SPEC_COUNTERPART_ANY,
       SPEC_POLICY_NONE, false},
      {"python/triton/testing.py", "spec/triton/testing.py", SPEC_KIND_PYTHON, SPEC_COUNTERPART_ANY,
       SPEC_POLICY_MERGE, true},
      {"python/triton/language/core.py", "spec/triton/language/core.py", SPEC_KIND_PYTHON,
       SPEC_COUNTERPART_ANY, SPEC_POLICY_WHOLE, true},
      {"python/triton/knobs.py", "spec/triton/knobs.py", SPEC_KIND_PYTHON, SPEC_COUNTERPART_ANY,
       SPEC_POLICY_CLOSED, true},
      {"python/triton/data.json", "spec/triton/data.json", SPEC_KIND_PYTHON, SPEC_COUNTERPART_COPY,
       SPEC_POLICY_WHOLE, true},
      {"python/triton/x.cpp", "spec/triton/x.cpp", SPEC_KIND_PYTHON, SPEC_COUNTERPART_COPY,
       SPEC_POLICY_WHOLE, true},
      {"python/triton/__init__.py", "spec/triton/__init__.py", SPEC_KIND_PYTHON,
       SPEC_COUNTERPART_PATCH, SPEC_POLICY_MERGE, true},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_counterpart place = of(&plain, rows[i].trunk);
    assert_non_null(place.overlay);
    assert_string_equal(place.overlay, rows[i].overlay);
    assert_int_equal(place.kind, rows[i].kind);
    assert_int_equal(place.form, rows[i].form);
    assert_int_equal(place.policy, rows[i].policy);
    assert_int_equal(place.removable, rows[i].removable);
  }
}

static void test_paths_that_no_overlay_can_hold(void **state) {
  (void)state;
  static const char *const paths[] = {
      "CMakeLists.txt",
      "setup.py",
      "python/setup.py",
      "python/triton",
      "test/a.mlir",
      "README.md",
      "lib/README.md",
      "lib/.gitignore",
      "python/triton/a.md",
      "lib/a;b.cpp",
      "python/triton/x.py.patch",
      "lib/a.cpp.patch",
      "lib/__pycache__/a.cpp",
      "x/.git/a.cpp",
      "python/triton/a.pyc",
      "lib/\xFF.cpp",
  };
  for (size_t i = 0; i < COUNT(paths); i++)
    assert_null(of(&plain, paths[i]).overlay);
}

/* What the backend's own spec.ini says counts. */
static void test_policies_of_the_backend(void **state) {
  (void)state;
  spec_setting settings[] = {{"policy", "triton/knobs.py", "whole"}};
  const spec_backend backend = {.name = "acme", .settings = settings, .setting_count = 1};
  assert_int_equal(of(&backend, "python/triton/knobs.py").policy, SPEC_POLICY_WHOLE);
}

static void test_memory_may_run_out(void **state) {
  (void)state;
  spec_counterpart place;
  static const char *const paths[] = {"lib/a.cpp", "python/triton/testing.py"};
  for (size_t i = 0; i < COUNT(paths); i++) {
    (void)spec_arena_fail_at(1);
    assert_int_equal(spec_counterpart_of(&place, arena, &plain, paths[i], NULL), SPEC_ENOMEM);
    (void)spec_arena_fail_at(0);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, free_arena)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_places),
      TEST(test_paths_that_no_overlay_can_hold),
      TEST(test_policies_of_the_backend),
      TEST(test_memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
