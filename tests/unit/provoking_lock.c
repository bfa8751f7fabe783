/* provoking_lock.c: the findings about spec.lock. */
#include "core/blob_id.h"
#include "provoking.h"

#include <stdio.h>
#include <string.h>

#define ID_OF_OLD "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" /* of no bytes */
#define LOCK      "vendors/acme/spec.lock"
#define HEAD      "# triton-spec lock 1\n"

/* Plans backend acme in a mode; what is said is in `found`. */
static int plan_in(spec_drift mode, spec_count_lines_fn *count) {
  const spec_options options = {.trunk = "trunk",
                                .backend = "acme",
                                .roots = &(const char *){"vendors"},
                                .root_count = 1,
                                .drift = mode,
                                .count_lines = count,
                                .on_event = remember,
                                .user = &found};
  spec_plan *plan = NULL;
  spec_err err = {0};
  found.count = 0;
  int rc = spec_plan_new(&plan, &options, &err);
  spec_plan_free(plan);
  return rc;
}

static int count_some(void *user, spec_changed *files, size_t count, const char **reason,
                      spec_err *err) {
  (void)user;
  (void)err;
  assert_int_equal(count, 1);
  assert_string_equal(files[0].trunk, "lib/a.c");
  assert_string_equal(files[0].blob, ID_OF_OLD);
  files[0].added = 12;
  files[0].removed = 3;
  *reason = "never shown";
  return SPEC_OK;
}

static int count_none(void *user, spec_changed *files, size_t count, const char **reason,
                      spec_err *err) {
  (void)user;
  (void)files;
  (void)count;
  (void)err;
  *reason = "no history here";
  return SPEC_OK;
}

static void lock_drifted(void) {
  put("trunk/lib/a.c", "new\n");
  put("vendors/acme/spec_cpp/lib/a.c", "vendor\n");
  put(LOCK, HEAD "lib/a.c\t" ID_OF_OLD "\t-\n");
}

static void check_modes(void) {
  lock_drifted();
  assert_int_equal(plan_in(SPEC_DRIFT_DEFAULT, NULL), SPEC_OK);
  expect(SPEC_F_DRIFT, SPEC_WARNING, "/spec_cpp/lib/a.c", "'lib/a.c' has changed since");
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, count_some), SPEC_OK);
  expect(SPEC_F_DRIFT, SPEC_WARNING, "/spec_cpp/lib/a.c", "since, by +12 -3 lines");
  assert_int_equal(plan_in(SPEC_DRIFT_ERROR, count_none), SPEC_EREFUSED);
  expect(SPEC_F_DRIFT, SPEC_ERROR, "/spec_cpp/lib/a.c", "not counted: no history here");
  assert_int_equal(plan_in(SPEC_DRIFT_IGNORE, count_some), SPEC_OK);
  assert_int_equal(found.count, 0);
  put("vendors/acme/spec.ini", "[drift]\nmode = error\n");
  assert_int_equal(plan_in(SPEC_DRIFT_DEFAULT, NULL), SPEC_EREFUSED);
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, NULL), SPEC_OK);
  put("vendors/acme/spec.ini", "[drift]\nmode = ignore\n");
  assert_int_equal(plan_in(SPEC_DRIFT_DEFAULT, NULL), SPEC_OK);
  assert_int_equal(found.count, 0);
  assert_int_equal(remove("vendors/acme/spec.ini"), 0);
}

/* The file is gone, or an addition's path is taken; either without being asked for lines. */
static void check_come_and_gone(void) {
  assert_int_equal(remove("trunk/lib/a.c"), 0);
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, count_some), SPEC_OK);
  expect(SPEC_F_DRIFT, SPEC_WARNING, "/spec_cpp/lib/a.c", "'lib/a.c' is gone");
  put("trunk/lib/a.c", "new\n");
  put(LOCK, HEAD "lib/a.c\t-\t-\n");
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, count_some), SPEC_OK);
  expect(SPEC_F_DRIFT, SPEC_WARNING, "/spec_cpp/lib/a.c", "'lib/a.c' is new there");
}

static void check_lines(void) {
  char id[SPEC_BLOB_ID_SIZE], text[256];
  put(LOCK, HEAD);
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, NULL), SPEC_OK);
  expect(SPEC_F_UNLOCKED, SPEC_NOTE, "/spec_cpp/lib/a.c", "'spec_cpp/lib/a.c'");
  spec_blob_id(id, "new\n", 4);
  (void)snprintf(text, sizeof text, HEAD "lib/a.c\t%s\t-\n", id);
  put(LOCK, text);
  assert_int_equal(plan_in(SPEC_DRIFT_ERROR, NULL), SPEC_OK);
  assert_int_equal(found.count, 0);
  (void)snprintf(text, sizeof text, HEAD "lib/a.c\t%s\t-\nlib/z.c\t-\t-\n", id);
  put(LOCK, text);
  assert_int_equal(plan_in(SPEC_DRIFT_ERROR, NULL), SPEC_OK);
  expect(SPEC_F_LOCK_STALE, SPEC_NOTE, LOCK ":3", "'lib/z.c'");
  put(LOCK, HEAD "lib/a.c\n");
  assert_int_equal(plan_in(SPEC_DRIFT_WARN, NULL), SPEC_EREFUSED);
  expect(SPEC_F_LOCK_BROKEN, SPEC_ERROR, LOCK ":2", "a line is");
  assert_int_equal(plan_in(SPEC_DRIFT_IGNORE, NULL), SPEC_OK);
}

/* An upgrade that waits, or that was killed. */
static void check_unfinished(void) {
  put("vendors/acme/spec_cpp/lib/a.c", "vendor\n");
  put("trunk/lib/a.c", "new\n");
  put("vendors/acme/.spec-upgrade/journal", "");
  assert_int_equal(plan_in(SPEC_DRIFT_IGNORE, NULL), SPEC_OK);
  expect(SPEC_F_UPGRADE_UNFINISHED, SPEC_WARNING, "/acme/.spec-upgrade", "upgrade of 'acme'");
  assert_int_equal(remove("vendors/acme/.spec-upgrade/journal"), 0);
  assert_int_equal(remove("vendors/acme/.spec-upgrade"), 0);
}

/* A base's own overrides and lock are judged when it is named itself. */
static void check_base(void) {
  lock_drifted();
  put("vendors/over/spec.ini", "[backend]\nbase = acme\n");
  put("vendors/over/spec_cpp/lib/b.c", "");
  spec_plan *plan;
  assert_int_equal(plan_backend(&found, &plan, "over", NULL), SPEC_OK);
  assert_int_equal(found.count, 0);
  spec_plan_free(plan);
}

/* The lock names modules as the source tree does. */
static void check_installed(void) {
  spec_plan *plan;
  put("trunk/triton/testing.py", "new\n");
  put("vendors/wheel/spec/triton/testing.py", "def f(): pass\n");
  put("vendors/wheel/spec.lock",
      HEAD "lib/a.c\t-\t-\npython/triton/testing.py\t" ID_OF_OLD "\t-\npython/triton/x.py\t-\t-\n");
  assert_int_equal(plan_installed(&found, &plan, "wheel", NULL), SPEC_OK);
  spec_plan_free(plan);
  expect(SPEC_F_DRIFT, SPEC_WARNING, "/triton/testing.py", "'triton/testing.py' has changed");
  expect(SPEC_F_LOCK_STALE, SPEC_NOTE, "/wheel/spec.lock:4", "'triton/x.py'");
  assert_int_equal(found.count, 2);
}

void test_lock_findings(void **state) {
  (void)state;
  check_modes();
  check_unfinished();
  check_come_and_gone();
  check_lines();
  check_base();
  check_installed();
}
