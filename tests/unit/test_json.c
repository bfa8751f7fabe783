/* JSON: order, any bytes as text, places of errors, and every way to run out of memory. */
#include "base/json.h"
#include "unit.h"

#include <string.h>

static int init(void **state) {
  (void)state;
  spec_json_init();
  spec_json_init(); /* twice does no harm */
  return 0;
}

static void test_memory_comes_from_the_engine(void **state) {
  (void)state;
  (void)spec_alloc_fail_at(0);
  json_decref(json_object());
  assert_true(spec_alloc_fail_at(0) > 0);
}

static void test_dump_keeps_order_and_indents(void **state) {
  (void)state;
  spec_buf out = {0};
  json_t *object = json_object(), *list = json_array();
  assert_int_equal(spec_json_put(object, "z", json_integer(1)), SPEC_OK);
  assert_int_equal(spec_json_push(list, json_true()), SPEC_OK);
  assert_int_equal(spec_json_put(object, "a", list), SPEC_OK);
  spec_buf_str(&out, "> ");
  assert_int_equal(spec_json_dump(&out, object, NULL), SPEC_OK);
  assert_string_equal(out.data, "> {\n  \"z\": 1,\n  \"a\": [\n    true\n  ]\n}\n");
  spec_buf_clear(&out);
  json_t *scalar = json_integer(5);
  assert_int_equal(spec_json_dump(&out, scalar, NULL), SPEC_OK);
  assert_string_equal(out.data, "5\n");
  spec_err err;
  assert_int_equal(spec_json_dump(&out, NULL, &err), SPEC_EINVAL);
  assert_string_equal(out.data, "5\n");
  json_decref(scalar);
  json_decref(object);
  spec_buf_dispose(&out);
}

static void test_text_of_any_bytes(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
  } rows[] = {
      {"", ""},
      {"caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\xC3\xA9 \xF0\x9F\x98\x80"},
      {"\xFF", "\xEF\xBF\xBD"},
      {"a\xFE\xFFz", "a\xEF\xBF\xBD\xEF\xBF\xBDz"},
      {"a\xC3", "a\xEF\xBF\xBD"},
      {"\xC3\xC3\xA9", "\xEF\xBF\xBD\xC3\xA9"},
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool lossy;
    json_t *made = spec_json_text(rows[i].text, &lossy);
    assert_string_equal(json_string_value(made), rows[i].expected);
    assert_int_equal(lossy, strcmp(rows[i].text, rows[i].expected) != 0);
    json_decref(made);
  }
  json_t *made = spec_json_text("\xFF", NULL);
  assert_non_null(made);
  json_decref(made);
}

static void test_put_and_push_report_a_missing_value(void **state) {
  (void)state;
  json_t *object = json_object(), *list = json_array();
  assert_int_equal(spec_json_put(object, "a", NULL), SPEC_ENOMEM);
  assert_int_equal(spec_json_push(list, NULL), SPEC_ENOMEM);
  assert_int_equal(json_object_size(object) + json_array_size(list), 0);
  json_decref(object);
  json_decref(list);
}

static void test_value_that_holds_itself_is_refused(void **state) {
  (void)state;
  spec_buf out = {0};
  spec_err err;
  json_t *outer = json_array(), *inner = json_array();
  assert_int_equal(spec_json_push(outer, json_incref(inner)), SPEC_OK);
  assert_int_equal(spec_json_push(inner, json_incref(outer)), SPEC_OK);
  assert_int_equal(spec_json_dump(&out, outer, &err), SPEC_EINVAL);
  assert_string_equal(spec_buf_text(&out), "");
  assert_int_equal(json_array_clear(inner), 0);
  assert_int_equal(spec_json_dump(&out, outer, &err), SPEC_OK);
  json_decref(inner);
  json_decref(outer);
  spec_buf_dispose(&out);
}

static void test_parse(void **state) {
  (void)state;
  static const char text[] = "{\"a\": [1, \"x\\u00e9\"]} trailing";
  json_t *value = NULL;
  assert_int_equal(spec_json_parse(&value, text, strlen("{\"a\": [1, \"x\\u00e9\"]}"), "f", NULL),
                   SPEC_OK);
  json_t *list = json_object_get(value, "a");
  assert_int_equal(json_integer_value(json_array_get(list, 0)), 1);
  assert_string_equal(json_string_value(json_array_get(list, 1)), "x\xC3\xA9");
  json_decref(value);
  assert_int_equal(spec_json_parse(&value, " null ", 6, "f", NULL), SPEC_OK);
  assert_true(json_is_null(value));
}

static void test_parse_errors_name_file_and_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *where;
  } rows[] = {
      {"", "f.json:1"},
      {"{", "f.json:1"},
      {"{\n\"a\": 1,\n}", "f.json:3"},
      {"[1]\n\n]", "f.json:3"},
      {"{\"a\": 1,\n \"a\": 2}", "f.json:2"},
      {"[\"\xFF\"]", "f.json:1"},
      {"[\"\\u0000\"]", "f.json:1"},
      {"[1e999]", "f.json:1"},
      {"[99999999999999999999]", "f.json:1"},
      {"nul", "f.json:1"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_err err = {0};
    json_t *value = NULL;
    assert_int_equal(spec_json_parse(&value, rows[i].text, strlen(rows[i].text), "f.json", &err),
                     SPEC_EPARSE);
    assert_null(value);
    assert_int_equal(err.code, SPEC_EPARSE);
    assert_string_equal(err.where, rows[i].where);
    assert_non_null(strstr(err.what, "cannot parse 'f.json': "));
  }
}

static void test_deep_nesting_is_refused(void **state) {
  (void)state;
  static char text[100000];
  memset(text, '[', sizeof text);
  json_t *value = NULL;
  assert_int_equal(spec_json_parse(&value, text, sizeof text, "f", NULL), SPEC_EPARSE);
}

/* Parses, adds to it and writes it again; SPEC_OK or SPEC_ENOMEM. */
static int round_trip(void) {
  static const char text[] =
      "{\"k\": [1, 2.5, \"some text\", {\"n\": null, \"t\": true}], \"l\": {}}";
  json_t *value = NULL;
  spec_err err = {0};
  int rc = spec_json_parse(&value, text, sizeof text - 1, "f", &err);
  assert_int_equal(err.code, rc);
  if (rc < 0)
    return rc;
  rc = spec_json_put(value, "bytes", spec_json_text("a\xFF", NULL));
  json_t *list = json_array();
  for (int i = 0; i < 40 && rc == SPEC_OK; i++)
    rc = list != NULL ? spec_json_push(list, json_integer(i)) : SPEC_ENOMEM;
  if (rc == SPEC_OK)
    rc = spec_json_put(value, "list", json_incref(list));
  spec_buf out = {0};
  spec_buf_str(&out, "x");
  bool full = spec_buf_failed(&out);
  if (rc == SPEC_OK) {
    rc = spec_json_dump(&out, value, &err);
    assert_int_equal(err.code, rc);
    if (rc == SPEC_OK)
      assert_int_equal(out.data[out.len - 1], '\n');
    else
      assert_string_equal(spec_buf_text(&out), full ? "" : "x");
    assert_int_equal(out.len, strlen(spec_buf_text(&out)));
  }
  spec_buf_dispose(&out);
  json_decref(list);
  json_decref(value);
  return full ? SPEC_ENOMEM : rc;
}

static void test_every_failing_allocation_is_reported(void **state) {
  (void)state;
  for (size_t n = 1;; n++) {
    (void)spec_alloc_fail_at(n);
    int rc = round_trip();
    if (spec_alloc_fail_at(0) < n) {
      assert_int_equal(rc, SPEC_OK);
      assert_true(n > 50);
      return;
    }
    assert_int_equal(rc, SPEC_ENOMEM);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory_comes_from_the_engine),
      cmocka_unit_test(test_dump_keeps_order_and_indents),
      cmocka_unit_test(test_text_of_any_bytes),
      cmocka_unit_test(test_put_and_push_report_a_missing_value),
      cmocka_unit_test(test_value_that_holds_itself_is_refused),
      cmocka_unit_test(test_parse),
      cmocka_unit_test(test_parse_errors_name_file_and_line),
      cmocka_unit_test(test_deep_nesting_is_refused),
      cmocka_unit_test(test_every_failing_allocation_is_reported),
  };
  return cmocka_run_group_tests(tests, init, NULL);
}
