/* Which TableGen inputs reach an overridden .td, and the wrappers for them. */
#define _XOPEN_SOURCE 700

#include "base/process.h"
#include "planning.h"
#include "tblgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static findings found;
static spec_plan *plan;
static spec_tds tds;

static int set_up(void **state) {
  plan = NULL;
  return enter_scratch(state);
}

static int tear_down(void **state) {
  spec_plan_free(plan);
  return leave_scratch(state);
}

static void scan(void) {
  spec_plan_free(plan);
  plan = sound_plan(&found);
  const spec_merged view = {
      .arena = plan->arena, .plan = plan, .stage = at("out/stage"), .build = ""};
  assert_int_equal(spec_tblgen_scan(plan->arena, &tds, &view, NULL), SPEC_OK);
}

/* The affected files, each followed by a blank. */
static bool affects(const char *wanted) {
  char text[512] = "";
  for (size_t i = 0; i < tds.count; i++) {
    size_t at = strlen(text);
    (void)snprintf(text + at, sizeof text - at, "%s ", tds.items[i].path);
  }
  if (strcmp(text, wanted) != 0)
    print_error("'%s', not '%s'\n", text, wanted);
  return strcmp(text, wanted) == 0;
}

/* The affected file of that path, or NULL. */
static const spec_td *find_td(const char *path) {
  for (size_t i = 0; i < tds.count; i++)
    if (strcmp(tds.items[i].path, path) == 0)
      return &tds.items[i];
  return NULL;
}

static void test_nested_includes(void **state) {
  (void)state;
  put("trunk/include/x/Base.td", "");
  put("trunk/include/x/Types.td", "include \"x/Base.td\"\n");
  put("trunk/include/x/Ops.td", "include \"x/Types.td\"\ninclude \"mlir/IR/OpBase.td\"\n");
  put("trunk/include/x/Other.td", "");
  put("vendors/acme/spec_cpp/include/x/Base.td", "vendor");
  scan();
  assert_true(affects("include/x/Base.td include/x/Ops.td include/x/Types.td "));
  const spec_td *ops = find_td("include/x/Ops.td");
  assert_non_null(ops);
  assert_false(ops->replaced);
  assert_int_equal(ops->file_count, 3);
  assert_int_equal(ops->override_count, 1);
  assert_true(find_td("include/x/Base.td")->replaced);
  assert_null(find_td("include/x/Other.td"));
}

static void test_bare_names_and_folders_of_the_rule(void **state) {
  (void)state;
  put("trunk/lib/Combine.td", "include \"Local.td\"\n");
  put("trunk/lib/Local.td", "");
  put("trunk/other/Rule.td", "include \"Local.td\"\n"); /* found somewhere: a superset */
  put("vendors/acme/spec_cpp/lib/Local.td", "vendor");
  scan();
  assert_true(affects("lib/Combine.td lib/Local.td other/Rule.td "));
}

static void test_own_folder_first(void **state) {
  (void)state;
  put("trunk/lib/Rule.td", "include \"Base.td\"\n");
  put("trunk/lib/Base.td", "");
  put("trunk/include/Base.td", "");
  put("vendors/acme/spec_cpp/include/Base.td", "vendor");
  scan();
  assert_true(affects("include/Base.td "));
}

static void test_circles_and_the_vendors_text(void **state) {
  (void)state;
  put("trunk/include/A.td", "include \"B.td\"\n");
  put("trunk/include/B.td", "");
  put("trunk/include/C.td", "include \"New.td\"\n");
  put("vendors/acme/spec_cpp/include/B.td", "include \"A.td\"\ninclude \"New.td\"\n");
  put("vendors/acme/spec_cpp/include/New.td", "include \"New.td\"\n");
  scan();
  assert_true(affects("include/A.td include/B.td include/C.td include/New.td "));
  assert_int_equal(find_td("include/A.td")->override_count, 2);
}

static void test_nothing_without_a_td(void **state) {
  (void)state;
  put("trunk/include/A.td", "");
  put("trunk/include/a.h", "");
  put("vendors/acme/spec_cpp/include/a.h", "vendor");
  scan();
  assert_int_equal(tds.count, 0);
  assert_null(find_td("include/A.td"));
}

static void test_digests_tell_sets_apart(void **state) {
  (void)state;
  put("trunk/include/A.td", "");
  put("trunk/include/B.td", "");
  put("trunk/include/UseA.td", "include \"A.td\"\n");
  put("trunk/include/UseB.td", "include \"B.td\"\n");
  put("trunk/include/AlsoA.td", "include \"A.td\"\n");
  put("vendors/acme/spec_cpp/include/A.td", "vendor");
  put("vendors/acme/spec_cpp/include/B.td", "vendor");
  scan();
  const char *a = find_td("include/UseA.td")->digest;
  assert_string_equal(find_td("include/AlsoA.td")->digest, a);
  assert_string_not_equal(find_td("include/UseB.td")->digest, a);
}

/* Runs `tblgen` wrapped: the stage's twin comes before each folder of the trunk, once. */
static void test_wrapper(void **state) {
  (void)state;
  put("trunk/include/A.td", "");
  put("vendors/acme/spec_cpp/include/A.td", "vendor");
  put("real tblgen", "#!/bin/sh\nfor word; do printf '%s|' \"$word\"; done >words\n");
  assert_int_equal(chmod("real tblgen", 0755), 0);
  scan();
  assert_int_equal(stage(plan, NULL), SPEC_OK);
  assert_int_equal(count_entries("out/tblgen"), 1);
  const char *wrapper = spec_tblgen_wrapper(plan->arena, at("out"), find_td("include/A.td"));
  char include[1024], trunk[1024], trunkish[1024];
  (void)snprintf(include, sizeof include, "-I%s/trunk/include", scratch());
  (void)snprintf(trunk, sizeof trunk, "-I%s/trunk", scratch());
  (void)snprintf(trunkish, sizeof trunkish, "-I%s/trunkish", scratch());
  const char *const words[] = {wrapper,
                               "./real tblgen",
                               "-gen-op-decls",
                               include,
                               trunk,
                               "-I/other",
                               "a b",
                               trunkish,
                               "-I",
                               include + 2,
                               "-I",
                               "/other",
                               "-o",
                               "x",
                               "-I",
                               NULL};
  int status = -1;
  assert_int_equal(spec_process_run(&status, false, words, NULL), SPEC_OK);
  assert_int_equal(status, 0);
  const char *here = scratch();
  char wanted[2048];
  (void)snprintf(wanted, sizeof wanted,
                 "-gen-op-decls|-I%s/out/stage/include|-I%s/trunk/include|-I%s/out/stage|"
                 "-I%s/trunk|-I/other|a b|-I%s/trunkish|"
                 "-I%s/out/stage/include|-I%s/trunk/include|-I/other|-o|x|-I|",
                 here, here, here, here, here, here, here);
  assert_string_equal(text_of("words"), wanted);
}

static void test_wrappers_that_nothing_needs_are_removed(void **state) {
  (void)state;
  put("trunk/include/A.td", "");
  put("vendors/acme/spec_cpp/include/A.td", "vendor");
  put("out/tblgen/0123456789abcdef/tblgen", "old");
  plan = sound_plan(&found);
  assert_int_equal(stage(plan, NULL), SPEC_OK);
  assert_int_equal(count_entries("out/tblgen"), 1);
  assert_int_not_equal(access("out/tblgen/0123456789abcdef", F_OK), 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_nested_includes),
      TEST(test_bare_names_and_folders_of_the_rule),
      TEST(test_own_folder_first),
      TEST(test_circles_and_the_vendors_text),
      TEST(test_nothing_without_a_td),
      TEST(test_digests_tell_sets_apart),
      TEST(test_wrapper),
      TEST(test_wrappers_that_nothing_needs_are_removed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
