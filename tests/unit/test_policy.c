/* Which Python modules may be replaced: the table, and what spec.ini makes of it. */
#include "core/policy.h"
#include "unit.h"

static void test_defaults(void **state) {
  (void)state;
  static const struct {
    const char *path;
    spec_policy policy;
  } rows[] = {
      {"triton/language/core.py", SPEC_POLICY_WHOLE},
      {"triton/language/extra/x.py", SPEC_POLICY_WHOLE},
      {"triton/language", SPEC_POLICY_WHOLE},
      {"triton/languages/core.py", SPEC_POLICY_MERGE}, /* alike, but another folder */
      {"triton/testing.py", SPEC_POLICY_MERGE},
      {"triton/knobs.py", SPEC_POLICY_CLOSED},
      {"triton/experimental/gluon/x.py", SPEC_POLICY_WHOLE},
      {"triton/experimental/tle/x.py", SPEC_POLICY_CLOSED},
      {"triton/experimental/other.py", SPEC_POLICY_MERGE},
      {"triton/language/__init__.py", SPEC_POLICY_MERGE},
      {"triton/experimental/tle/__init__.py", SPEC_POLICY_CLOSED},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    if (spec_policy_default(rows[i].path) != rows[i].policy)
      print_error("'%s'\n", rows[i].path);
    assert_int_equal(spec_policy_default(rows[i].path), rows[i].policy);
  }
}

static spec_policy with(const spec_setting *settings, size_t count, const char *path) {
  const spec_backend backend = {.settings = (spec_setting *)settings, .setting_count = count};
  return spec_policy_for(&backend, path);
}

static void test_spec_ini_decides(void **state) {
  (void)state;
  const spec_setting settings[] = {
      {"policy", "triton/language", "closed"},
      {"policy", "triton/language/extra", "merge"},
      {"policy", "knobs.py", "whole"}, /* without the package's own name */
      {"device", "triton/testing.py", "whole"},
  };
  assert_int_equal(with(settings, 4, "triton/language/core.py"), SPEC_POLICY_CLOSED);
  assert_int_equal(with(settings, 4, "triton/language/extra/x.py"), SPEC_POLICY_MERGE);
  assert_int_equal(with(settings, 4, "triton/knobs.py"), SPEC_POLICY_WHOLE);
  assert_int_equal(with(settings, 4, "triton/testing.py"), SPEC_POLICY_MERGE);
  assert_int_equal(with(settings, 0, "triton/knobs.py"), SPEC_POLICY_CLOSED);
}

static void test_order_of_rules_does_not_matter(void **state) {
  (void)state;
  const spec_setting settings[] = {
      {"policy", "triton/language/extra", "merge"},
      {"policy", "triton/language", "closed"},
  };
  assert_int_equal(with(settings, 2, "triton/language/extra/x.py"), SPEC_POLICY_MERGE);
  assert_int_equal(with(settings, 2, "triton/language/x.py"), SPEC_POLICY_CLOSED);
}

/* "language" in the short form is as near as "triton/language": the one below it is nearer. */
static void test_short_and_long_keys_rank_alike(void **state) {
  (void)state;
  const spec_setting settings[] = {
      {"policy", "triton/language", "closed"},
      {"policy", "language/core.py", "whole"},
  };
  assert_int_equal(with(settings, 2, "triton/language/core.py"), SPEC_POLICY_WHOLE);
  const spec_setting short_below[] = {
      {"policy", "triton/experimental", "closed"},
      {"policy", "experimental/x", "whole"}, /* shorter text, longer path */
  };
  assert_int_equal(with(short_below, 2, "triton/experimental/x/a.py"), SPEC_POLICY_WHOLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_spec_ini_decides),
      cmocka_unit_test(test_order_of_rules_does_not_matter),
      cmocka_unit_test(test_short_and_long_keys_rank_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
