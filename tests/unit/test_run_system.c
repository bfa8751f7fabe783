/* Whole runs in which every system call fails in turn: an error that names the place, or the right
 * answer; each result is the old one or the new one; and the next run is sound. */
#include "base/fs.h"
#include "base/json.h"
#include "whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A change that every result shows. */
static void put_change(bool on) {
  put("vendors/acme/spec_cpp/lib/b.cpp",
      on ? "#include \"x/X.h\"\n// vendor\n" : "#include <x/Y.h>\n// old\n");
  put("vendors/acme/spec.ini", on ? "[backend]\nbase = base\n[policy]\ntriton/knobs.py = whole\n"
                                  : "[backend]\nbase = base\n[remove]\npath = lib/removed.cpp\n"
                                    "[policy]\ntriton/knobs.py = whole\n");
}

/* Fails every step-th call, each in a run of its own; every one with SPEC_TEST_FULL set. */
static void fail_each(int number, size_t step) {
  static results before, after;
  put_whole();
  put_change(true);
  run_soundly();
  take_results(&after);
  put_change(false);
  run_soundly();
  take_results(&before);
  assert_memory_not_equal(&before, &after, sizeof before);
  size_t descriptors = count_descriptors(), n = 1;
  if (getenv("SPEC_TEST_FULL") != NULL)
    step = 1;
  for (bool reached = true; reached; n += step) {
    spec_err err = {0};
    put_change(true);
    (void)spec_fs_fail_at(n, number);
    int rc = run_whole(&err);
    reached = spec_fs_fail_at(0, 0) >= n;
    if (rc != SPEC_OK && rc != SPEC_EIO)
      print_error("call %zu: %d %s %s\n", n, rc, err.what, err.where);
    assert_true(rc == SPEC_OK || rc == SPEC_EIO);
    assert_true(rc == SPEC_OK || (err.what[0] != '\0' && err.where[0] != '\0'));
    check_results(rc == SPEC_OK ? &after : &before, &after);
    run_soundly();
    check_results(&after, &after);
    put_change(false);
    run_soundly();
    check_results(&before, &before);
  }
  assert_true(n > 100);
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_full_disk(void **state) {
  (void)state;
  fail_each(ENOSPC, 7);
}

static void test_broken_disk(void **state) {
  (void)state;
  fail_each(EIO, 2);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_full_disk),
      IN_SCRATCH(test_broken_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
