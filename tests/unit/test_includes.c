/* Which units reach which overrides, through which folders, and what is staged so that they do:
 * small trunks of a few headers, placed, and the manifest and the stage looked at. */
#include "planning.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define APP(sources, includes)                                                     \
  "build @/build\ntarget app\ntype EXECUTABLE\ndir @/trunk/lib\nbin @/build/lib\n" \
  "sources " sources "\nincludes " includes "\n"

static json_t *manifest;

static int tear_down(void **state) {
  json_decref(manifest);
  manifest = NULL;
  return leave_scratch(state);
}

/* What a unit reaches and its staged include folders; "" for one that reaches nothing. */
static void reaches(const char *source, const char *overrides, const char *dirs) {
  const json_t *unit = unit_of(manifest, source);
  assert_int_equal(unit != NULL, overrides[0] != '\0');
  if (unit == NULL)
    return;
  assert_true(are_words(json_object_get(unit, "overrides"), overrides));
  assert_true(are_words(json_object_get(unit, "include_dirs"), dirs));
}

static bool is_staged(const char *path) {
  char full[256];
  (void)snprintf(full, sizeof full, "out/stage/%s", path);
  return access(full, F_OK) == 0;
}

static bool compiles_from_stage(const char *source) {
  const json_t *unit = unit_of(manifest, source);
  return unit != NULL && json_is_true(json_object_get(unit, "staged"));
}

static void test_search_path(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <x/h.h>\n");
  put("trunk/lib/b.c", "#include <x/other.h>\n");
  put("trunk/include/x/h.h", "");
  put("trunk/include/x/other.h", "");
  put("vendors/acme/spec_cpp/include/x/h.h", "vendor");
  manifest = placed(APP("a.c;b.c", "@/trunk/include"));
  reaches("lib/a.c", "include/x/h.h", "include");
  reaches("lib/b.c", "", "");
  assert_false(compiles_from_stage("lib/a.c"));
  assert_true(is_link_to("out/stage/include/x/h.h", at("vendors/acme/spec_cpp/include/x/h.h")));
  assert_false(is_staged("include/x/other.h"));
}

static void test_beside_the_includer(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include \"h.h\"\n#include \"near.h\"\n");
  put("trunk/lib/h.h", "");
  put("trunk/lib/near.h", "");
  put("vendors/acme/spec_cpp/lib/h.h", "vendor");
  manifest = placed(APP("a.c", ""));
  reaches("lib/a.c", "lib/h.h", "");
  assert_true(compiles_from_stage("lib/a.c"));
  /* What a staged file includes beside it must be there too. */
  assert_true(is_link_to("out/stage/lib/near.h", at("trunk/lib/near.h")));
  assert_true(is_link_to("out/stage/lib/a.c", at("trunk/lib/a.c")));
}

static void test_by_way_of_dots(void **state) {
  (void)state;
  put("trunk/lib/sub/a.c", "#include \"../h.h\"\n");
  put("trunk/lib/h.h", "#include \"../top.h\"\n");
  put("trunk/top.h", "");
  put("vendors/acme/spec_cpp/lib/h.h", "#include \"../top.h\"\n// vendor");
  manifest = placed(APP("sub/a.c", ""));
  reaches("lib/sub/a.c", "lib/h.h", "");
  assert_true(is_staged("lib/sub/a.c") && is_staged("top.h"));
}

static void test_through_other_headers(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <one.h>\n");
  put("trunk/include/one.h", "#include \"two.h\"\n");
  put("trunk/include/two.h", "#include <three.h>\n");
  put("trunk/more/three.h", "");
  put("vendors/acme/spec_cpp/more/three.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/include;@/trunk/more"));
  reaches("lib/a.c", "more/three.h", "more");
  assert_false(is_staged("include/two.h")); /* it finds three.h on the search path */
}

static void test_chain_of_neighbours(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <one.h>\n");
  put("trunk/include/one.h", "#include \"two.h\"\n");
  put("trunk/include/two.h", "#include \"three.h\"\n");
  put("trunk/include/three.h", "");
  put("vendors/acme/spec_cpp/include/three.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/include"));
  reaches("lib/a.c", "include/three.h", "include");
  assert_true(is_staged("include/one.h") && is_staged("include/two.h"));
}

static void test_first_folder_wins(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <h.h>\n#include <g.h>\n");
  put("trunk/first/h.h", "");
  put("trunk/second/h.h", "");
  put("trunk/second/g.h", "");
  put("vendors/acme/spec_cpp/second/h.h", "vendor");
  put("vendors/acme/spec_cpp/second/g.h", "vendor");
  put("trunk/lib/b.c", "#include \"../second/h.h\"\n"); /* else nothing would use it */
  manifest = placed(APP("a.c;b.c", "@/trunk/first;@/trunk/second"));
  reaches("lib/a.c", "second/g.h", "first second");
  /* Else the stage's second/h.h would come before the trunk's first/h.h. */
  assert_true(is_link_to("out/stage/first/h.h", at("trunk/first/h.h")));
}

static void test_added_header_comes_earlier(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <h.h>\n");
  put_folder("trunk/first");
  put("trunk/second/h.h", "");
  put("vendors/acme/spec_cpp/first/h.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/first;@/trunk/second"));
  reaches("lib/a.c", "first/h.h", "first");
}

static void test_circles(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include \"one.h\"\n#include \"a.c\"\n");
  put("trunk/lib/one.h", "#include \"two.h\"\n#include \"one.h\"\n");
  put("trunk/lib/two.h", "#include \"one.h\"\n#include <far.h>\n");
  put("trunk/include/far.h", "#include <lib/one.h>\n");
  put("vendors/acme/spec_cpp/include/far.h", "#include <lib/one.h>\n// vendor");
  manifest = placed(APP("a.c", "@/trunk/include;@/trunk"));
  reaches("lib/a.c", "include/far.h", "include");
}

static void test_what_only_the_preprocessor_knows(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include NAME\n");
  put("trunk/lib/b.c", "int b;\n");
  put("trunk/include/h.h", "");
  put("trunk/lib/c.c", "#include <h.h>\n");
  put("vendors/acme/spec_cpp/include/h.h", "vendor");
  manifest = placed(APP("a.c;b.c;c.c", "@/trunk/include"));
  reaches("lib/a.c", "include/h.h", "include");
  reaches("lib/b.c", "", "");
}

static void test_vendors_text_counts(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <old.h>\n");
  put("trunk/include/old.h", "");
  put("trunk/include/new.h", "");
  put("vendors/acme/spec_cpp/lib/a.c", "#include <new.h>\n");
  put("vendors/acme/spec_cpp/include/new.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/include"));
  reaches("lib/a.c", "include/new.h lib/a.c", "include");
}

static void test_include_next(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <h.h>\n");
  put("trunk/first/h.h", "#include_next <h.h>\n");
  put("trunk/second/h.h", "");
  put("vendors/acme/spec_cpp/second/h.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/first;@/trunk/second"));
  const json_t *unit = unit_of(manifest, "lib/a.c");
  assert_non_null(unit);
  assert_true(are_words(json_object_get(unit, "overrides"), "second/h.h"));
}

static void test_forced_and_precompiled(void **state) {
  (void)state;
  put("trunk/lib/a.c", "int a;\n");
  put("trunk/include/forced.h", "");
  put("trunk/include/pch.h", "");
  put("vendors/acme/spec_cpp/include/forced.h", "vendor");
  put("vendors/acme/spec_cpp/include/pch.h", "vendor");
  manifest = placed(APP("a.c", "@/trunk/include") "options -include;forced.h\npch <pch.h>\n");
  reaches("lib/a.c", "include/forced.h include/pch.h", "include");
}

static void test_sources_own_folders_come_first(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <h.h>\n");
  put("trunk/lib/b.c", "#include <h.h>\n");
  put("trunk/own/h.h", "");
  put("trunk/include/h.h", "");
  put("vendors/acme/spec_cpp/own/h.h", "vendor");
  manifest = placed(APP("a.c;b.c", "@/trunk/include") "source a.c\t@/trunk/own\n");
  reaches("lib/a.c", "own/h.h", "own");
  reaches("lib/b.c", "", "");
}

static void test_removed_file_is_no_answer(void **state) {
  (void)state;
  put("trunk/lib/a.c", "#include <h.h>\n");
  put("trunk/lib/gone.c", "");
  put("trunk/include/h.h", "");
  put("vendors/acme/spec_cpp/include/h.h", "vendor");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/gone.c\n");
  manifest = placed(APP("a.c;gone.c", "@/trunk/include"));
  reaches("lib/gone.c", "", "");
  assert_false(is_staged("lib/gone.c"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, tear_down)

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      TEST(test_search_path),
      TEST(test_beside_the_includer),
      TEST(test_by_way_of_dots),
      TEST(test_through_other_headers),
      TEST(test_chain_of_neighbours),
      TEST(test_first_folder_wins),
      TEST(test_added_header_comes_earlier),
      TEST(test_circles),
      TEST(test_what_only_the_preprocessor_knows),
      TEST(test_vendors_text_counts),
      TEST(test_include_next),
      TEST(test_forced_and_precompiled),
      TEST(test_sources_own_folders_come_first),
      TEST(test_removed_file_is_no_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
