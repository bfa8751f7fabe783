/* A backend's package in the place of the trunk's: what is written and what is not, and that a
 * failure leaves no file half-written. */
#define _XOPEN_SOURCE 700

#include "package/bake_folder.h"
#include "planning.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static findings found;

static void put_trunk(void) {
  put("trunk/triton/__init__.py", "");
  put("trunk/triton/language/a.py", "trunk\n");
  put("trunk/triton/language/gone.py", "gone\n");
  put("trunk/triton/testing.py", "def f():\n  return 1\n");
}

static void put_overlay(void) {
  put("vendors/acme/spec/triton/language/a.py", "vendor\n");
  put("vendors/acme/spec/triton/language/new/data.txt", "data\n");
  put("vendors/acme/spec/triton/testing.py", "def f():\n  return 2\n");
  put("vendors/acme/spec.ini", "[remove]\npath = triton/language/gone.py\n");
}

static int bake(spec_err *err) {
  const char *const roots[] = {at("vendors")};
  const spec_options options = {.trunk = at("trunk"),
                                .backend = "acme",
                                .roots = roots,
                                .root_count = 1,
                                .installed = true,
                                .on_event = remember,
                                .user = &found};
  found.count = 0;
  return spec_bake_folder(&options, err);
}

static void test_what_is_written(void **state) {
  (void)state;
  spec_err err = {0};
  put_trunk();
  put_overlay();
  assert_int_equal(bake(&err), SPEC_OK);
  assert_string_equal(text_of("trunk/triton/language/a.py"), "vendor\n");
  assert_string_equal(text_of("trunk/triton/language/new/data.txt"), "data\n");
  assert_non_null(strstr(text_of("trunk/triton/testing.py"), "return 2"));
  assert_null(strstr(text_of("trunk/triton/testing.py"), "return 1"));
  assert_string_equal(text_of("trunk/triton/FLAGTREE_BACKEND"), "acme");
  assert_int_equal(access("trunk/triton/language/gone.py", F_OK), -1);
  const char *manifest = text_of("trunk/" SPEC_BAKE_FOLDER_MANIFEST);
  assert_non_null(strstr(manifest, "\"mode\": \"baked\""));
  assert_null(strstr(manifest, at("")));
}

static void test_a_baked_folder_is_refused(void **state) {
  (void)state;
  spec_err err = {0};
  put_trunk();
  put_overlay();
  assert_int_equal(bake(&err), SPEC_OK);
  assert_int_equal(bake(&err), SPEC_EINVAL);
  assert_non_null(strstr(err.what, "is baked already"));
  assert_string_equal(err.where, at("trunk/" SPEC_BAKE_FOLDER_MANIFEST));
}

static void test_a_refused_overlay_changes_nothing(void **state) {
  (void)state;
  spec_err err = {0};
  put_trunk();
  put_overlay();
  put("vendors/acme/spec/triton/language/new/x.py", "import triton_spec\n");
  assert_int_equal(bake(&err), SPEC_EREFUSED);
  assert_non_null(find_said(&found, "imports-triton-spec"));
  assert_string_equal(text_of("trunk/triton/language/a.py"), "trunk\n");
  assert_int_equal(access("trunk/triton/FLAGTREE_BACKEND", F_OK), -1);
}

/* Bakes while the n-th call of the system, or request for memory, fails, for each n. */
static void fail_each(size_t (*fail_at)(size_t)) {
  for (size_t n = 1;; n++) {
    spec_err err = {0};
    put_trunk();
    (void)fail_at(n);
    int rc = bake(&err);
    bool reached = fail_at(0) >= n;
    bool vendors = strcmp(text_of("trunk/triton/language/a.py"), "vendor\n") == 0;
    assert_true(vendors || strcmp(text_of("trunk/triton/language/a.py"), "trunk\n") == 0);
    assert_true(rc == SPEC_OK ? vendors : reached);
    assert_int_equal(access("trunk/" SPEC_BAKE_FOLDER_MANIFEST, F_OK), rc == SPEC_OK ? 0 : -1);
    assert_int_equal(spec_fs_remove_tree("trunk", NULL), SPEC_OK);
    if (!reached)
      return;
  }
}

static size_t fail_call_at(size_t n) {
  return spec_fs_fail_at(n, ENOSPC);
}

static void test_every_failure(void **state) {
  (void)state;
  put_overlay();
  fail_each(fail_call_at);
  fail_each(spec_alloc_fail_at);
  fail_each(spec_arena_fail_at);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_what_is_written),
      IN_SCRATCH(test_a_baked_folder_is_refused),
      IN_SCRATCH(test_a_refused_overlay_changes_nothing),
      IN_SCRATCH(test_every_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
