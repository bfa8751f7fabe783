/* Files with their dates, and folders that are filled before they get their name. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static spec_arena *arena;

static int set_up(void **state) {
  int rc = enter_scratch(state);
  return rc != 0 ? rc : spec_arena_new(&arena, NULL);
}

static int tear_down(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

static void test_load_and_create(void **state) {
  (void)state;
  static const int64_t dates[] = {INT64_C(1234567890123456789), 0, -1, INT64_C(-1500000001)};
  static const spec_fs_file file = {.data = "te\0xt", .len = 5, .executable = true};
  for (size_t i = 0; i < COUNT(dates); i++) {
    spec_fs_file copy = file, back;
    struct stat st;
    copy.modified = dates[i];
    assert_int_equal(spec_fs_create("copy", &copy, NULL), SPEC_OK);
    assert_int_equal(spec_fs_load(arena, &back, "copy", NULL), SPEC_OK);
    assert_int_equal(back.len, 5);
    assert_memory_equal(back.data, file.data, 6);
    assert_true(back.executable);
    assert_int_equal(back.modified, dates[i]);
    assert_int_equal(stat("copy", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0755);
    assert_int_equal(unlink("copy"), 0);
  }
}

static void test_create_replaces_nothing(void **state) {
  (void)state;
  const spec_fs_file file = {.data = "new", .len = 3};
  spec_err err = {0};
  put("taken", "old");
  assert_int_equal(spec_fs_create("taken", &file, &err), SPEC_EIO);
  assert_string_equal(err.where, "taken");
  assert_true(holds_text("taken", "old"));
  put_link("elsewhere", "link");
  assert_int_equal(spec_fs_create("link", &file, NULL), SPEC_EIO);
  assert_int_equal(access("elsewhere", F_OK), -1);
}

static void test_temporary_folders(void **state) {
  (void)state;
  const char *first, *second;
  assert_int_equal(spec_fs_temporary_folder(arena, &first, "x/stage", NULL), SPEC_EIO);
  put_folder("x");
  assert_int_equal(spec_fs_temporary_folder(arena, &first, "x/stage", NULL), SPEC_OK);
  assert_int_equal(spec_fs_temporary_folder(arena, &second, "x/stage", NULL), SPEC_OK);
  assert_string_not_equal(first, second);
  assert_int_equal(strncmp(first, "x/.stage.", strlen("x/.stage.")), 0);
  assert_string_equal(first + strlen(first) - 4, ".tmp");
  assert_int_equal(count_entries("x"), 2);
}

static void test_rename_folder(void **state) {
  (void)state;
  bool taken = true;
  put("from/a", "1");
  assert_int_equal(spec_fs_rename_folder("from", "to", &taken, NULL), SPEC_OK);
  assert_false(taken);
  assert_true(holds_text("to/a", "1"));
  put("other/a", "2");
  assert_int_equal(spec_fs_rename_folder("other", "to", &taken, NULL), SPEC_OK);
  assert_true(taken);
  assert_true(holds_text("to/a", "1") && holds_text("other/a", "2"));
  put("file", "");
  assert_int_equal(spec_fs_rename_folder("other", "file", &taken, NULL), SPEC_OK);
  assert_true(taken);
  assert_int_equal(spec_fs_rename_folder("gone", "new", &taken, NULL), SPEC_EIO);
  assert_false(taken);
}

static void test_touch(void **state) {
  (void)state;
  spec_fs_file file = {.data = "", .modified = 0}, back;
  assert_int_equal(spec_fs_create("file", &file, NULL), SPEC_OK);
  int64_t before = spec_fs_now();
  assert_int_equal(spec_fs_touch("file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_load(arena, &back, "file", NULL), SPEC_OK);
  /* The clock of a file system may lag by a tick. */
  assert_true(back.modified > before - INT64_C(1000000000));
  assert_int_equal(spec_fs_touch("gone", NULL), SPEC_EIO);
}

static void test_failing_calls(void **state) {
  (void)state;
  const spec_fs_file file = {.data = "text", .len = 4};
  size_t descriptors = count_descriptors();
  for (size_t n = 1;; n++) {
    spec_err err = {0};
    (void)spec_fs_fail_at(n, ENOSPC);
    int rc = spec_fs_create("file", &file, &err);
    bool reached = spec_fs_fail_at(0, 0) >= n;
    assert_int_equal(rc, reached ? SPEC_EIO : SPEC_OK);
    (void)unlink("file");
    if (!reached)
      break;
    assert_string_equal(err.where, "file");
  }
  assert_int_equal(count_descriptors(), descriptors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
      TEST(test_load_and_create),
      TEST(test_create_replaces_nothing),
      TEST(test_temporary_folders),
      TEST(test_rename_folder),
      TEST(test_touch),
      TEST(test_failing_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
