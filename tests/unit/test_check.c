/* check: fresh after a configure run, stale exactly when CMake would be told something else. */
#include "base/arena.h"
#include "base/fs.h"
#include "planning.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char targets[] = "build @/b\n"
                              "target A\ntype OBJECT_LIBRARY\ndir @/trunk/lib\nbin @/b/lib\n"
                              "sources a.c;b.c\nincludes @/trunk/include\n";
static findings found;
static char changed[8][256];
static size_t changes;

static void on_changed(void *user, const char *path) {
  (void)user;
  (void)snprintf(changed[changes++ % COUNT(changed)], sizeof *changed, "%s", path);
}

static void put_trees(void) {
  put_folder("b/lib"); /* as CMake does before it runs the steps */
  put("trunk/lib/a.c", "#include \"x.h\"\n");
  put("trunk/lib/b.c", "int b;\n");
  put("trunk/include/x.h", "trunk\n");
  put("vendors/acme/spec_cpp/include/x.h", "vendor\n");
}

/* Both steps, as a configure run does them. */
static int configure(spec_err *err) {
  char out[512], list[512];
  spec_plan *plan = NULL;
  (void)snprintf(out, sizeof out, "%s", at("b/spec"));
  (void)snprintf(list, sizeof list, "%s", at("targets.txt"));
  int rc = plan_backend(&found, &plan, "acme", err);
  if (rc == 0)
    rc = spec_build_stage(plan, out, err);
  if (rc == 0)
    rc = spec_build_place(plan, out, list, true, err);
  spec_plan_free(plan);
  return rc;
}

static void start(void) {
  put_trees();
  static char text[4096];
  char *to = text;
  for (const char *from = targets; *from != '\0'; from++)
    to += *from == '@' ? snprintf(to, 1024, "%s", scratch()) : snprintf(to, 2, "%c", *from);
  put("targets.txt", text);
  assert_int_equal(configure(NULL), 0);
}

static bool is_stale(void) {
  bool stale = false;
  spec_err err = {0};
  changes = 0;
  int rc = spec_build_check(&stale, "b", on_changed, NULL, NULL, &err);
  if (rc != 0)
    print_error("%s\n", err.what);
  assert_int_equal(rc, 0);
  return stale;
}

/* Stale until a configure run; fresh after it. */
static void expect_stale(const char *path) {
  assert_true(is_stale());
  assert_true(changes > 0);
  assert_string_equal(changed[0], at(path));
  assert_true(holds_text("b/spec/changed", "stale\n"));
  assert_int_equal(configure(NULL), 0);
  assert_false(is_stale());
}

static void test_fresh(void **state) {
  (void)state;
  start();
  assert_false(is_stale());
  assert_int_equal(changes, 0);
  assert_true(holds_text("b/spec/changed", ""));
}

static void test_what_comes_and_goes(void **state) {
  (void)state;
  start();
  put("vendors/acme/spec_cpp/lib/b.c", "int vendor;\n");
  expect_stale("vendors/acme/spec_cpp");
  assert_int_equal(unlink("vendors/acme/spec_cpp/lib/b.c"), 0);
  expect_stale("vendors/acme/spec_cpp/lib/b.c");
  put("vendors/acme/spec.ini", "[remove]\npath = lib/b.c\n");
  expect_stale("vendors/acme/spec.ini");
  put("trunk/include/y.h", "");
  assert_false(is_stale()); /* a file that nobody asked for */
}

static void test_edits(void **state) {
  (void)state;
  start();
  put("vendors/acme/spec_cpp/include/x.h", "edited\n");
  assert_false(is_stale());
  assert_int_equal(changes, 1);
  assert_false(is_stale());
  assert_int_equal(changes, 0); /* the record was renewed */
  put("trunk/lib/b.c", "#include \"x.h\"\n");
  expect_stale("trunk/lib/b.c");
  put("trunk/lib/b.c", "#include \"x.h\"\nint more;\n");
  assert_false(is_stale());
}

static void test_refused_overlay(void **state) {
  (void)state;
  start();
  put("vendors/acme/spec_cpp/include/x.h", "trunk\n");
  assert_true(is_stale());
  assert_int_equal(configure(NULL), SPEC_EREFUSED);
  assert_true(is_stale());
  put("vendors/acme/spec_cpp/include/x.h", "vendor\n");
  assert_int_equal(configure(NULL), 0);
  assert_false(is_stale());
}

static void test_record_lost_or_damaged(void **state) {
  (void)state;
  static const char *const texts[] = {"", "triton-spec record 2\n", "triton-spec record 1\ntrunk\n",
                                      "triton-spec record 1\nlooks 1\n",
                                      "triton-spec record 1\nstage 12\n"};
  start();
  for (size_t i = 0; i < COUNT(texts); i++) {
    put("b/spec/looks", texts[i]);
    assert_true(is_stale());
    assert_int_equal(configure(NULL), 0);
    assert_false(is_stale());
  }
  assert_int_equal(unlink("b/spec/looks"), 0);
  assert_true(is_stale());
}

/* The mark has a new date each time: ninja must run CMake each time. */
static void test_mark_is_made_anew(void **state) {
  (void)state;
  start();
  put("vendors/acme/spec_cpp/lib/b.c", "int vendor;\n");
  struct stat first, second;
  assert_true(is_stale());
  assert_int_equal(rename("b/spec/changed", "kept"), 0); /* so that its inode stays taken */
  put("b/spec/changed", "stale\n");
  assert_int_equal(stat("b/spec/changed", &first), 0);
  assert_int_equal(link("b/spec/changed", "first"), 0);
  assert_true(is_stale());
  assert_int_equal(stat("b/spec/changed", &second), 0);
  assert_true(first.st_ino != second.st_ino);
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  start();
  put("vendors/acme/spec_cpp/include/x.h", "edited\n");
  bool reached = true;
  for (size_t n = 1; reached; n++) {
    bool stale = true;
    put("trunk/lib/b.c", n % 2 != 0 ? "int b1;\n" : "int b2;\n");
    (void)spec_arena_fail_at(n);
    int rc = spec_build_check(&stale, "b", NULL, NULL, NULL, NULL);
    reached = spec_arena_fail_at(0) >= n;
    if (rc != (reached ? SPEC_ENOMEM : 0))
      print_error("allocation %zu: %d\n", n, rc);
    assert_int_equal(rc, reached ? SPEC_ENOMEM : 0);
    assert_true(reached || !stale);
  }
}

/* Never "fresh" because something could not be looked at. */
static void test_every_system_call_fails(void **state) {
  (void)state;
  start();
  put("trunk/lib/b.c", "#include \"x.h\"\n");
  bool reached = true;
  for (size_t n = 1; reached; n++) {
    bool stale = false;
    (void)spec_fs_fail_at(n, EIO);
    int rc = spec_build_check(&stale, "b", NULL, NULL, NULL, NULL);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(rc != 0 || stale);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_fresh),
      IN_SCRATCH(test_what_comes_and_goes),
      IN_SCRATCH(test_edits),
      IN_SCRATCH(test_refused_overlay),
      IN_SCRATCH(test_record_lost_or_damaged),
      IN_SCRATCH(test_mark_is_made_anew),
      IN_SCRATCH(test_every_allocation_fails),
      IN_SCRATCH(test_every_system_call_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
