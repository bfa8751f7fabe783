/* Every system call of every operation that writes, failing in turn: the old state or the new one,
 * nothing half-written, no temporary file, no descriptor left open. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An operation on "place/it", and how its outcomes look. "source" holds "new". */
typedef struct operation {
  const char *name;
  void (*prepare)(void); /* NULL: nothing is there before */
  int (*run)(bool *changed, spec_err *err);
  bool (*is_old)(void);
  bool (*is_new)(void);
  const char *verb; /* of the message */
} operation;

static const char it[] = "place/it";

static void prepare_file(void) {
  put(it, "old");
}

static void prepare_link(void) {
  put_link("old", it);
}

static int run_write(bool *changed, spec_err *err) {
  return spec_fs_write(it, "new", 3, false, changed, err);
}

static int run_copy(bool *changed, spec_err *err) {
  return spec_fs_copy("source", it, changed, err);
}

static int run_symlink(bool *changed, spec_err *err) {
  return spec_fs_symlink("new", it, changed, err);
}

static int run_mkdirs(bool *changed, spec_err *err) {
  int rc = spec_fs_mkdirs(it, err);
  *changed = rc == SPEC_OK;
  return rc;
}

static int run_remove(bool *changed, spec_err *err) {
  int rc = spec_fs_remove(it, err);
  *changed = rc == SPEC_OK;
  return rc;
}

static bool is_old_file(void) {
  return holds_text(it, "old");
}

static bool is_new_file(void) {
  return holds_text(it, "new");
}

static bool is_old_link(void) {
  return is_link_to(it, "old");
}

static bool is_new_link(void) {
  return is_link_to(it, "new");
}

static bool is_absent(void) {
  return access(it, F_OK) < 0 && !is_old_link();
}

static bool is_empty_folder(void) {
  return access("place/it/.", F_OK) == 0 && count_entries(it) == 0;
}

static const operation operations[] = {
    {"write a new file", NULL, run_write, is_absent, is_new_file, "write"},
    {"replace a file", prepare_file, run_write, is_old_file, is_new_file, "write"},
    {"replace a link by a file", prepare_link, run_write, is_old_link, is_new_file, "write"},
    {"copy to a new file", NULL, run_copy, is_absent, is_new_file, NULL},
    {"copy over a file", prepare_file, run_copy, is_old_file, is_new_file, NULL},
    {"make a link", NULL, run_symlink, is_absent, is_new_link, "make the link"},
    {"replace a link", prepare_link, run_symlink, is_old_link, is_new_link, "make the link"},
    {"replace a file by a link", prepare_file, run_symlink, is_old_file, is_new_link,
     "make the link"},
    {"make a folder", NULL, run_mkdirs, is_absent, is_empty_folder, "make the folder"},
    {"remove a file", prepare_file, run_remove, is_old_file, is_absent, "remove"},
};

/* Runs the operation in a fresh folder, the n-th call failing; whether there was an n-th call. */
static bool fail_once(const operation *op, size_t n, int number) {
  put_folder("place");
  if (op->prepare != NULL)
    op->prepare();
  size_t descriptors = count_descriptors();
  bool changed = false;
  spec_err err = {0};
  (void)spec_fs_fail_at(n, number);
  int rc = op->run(&changed, &err);
  bool reached = spec_fs_fail_at(0, 0) >= n;
  if (!(rc == SPEC_OK ? op->is_new() : op->is_old()))
    fail_msg("%s: call %zu with errno %d: neither old nor new (result %d)", op->name, n, number,
             rc);
  assert_int_equal(changed, rc == SPEC_OK);
  assert_int_equal(count_entries("place"), op->is_new == is_absent && rc == SPEC_OK ? 0
                                           : op->prepare == NULL && rc < 0          ? 0
                                                                                    : 1);
  assert_int_equal(count_descriptors(), descriptors);
  if (rc < 0) {
    assert_true(reached);
    assert_int_equal(rc, SPEC_EIO);
    if (number != EEXIST) /* has a message of its own where it matters */
      assert_non_null(strstr(err.what, strerror(number)));
    if (op->verb != NULL)
      assert_non_null(strstr(err.what, op->verb));
    if (number == ENOSPC)
      assert_non_null(strstr(err.mend, "free some space on the disk that holds '"));
  }
  assert_int_equal(spec_fs_remove_tree("place", NULL), SPEC_OK);
  return reached;
}

static void test_old_or_new_at_every_call(void **state) {
  (void)state;
  static const int numbers[] = {ENOSPC, EIO, EACCES, EROFS, EEXIST};
  put("source", "new");
  for (size_t i = 0; i < COUNT(operations); i++) {
    for (size_t k = 0; k < COUNT(numbers); k++) {
      size_t n = 1;
      while (fail_once(&operations[i], n, numbers[k]))
        n++;
      assert_true(n > 1);
    }
  }
  assert_int_equal(count_entries("."), 1);
}

static void test_a_failing_write_is_told(void **state) {
  (void)state;
  /* Of a new file: 1 look, 2 open, 3 write, 4 mode, 5 close, 6 rename. */
  spec_err err;
  for (size_t n = 2; n <= 6; n++) {
    (void)spec_fs_fail_at(n, EIO);
    assert_int_equal(spec_fs_write("file", "new", 3, false, NULL, &err), SPEC_EIO);
    assert_int_equal(count_entries("."), 0);
  }
  (void)spec_fs_fail_at(7, EIO);
  assert_int_equal(spec_fs_write("file", "new", 3, false, NULL, &err), SPEC_OK);
  assert_int_equal(spec_fs_fail_at(0, 0), 6);
}

/* How often the operation fails, when each of its calls in turn is interrupted by a signal. */
static size_t count_interrupted(const operation *op) {
  size_t failures = 0;
  bool reached = true;
  for (size_t n = 1; reached; n++) {
    put_folder("place");
    if (op->prepare != NULL)
      op->prepare();
    bool changed;
    spec_err err;
    (void)spec_fs_fail_at(n, EINTR);
    int rc = op->run(&changed, &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(rc == SPEC_OK ? op->is_new() : op->is_old());
    failures += rc < 0;
    assert_int_equal(spec_fs_remove_tree("place", NULL), SPEC_OK);
  }
  return failures;
}

static void test_signals_are_no_failure(void **state) {
  (void)state;
  put("source", "new");
  for (size_t i = 0; i < COUNT(operations); i++) {
    /* close() of a written file may not be tried again, and what it did not write is not known */
    bool closes = operations[i].run == run_write || operations[i].run == run_copy;
    assert_int_equal(count_interrupted(&operations[i]), closes ? 1 : 0);
  }
}

static void put_tree(void) {
  put("tree/a/b/file", "");
  put("tree/a/c", "");
  put("tree/d", "");
  put_link("../kept", "tree/a/link");
}

static void test_remove_tree_tells_and_can_be_resumed(void **state) {
  (void)state;
  put("kept/file", "text");
  size_t descriptors = count_descriptors();
  for (size_t n = 1;; n++) {
    put_folder("tree");
    assert_int_equal(spec_fs_remove_tree("tree", NULL), SPEC_OK);
    put_tree();
    spec_err err = {0};
    (void)spec_fs_fail_at(n, EIO);
    int rc = spec_fs_remove_tree("tree", &err);
    bool reached = spec_fs_fail_at(0, 0) >= n;
    assert_int_equal(count_descriptors(), descriptors);
    assert_int_equal(rc, reached ? SPEC_EIO : SPEC_OK);
    assert_int_equal(access("tree", F_OK), reached ? 0 : -1);
    assert_true(holds_text("kept/file", "text"));
    if (!reached) {
      assert_true(n > 15);
      break;
    }
    assert_non_null(strstr(err.what, "'tree': Input/output error"));
    assert_int_equal(spec_fs_remove_tree("tree", NULL), SPEC_OK);
    assert_int_equal(access("tree", F_OK), -1);
  }
}

static void test_out_of_memory(void **state) {
  (void)state;
  put("source", "new");
  put_tree();
  size_t descriptors = count_descriptors();
  for (size_t n = 1; n <= 2; n++) {
    spec_err err;
    (void)spec_alloc_fail_at(n);
    assert_int_equal(spec_fs_copy("source", "to", NULL, &err), SPEC_ENOMEM);
    (void)spec_alloc_fail_at(n);
    assert_int_equal(spec_fs_remove_tree("tree", &err), SPEC_ENOMEM);
    assert_int_equal(spec_alloc_fail_at(0), n);
  }
  assert_int_equal(count_entries("."), 2);
  assert_int_equal(count_descriptors(), descriptors);
}

#define FS_TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

int main(void) {
  const struct CMUnitTest tests[] = {
      FS_TEST(test_old_or_new_at_every_call),
      FS_TEST(test_a_failing_write_is_told),
      FS_TEST(test_signals_are_no_failure),
      FS_TEST(test_remove_tree_tells_and_can_be_resumed),
      FS_TEST(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
