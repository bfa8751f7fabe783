/* RECORD: what is read is what is written, and what is no RECORD has a line and a reason. */
#include "base/err.h"
#include "package/wheel_record.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

static int parse(spec_wheel_record *out, const char *text, spec_err *err) {
  return spec_wheel_record_parse(out, arena, text, strlen(text), "w.whl:RECORD", err);
}

/* Fails the test unless the text comes out as `expected`. */
static void check_written(const char *text, const char *expected) {
  spec_wheel_record record;
  spec_buf out = {0};
  assert_int_equal(parse(&record, text, NULL), SPEC_OK);
  spec_wheel_record_write(&out, &record);
  assert_string_equal(spec_buf_text(&out), expected);
  spec_buf_dispose(&out);
}

static void test_rows_are_read(void **state) {
  (void)state;
  spec_wheel_record record;
  assert_int_equal(parse(&record, "a/b.py,sha256=x,12\nd/RECORD,,\n\"q,\"\"1\"\"\",md5=y,3", NULL),
                   SPEC_OK);
  assert_int_equal(record.count, 3);
  assert_string_equal(record.rows[0].path, "a/b.py");
  assert_string_equal(record.rows[0].hash, "sha256=x");
  assert_string_equal(record.rows[0].size, "12");
  assert_string_equal(record.rows[1].path, "d/RECORD");
  assert_string_equal(record.rows[1].hash, "");
  assert_string_equal(record.rows[2].path, "q,\"1\"");
  assert_string_equal(record.eol, "\n");
}

static void test_what_is_read_is_written(void **state) {
  (void)state;
  check_written("", "");
  check_written("a,b,1\nc,,\n", "a,b,1\nc,,\n");
  check_written("a,b,1\r\nc,,\r\n", "a,b,1\r\nc,,\r\n");
  check_written("a,b,1\n\nc,,", "a,b,1\nc,,\n"); /* the last line gets its end */
  check_written("\"a\",\"\",\"1\"\n", "a,,1\n"); /* needless quotes */
  check_written("\"a,b\",,\n\"a\"\"b\",,\n", "\"a,b\",,\n\"a\"\"b\",,\n");
  check_written("\"a\nb\",,\n", "\"a\nb\",,\n");
}

static void test_what_is_no_record_is_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *where, *what;
  } cases[] = {
      {"a,b\n", "w.whl:RECORD:1", "has not three fields"},
      {"a,b,1\na,b,1,2\n", "w.whl:RECORD:2", "has not three fields"},
      {"a,b,1\n\"x\ny\",,\na\n", "w.whl:RECORD:4", "has not three fields"},
      {"\"a,b,1\n", "w.whl:RECORD:1", "has a quote that nothing closes"},
      {"\"a\"b,c,1\n", "w.whl:RECORD:1", "goes on behind a closing quote"},
      {"a\"b,c,1\n", "w.whl:RECORD:1", "has a quote within a field"},
      {",c,1\n", "w.whl:RECORD:1", "names no file"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    spec_wheel_record record = {.count = 7};
    spec_err err;
    assert_int_equal(parse(&record, cases[i].text, &err), SPEC_EPARSE);
    assert_string_equal(err.where, cases[i].where);
    assert_non_null(strstr(err.what, cases[i].what));
    assert_int_equal(record.count, 7);
  }
  spec_wheel_record record;
  spec_err err;
  assert_int_equal(spec_wheel_record_parse(&record, arena, "a\0b,,\n", 6, "R", &err), SPEC_EPARSE);
  assert_non_null(strstr(err.what, "holds a NUL"));
  assert_int_equal(spec_wheel_record_parse(&record, arena, "\"a\0b\",,\n", 8, "R", &err),
                   SPEC_EPARSE);
  assert_non_null(strstr(err.what, "holds a NUL"));
}

static void test_a_row_of_bytes_agrees_with_them(void **state) {
  (void)state;
  spec_wheel_row row;
  assert_int_equal(spec_wheel_row_of(&row, arena, "x", "abc", 3), 0);
  assert_string_equal(row.hash, "sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  assert_string_equal(row.size, "3");
  assert_true(spec_wheel_row_agrees(&row, "abc", 3));
  assert_false(spec_wheel_row_agrees(&row, "abd", 3));
  assert_false(spec_wheel_row_agrees(&row, "abcd", 4));
  assert_true(spec_wheel_row_agrees(&(spec_wheel_row){"x", "", ""}, "abc", 3));
  assert_true(spec_wheel_row_agrees(&(spec_wheel_row){"x", "sha512=?", "3"}, "abc", 3));
  assert_false(spec_wheel_row_agrees(&(spec_wheel_row){"x", "sha512=?", "2"}, "abc", 3));
  assert_false(spec_wheel_row_agrees(&(spec_wheel_row){"x", "", "-3"}, "abc", 3));
  assert_false(spec_wheel_row_agrees(&(spec_wheel_row){"x", "", "three"}, "abc", 3));
}

/* 10,000 quoted rows take memory in proportion. */
static void test_memory_is_linear(void **state) {
  (void)state;
  spec_buf text = {0};
  for (size_t i = 0; i < 10000; i++)
    spec_buf_printf(&text, "\"a,%zu\",\"sha256=x\",\"1\"\n", i);
  size_t before = spec_arena_used(arena);
  spec_wheel_record record;
  assert_int_equal(parse(&record, spec_buf_text(&text), NULL), SPEC_OK);
  assert_int_equal(record.count, 10000);
  assert_in_range(spec_arena_used(arena) - before, 1, 10 * text.len);
  spec_buf_dispose(&text);
}

static void test_out_of_memory_is_told(void **state) {
  (void)state;
  for (size_t n = 1;; n++) {
    spec_wheel_record record;
    spec_err err = {0};
    (void)spec_arena_fail_at(n);
    int rc = parse(&record, "a,b,1\n\"c\",,\n", &err);
    if (spec_arena_fail_at(0) < n) {
      assert_int_equal(rc, SPEC_OK);
      assert_true(n > 6);
      return;
    }
    assert_int_equal(rc, SPEC_ENOMEM);
    assert_int_equal(err.code, SPEC_ENOMEM);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_are_read),
      cmocka_unit_test(test_what_is_read_is_written),
      cmocka_unit_test(test_what_is_no_record_is_refused),
      cmocka_unit_test(test_a_row_of_bytes_agrees_with_them),
      cmocka_unit_test(test_memory_is_linear),
      cmocka_unit_test(test_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
