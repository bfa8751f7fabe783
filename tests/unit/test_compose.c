/* Overrides over their base, layer by layer: text, and whose lines they are. */
#include "package/package.h"
#include "planning.h"

#include <stdio.h>
#include <string.h>

static findings found;
static spec_plan *plan;
static spec_package package;

static int tear_down(void **state) {
  spec_plan_free(plan);
  plan = NULL;
  return leave_scratch(state);
}

#define MODULE "triton/testing.py" /* policy: merge */

static const char trunk_text[] =
    "import os\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n";

static void put_layers(void) {
  put("trunk/" MODULE, trunk_text);
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n");
  put_folder("vendors/base");
}

static int make(void) {
  spec_err err = {0};
  spec_plan_free(plan);
  plan = NULL;
  int rc = plan_installed(&found, &plan, "acme", &err);
  return rc != SPEC_OK ? rc : spec_package_new(&package, plan, SPEC_PACKAGE_LIVE, &err);
}

static const spec_member *module(void) {
  int rc = make();
  for (size_t i = 0; rc != SPEC_OK && i < found.count; i++)
    print_error("%s %s\n", found.items[i].where, found.items[i].message);
  assert_int_equal(rc, SPEC_OK);
  const spec_member *m = spec_package_find(&package, MODULE);
  assert_non_null(m);
  return m;
}

/* The n-th line of a text, without its end; valid until the next call. */
static const char *line_of(const char *text, size_t n) {
  static char line[256];
  for (; n > 1 && text != NULL; n--) {
    text = strchr(text, '\n');
    text = text == NULL ? NULL : text + 1;
  }
  if (text == NULL) {
    fail_msg("there is no such line");
    return "";
  }
  (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
  return line;
}

/* Every line that a span says to be another file's equals that line there, which in a patch begins
 * with a plus; returns how many lines are of `file`. */
static size_t check_spans(const spec_member *m, const char *file) {
  size_t of_file = 0, last = 0;
  for (size_t i = 0; i < m->span_count; i++) {
    const spec_span *s = &m->spans[i];
    assert_true(s->line > last && s->count > 0);
    last = s->line + s->count - 1;
    of_file += strcmp(s->file, file) == 0 ? s->count : 0;
    for (size_t k = 0; k < s->count; k++) {
      char mine[256];
      (void)snprintf(mine, sizeof mine, "%s", line_of(m->text, s->line + k));
      const char *theirs = line_of(text_of(s->file), s->file_line + k);
      if (strstr(s->file, ".patch") != NULL) {
        assert_int_equal(*theirs, '+');
        theirs++;
      }
      assert_string_equal(mine, theirs);
    }
  }
  return of_file;
}

static void test_merge_into_the_trunk(void **state) {
  (void)state;
  put_layers();
  put("vendors/acme/spec/" MODULE, "def g():\n    return 'vendor'\n");
  const spec_member *m = module();
  assert_int_equal(m->origin, SPEC_MADE);
  assert_string_equal(m->text, "import os\n\n\ndef f():\n    return 1\n\n\n"
                               "# spec: from spec/triton/testing.py:1\ndef g():\n"
                               "    return 'vendor'\n");
  assert_int_equal(check_spans(m, at("vendors/acme/spec/" MODULE)), 2);
  assert_int_equal(check_spans(m, at("trunk/" MODULE)), 7);
}

static void test_merge_into_a_merge(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec/" MODULE, "def f():\n    return 'base'\n\n\ndef h():\n    return 3\n");
  put("vendors/acme/spec/" MODULE, "\n\ndef g():\n    return 'acme'\n");
  const spec_member *m = module();
  assert_non_null(strstr(m->text, "return 'base'"));
  assert_non_null(strstr(m->text, "return 'acme'"));
  assert_null(strstr(m->text, "return 1"));
  assert_int_equal(check_spans(m, at("vendors/base/spec/" MODULE)), 4);
  assert_int_equal(check_spans(m, at("vendors/acme/spec/" MODULE)), 2);
  assert_true(check_spans(m, at("trunk/" MODULE)) >= 3);
}

/* The later layer's definition wins, and nothing is left of the former's. */
static void test_merge_over_the_same_definition(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec/" MODULE, "def f():\n    return 'base'\n");
  put("vendors/acme/spec/" MODULE, "def f():\n    return 'acme'\n");
  const spec_member *m = module();
  assert_null(strstr(m->text, "'base'"));
  assert_int_equal(check_spans(m, at("vendors/base/spec/" MODULE)), 0);
}

static void test_merge_into_a_whole_module(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec.ini", "[policy]\ntesting.py = whole\n");
  put("vendors/base/spec/" MODULE, "def f():\n    return 'base'\n");
  put("vendors/acme/spec/" MODULE, "def f():\n    return 'acme'\n\n\ndef k():\n    pass\n");
  const spec_member *m = module();
  assert_null(strstr(m->text, "import os"));
  assert_int_equal(check_spans(m, at("vendors/acme/spec/" MODULE)), 4);
  assert_int_equal(check_spans(m, at("trunk/" MODULE)), 0);
}

static void test_whole_over_a_merge(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec/" MODULE, "def f():\n    return 'base'\n");
  put("vendors/acme/spec.ini", "[backend]\nbase = base\n[policy]\ntesting.py = whole\n");
  put("vendors/acme/spec/" MODULE, "whole = 1\n");
  const spec_member *m = module();
  assert_int_equal(m->origin, SPEC_FROM_VENDOR);
  assert_string_equal(m->text, "whole = 1\n");
}

static void test_patch_of_a_merge(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec/" MODULE, "def f():\n    return 'base'\n");
  put("vendors/acme/spec/" MODULE ".patch",
      "--- a/testing.py\n+++ b/testing.py\n@@ -9,2 +9,2 @@\n def g():\n-    return 2\n"
      "+    return 'acme'\n");
  const spec_member *m = module();
  assert_non_null(strstr(m->text, "return 'base'"));
  assert_non_null(strstr(m->text, "return 'acme'"));
  assert_int_equal(check_spans(m, at("vendors/base/spec/" MODULE)), 2);
}

static void test_merge_into_a_patch(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec/" MODULE ".patch",
      "--- a/testing.py\n+++ b/testing.py\n@@ -3,4 +3,4 @@\n \n def f():\n-    return 1\n"
      "+    return 'patched'\n \n");
  put("vendors/acme/spec/" MODULE, "def g():\n    return 'acme'\n");
  const spec_member *m = module();
  assert_non_null(strstr(m->text, "return 'patched'"));
  assert_non_null(strstr(m->text, "return 'acme'"));
  assert_int_equal(check_spans(m, at("vendors/acme/spec/" MODULE)), 2);
}

/* A base layer removes the module, and the one above it brings its own. */
static void test_merge_where_nothing_is_left(void **state) {
  (void)state;
  put_layers();
  put("vendors/base/spec.ini", "[remove]\npath = triton/testing.py\n");
  put("vendors/acme/spec/" MODULE, "def f():\n    return 'acme'\n");
  const spec_member *m = module();
  assert_int_equal(m->origin, SPEC_FROM_VENDOR);
  assert_string_equal(m->text, "def f():\n    return 'acme'\n");
}

/* A file without definitions is replaced, whatever the folder's policy. */
static void test_data_where_modules_are_merged(void **state) {
  (void)state;
  put_layers();
  put("trunk/triton/table.txt", "trunk");
  put("vendors/acme/spec/triton/table.txt", "vendor");
  (void)module();
  assert_string_equal(spec_package_find(&package, "triton/table.txt")->text, "vendor");
  assert_int_equal(found.count, 0);
}

static void test_findings_of_a_merge(void **state) {
  (void)state;
  put_layers();
  put("vendors/acme/spec/" MODULE, "def f(:\n");
  assert_int_equal(make(), SPEC_EREFUSED);
  const said *it = find_said(&found, "merge-syntax");
  assert_non_null(it);
  assert_string_equal(it->where, at("vendors/acme/spec/" MODULE ":1"));
}

static void test_digest_with_a_merge_is_everywhere_the_same(void **state) {
  (void)state;
  char digest[33];
  put_layers();
  put("vendors/acme/spec/" MODULE, "def g():\n    return 'vendor'\n");
  (void)module();
  memcpy(digest, package.digest, sizeof digest);
  assert_int_equal(rename("vendors", "moved"), 0);
  put_link("moved", "vendors");
  (void)module();
  assert_string_equal(package.digest, digest);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_merge_into_the_trunk),
      TEST(test_merge_into_a_merge),
      TEST(test_merge_over_the_same_definition),
      TEST(test_merge_into_a_whole_module),
      TEST(test_whole_over_a_merge),
      TEST(test_patch_of_a_merge),
      TEST(test_merge_into_a_patch),
      TEST(test_merge_where_nothing_is_left),
      TEST(test_data_where_modules_are_merged),
      TEST(test_findings_of_a_merge),
      TEST(test_digest_with_a_merge_is_everywhere_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
