/* The stage, the merged Python package, and the folder that holds them. */
#include "core/results.h"
#include "package/package.h"
#include "planning.h"
#include "stage.h"

#include <string.h>
#include <unistd.h>

static findings found;
static spec_plan *plan;
static spec_stage *wanted;

static int tear_down(void **state) {
  spec_stage_free(wanted);
  spec_plan_free(plan);
  wanted = NULL;
  plan = NULL;
  return leave_scratch(state);
}

static void new_stage(void) {
  put("trunk/lib/a.c", "trunk");
  put("trunk/lib/b.c", "trunk");
  put("vendors/acme/spec_cpp/lib/a.c", "vendor");
  plan = sound_plan(&found);
  assert_int_equal(spec_stage_new(&wanted, plan->arena, at("stage"), NULL), SPEC_OK);
}

static void want(const char *path) {
  assert_int_equal(spec_stage_add(wanted, path, at(path), NULL), SPEC_OK);
}

static bool exists(const char *path) {
  return access(path, F_OK) == 0 || is_link_to(path, "gone");
}

static void test_wanted_paths(void **state) {
  (void)state;
  new_stage();
  want("trunk/lib/a.c");
  assert_true(spec_stage_has(wanted, "trunk/lib/a.c"));
  assert_false(spec_stage_has(wanted, "trunk/lib"));
  assert_true(spec_stage_has_dir(wanted, "trunk/lib"));
  assert_true(spec_stage_has_dir(wanted, ""));
  assert_false(spec_stage_has_dir(wanted, "trunk/li"));
  assert_int_equal(spec_stage_count(wanted), 1);
  assert_false(exists("stage")); /* nothing is written yet */
  assert_int_equal(spec_stage_write(wanted, false, NULL), SPEC_OK);
  assert_true(is_link_to("stage/trunk/lib/a.c", at("trunk/lib/a.c")));
}

static void test_pruning(void **state) {
  (void)state;
  new_stage();
  put("stage/old/x.h", "");
  put("stage/trunk/lib/old.c", "");
  put_link("gone", "stage/dangling");
  put("precious/x.h", "");
  put_link(at("precious"), "stage/link");
  want("trunk/lib/a.c");
  assert_int_equal(spec_stage_write(wanted, false, NULL), SPEC_OK);
  assert_true(exists("stage/old/x.h") && exists("stage/dangling"));
  assert_int_equal(spec_stage_write(wanted, true, NULL), SPEC_OK);
  assert_int_equal(count_entries("stage"), 1);
  assert_int_equal(count_entries("stage/trunk/lib"), 1);
  assert_true(exists("precious/x.h"));
}

static void test_nothing_is_written_through_links(void **state) {
  (void)state;
  new_stage();
  put_folder("stage");
  put_link(at("trunk"), "stage/trunk");
  want("trunk/lib/a.c");
  assert_int_equal(spec_stage_write(wanted, false, NULL), SPEC_OK);
  assert_true(holds_text("trunk/lib/a.c", "trunk"));
  assert_true(is_link_to("stage/trunk/lib/a.c", at("trunk/lib/a.c")));
  assert_int_equal(count_entries("stage/trunk/lib"), 1);
}

static void test_files_and_folders_in_the_way(void **state) {
  (void)state;
  new_stage();
  put("stage/trunk", "a file where a folder is wanted");
  want("trunk/lib/a.c");
  assert_int_equal(spec_stage_write(wanted, false, NULL), SPEC_OK);
  put("stage/trunk/lib/b.c/x", "a folder where a file is wanted");
  want("trunk/lib/b.c");
  assert_int_equal(spec_stage_write(wanted, false, NULL), SPEC_OK);
  assert_true(is_link_to("stage/trunk/lib/b.c", at("trunk/lib/b.c")));
}

static void test_folder_of_a_cmake_override(void **state) {
  (void)state;
  put("trunk/lib/CMakeLists.txt", "trunk");
  put("trunk/lib/sub/x.h", "");
  put("trunk/lib/sub/CMakeLists.txt", "");
  put("vendors/acme/spec_cpp/lib/CMakeLists.txt", "vendor");
  new_stage();
  assert_int_equal(spec_stage_overrides(wanted, plan, NULL), SPEC_OK);
  assert_int_equal(spec_stage_write(wanted, true, NULL), SPEC_OK);
  assert_true(
      is_link_to("stage/lib/CMakeLists.txt", at("vendors/acme/spec_cpp/lib/CMakeLists.txt")));
  assert_true(is_link_to("stage/lib/sub/x.h", at("trunk/lib/sub/x.h")));
  assert_true(is_link_to("stage/lib/b.c", at("trunk/lib/b.c")));
  assert_true(is_link_to("stage/lib/a.c", at("vendors/acme/spec_cpp/lib/a.c")));
}

/* --- the merged package --------------------------------------------------------------------- */

static void put_package(void) {
  put("trunk/python/triton/__init__.py", "trunk");
  put("trunk/python/triton/runtime/jit.py", "trunk");
  put("trunk/python/triton/runtime/old.py", "trunk");
  put("trunk/python/triton/runtime/data.bin", "trunk");
  put("trunk/python/other/x.py", "trunk");
  put("vendors/acme/spec/triton/__init__.py", "hooks");
  put("vendors/acme/spec/triton/runtime/jit.py", "vendor");
  put("vendors/acme/spec/triton/runtime/new/data.txt", "vendor");
  put("vendors/acme/spec.ini", "[remove]\npath = python/triton/runtime/old.py\n");
}

static void write_package(void) {
  spec_plan_free(plan);
  plan = sound_plan(&found);
  assert_int_equal(spec_package_update(plan, at("python"), true, NULL), SPEC_OK);
}

static void test_package(void **state) {
  (void)state;
  put_package();
  write_package();
  assert_true(holds_text("python/triton/__init__.py", "trunk")); /* a copy, as all modules are */
  assert_true(
      is_link_to("python/triton/runtime/data.bin", at("trunk/python/triton/runtime/data.bin")));
  assert_true(holds_text("python/triton/runtime/jit.py", "vendor")); /* a copy, no link */
  assert_true(holds_text("python/triton/runtime/new/data.txt", "vendor"));
  assert_true(holds_text("python/triton/spec/acme/triton/__init__.py", "hooks"));
  assert_false(exists("python/triton/runtime/old.py"));
  assert_false(exists("python/other"));
}

static void test_package_changes_with_the_overlay(void **state) {
  (void)state;
  put_package();
  write_package();
  put("vendors/acme/spec/triton/runtime/jit.py", "newer");
  put("vendors/acme/spec.ini", "");
  assert_int_equal(unlink("vendors/acme/spec/triton/runtime/new/data.txt"), 0);
  assert_int_equal(unlink("vendors/acme/spec/triton/__init__.py"), 0);
  write_package();
  assert_true(holds_text("python/triton/runtime/jit.py", "newer"));
  assert_true(holds_text("python/triton/runtime/old.py", "trunk"));
  assert_false(exists("python/triton/runtime/new"));
  assert_true(holds_text("python/triton/spec/acme/triton/__init__.py", ""));
  assert_int_equal(unlink("vendors/acme/spec/triton/runtime/jit.py"), 0);
  write_package();
  assert_false(exists("python"));
}

static void test_package_is_not_written_through_links(void **state) {
  (void)state;
  put_package();
  put_folder("python");
  put_link(at("trunk/python/triton"), "python/triton");
  write_package();
  assert_true(holds_text("trunk/python/triton/runtime/jit.py", "trunk"));
  assert_false(exists("trunk/python/triton/spec"));
  assert_true(holds_text("python/triton/runtime/jit.py", "vendor"));
}

/* --- the folder of results ------------------------------------------------------------------ */

static void test_output_folders(void **state) {
  (void)state;
  new_stage();
  put("notes/mine.txt", "");
  put("ours/plan.cmake", "");
  put("ours/.plan.cmake.1.2.tmp", ""); /* left by a run that was killed */
  put_link(".", "here");
  static const struct {
    const char *path;
    bool fine;
  } rows[] = {
      {"new", true},
      {"new/deep/er", true},
      {"ours", true},
      {"trunk/build/spec", true},
      {"vendors/acme/build/spec", true},
      {"trunk", false},
      {"here", false},
      {"vendors", false},
      {"vendors/acme", false},
      {"notes", false},
      {"vendors/acme/spec_cpp", false},
      {"vendors/acme/spec_cpp/x/y", false},
      {"trunk/lib", false},
      {"here/vendors/acme/spec/x", false},
      {"new;list", false},
      {"new\nline", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    spec_err err = {0};
    int rc = spec_results_check(plan, at(rows[i].path), &err);
    if (rc != (rows[i].fine ? SPEC_OK : SPEC_EINVAL))
      print_error("'%s': %d %s\n", rows[i].path, rc, err.what);
    assert_int_equal(rc, rows[i].fine ? SPEC_OK : SPEC_EINVAL);
    assert_true(rows[i].fine || (err.where[0] == '/' && err.mend[0] != '\0'));
  }
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_wanted_paths),
      TEST(test_pruning),
      TEST(test_nothing_is_written_through_links),
      TEST(test_files_and_folders_in_the_way),
      TEST(test_folder_of_a_cmake_override),
      TEST(test_package),
      TEST(test_package_changes_with_the_overlay),
      TEST(test_package_is_not_written_through_links),
      TEST(test_output_folders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
