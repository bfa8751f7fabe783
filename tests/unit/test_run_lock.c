/* One run at a time: waiting, giving up, and what is said meanwhile. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "core/run_lock.h"
#include "planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const files[] = {
    [SPEC_RUN_BUILD] = ".spec_build.lock",
    [SPEC_RUN_CONFIGURE] = ".spec_configure.lock",
    [SPEC_RUN_WRITE] = ".lock",
};

static bool take_part(const void *part) {
  spec_run_lock lock;
  return spec_run_lock_take(&lock, *(const spec_run_part *)part, scratch(), NULL, NULL, NULL) ==
         SPEC_OK;
}

/* Another process with that part of the current folder, until it is killed. */
static pid_t other_run(spec_run_part part) {
  return start_other(take_part, &part);
}

static int take(spec_run_lock *lock, spec_run_part part, findings *found, spec_err *err) {
  found->count = 0;
  return spec_run_lock_take(lock, part, scratch(), remember, found, err);
}

static void test_parts_are_apart(void **state) {
  (void)state;
  static findings found;
  assert_int_equal(setenv("TRITON_SPEC_WAIT", "0", 1), 0);
  for (size_t i = 0; i < COUNT(files); i++) {
    pid_t other = other_run((spec_run_part)i);
    assert_int_equal(access(files[i], F_OK), 0);
    for (size_t k = 0; k < COUNT(files); k++) {
      spec_run_lock lock = {-1};
      spec_err err = {0};
      assert_int_equal(take(&lock, (spec_run_part)k, &found, &err), i == k ? SPEC_EBUSY : SPEC_OK);
      assert_int_equal(found.count, 0); /* nobody waited */
      spec_run_lock_release(&lock);
      if (i != k)
        continue;
      char pid[32];
      (void)snprintf(pid, sizeof pid, "process %ld", (long)other);
      assert_non_null(strstr(err.what, pid));
      assert_non_null(strstr(err.what, scratch()));
      assert_non_null(strstr(err.where, files[i]));
      assert_non_null(strstr(err.mend, "TRITON_SPEC_WAIT=<seconds>"));
    }
    kill_other(other);
  }
}

/* Ends the run that is waited for, as soon as the wait is told of. */
static pid_t awaited;
static size_t told;

static void end_awaited(void *user, const spec_event *event) {
  (void)user;
  told++;
  assert_int_equal(event->severity, SPEC_NOTE);
  assert_string_equal(event->code, "waiting");
  assert_string_equal(event->where, scratch());
  assert_non_null(strstr(event->message, "configures or proves this folder"));
  assert_non_null(strstr(event->mend, "after 600 s"));
  kill_other(awaited);
}

static void test_waits_and_tells_once(void **state) {
  (void)state;
  assert_int_equal(unsetenv("TRITON_SPEC_WAIT"), 0);
  awaited = other_run(SPEC_RUN_CONFIGURE);
  spec_run_lock lock = {-1};
  spec_err err = {0};
  assert_int_equal(
      spec_run_lock_take(&lock, SPEC_RUN_CONFIGURE, scratch(), end_awaited, NULL, &err), SPEC_OK);
  assert_int_equal(told, 1);
  assert_true(lock.handle >= 0);
  spec_run_lock_release(&lock);
  assert_int_equal(lock.handle, -1);
  spec_run_lock_release(&lock);
}

static void test_gives_up(void **state) {
  (void)state;
  static findings found;
  assert_int_equal(setenv("TRITON_SPEC_WAIT", "1", 1), 0);
  pid_t other = other_run(SPEC_RUN_WRITE);
  spec_run_lock lock = {-1};
  spec_err err = {0};
  assert_int_equal(take(&lock, SPEC_RUN_WRITE, &found, &err), SPEC_EBUSY);
  assert_int_equal(found.count, 1);
  assert_string_equal(spec_code_name(err.code), "busy");
  assert_non_null(strstr(err.what, "writes '"));
  assert_non_null(strstr(err.what, "did not end within 1 s"));
  assert_int_equal(lock.handle, -1);
  kill_other(other);
}

static void test_without_locks(void **state) {
  (void)state;
  static findings found;
  pid_t other = other_run(SPEC_RUN_WRITE);
  assert_int_equal(setenv("TRITON_SPEC_WAIT", "off", 1), 0);
  spec_run_lock lock = {0};
  spec_err err = {0};
  assert_int_equal(take(&lock, SPEC_RUN_WRITE, &found, &err), SPEC_OK);
  assert_int_equal(lock.handle, -1);
  kill_other(other);
}

static void test_time_that_is_none(void **state) {
  (void)state;
  static const char *const values[] = {"-1", "1s", "x", " 1", "1000001", "99999999999999999999"};
  static findings found;
  for (size_t i = 0; i < COUNT(values); i++) {
    assert_int_equal(setenv("TRITON_SPEC_WAIT", values[i], 1), 0);
    spec_run_lock lock = {-1};
    spec_err err = {0};
    assert_int_equal(take(&lock, SPEC_RUN_WRITE, &found, &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, values[i]));
    assert_non_null(strstr(err.mend, "'off'"));
    assert_int_equal(access(".lock", F_OK), -1);
  }
  assert_int_equal(setenv("TRITON_SPEC_WAIT", "", 1), 0);
  spec_run_lock lock = {-1};
  assert_int_equal(take(&lock, SPEC_RUN_WRITE, &found, NULL), SPEC_OK);
  spec_run_lock_release(&lock);
}

static void test_folder_that_cannot_be_locked(void **state) {
  (void)state;
  static char long_path[8192];
  spec_run_lock lock = {-1};
  spec_err err;
  assert_int_equal(unsetenv("TRITON_SPEC_WAIT"), 0);
  assert_int_equal(spec_run_lock_take(&lock, SPEC_RUN_WRITE, "gone", NULL, NULL, &err), SPEC_EIO);
  assert_non_null(strstr(err.what, "gone/.lock"));
  memset(long_path, 'x', sizeof long_path - 1);
  assert_int_equal(spec_run_lock_take(&lock, SPEC_RUN_WRITE, long_path, NULL, NULL, &err),
                   SPEC_EIO);
  assert_non_null(strstr(err.what, "too long"));
}

#define LOCK_TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void) {
  const struct CMUnitTest tests[] = {
      LOCK_TEST(test_parts_are_apart),   LOCK_TEST(test_waits_and_tells_once),
      LOCK_TEST(test_gives_up),          LOCK_TEST(test_without_locks),
      LOCK_TEST(test_time_that_is_none), LOCK_TEST(test_folder_that_cannot_be_locked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
