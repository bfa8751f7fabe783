/* Stages while every allocation or system call fails in turn: an error, or the right stage; and
 * nothing is left that a later run would take for one. */
#include "base/fs.h"
#include "package/package.h"
#include "planning.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static findings found;

static void put_all(void) {
  put("trunk/triton/__init__.py", "trunk");
  put("trunk/triton/runtime/cache.py", "def triton_key(): pass\n");
  put("trunk/triton/runtime/data.bin", "trunk");
  put("trunk/triton/testing.py", "def f(): return 1\n");
  put("trunk/triton/errors.py", "a\nb\nc\nd\ne\n");
  put("vendors/base/spec/triton/runtime/cache.py", "def triton_key(): return 1\n");
  put("vendors/acme/spec.ini",
      "[backend]\nbase = base\n[remove]\npath = triton/runtime/data.bin\n");
  put("vendors/acme/spec/triton/__init__.py", "hooks = 1\n");
  put("vendors/acme/spec/triton/runtime/added/x.py", "vendor");
  put("vendors/acme/spec/triton/errors.py.patch",
      "--- a/errors.py\n+++ b/errors.py\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n");
}

/* path becomes that of the stage. */
static int open_stage(char path[4096], spec_err *err) {
  const char *const roots[] = {at("vendors")};
  const spec_options options = {.trunk = at("trunk"),
                                .installed = true,
                                .backend = "acme",
                                .roots = roots,
                                .root_count = 1,
                                .on_event = remember,
                                .user = &found};
  spec_stage_hold stage;
  spec_arena *arena;
  found.count = 0;
  int rc = spec_arena_new(&arena, err);
  if (rc != SPEC_OK)
    return rc;
  rc = spec_stage_open(&stage, arena, &options, at("cache"), err);
  if (rc == SPEC_OK) {
    (void)snprintf(path, 4096, "%s", stage.path);
    spec_stage_release(&stage);
  }
  spec_arena_free(arena);
  return rc;
}

static const char *in_stage(const char *stage, const char *path) {
  static char full[4096 + 64];
  (void)snprintf(full, sizeof full, "%s/%s", stage, path);
  return full;
}

/* The one stage that there should be, and nothing beside it. */
static void check_stage(void) {
  char stage[4096];
  assert_int_equal(open_stage(stage, NULL), SPEC_OK);
  assert_int_equal(count_entries("cache/stages"), 2); /* and the lock */
  assert_int_equal(count_entries(stage), 4);          /* triton, two records, the lock */
  assert_true(holds_text(in_stage(stage, "triton/__init__.py"), "trunk"));
  assert_true(holds_text(in_stage(stage, "triton/errors.py"), "a\nb\nC\nd\ne\n"));
  assert_true(holds_text(in_stage(stage, "triton/runtime/added/x.py"), "vendor"));
  assert_true(holds_text(in_stage(stage, "triton/spec/acme/triton/__init__.py"), "hooks = 1\n"));
  assert_int_equal(count_entries(in_stage(stage, "triton/runtime")), 2);
  assert_int_equal(spec_fs_remove_tree(at("cache"), NULL), SPEC_OK);
}

static void fail_each_allocation(size_t (*fail_at)(size_t n)) {
  size_t descriptors = count_descriptors(), n = 0;
  put_all();
  for (bool reached = true; reached;) {
    spec_err err = {0};
    (void)fail_at(++n);
    char path[4096];
    int rc = open_stage(path, &err);
    reached = fail_at(0) >= n;
    if (rc != SPEC_OK && rc != SPEC_ENOMEM)
      print_error("allocation %zu: %d %s %s\n", n, rc, err.what, err.where);
    assert_true(rc == SPEC_OK || rc == SPEC_ENOMEM);
    check_stage();
  }
  assert_true(n > 20);
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_every_malloc_fails(void **state) {
  (void)state;
  fail_each_allocation(spec_alloc_fail_at);
}

static void test_every_arena_allocation_fails(void **state) {
  (void)state;
  fail_each_allocation(spec_arena_fail_at);
}

/* All calls with SPEC_TEST_FULL set, else every step-th. */
static void fail_each_call(int number, size_t step) {
  size_t descriptors = count_descriptors(), n = 1;
  put_all();
  if (getenv("SPEC_TEST_FULL") != NULL)
    step = 1;
  for (bool reached = true; reached; n += step) {
    spec_err err = {0};
    (void)spec_fs_fail_at(n, number);
    char path[4096];
    int rc = open_stage(path, &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    if (rc != SPEC_OK && rc != SPEC_EIO)
      print_error("call %zu: %d %s %s\n", n, rc, err.what, err.where);
    assert_true(rc == SPEC_OK || rc == SPEC_EIO);
    assert_true(rc == SPEC_OK || (err.what[0] != '\0' && err.where[0] != '\0'));
    check_stage();
  }
  assert_true(n > 100);
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_full_disk(void **state) {
  (void)state;
  fail_each_call(ENOSPC, 5);
}

static void test_broken_disk(void **state) {
  (void)state;
  fail_each_call(EIO, 2);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_every_malloc_fails),
      IN_SCRATCH(test_every_arena_allocation_fails),
      IN_SCRATCH(test_full_disk),
      IN_SCRATCH(test_broken_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
