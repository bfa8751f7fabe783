/* What holds for whole targets: unity batches and precompiled headers that reach overrides. */
#include "planning.h"

#include <stdio.h>
#include <string.h>

#define BUILD "build @/build\n"
#define TARGET(name, sources)                                                            \
  "target " name "\ntype OBJECT_LIBRARY\ndir @/trunk/lib\nbin @/build\nsources " sources \
  "\nincludes @/trunk/one;@/trunk/two\n"

static void put_trunk(void) {
  put("trunk/lib/a.c", "#include <y.h>\n");
  put("trunk/lib/b.c", "int b;\n");
  put("trunk/lib/w.c", "#include <w.h>\n");
  put("trunk/lib/x.c", "#include \"../two/x.h\"\n");
  put("trunk/one/w.h", "#include <x.h>\n");
  put("trunk/one/x.h", "");
  put("trunk/two/x.h", "");
  put("trunk/two/y.h", "");
  put("vendors/acme/spec_cpp/two/y.h", "vendor");
}

static bool is_called(const char *function, const char *target) {
  char call[64];
  (void)snprintf(call, sizeof call, "\n%s(\"%s\"", function, target);
  return strstr(text_of("out/place.cmake"), call) != NULL;
}

/* The digest that place.cmake gives a whole target. */
static const char *digest_of(const char *target) {
  static char digests[4][17];
  static size_t next;
  char call[64], *out = digests[next++ % COUNT(digests)];
  (void)snprintf(call, sizeof call, "\n_spec_wide(\"%s\" ", target);
  const char *found = strstr(text_of("out/place.cmake"), call);
  assert_non_null(found);
  memcpy(out, found + strlen(call), 16);
  assert_int_equal(strspn(out, "0123456789abcdef"), 16);
  return out;
}

static bool has_text(const char *wanted) {
  return strstr(text_of("out/place.cmake"), wanted) != NULL;
}

static void test_batch_that_reaches_an_override(void **state) {
  (void)state;
  put_trunk();
  json_decref(placed(BUILD TARGET("u", "a.c;b.c") "unity ON\n" TARGET("v", "b.c") "unity ON\n"));
  assert_true(is_called("_spec_wide", "u") && !is_called("_spec_wide", "v"));
  assert_false(has_text("_spec_unit"));
  assert_true(has_text("/out/stage/two\")"));
}

static void test_source_outside_the_batches(void **state) {
  (void)state;
  put_trunk();
  json_decref(placed(BUILD TARGET("u", "a.c;b.c") "unity ON\nsolo a.c\n"));
  assert_true(is_called("_spec_unit", "u") && !is_called("_spec_wide", "u"));
}

/* A property of lib/a.c would take it out of u's batch. */
static void test_source_that_another_target_has_in_a_batch(void **state) {
  (void)state;
  put_trunk();
  json_decref(placed(BUILD TARGET("u", "a.c;b.c") "unity ON\n" TARGET("v", "a.c")));
  assert_true(is_called("_spec_wide", "u") && is_called("_spec_wide", "v"));
  assert_false(has_text("_spec_unit"));
}

/* w.c reaches no override, but sees the stage, in which two/x.h would be the first. */
static void test_folders_of_all_units_of_the_target(void **state) {
  (void)state;
  put_trunk();
  put("vendors/acme/spec_cpp/two/x.h", "vendor");
  json_decref(placed(BUILD TARGET("u", "a.c;w.c") "unity ON\n" TARGET("v", "x.c")));
  assert_true(has_text("/out/stage/one\"\n  \""));
  assert_true(has_text("/out/stage/two\")"));
}

static void test_precompiled_header_and_who_uses_it(void **state) {
  (void)state;
  put_trunk();
  json_decref(placed(
      BUILD TARGET("p", "b.c") "pch <y.h>\n" TARGET("q", "b.c") "pchfrom p\n" TARGET("r", "b.c")));
  assert_string_equal(digest_of("p"), digest_of("q"));
  assert_false(is_called("_spec_wide", "r"));
}

/* What one of them has besides, both have. */
static void test_users_of_a_header_have_one_definition(void **state) {
  (void)state;
  put_trunk();
  put("vendors/acme/spec_cpp/two/x.h", "vendor");
  static const char users[] =
      BUILD TARGET("p", "b.c") "pch <y.h>\n" TARGET("q", "x.c") "pchfrom p\n";
  char with_unity[1024];
  json_decref(placed(users));
  const char *before = digest_of("p");
  (void)snprintf(with_unity, sizeof with_unity, "%sunity ON\n", users);
  json_decref(placed(with_unity));
  assert_string_equal(digest_of("p"), digest_of("q"));
  assert_string_not_equal(digest_of("p"), before);
}

/* CMake looks into the current folder first, whatever a target has. */
static void test_current_folder(void **state) {
  (void)state;
  put_trunk();
  put("trunk/lib/h.h", "");
  put("trunk/lib/c.c", "#include <h.h>\n");
  json_decref(placed(BUILD TARGET("u", "a.c") "current ON\nunity ON\n"));
  assert_false(is_called("_spec_put_generated_first", "u"));
  put("vendors/acme/spec_cpp/lib/h.h", "vendor");
  json_decref(placed(BUILD TARGET("u", "a.c;c.c") "current ON\nunity ON\n"));
  assert_true(is_called("_spec_put_generated_first", "u"));
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_batch_that_reaches_an_override),
      IN_SCRATCH(test_source_outside_the_batches),
      IN_SCRATCH(test_source_that_another_target_has_in_a_batch),
      IN_SCRATCH(test_folders_of_all_units_of_the_target),
      IN_SCRATCH(test_precompiled_header_and_who_uses_it),
      IN_SCRATCH(test_users_of_a_header_have_one_definition),
      IN_SCRATCH(test_current_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
