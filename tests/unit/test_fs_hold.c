/* Holds: locks of open files, shared or alone, which a fork passes on. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int take(const char *path, unsigned flags) {
  int hold = -1;
  spec_err err = {0};
  int rc = spec_fs_hold(&hold, path, flags, &err);
  assert_true(rc == SPEC_OK || hold == -1);
  assert_true(rc == SPEC_OK || rc == SPEC_EBUSY || err.where[0] != '\0');
  return rc == SPEC_OK ? hold : rc;
}

static void test_shared_and_alone(void **state) {
  (void)state;
  put("lock", "");
  int first = take("lock", 0), second = take("lock", 0);
  assert_true(first >= 0 && second >= 0);
  assert_int_equal(take("lock", SPEC_HOLD_ALONE), SPEC_EBUSY);
  spec_fs_unlock(first);
  assert_int_equal(take("lock", SPEC_HOLD_ALONE), SPEC_EBUSY);
  spec_fs_unlock(second);
  int alone = take("lock", SPEC_HOLD_ALONE);
  assert_true(alone >= 0);
  assert_int_equal(take("lock", 0), SPEC_EBUSY);
  assert_int_equal(take("lock", SPEC_HOLD_ALONE), SPEC_EBUSY);
  spec_fs_unlock(alone);
  assert_true(holds_text("lock", ""));
}

static void test_files_that_are_not_there(void **state) {
  (void)state;
  assert_int_equal(take("lock", 0), SPEC_ENOTFOUND);
  assert_int_equal(take("gone/lock", 0), SPEC_ENOTFOUND);
  assert_int_equal(take("gone/lock", SPEC_HOLD_CREATE), SPEC_ENOTFOUND);
  assert_int_equal(access("lock", F_OK), -1);
  int made = take("lock", SPEC_HOLD_CREATE);
  assert_true(made >= 0);
  spec_fs_unlock(made);
  put_link("lock", "link");
  assert_int_equal(take("link", 0), SPEC_EIO); /* never through a link */
}

static bool hold_alone(const void *path) {
  int hold;
  return spec_fs_hold(&hold, path, SPEC_HOLD_ALONE, NULL) == SPEC_OK;
}

static void test_a_process_that_dies_lets_go(void **state) {
  (void)state;
  put("lock", "");
  pid_t other = start_other(hold_alone, "lock");
  assert_int_equal(take("lock", 0), SPEC_EBUSY);
  kill_other(other);
  spec_fs_unlock(take("lock", SPEC_HOLD_ALONE));
}

/* A child of a fork holds on when the parent lets go. */
static void test_forked_children(void **state) {
  (void)state;
  int ends[2];
  put("lock", "");
  int hold = take("lock", 0);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    (void)close(ends[1]);
    _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  spec_fs_unlock(hold);
  assert_int_equal(take("lock", SPEC_HOLD_ALONE), SPEC_EBUSY);
  (void)close(ends[0]);
  (void)close(ends[1]);
  assert_int_equal(waitpid(child, NULL, 0), child);
  spec_fs_unlock(take("lock", SPEC_HOLD_ALONE));
}

/* Somebody removes the file while this process waits for it: what is got is the new one, or none.
 */
static void test_a_file_that_goes_while_one_waits(void **state) {
  (void)state;
  put("lock", "");
  int hold = take("lock", SPEC_HOLD_ALONE), status;
  pid_t waiter = fork();
  if (waiter == 0) {
    spec_fs_unlock(hold); /* its own copy, which would hold on for ever */
    int got = take("lock", SPEC_HOLD_WAIT);
    _exit(got == SPEC_ENOTFOUND ? 0 : 1);
  }
  for (int tries = 0; tries < 20; tries++) /* let it come to the lock; either way it must hold */
    spec_fs_sleep(5);
  assert_int_equal(rename("lock", "moved"), 0);
  spec_fs_unlock(hold);
  assert_int_equal(waitpid(waiter, &status, 0), waiter);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_failing_calls(void **state) {
  (void)state;
  put("lock", "");
  size_t descriptors = count_descriptors();
  for (size_t n = 1;; n++) {
    int hold = -1;
    (void)spec_fs_fail_at(n, EIO);
    int rc = spec_fs_hold(&hold, "lock", SPEC_HOLD_ALONE, NULL);
    bool reached = spec_fs_fail_at(0, 0) >= n;
    if (rc == SPEC_OK)
      spec_fs_unlock(hold);
    else
      assert_int_equal(rc, SPEC_EIO);
    if (!reached)
      break;
  }
  assert_int_equal(count_descriptors(), descriptors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)
      TEST(test_shared_and_alone),
      TEST(test_files_that_are_not_there),
      TEST(test_a_process_that_dies_lets_go),
      TEST(test_forked_children),
      TEST(test_a_file_that_goes_while_one_waits),
      TEST(test_failing_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
