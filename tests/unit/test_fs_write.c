/* Writing to the file system: what is replaced, what is left alone, long and odd names. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "base/path.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat status(const char *path) {
  struct stat st;
  assert_int_equal(lstat(path, &st), 0);
  return st;
}

static unsigned mode_of(const char *path) {
  return status(path).st_mode & 07777;
}

/* Gives the file a date that no write could give it. */
static void age(const char *path) {
  const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
  assert_int_equal(utimensat(AT_FDCWD, path, old, AT_SYMLINK_NOFOLLOW), 0);
}

static bool is_aged(const char *path) {
  return status(path).st_mtime == 1000;
}

/* Writes and returns whether it changed anything. */
static bool write_text(const char *path, const char *text, bool executable) {
  bool changed;
  assert_int_equal(spec_fs_write(path, text, strlen(text), executable, &changed, NULL), SPEC_OK);
  assert_true(holds_text(path, text));
  return changed;
}

static void test_write_leaves_alone_what_is_right(void **state) {
  (void)state;
  assert_true(write_text("file", "one", false));
  assert_int_equal(mode_of("file"), 0644);
  age("file");
  assert_false(write_text("file", "one", false));
  assert_true(is_aged("file"));
  assert_true(write_text("file", "two", false)); /* same length */
  age("file");
  assert_true(write_text("file", "two", true)); /* mode alone */
  assert_int_equal(mode_of("file"), 0755);
  assert_false(write_text("file", "two", true));
  assert_true(write_text("file", "", false));
  assert_false(write_text("file", "", false));
  assert_int_equal(spec_fs_write("file", "x", 1, false, NULL, NULL), SPEC_OK);
  assert_int_equal(count_entries("."), 1);
}

static void test_write_of_large_and_binary_data(void **state) {
  (void)state;
  static char large[300001];
  for (size_t i = 0; i < sizeof large; i++)
    large[i] = (char)(i % 253);
  bool changed;
  spec_arena *arena;
  const char *data;
  size_t len;
  assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
  for (int round = 0; round < 3; round++) {
    large[sizeof large - 1] = round == 2 ? 'x' : 'y'; /* the last byte differs */
    assert_int_equal(spec_fs_write("f", large, sizeof large, false, &changed, NULL), SPEC_OK);
    assert_int_equal(changed, round != 1);
    assert_int_equal(spec_fs_read(arena, &data, &len, "f", NULL), SPEC_OK);
    assert_int_equal(len, sizeof large);
    assert_memory_equal(data, large, len);
  }
  spec_arena_free(arena);
}

static void test_write_replaces_a_link_never_through_it(void **state) {
  (void)state;
  put("vendor", "text");
  put_link("vendor", "link");
  age("vendor");
  assert_true(write_text("link", "text", false)); /* though the content is the same */
  assert_true(write_text("link", "other", false));
  assert_true(holds_text("vendor", "text"));
  assert_true(is_aged("vendor"));
}

static void test_mode_does_not_depend_on_umask(void **state) {
  (void)state;
  mode_t old = umask(0077);
  (void)write_text("a", "x", false);
  (void)write_text("b", "x", true);
  (void)umask(old);
  assert_int_equal(mode_of("a"), 0644);
  assert_int_equal(mode_of("b"), 0755);
  assert_int_equal(chmod("a", 0444), 0); /* a file that is read-only is replaced like any other */
  assert_true(write_text("a", "y", false));
}

static void test_write_failures_leave_nothing_behind(void **state) {
  (void)state;
  spec_err err;
  bool changed = true;
  put("file", "");
  put_folder("folder");
  put_folder("full/x");
  static const char *const paths[] = {"absent/x", "file/x", "folder", "full", "folder/", ""};
  for (size_t i = 0; i < COUNT(paths); i++) {
    assert_int_equal(spec_fs_write(paths[i], "x", 1, false, &changed, &err), SPEC_EIO);
    assert_string_equal(err.where, paths[i]);
  }
  assert_true(changed); /* untouched */
  assert_int_equal(count_entries("."), 3);
  assert_int_equal(count_entries("folder"), 0);
  assert_int_equal(spec_fs_write("folder", "x", 1, false, &changed, &err), SPEC_EIO);
  assert_non_null(strstr(err.mend, "out of the way: 'folder'"));
}

static void test_file_too_large_for_the_system(void **state) {
  (void)state;
  static char large[100000];
  put("file", "old");
  struct rlimit old, tight;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  tight = old;
  tight.rlim_cur = 5000;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  spec_err err;
  int rc = spec_fs_write("file", large, sizeof large, false, NULL, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  (void)signal(SIGXFSZ, handler);
  assert_int_equal(rc, SPEC_EIO);
  assert_non_null(strstr(err.what, strerror(EFBIG)));
  assert_true(holds_text("file", "old"));
  assert_int_equal(count_entries("."), 1);
}

static void test_symlink(void **state) {
  (void)state;
  bool changed;
  assert_int_equal(spec_fs_symlink("a", "link", &changed, NULL), SPEC_OK);
  assert_true(changed && is_link_to("link", "a"));
  age("link");
  assert_int_equal(spec_fs_symlink("a", "link", &changed, NULL), SPEC_OK);
  assert_true(!changed && is_aged("link"));
  assert_int_equal(spec_fs_symlink("ab", "link", &changed, NULL), SPEC_OK);
  assert_true(changed && is_link_to("link", "ab"));
  assert_int_equal(spec_fs_symlink("link", "link", NULL, NULL), SPEC_OK); /* a loop is a link too */
  assert_int_equal(spec_fs_symlink("\xFF/ b", "link", NULL, NULL), SPEC_OK);
  assert_true(is_link_to("link", "\xFF/ b"));
  put("file", "x");
  assert_int_equal(spec_fs_symlink("a", "file", &changed, NULL), SPEC_OK);
  assert_true(changed && is_link_to("file", "a"));
  put_folder("folder");
  put_link("folder", "to-folder");
  assert_int_equal(spec_fs_symlink("a", "to-folder", &changed, NULL), SPEC_OK);
  assert_true(is_link_to("to-folder", "a")); /* replaced, not entered */
  spec_err err;
  assert_int_equal(spec_fs_symlink("a", "folder", &changed, &err), SPEC_EIO);
  assert_non_null(strstr(err.what, "cannot make the link 'folder'"));
  assert_int_equal(spec_fs_symlink("a", "absent/link", &changed, &err), SPEC_EIO);
  assert_int_equal(spec_fs_symlink("", "new", &changed, &err), SPEC_EIO);
  assert_int_equal(count_entries("."), 4);
}

static void test_copy(void **state) {
  (void)state;
  bool changed;
  put("from", "text");
  assert_int_equal(chmod("from", 0555), 0);
  assert_int_equal(spec_fs_copy("from", "to", &changed, NULL), SPEC_OK);
  assert_true(changed && holds_text("to", "text"));
  assert_int_equal(mode_of("to"), 0555);
  age("to");
  assert_int_equal(spec_fs_copy("from", "to", &changed, NULL), SPEC_OK);
  assert_true(!changed && is_aged("to"));
  assert_int_equal(chmod("from", 0600), 0);
  assert_int_equal(spec_fs_copy("from", "to", &changed, NULL), SPEC_OK);
  assert_true(changed);
  assert_int_equal(mode_of("to"), 0600);
  put_link("from", "link");
  assert_int_equal(spec_fs_copy("link", "to", &changed, NULL), SPEC_OK);
  assert_false(changed);
  assert_int_equal(spec_fs_copy("from", "link", NULL, NULL),
                   SPEC_OK); /* the link, not its target */
  assert_true(holds_text("link", "text"));
  assert_int_equal(spec_fs_copy("from", "from", &changed, NULL), SPEC_OK);
  assert_false(changed);
  spec_err err;
  assert_int_equal(mkfifo("fifo", 0600), 0);
  assert_int_equal(spec_fs_copy("fifo", "to", NULL, &err), SPEC_EIO);
  assert_string_equal(err.where, "fifo");
  assert_int_equal(spec_fs_copy("absent", "to", NULL, &err), SPEC_EIO);
  assert_int_equal(spec_fs_copy("from", "absent/to", NULL, &err), SPEC_EIO);
  assert_string_equal(err.where, "absent/to");
}

/* Where the disk cannot do it, it must say so and leave nothing. */
static void test_clone(void **state) {
  (void)state;
  bool changed = false;
  spec_err err = {0};
  put("from", "text");
  assert_int_equal(chmod("from", 0555), 0);
  int rc = spec_fs_clone("from", "to", &changed, &err);
  if (rc == SPEC_OK) {
    assert_true(changed && holds_text("to", "text"));
    assert_int_equal(mode_of("to"), 0555);
  } else {
    assert_int_equal(rc, SPEC_EIO);
    assert_non_null(strstr(err.what, "share the blocks of 'from'"));
    assert_non_null(strstr(err.mend, "copies or links"));
    assert_int_equal(count_entries("."), 1);
  }
  assert_int_equal(spec_fs_copy("from", "equal", NULL, NULL), SPEC_OK);
  assert_int_equal(spec_fs_clone("from", "equal", &changed, NULL), SPEC_OK);
  assert_false(changed);
  assert_int_equal(spec_fs_clone("absent", "to", NULL, &err), SPEC_EIO);
  assert_int_equal(spec_fs_clone("from", "absent/to", NULL, &err), SPEC_EIO);
  size_t before = count_entries("."), descriptors = count_descriptors();
  put("from", "other");
  for (size_t n = 1, reached = 1; reached; n++) {
    (void)spec_fs_fail_at(n, EIO);
    rc = spec_fs_clone("from", "equal", NULL, &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(holds_text("equal", rc == SPEC_OK ? "other" : "text"));
    assert_int_equal(count_entries("."), before);
    assert_int_equal(count_descriptors(), descriptors);
    if (rc == SPEC_OK)
      break;
  }
}

static void test_mkdirs(void **state) {
  (void)state;
  spec_err err;
  char path[256];
  (void)snprintf(path, sizeof path, "%s/x/y", scratch());
  assert_int_equal(spec_fs_mkdirs(path, NULL), SPEC_OK);
  assert_int_equal(spec_fs_mkdirs("a/b/c", NULL), SPEC_OK);
  assert_int_equal(spec_fs_mkdirs("a/b/c/", NULL), SPEC_OK);
  assert_int_equal(spec_fs_mkdirs("a/b/d/../d/e", NULL), SPEC_OK);
  assert_int_equal(spec_fs_mkdirs("/", NULL), SPEC_OK);
  assert_int_equal(spec_fs_mkdirs(".", NULL), SPEC_OK);
  put_folder("x/y");
  put_folder("a/b/d/e");
  (void)spec_fs_fail_at(0, 0);
  assert_int_equal(spec_fs_mkdirs("a/b/c", NULL), SPEC_OK);
  assert_int_equal(spec_fs_fail_at(0, 0), 1);
  put("file", "");
  put_link("a", "link");
  put_link("nowhere", "dangling");
  assert_int_equal(spec_fs_mkdirs("link/b/f", NULL), SPEC_OK);
  static const struct {
    const char *path, *blamed;
  } rows[] = {{"file", "file"}, {"file/x/y", "file"}, {"dangling/x", "dangling"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_int_equal(spec_fs_mkdirs(rows[i].path, &err), SPEC_EIO);
    assert_string_equal(err.where, rows[i].blamed);
    assert_non_null(strstr(err.mend, "out of the way"));
  }
  assert_int_equal(spec_fs_mkdirs("", &err), SPEC_EIO);
}

static void test_remove(void **state) {
  (void)state;
  spec_err err;
  put("file", "");
  put("folder/file", "");
  put_link("file", "link");
  assert_int_equal(spec_fs_remove("link", NULL), SPEC_OK);
  assert_true(holds_text("file", ""));
  assert_int_equal(spec_fs_remove("file/x", NULL), SPEC_OK); /* absent */
  assert_int_equal(spec_fs_remove("file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_remove("file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_remove("folder", &err), SPEC_EIO);
  assert_int_equal(spec_fs_remove_dir("folder", NULL), SPEC_OK); /* not empty: stays */
  assert_int_equal(spec_fs_remove("folder/file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_remove_dir("folder", NULL), SPEC_OK);
  assert_int_equal(spec_fs_remove_dir("folder", NULL), SPEC_OK);
  assert_int_equal(count_entries("."), 0);
  put("file", "");
  assert_int_equal(spec_fs_remove_dir("file", &err), SPEC_EIO);
}

static void test_remove_tree_never_follows_a_link(void **state) {
  (void)state;
  put("kept/file", "text");
  put("tree/a/b/file", "");
  put("tree/.hidden", "");
  put("tree/\xFF", "");
  put_link("../kept", "tree/link");
  put_link("../../kept/file", "tree/a/link");
  put_link("loop", "tree/loop");
  assert_int_equal(mkfifo("tree/fifo", 0600), 0);
  put_link("kept", "link");
  assert_int_equal(spec_fs_remove_tree("tree", NULL), SPEC_OK);
  assert_int_equal(spec_fs_remove_tree("tree", NULL), SPEC_OK); /* absent */
  assert_int_equal(spec_fs_remove_tree("link", NULL), SPEC_OK); /* the link alone */
  assert_true(holds_text("kept/file", "text"));
  assert_int_equal(count_entries("."), 1);
}

/* A path of that length, of names of 255 bytes, not UTF-8. */
static void fill_path(char *path, size_t len) {
  for (size_t i = 0; i < len; i++)
    path[i] = i % 256 == 255 ? '/' : '\xE9';
  path[len] = '\0';
}

static void test_names_of_255_bytes_and_paths_of_4000(void **state) {
  (void)state;
  char path[4096], parent[4096];
  fill_path(path, 4000);
  fill_path(parent, 3839); /* 15 names */
  bool changed;
  spec_ftype type;
  spec_err err;
  assert_int_equal(spec_fs_mkdirs(parent, &err), SPEC_OK);
  assert_true(write_text(path, "text", false));
  assert_false(write_text(path, "text", false));
  assert_true(write_text(path, "other", false));
  assert_int_equal(spec_fs_type(&type, path, NULL), SPEC_OK);
  assert_int_equal(type, SPEC_FT_FILE);
  assert_int_equal(spec_fs_symlink(path, "link", &changed, NULL), SPEC_OK);
  assert_true(is_link_to("link", path));
  fill_path(path, 255); /* a first name, in a folder of its own */
  assert_int_equal(spec_fs_remove_tree(path, &err), SPEC_OK);
  assert_true(write_text(path, "new", false));
  assert_true(write_text(path, "newer", false));
  assert_int_equal(spec_fs_symlink("x", path, &changed, NULL), SPEC_OK);
  assert_int_equal(count_entries("."), 2);
}

static void test_paths_that_are_too_long_are_refused(void **state) {
  (void)state;
  char path[5000];
  spec_err err;
  fill_path(path, 4500);
  assert_int_equal(spec_fs_mkdirs(path, &err), SPEC_EIO);
  assert_non_null(strstr(err.what, strerror(ENAMETOOLONG)));
  assert_non_null(strstr(err.mend, "shorten"));
  assert_int_equal(spec_fs_write(path, "", 0, false, NULL, &err), SPEC_EIO);
  assert_non_null(strstr(err.what, strerror(ENAMETOOLONG)));
  assert_int_equal(spec_fs_symlink("x", path, NULL, &err), SPEC_EIO);
  assert_int_equal(spec_fs_remove_tree(path, &err), SPEC_EIO);
  memset(path, 'x', 256);
  path[256] = '\0';
  assert_int_equal(spec_fs_write(path, "", 0, false, NULL, &err), SPEC_EIO);
  assert_int_equal(count_entries("."), 0);
}

#define FS_TEST(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

static void test_a_second_name(void **state) {
  (void)state;
  spec_err err;
  put("one", "text");
  assert_int_equal(spec_fs_link("one", "two", NULL), SPEC_OK);
  assert_true(holds_text("two", "text"));
  assert_int_equal(status("one").st_ino, status("two").st_ino);
  assert_int_equal(spec_fs_link("one", "two", &err), SPEC_EIO); /* the name is taken */
  assert_non_null(strstr(err.what, "cannot write 'two'"));
  static const int refusals[] = {EMLINK, EPERM, EOPNOTSUPP, EXDEV};
  for (size_t i = 0; i < COUNT(refusals); i++) {
    (void)spec_fs_fail_at(1, refusals[i]);
    assert_int_equal(spec_fs_link("one", "three", NULL), SPEC_EBUSY);
  }
  (void)spec_fs_fail_at(1, ENOSPC);
  assert_int_equal(spec_fs_link("one", "three", &err), SPEC_EIO);
  assert_int_equal(count_entries("."), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      FS_TEST(test_write_leaves_alone_what_is_right),
      FS_TEST(test_a_second_name),
      FS_TEST(test_write_of_large_and_binary_data),
      FS_TEST(test_write_replaces_a_link_never_through_it),
      FS_TEST(test_mode_does_not_depend_on_umask),
      FS_TEST(test_write_failures_leave_nothing_behind),
      FS_TEST(test_file_too_large_for_the_system),
      FS_TEST(test_symlink),
      FS_TEST(test_copy),
      FS_TEST(test_clone),
      FS_TEST(test_mkdirs),
      FS_TEST(test_remove),
      FS_TEST(test_remove_tree_never_follows_a_link),
      FS_TEST(test_names_of_255_bytes_and_paths_of_4000),
      FS_TEST(test_paths_that_are_too_long_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
