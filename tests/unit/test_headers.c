/* Headers of METADATA and WHEEL: found in any case and form, replaced without touching the rest. */
#include "package/headers.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

/* The only value of a header, or how many there are, in brackets. */
static const char *value_of(const char *text, const char *name) {
  spec_header header;
  size_t count = spec_headers_find(&header, text, strlen(text), name);
  if (count != 1)
    return spec_arena_printf(arena, "[%zu]", count);
  return spec_arena_strndup(arena, text + header.at, header.len);
}

static void test_headers_are_found(void **state) {
  (void)state;
  const char text[] = "Metadata-Version: 2.4\nName:triton\r\nVERSION :1\nversion:\t3.9.0 \r\n"
                      "Summary: a\n  b\n\tc\nDynamic: x\nDynamic: y\nEmpty:\n\nName: in the body\n";
  assert_string_equal(value_of(text, "Metadata-Version"), "2.4");
  assert_string_equal(value_of(text, "name"), "triton");
  assert_string_equal(value_of(text, "Version"), "3.9.0"); /* no blank before the colon */
  assert_string_equal(value_of(text, "Summary"), "a\n  b\n\tc");
  assert_string_equal(value_of(text, "Dynamic"), "[2]");
  assert_string_equal(value_of(text, "Empty"), "");
  assert_string_equal(value_of(text, "License"), "[0]");
  assert_string_equal(value_of("", "Name"), "[0]");
  assert_string_equal(value_of("Name", "Name"), "[0]");
  assert_string_equal(value_of("Name:", "Name"), "");
  assert_string_equal(value_of("Name: x", "Name"), "x");
  assert_string_equal(value_of("A: x\n  \t\nName: x", "Name"), "[0]"); /* an empty line ends them */
}

static void test_a_value_is_replaced(void **state) {
  (void)state;
  const struct {
    const char *text, *value, *expected;
  } cases[] = {
      {"Name: x\nVersion: 3.9.0\nA: b\n\nVersion: 1\n", "3.9.0+acme",
       "Name: x\nVersion: 3.9.0+acme\nA: b\n\nVersion: 1\n"},
      {"Version: 3.9.0\r\nA: b\r\n", "1", "Version: 1\r\nA: b\r\n"},
      {"Version:3", "", "Version:"},
      {"Version: \nA: b\n", "3", "Version:3 \nA: b\n"},
      {"version:  \t3 \nB:", "4", "version:  \t4 \nB:"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    spec_header header;
    size_t len = strlen(cases[i].text), new_len = 0;
    assert_int_equal(spec_headers_find(&header, cases[i].text, len, "Version"), 1);
    const char *out =
        spec_headers_replace(arena, &new_len, cases[i].text, len, &header, cases[i].value);
    assert_string_equal(out, cases[i].expected);
    assert_int_equal(new_len, strlen(cases[i].expected));
  }
}

static void test_out_of_memory_is_told(void **state) {
  (void)state;
  const spec_header header = {0, 1};
  size_t len;
  (void)spec_arena_fail_at(1);
  assert_null(spec_headers_replace(arena, &len, "a", 1, &header, "b"));
  assert_int_equal(spec_arena_fail_at(0), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_headers_are_found),
      cmocka_unit_test(test_a_value_is_replaced),
      cmocka_unit_test(test_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
