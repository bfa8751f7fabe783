/* The system's locks: held by one process, gone with it, and told about. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool take_lock(const void *path) {
  int lock;
  spec_fs_holder holder;
  return spec_fs_try_lock(&lock, &holder, path, NULL) == SPEC_OK;
}

/* Another process that has the lock on `path` when this returns, and lives until it is killed. */
static pid_t other_with_lock(const char *path) {
  return start_other(take_lock, path);
}

static void test_one_process_at_a_time(void **state) {
  (void)state;
  pid_t other = other_with_lock("lock");
  size_t descriptors = count_descriptors();
  int lock = -1;
  spec_fs_holder holder;
  spec_err err = {0};
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "lock", &err), SPEC_EBUSY);
  assert_int_equal(err.code, 0);
  assert_int_equal(lock, -1);
  assert_int_equal(holder.pid, other);
  if (access("/proc/self/cmdline", R_OK) == 0)
    assert_non_null(strstr(holder.command, "test_fs_lock"));
  assert_int_equal(count_descriptors(), descriptors);

  kill_other(other); /* and the lock is free: nothing is left to clean up */
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "lock", &err), SPEC_OK);
  assert_true(holds_text("lock", ""));
  spec_fs_unlock(lock);
  kill_other(other_with_lock("lock")); /* unlocked, so that another gets it */
  assert_int_equal(count_descriptors(), descriptors);
  spec_fs_unlock(-1);
}

static void test_content_and_links_stay(void **state) {
  (void)state;
  int lock;
  spec_fs_holder holder;
  spec_err err;
  put("lock", "text");
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "lock", &err), SPEC_OK);
  assert_true(holds_text("lock", "text"));
  spec_fs_unlock(lock);
  put_link("elsewhere", "link");
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "link", &err), SPEC_EIO);
  assert_int_equal(access("elsewhere", F_OK), -1);
  put_folder("folder");
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "folder", &err), SPEC_EIO);
  assert_non_null(strstr(err.mend, "move the folder out of the way"));
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "gone/lock", &err), SPEC_EIO);
  assert_non_null(strstr(err.what, "cannot lock 'gone/lock'"));
}

/* A lock on a file that was removed and made anew would keep nobody out. */
static void test_removed_file(void **state) {
  (void)state;
  pid_t other = other_with_lock("lock");
  assert_int_equal(unlink("lock"), 0);
  int lock;
  spec_fs_holder holder;
  assert_int_equal(spec_fs_try_lock(&lock, &holder, "lock", NULL), SPEC_OK);
  struct stat named, taken;
  assert_int_equal(stat("lock", &named), 0);
  assert_int_equal(fstat(lock, &taken), 0);
  assert_int_equal(named.st_ino, taken.st_ino);
  spec_fs_unlock(lock);
  kill_other(other);
}

static void test_every_call_fails(void **state) {
  (void)state;
  static const int numbers[] = {ENOSPC, EIO, EINTR, ENOLCK, EROFS, EACCES};
  put("lock", "");
  size_t descriptors = count_descriptors();
  for (size_t i = 0; i < COUNT(numbers); i++) {
    bool reached = true;
    for (size_t n = 1; reached; n++) {
      int lock = -1;
      spec_fs_holder holder;
      spec_err err = {0};
      (void)spec_fs_fail_at(n, numbers[i]);
      int rc = spec_fs_try_lock(&lock, &holder, "lock", &err);
      reached = spec_fs_fail_at(0, 0) >= n;
      if (rc == SPEC_EIO)
        assert_non_null(strstr(err.what, strerror(numbers[i])));
      else if (rc == SPEC_EBUSY)
        assert_int_equal(numbers[i], EACCES); /* an old name of EAGAIN */
      else
        assert_int_equal(rc, SPEC_OK);
      spec_fs_unlock(lock);
      assert_int_equal(count_descriptors(), descriptors);
    }
  }
}

/* What fails while the holder is looked for costs no more than its name. */
static void test_holder_that_cannot_be_named(void **state) {
  (void)state;
  pid_t other = other_with_lock("lock");
  size_t descriptors = count_descriptors(), unnamed = 0;
  bool reached = true;
  for (size_t n = 3; reached; n++) { /* behind 1 open, 2 lock */
    int lock = -1;
    spec_fs_holder holder;
    (void)spec_fs_fail_at(n, EIO);
    assert_int_equal(spec_fs_try_lock(&lock, &holder, "lock", NULL), SPEC_EBUSY);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(holder.pid == other || (holder.pid == 0 && holder.command[0] == '\0'));
    unnamed += holder.command[0] == '\0';
    assert_int_equal(count_descriptors(), descriptors);
  }
  assert_true(unnamed > 0);
  kill_other(other);
}

static void test_clock_and_sleep(void **state) {
  (void)state;
  long before = spec_fs_clock();
  spec_fs_sleep(20);
  assert_true(spec_fs_clock() - before >= 19);
}

#define LOCK_TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void) {
  const struct CMUnitTest tests[] = {
      LOCK_TEST(test_one_process_at_a_time),
      LOCK_TEST(test_content_and_links_stay),
      LOCK_TEST(test_removed_file),
      LOCK_TEST(test_every_call_fails),
      LOCK_TEST(test_holder_that_cannot_be_named),
      LOCK_TEST(test_clock_and_sleep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
