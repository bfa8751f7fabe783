/* Why a build uses what it does: the whole overlay of whole.h placed again and asked about, also
 * with each allocation failing in turn. */
#include "base/err.h"
#include "base/json.h"
#include "explain.h"
#include "whole.h"

#include <stdio.h>
#include <string.h>

/* ./build, whose spec folder is ./out. */
static void put_built(void) {
  put_whole();
  run_soundly();
  put_folder("build");
  put_link("../out", "build/spec");
  put("out/targets.txt", text_of("targets.txt"));
}

static int ask(json_t **out, const char *path, spec_err *err) {
  spec_plan *plan = NULL;
  int rc = spec_build_plan(&plan, "build", NULL, NULL, err);
  if (rc == 0)
    rc = spec_build_explain(out, plan, "build", path, err);
  spec_plan_free(plan);
  return rc;
}

/* The steps of a chain as "file:line found -> includes", joined by ", ". */
static const char *chain_text(const json_t *chain) {
  static char text[1024];
  json_t *step;
  size_t i, len = 0;
  text[0] = '\0';
  json_array_foreach (chain, i, step)
    len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%d %s -> %s", i == 0 ? "" : ", ",
                            json_string_value(json_object_get(step, "file")),
                            (int)json_integer_value(json_object_get(step, "line")),
                            json_string_value(json_object_get(step, "found")),
                            json_string_value(json_object_get(step, "includes")));
  return text;
}

/* The chain of the first unit of that source which reaches the path, or NULL. */
static const char *way(const char *source, const char *path) {
  json_t *answer = NULL, *unit;
  const char *found = NULL;
  size_t i;
  assert_int_equal(ask(&answer, path, NULL), 0);
  json_array_foreach (json_object_get(answer, "reached_by"), i, unit)
    if (found == NULL && strcmp(json_string_value(json_object_get(unit, "source")), source) == 0)
      found = chain_text(json_object_get(unit, "chain"));
  json_decref(answer);
  return found;
}

static void test_ways(void **state) {
  (void)state;
  put_built();
  assert_string_equal(way("lib/a.cpp", "include/x/X.h"), "lib/a.cpp:1 search -> include/x/X.h");
  assert_string_equal(way("lib/b.cpp", "include/x/Y.h"), "lib/b.cpp:1 search -> include/x/Y.h");
  assert_string_equal(way("lib/a.cpp", "lib/sub/Deep.h"),
                      "lib/a.cpp:2 beside -> lib/Local.h, lib/Local.h:1 beside -> lib/sub/Deep.h");
  assert_string_equal(way("lib/own.c", "lib/own/Own.h"), "lib/own.c:1 search -> lib/own/Own.h");
  assert_string_equal(way("lib/a.cpp", "include/x/Pch.h"), "lib/a.cpp:0 forced -> include/x/Pch.h");
  assert_string_equal(way("lib/opaque.c", "lib/own/Own.h"),
                      "lib/opaque.c:1 macro -> lib/own/Own.h");
  assert_null(way("lib/b.cpp", "lib/own/Own.h"));
}

static void test_paths_that_mean_nothing(void **state) {
  (void)state;
  json_t *answer = NULL;
  spec_err err = {0};
  put_built();
  assert_int_equal(ask(&answer, "lib/none.h", &err), 0);
  assert_int_equal(json_array_size(json_object_get(answer, "units")), 0);
  assert_null(json_object_get(answer, "staged"));
  json_decref(answer);
  spec_plan *plan = NULL;
  assert_int_equal(spec_build_plan(&plan, "trunk", NULL, NULL, &err), SPEC_ENOTFOUND);
  bool is = true;
  assert_int_equal(spec_build_is_one(&is, "trunk", &err), 0);
  assert_false(is);
  assert_int_equal(spec_build_is_one(&is, "build", &err), 0);
  assert_true(is);
}

/* Allocation n fails; 0: none does. Returns how many were made. */
static size_t ask_failing(const char *path, size_t n) {
  json_t *answer = NULL;
  spec_err err = {0};
  (void)spec_arena_fail_at(n);
  int rc = ask(&answer, path, &err), expected = n == 0 ? SPEC_OK : SPEC_ENOMEM;
  size_t made = spec_arena_fail_at(0);
  json_decref(answer);
  if (rc != expected)
    print_error("allocation %zu of %s: %d %s\n", n, path, rc, err.what);
  assert_int_equal(rc, expected);
  assert_int_equal(err.code, expected);
  return made;
}

/* Planning and placing have a test of their own, so of their allocations some are enough. */
static void test_allocations_fail(void **state) {
  (void)state;
  static const char *const paths[] = {"include/x/Y.h", "lib/a.cpp", "include/x/Base.td",
                                      "lib/own/Own.h"};
  put_built();
  size_t descriptors = count_descriptors();
  for (size_t i = 0; i < COUNT(paths); i++) {
    size_t total = ask_failing(paths[i], 0);
    assert_true(total > 500);
    for (size_t n = 1 + i; n <= total; n += n + 150 < total ? 61 : 1)
      (void)ask_failing(paths[i], n);
  }
  assert_int_equal(count_descriptors(), descriptors);
}

int main(void) {
  spec_json_init();
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_ways),
      IN_SCRATCH(test_paths_that_mean_nothing),
      IN_SCRATCH(test_allocations_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
