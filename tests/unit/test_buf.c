/* The growing byte string. */
#include "base/buf.h"
#include "unit.h"

#include <string.h>

static void test_empty(void **state) {
  (void)state;
  spec_buf buf = {0};
  assert_string_equal(spec_buf_text(&buf), "");
  assert_false(spec_buf_failed(&buf));
  spec_buf_clear(&buf);
  spec_buf_dispose(&buf);
  spec_buf_dispose(&buf);
}

static void test_everything_is_appended(void **state) {
  (void)state;
  spec_buf buf = {0};
  spec_buf_str(&buf, "");
  assert_non_null(buf.data);
  spec_buf_str(&buf, "abc");
  spec_buf_char(&buf, '-');
  spec_buf_add(&buf, "x\0y", 3);
  spec_buf_printf(&buf, "%s=%d", "n", 7);
  assert_int_equal(buf.len, 10);
  assert_memory_equal(buf.data, "abc-x\0yn=7", 11);
  spec_buf_dispose(&buf);
}

static void test_growth_keeps_content_and_nul(void **state) {
  (void)state;
  spec_buf buf = {0};
  for (size_t i = 0; i < 200000; i++) {
    spec_buf_char(&buf, (char)('a' + i % 26));
    assert_int_equal(buf.data[buf.len], '\0');
    assert_true(buf.len < buf.cap);
  }
  for (size_t i = 0; i < 200000; i++)
    assert_int_equal(buf.data[i], 'a' + (int)(i % 26));
  spec_buf_dispose(&buf);
}

static void test_printf_at_every_free_length(void **state) {
  (void)state;
  for (int len = 0; len < 600; len++) {
    spec_buf buf = {0};
    spec_buf_printf(&buf, "%*s", len, "");
    spec_buf_printf(&buf, "%s", "end");
    assert_int_equal(buf.len, len + 3);
    assert_string_equal(buf.data + len, "end");
    spec_buf_dispose(&buf);
  }
}

static void test_clear_keeps_memory(void **state) {
  (void)state;
  spec_buf buf = {0};
  spec_buf_str(&buf, "abc");
  const char *data = buf.data;
  spec_buf_clear(&buf);
  assert_string_equal(spec_buf_text(&buf), "");
  spec_buf_str(&buf, "de");
  assert_ptr_equal(buf.data, data);
  assert_string_equal(spec_buf_text(&buf), "de");
  spec_buf_dispose(&buf);
}

static void test_impossible_length_fails(void **state) {
  (void)state;
  spec_buf buf = {0};
  spec_buf_str(&buf, "abc");
  spec_buf_add(&buf, "x", SIZE_MAX);
  assert_true(spec_buf_failed(&buf));
  assert_string_equal(spec_buf_text(&buf), "abc");
  spec_buf_dispose(&buf);
}

static void fill(spec_buf *buf) {
  for (int i = 0; i < 500; i++) {
    spec_buf_str(buf, "some text ");
    spec_buf_printf(buf, "%d", i);
    spec_buf_char(buf, '\n');
  }
}

static void test_first_failure_sticks_and_spares_the_text(void **state) {
  (void)state;
  spec_buf whole = {0};
  fill(&whole);
  size_t n = 1;
  for (;; n++) {
    spec_buf buf = {0};
    (void)spec_alloc_fail_at(n);
    fill(&buf);
    bool failed = spec_buf_failed(&buf);
    bool reached = spec_alloc_fail_at(0) >= n;
    assert_int_equal(failed, reached);
    assert_int_equal(buf.len, strlen(spec_buf_text(&buf)));
    assert_memory_equal(spec_buf_text(&buf), whole.data, buf.len);
    assert_int_equal(buf.len == whole.len, !failed);
    spec_buf_clear(&buf);
    assert_int_equal(spec_buf_failed(&buf), failed);
    spec_buf_dispose(&buf);
    assert_false(spec_buf_failed(&buf));
    if (!reached)
      break;
  }
  assert_true(n > 4);
  spec_buf_dispose(&whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_everything_is_appended),
      cmocka_unit_test(test_growth_keeps_content_and_nul),
      cmocka_unit_test(test_printf_at_every_free_length),
      cmocka_unit_test(test_clear_keeps_memory),
      cmocka_unit_test(test_impossible_length_fails),
      cmocka_unit_test(test_first_failure_sticks_and_spares_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
