/* Errors: what is kept, what is cut, and that reporting allocates nothing. */
#include "base/arena.h"
#include "base/err.h"
#include "unit.h"

#include <string.h>

static void test_fields(void **state) {
  (void)state;
  spec_err err;
  memset(&err, 'x', sizeof err);
  assert_int_equal(spec_fail(&err, SPEC_EPARSE, "cannot parse '%s'", "a"), SPEC_EPARSE);
  assert_int_equal(err.code, SPEC_EPARSE);
  assert_string_equal(err.what, "cannot parse 'a'");
  assert_string_equal(err.where, "");
  assert_string_equal(err.mend, "");
  assert_int_equal(spec_fail_where(&err, "%s:%d", "f", 3), SPEC_EPARSE);
  assert_int_equal(spec_fail_mend(&err, "add %s", "it"), SPEC_EPARSE);
  assert_string_equal(err.where, "f:3");
  assert_string_equal(err.mend, "add it");
  assert_int_equal(spec_fail_memory(&err), SPEC_ENOMEM);
  assert_string_equal(err.what, "out of memory");
  assert_string_equal(err.where, "");
  assert_string_equal(err.mend, "");
}

static void test_null_is_allowed(void **state) {
  (void)state;
  assert_int_equal(spec_fail(NULL, SPEC_EIO, "x"), SPEC_EIO);
  assert_int_equal(spec_fail_memory(NULL), SPEC_ENOMEM);
  assert_int_equal(spec_fail_where(NULL, "x"), SPEC_EINVAL);
  assert_int_equal(spec_fail_mend(NULL, "x"), SPEC_EINVAL);
}

static void test_long_text_is_cut_with_an_ellipsis(void **state) {
  (void)state;
  spec_err err;
  char text[2 * sizeof err.what];
  memset(text, 'a', sizeof text);
  text[sizeof err.what - 1] = '\0';
  (void)spec_fail(&err, SPEC_EIO, "%s", text); /* just fits */
  assert_string_equal(err.what, text);
  text[sizeof err.what - 1] = 'a';
  text[sizeof err.what] = '\0';
  (void)spec_fail(&err, SPEC_EIO, "%s", text);
  assert_int_equal(strlen(err.what), sizeof err.what - 1);
  assert_string_equal(err.what + strlen(err.what) - 4, "a...");
  (void)spec_fail_where(&err, "%s", text);
  assert_int_equal(strlen(err.where), sizeof err.where - 1);
  assert_string_equal(err.where + strlen(err.where) - 4, "a...");
  (void)spec_fail_mend(&err, "%s", text);
  assert_int_equal(strlen(err.mend), sizeof err.mend - 1);
  assert_string_equal(err.mend + strlen(err.mend) - 4, "a...");
}

static void test_cut_leaves_no_torn_character(void **state) {
  (void)state;
  spec_err err;
  for (int shift = 0; shift < 4; shift++) {
    char text[2 * sizeof err.mend] = "";
    for (size_t at = (size_t)shift; at + 4 < sizeof text; at += 4)
      memcpy(text + at, "\xF0\x9F\x98\x80", 4);
    memset(text, 'a', (size_t)shift);
    (void)spec_fail(&err, SPEC_EIO, "x");
    (void)spec_fail_mend(&err, "%s", text);
    size_t len = strlen(err.mend);
    assert_string_equal(err.mend + len - 3, "...");
    assert_int_equal((len - 3 - (size_t)shift) % 4, 0); /* whole characters */
    assert_true(len + 4 >= sizeof err.mend - 1);
    assert_memory_equal(err.mend, text, len - 3);
  }
}

static void test_old_text_may_be_an_argument(void **state) {
  (void)state;
  spec_err err;
  (void)spec_fail(&err, SPEC_EIO, "disk full");
  (void)spec_fail(&err, SPEC_EINVAL, "cannot stage: %s (%s)", err.what, err.what);
  assert_string_equal(err.what, "cannot stage: disk full (disk full)");
  (void)spec_fail_where(&err, "f");
  (void)spec_fail_where(&err, "%s:%d", err.where, 2);
  assert_string_equal(err.where, "f:2");
}

static void test_reporting_does_not_allocate(void **state) {
  (void)state;
  spec_err err;
  (void)spec_alloc_fail_at(0);
  (void)spec_fail(&err, SPEC_EIO, "%s %d", "x", 1);
  (void)spec_fail_where(&err, "%s", "y");
  (void)spec_fail_mend(&err, "%s", "z");
  assert_int_equal(spec_alloc_fail_at(0), 0);
}

static void test_codes_have_distinct_names(void **state) {
  (void)state;
  for (int code = SPEC_EREFUSED; code <= SPEC_OK; code++) {
    assert_string_not_equal(spec_code_name(code), "unknown");
    for (int other = code + 1; other <= SPEC_OK; other++)
      assert_string_not_equal(spec_code_name(code), spec_code_name(other));
  }
  assert_string_equal(spec_code_name(1), "unknown");
  assert_string_equal(spec_code_name(-99), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_null_is_allowed),
      cmocka_unit_test(test_long_text_is_cut_with_an_ellipsis),
      cmocka_unit_test(test_cut_leaves_no_torn_character),
      cmocka_unit_test(test_old_text_may_be_an_argument),
      cmocka_unit_test(test_reporting_does_not_allocate),
      cmocka_unit_test(test_codes_have_distinct_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
