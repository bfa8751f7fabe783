/* What a file is, by its name alone. */
#include "core/kind.h"
#include "unit.h"

static void test_kinds(void **state) {
  (void)state;
  static const struct {
    const char *path;
    spec_kind kind;
  } rows[] = {
      {"lib/a.c", SPEC_KIND_SOURCE},
      {"a.cc", SPEC_KIND_SOURCE},
      {"a.cpp", SPEC_KIND_SOURCE},
      {"a.cxx", SPEC_KIND_SOURCE},
      {"a.b.cpp", SPEC_KIND_SOURCE},
      {"a.h", SPEC_KIND_HEADER},
      {"a.hpp", SPEC_KIND_HEADER},
      {"a.inc", SPEC_KIND_HEADER},
      {"a.def", SPEC_KIND_HEADER},
      {"a.td", SPEC_KIND_TD},
      {"CMakeLists.txt", SPEC_KIND_CMAKE},
      {"x/CMakeLists.txt", SPEC_KIND_CMAKE},
      {"a.cmake", SPEC_KIND_CMAKE},
      {"a.py", SPEC_KIND_PYTHON},
      {"a.pyi", SPEC_KIND_PYTHON},
      {"cmakelists.txt", SPEC_KIND_OTHER},
      {"a.txt", SPEC_KIND_OTHER},
      {"a.cpp.orig", SPEC_KIND_OTHER},
      {"a", SPEC_KIND_OTHER},
      {".cpp", SPEC_KIND_OTHER},
      {"", SPEC_KIND_OTHER},
      {"a.cpp/", SPEC_KIND_OTHER},
      {"a.c/b", SPEC_KIND_OTHER},
      {"a.CPP", SPEC_KIND_OTHER},
      {"a.", SPEC_KIND_OTHER},
      {"a.cpp~", SPEC_KIND_OTHER},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (spec_kind_of(rows[i].path) != rows[i].kind)
      print_error("'%s'\n", rows[i].path);
    assert_int_equal(spec_kind_of(rows[i].path), rows[i].kind);
  }
}

static void test_what_is_ignored(void **state) {
  (void)state;
  static const char *const ignored[] = {"README", "x/README.md", "a/.gitkeep", "LICENSE", "a.pyc"};
  static const char *const kept[] = {"README.txt", "README.c", "gitkeep", "LICENSE.h", "a.py", ""};
  for (size_t i = 0; i < COUNT(ignored); i++)
    assert_true(spec_kind_is_ignored(ignored[i]));
  for (size_t i = 0; i < COUNT(kept); i++)
    assert_false(spec_kind_is_ignored(kept[i]));
  assert_true(spec_kind_is_ignored_dir(".git"));
  assert_true(spec_kind_is_ignored_dir("__pycache__"));
  assert_false(spec_kind_is_ignored_dir("git"));
}

static void test_names_are_stable(void **state) {
  (void)state;
  assert_string_equal(spec_kind_name(SPEC_KIND_SOURCE), "source");
  assert_string_equal(spec_kind_name(SPEC_KIND_OTHER), "other");
  assert_string_equal(spec_action_name(SPEC_REPLACE), "replace");
  assert_string_equal(spec_action_name(SPEC_HOOKS), "hooks");
  assert_string_equal(spec_policy_name(SPEC_POLICY_WHOLE), "whole");
  assert_string_equal(spec_policy_name(SPEC_POLICY_NONE), "none");
  assert_string_equal(spec_severity_name(SPEC_NOTE), "note");
  assert_string_equal(spec_severity_name(SPEC_ERROR), "error");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_what_is_ignored),
      cmocka_unit_test(test_names_are_stable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
