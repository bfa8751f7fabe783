/* Events and errors as text and as JSON. */
#include "base/err.h"
#include "base/event.h"
#include "unit.h"

#include <string.h>

static const spec_event redundant = {
    .severity = SPEC_ERROR,
    .code = "redundant",
    .where = "/o/a.td:3",
    .message = "'a.td' is identical",
    .mend = "delete it",
};

static int init(void **state) {
  (void)state;
  spec_json_init();
  return 0;
}

static void assert_event_text(const spec_event *event, bool color, const char *expected) {
  spec_buf out = {0};
  spec_event_text(&out, event, color);
  assert_false(spec_buf_failed(&out));
  assert_string_equal(spec_buf_text(&out), expected);
  spec_buf_dispose(&out);
}

static void test_text(void **state) {
  (void)state;
  assert_event_text(&redundant, false,
                    "error[redundant]: 'a.td' is identical\n"
                    "  at: /o/a.td:3\n"
                    "  mend: delete it\n");
}

static void test_text_without_place_or_mend(void **state) {
  (void)state;
  assert_event_text(&(spec_event){SPEC_NOTE, "layer", "", "m", NULL}, false, "note[layer]: m\n");
  assert_event_text(&(spec_event){SPEC_WARNING, "old", NULL, "m", "x"}, false,
                    "warning[old]: m\n  mend: x\n");
}

static void test_colour_adds_nothing_but_colour(void **state) {
  (void)state;
  for (int severity = SPEC_NOTE; severity <= SPEC_ERROR; severity++) {
    spec_event event = redundant;
    event.severity = (spec_severity)severity;
    spec_buf plain = {0}, coloured = {0}, stripped = {0};
    spec_event_text(&plain, &event, false);
    spec_event_text(&coloured, &event, true);
    for (const char *p = coloured.data; *p != '\0'; p++) {
      if (*p == '\033')
        p = strchr(p, 'm');
      else
        spec_buf_char(&stripped, *p);
    }
    assert_string_equal(stripped.data, plain.data);
    assert_true(coloured.len > plain.len);
    spec_buf_dispose(&plain);
    spec_buf_dispose(&coloured);
    spec_buf_dispose(&stripped);
  }
}

static void test_names_cannot_steer_the_terminal(void **state) {
  (void)state;
  spec_event event = {SPEC_ERROR, "bad-name", "/o/\033[2J\x7F", "a\tb\r\nc \xC3\xA9", ""};
  assert_event_text(&event, false,
                    "error[bad-name]: a\\x09b\\x0d\n"
                    "    c \xC3\xA9\n"
                    "  at: /o/\\x1b[2J\\x7f\n");
}

static void assert_member(const json_t *object, const char *key, const char *expected) {
  assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static void test_json(void **state) {
  (void)state;
  json_t *made = spec_event_json(&redundant);
  assert_int_equal(json_object_size(made), 5);
  assert_member(made, "severity", "error");
  assert_member(made, "code", "redundant");
  assert_member(made, "where", "/o/a.td:3");
  assert_member(made, "message", "'a.td' is identical");
  assert_member(made, "mend", "delete it");
  json_decref(made);
  made = spec_event_json(&(spec_event){SPEC_NOTE, "x", NULL, "\xFF", NULL});
  assert_int_equal(json_object_size(made), 5);
  assert_member(made, "where", "");
  assert_member(made, "message", "\xEF\xBF\xBD");
  json_decref(made);
}

static void test_error_is_rendered_as_an_event(void **state) {
  (void)state;
  spec_err err;
  (void)spec_fail(&err, SPEC_EIO, "cannot read 'a'");
  (void)spec_fail_where(&err, "a");
  (void)spec_fail_mend(&err, "mend it");
  spec_buf out = {0};
  spec_err_text(&out, &err, false);
  assert_string_equal(out.data, "error[io]: cannot read 'a'\n  at: a\n  mend: mend it\n");
  spec_buf_dispose(&out);
  json_t *made = spec_err_json(&err);
  assert_member(made, "severity", "error");
  assert_member(made, "code", "io");
  assert_member(made, "where", "a");
  assert_member(made, "message", "cannot read 'a'");
  assert_member(made, "mend", "mend it");
  json_decref(made);
}

static void test_every_failing_allocation_gives_null(void **state) {
  (void)state;
  for (size_t n = 1;; n++) {
    (void)spec_alloc_fail_at(n);
    json_t *made = spec_event_json(&redundant);
    bool reached = spec_alloc_fail_at(0) >= n;
    assert_int_equal(made == NULL, reached);
    json_decref(made);
    if (!reached) {
      assert_true(n > 10);
      return;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_text_without_place_or_mend),
      cmocka_unit_test(test_colour_adds_nothing_but_colour),
      cmocka_unit_test(test_names_cannot_steer_the_terminal),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_error_is_rendered_as_an_event),
      cmocka_unit_test(test_every_failing_allocation_gives_null),
  };
  return cmocka_run_group_tests(tests, init, NULL);
}
