/* Names of wheels, and versions with local labels. */
#include "base/err.h"
#include "package/version.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

static void test_names_of_wheels(void **state) {
  (void)state;
  spec_wheel_name name;
  assert_int_equal(spec_wheel_name_parse(
                       &name, arena, "a-b/triton-3.9.0+git1-cp311-cp311-linux_x86_64.whl", NULL),
                   SPEC_OK);
  assert_string_equal(name.project, "triton");
  assert_string_equal(name.version, "3.9.0+git1");
  assert_string_equal(name.tail, "cp311-cp311-linux_x86_64");
  assert_int_equal(spec_wheel_name_parse(&name, arena, "t-1-2b-py3-none-any.whl", NULL), SPEC_OK);
  assert_string_equal(name.tail, "2b-py3-none-any");
  const char *const wrong[] = {"",
                               ".whl",
                               "triton.whl",
                               "triton-3.9.0.tar.gz",
                               "triton-1-py3-none.whl",
                               "triton-1-2-3-py3-none-any.whl",
                               "triton-1-b-py3-none-any.whl",
                               "triton--py3-none-any.whl",
                               "-1-py3-none-any.whl",
                               "triton-1-py3-none-.whl",
                               "triton-1-py3-none-any.whl/"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    spec_err err;
    assert_int_equal(spec_wheel_name_parse(&name, arena, wrong[i], &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, "is not the name of a wheel"));
    assert_string_equal(err.where, wrong[i]);
  }
}

static void test_projects(void **state) {
  (void)state;
  assert_true(spec_project_equal("triton", "Triton"));
  assert_true(spec_project_equal("my_-.project", "my-project"));
  assert_false(spec_project_equal("triton", "tritonx"));
  assert_false(spec_project_equal("tritonx", "triton"));
  assert_false(spec_project_equal("triton", "triton-"));
  assert_false(spec_project_equal("", "t"));
}

static void test_equal_versions(void **state) {
  (void)state;
  const char *const equal[][2] = {{"3.9.0", "3.9.0"},     {"3.9.0", "v3.09.0"},  {"1.0_1", "1.0-1"},
                                  {"1.0+a.b", "1.0+A_b"}, {"1.0rc01", "1.0rc1"}, {"1.00", "1.0"}};
  const char *const other[][2] = {{"3.9.0", "3.9.1"}, {"3.9", "3.9.0"},   {"1.0+a", "1.0"},
                                  {"10", "1"},        {"1.0+a", "1.0.a"}, {"100", "10"}};
  for (size_t i = 0; i < COUNT(equal); i++)
    assert_true(spec_version_equal(equal[i][0], equal[i][1]) &&
                spec_version_equal(equal[i][1], equal[i][0]));
  for (size_t i = 0; i < COUNT(other); i++)
    assert_false(spec_version_equal(other[i][0], other[i][1]) ||
                 spec_version_equal(other[i][1], other[i][0]));
}

static void test_local_labels(void **state) {
  (void)state;
  const char *const sound[][3] = {{"3.9.0", "acme", "3.9.0+acme"},
                                  {"3.9.0", "acme_x", "3.9.0+acme.x"},
                                  {"3.9.0+git12", "acme", "3.9.0+git12.acme"},
                                  {"3.9.0", "Acme-X.007", "3.9.0+acme.x.7"},
                                  {"1!3.9rc1.post2.dev3", "a", "1!3.9rc1.post2.dev3+a"},
                                  {"v1", "0", "v1+0"},
                                  {"1+A_00", "1.b0", "1+a.0.1.b0"}};
  for (size_t i = 0; i < COUNT(sound); i++) {
    const char *out = NULL;
    assert_int_equal(spec_version_with_label(&out, arena, sound[i][0], sound[i][1], NULL), SPEC_OK);
    assert_string_equal(out, sound[i][2]);
  }
  const char *const wrong[] = {"", "_", "acme_", "_acme", "a__b", "a b", "a+b", "a/b", "\xc3\xa9"};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    const char *out = NULL;
    spec_err err;
    assert_int_equal(spec_version_with_label(&out, arena, "1", wrong[i], &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, "cannot be the local label"));
    assert_null(out);
  }
  const char *const versions[] = {"", "x", "+a", "1+", "1+a+b", "1/2", "1 2", "../1"};
  for (size_t i = 0; i < COUNT(versions); i++) {
    const char *out = NULL;
    spec_err err;
    assert_int_equal(spec_version_with_label(&out, arena, versions[i], "a", &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, "is not a version"));
  }
}

static void test_versions_in_names(void **state) {
  (void)state;
  assert_string_equal(spec_version_in_name(arena, "1.0-1+a.b"), "1.0_1+a.b");
}

static void test_out_of_memory_is_told(void **state) {
  (void)state;
  size_t made = 0;
  for (size_t n = 1; n < 100; n++) {
    spec_wheel_name name;
    const char *out;
    (void)spec_arena_fail_at(n);
    int rc = spec_wheel_name_parse(&name, arena, "t-1-py3-none-any.whl", NULL);
    if (rc == SPEC_OK)
      rc = spec_version_with_label(&out, arena, "1", "a", NULL);
    made = spec_arena_fail_at(0);
    assert_int_equal(rc, made >= n ? SPEC_ENOMEM : SPEC_OK);
    if (made < n)
      break;
  }
  assert_int_equal(made, 4);
  const char *out;
  (void)spec_alloc_fail_at(1); /* the text that grows */
  assert_int_equal(spec_version_with_label(&out, arena, "1", "a", NULL), SPEC_ENOMEM);
  assert_int_equal(spec_alloc_fail_at(0), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_of_wheels),   cmocka_unit_test(test_projects),
      cmocka_unit_test(test_equal_versions),    cmocka_unit_test(test_local_labels),
      cmocka_unit_test(test_versions_in_names), cmocka_unit_test(test_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
