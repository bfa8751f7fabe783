/* Whole runs, sound ones and refused ones, in which every allocation fails in turn: out of memory
 * it is, nothing that was there is touched, and the next run is sound. */
#include "base/arena.h"
#include "base/json.h"
#include "whole.h"

#include <string.h>

static void test_whole_run(void **state) {
  (void)state;
  put_whole();
  run_soundly();
  const char *log = text_of("out/log.txt");
  static const char *const lines[] = {
      "SPEC: lib/a.cpp -> A\n",
      "SPEC: lib/Added.cpp -> A (added)\n",
      "SPEC: lib/removed.cpp -> A (removed)\n",
      "SPEC: lib/own/Own.h -> A (patched)\n",
      "SPEC: lib/CMakeLists.txt -> CMake\n",
      "SPEC: cmake/Mod.cmake -> CMake (patched)\n",
      "SPEC: include/x/Base.td -> OpsIncGen\n",
      "SPEC: include/x/Y.h -> P\n",
      "SPEC: include/x/Pch.h -> A\n",
      "SPEC: python/src/ir.cc -> C\n",
      "SPEC: python/triton/spec/acme/triton/__init__.py -> python package (hooks)\n",
      "SPEC: python/triton/knobs.py -> python package\n",
      "SPEC: python/triton/language/new.py -> python package (added)\n",
  };
  for (size_t i = 0; i < COUNT(lines); i++) {
    if (strstr(log, lines[i]) == NULL)
      print_error("%sis not in\n%s", lines[i], log);
    assert_non_null(strstr(log, lines[i]));
  }
}

typedef size_t fail_at_fn(size_t n);

/* Runs with each allocation failing until one run makes fewer; that one ends with `usual`. */
static void fail_each(fail_at_fn *fail_at, int usual) {
  size_t descriptors = count_descriptors(), n = 0;
  for (bool reached = true; reached;) {
    spec_err err = {0};
    (void)fail_at(++n);
    int rc = run_whole(&err);
    reached = fail_at(0) >= n;
    if (rc != (reached ? SPEC_ENOMEM : usual))
      print_error("allocation %zu: %d %s %s\n", n, rc, err.what, err.where);
    assert_int_equal(rc, reached ? SPEC_ENOMEM : usual);
    assert_int_equal(err.code, rc);
  }
  assert_true(n > 20);
  assert_int_equal(count_descriptors(), descriptors);
}

static void fail_each_of_a_sound_run(fail_at_fn *fail_at) {
  static results sound;
  put_whole();
  run_soundly();
  take_results(&sound);
  fail_each(fail_at, SPEC_OK);
  check_results(&sound, &sound);
  run_soundly();
  check_results(&sound, &sound);
}

static void test_every_malloc_fails(void **state) {
  (void)state;
  fail_each_of_a_sound_run(spec_alloc_fail_at);
}

static void test_every_arena_allocation_fails(void **state) {
  (void)state;
  fail_each_of_a_sound_run(spec_arena_fail_at);
}

static void test_memory_runs_out_while_a_plan_is_refused(void **state) {
  (void)state;
  put_whole();
  put_broken_for_plan();
  fail_each(spec_alloc_fail_at, SPEC_EREFUSED);
  fail_each(spec_arena_fail_at, SPEC_EREFUSED);
}

static void test_memory_runs_out_while_placing_is_refused(void **state) {
  (void)state;
  put_whole();
  put_broken_for_place();
  fail_each(spec_alloc_fail_at, SPEC_EREFUSED);
  fail_each(spec_arena_fail_at, SPEC_EREFUSED);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_whole_run),
      IN_SCRATCH(test_every_malloc_fails),
      IN_SCRATCH(test_every_arena_allocation_fails),
      IN_SCRATCH(test_memory_runs_out_while_a_plan_is_refused),
      IN_SCRATCH(test_memory_runs_out_while_placing_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
