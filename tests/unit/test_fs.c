/* Looking at the file system: types, folders, files, links; what is refused and what it says. */
#define _XOPEN_SOURCE 700

#include "base/fs.h"
#include "base/path.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static spec_arena *arena;

static int set_up(void **state) {
  return enter_scratch(state) | spec_arena_new(&arena, NULL);
}

static int tear_down(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

static spec_ftype type_of(const char *path) {
  spec_ftype type = SPEC_FT_OTHER;
  assert_int_equal(spec_fs_type(&type, path, NULL), SPEC_OK);
  return type;
}

static spec_ftype link_type_of(const char *path) {
  spec_ftype type = SPEC_FT_OTHER;
  assert_int_equal(spec_fs_link_type(&type, path, NULL), SPEC_OK);
  return type;
}

/* One of everything: file, folder, links to both, a dangling one, a loop of two, a fifo. */
static void put_one_of_each(void) {
  put("file", "text");
  put_folder("folder");
  put_link("file", "to-file");
  put_link("folder", "to-folder");
  put_link("nowhere", "dangling");
  put_link("loop-b", "loop-a");
  put_link("loop-a", "loop-b");
  assert_int_equal(mkfifo("fifo", 0644), 0);
}

static void test_types(void **state) {
  (void)state;
  put_one_of_each();
  assert_int_equal(type_of("file"), SPEC_FT_FILE);
  assert_int_equal(type_of("folder"), SPEC_FT_DIR);
  assert_int_equal(type_of("fifo"), SPEC_FT_OTHER);
  assert_int_equal(type_of("/dev/null"), SPEC_FT_OTHER);
  assert_int_equal(type_of("to-file"), SPEC_FT_FILE);
  assert_int_equal(type_of("to-folder"), SPEC_FT_DIR);
  assert_int_equal(type_of("dangling"), SPEC_FT_NONE);
  assert_int_equal(type_of("loop-a"), SPEC_FT_NONE);
  assert_int_equal(type_of("absent"), SPEC_FT_NONE);
  assert_int_equal(type_of("file/x"), SPEC_FT_NONE);
  assert_int_equal(type_of(""), SPEC_FT_NONE);
  assert_int_equal(link_type_of("file"), SPEC_FT_FILE);
  assert_int_equal(link_type_of("to-file"), SPEC_FT_LINK);
  assert_int_equal(link_type_of("to-folder"), SPEC_FT_LINK);
  assert_int_equal(link_type_of("dangling"), SPEC_FT_LINK);
  assert_int_equal(link_type_of("loop-a"), SPEC_FT_LINK);
  assert_int_equal(link_type_of("loop-a/x"), SPEC_FT_NONE);
}

static void test_look_reports_what_is_no_absence(void **state) {
  (void)state;
  char name[300];
  memset(name, 'x', sizeof name);
  name[256] = '\0';
  spec_ftype type = SPEC_FT_DIR;
  spec_err err;
  assert_int_equal(spec_fs_type(&type, name, &err), SPEC_EIO);
  assert_int_equal(type, SPEC_FT_DIR); /* untouched */
  assert_non_null(strstr(err.what, "cannot look at 'xxx"));
  assert_non_null(strstr(err.what, strerror(ENAMETOOLONG)));
  assert_non_null(strstr(err.mend, "shorten"));
  put("file", "");
  (void)spec_fs_fail_at(1, EACCES);
  assert_int_equal(spec_fs_type(&type, "file", &err), SPEC_EIO);
  assert_string_equal(err.where, "file");
  assert_int_equal(spec_fs_fail_at(0, 0), 1);
}

static void test_list_is_sorted_and_typed(void **state) {
  (void)state;
  put_one_of_each();
  put("Zed", "");
  put(".hidden", "");
  put("\xFFname", ""); /* not UTF-8, sorts last: bytes are unsigned */
  put("na me\n", "");
  spec_dirent *entries = NULL;
  size_t count = 0;
  assert_int_equal(spec_fs_list(arena, &entries, &count, ".", NULL), SPEC_OK);
  static const spec_dirent expected[] = {
      {".hidden", SPEC_FT_FILE}, {"Zed", SPEC_FT_FILE},       {"dangling", SPEC_FT_LINK},
      {"fifo", SPEC_FT_OTHER},   {"file", SPEC_FT_FILE},      {"folder", SPEC_FT_DIR},
      {"loop-a", SPEC_FT_LINK},  {"loop-b", SPEC_FT_LINK},    {"na me\n", SPEC_FT_FILE},
      {"to-file", SPEC_FT_LINK}, {"to-folder", SPEC_FT_LINK}, {"\xFFname", SPEC_FT_FILE},
  };
  assert_int_equal(count, COUNT(expected));
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(entries[i].name, expected[i].name);
    assert_int_equal(entries[i].type, expected[i].type);
  }
  assert_int_equal(spec_fs_list(arena, &entries, &count, "folder", NULL), SPEC_OK);
  assert_int_equal(count, 0);
  assert_int_equal(spec_fs_list(arena, &entries, &count, "to-folder", NULL), SPEC_OK);
}

static void test_list_failures(void **state) {
  (void)state;
  put_one_of_each();
  static const char *const paths[] = {"absent", "file", "dangling", "loop-a", "fifo"};
  spec_dirent *entries = NULL;
  size_t count = 99;
  spec_err err;
  for (size_t i = 0; i < COUNT(paths); i++) {
    assert_int_equal(spec_fs_list(arena, &entries, &count, paths[i], &err), SPEC_EIO);
    assert_string_equal(err.where, paths[i]);
  }
  assert_null(entries);
  assert_int_equal(count, 99);
}

static void test_unreadable_folder_is_an_error_at_each_call(void **state) {
  (void)state;
  put("folder/a", "");
  put("folder/b", "");
  spec_err err;
  size_t before = count_descriptors();
  for (size_t n = 1;; n++) {
    spec_dirent *entries = NULL;
    size_t count = 0;
    (void)spec_fs_fail_at(n, EACCES);
    int rc = spec_fs_list(arena, &entries, &count, "folder", &err);
    if (spec_fs_fail_at(0, 0) < n) {
      assert_int_equal(rc, SPEC_OK);
      assert_int_equal(count, 2);
      assert_true(n > 4);
      break;
    }
    assert_int_equal(rc, SPEC_EIO); /* never a shorter list */
    assert_null(entries);
    assert_string_equal(err.what, "cannot list 'folder': Permission denied");
    assert_string_equal(err.where, "folder");
    assert_non_null(strstr(err.mend, "give this user access"));
  }
  assert_int_equal(count_descriptors(), before);
}

static void test_folder_of_100000_files(void **state) {
  (void)state;
  enum { N = 100000 };
  char name[32];
  for (int i = 0; i < N; i++) {
    (void)snprintf(name, sizeof name, "%d", i);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
  }
  spec_dirent *entries;
  size_t count;
  (void)spec_fs_fail_at(0, 0);
  assert_int_equal(spec_fs_list(arena, &entries, &count, ".", NULL), SPEC_OK);
  assert_true(spec_fs_fail_at(0, 0) < 2 * N + 16); /* linear: at most two calls an entry */
  assert_int_equal(count, N);
  for (size_t i = 1; i < count; i++)
    assert_true(strcmp(entries[i - 1].name, entries[i].name) < 0);
  assert_int_equal(spec_fs_remove_tree(scratch(), NULL), SPEC_OK);
  assert_int_equal(mkdir(scratch(), 0700), 0); /* for tear_down */
}

static void assert_reads(const char *path, const char *expected, size_t expected_len) {
  const char *data = NULL;
  size_t len = 0;
  assert_int_equal(spec_fs_read(arena, &data, &len, path, NULL), SPEC_OK);
  assert_int_equal(len, expected_len);
  assert_memory_equal(data, expected, len);
  assert_int_equal(data[len], '\0');
}

static void test_read(void **state) {
  (void)state;
  static char large[300000];
  for (size_t i = 0; i < sizeof large; i++)
    large[i] = (char)(i % 251);
  put("empty", "");
  put("text", "one\ntwo");
  put_bytes("nul", "a\0b", 3);
  put_bytes("large", large, sizeof large);
  put_link("text", "link");
  assert_reads("empty", "", 0);
  assert_reads("text", "one\ntwo", 7);
  assert_reads("nul", "a\0b", 3);
  assert_reads("large", large, sizeof large);
  assert_reads("link", "one\ntwo", 7);
}

static void test_read_of_a_file_that_does_not_tell_its_size(void **state) {
  (void)state;
  if (access("/proc/self/status", R_OK) < 0)
    skip();
  const char *data;
  size_t len;
  assert_int_equal(spec_fs_read(arena, &data, &len, "/proc/self/status", NULL), SPEC_OK);
  assert_true(len > 100);
  assert_int_equal(data[len - 1], '\n');
  assert_int_equal(strlen(data), len);
}

static void put_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) {
    fail_msg("cannot make a socket");
    return;
  }
  assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
  assert_int_equal(close(fd), 0);
}

static void test_only_regular_files_are_read(void **state) {
  (void)state;
  put_one_of_each();
  put_socket("socket");
  put_link("fifo", "to-fifo");
  static const char *const paths[] = {"folder",  "to-folder", "fifo",
                                      "to-fifo", "socket",    "/dev/null"};
  size_t before = count_descriptors();
  const char *data = NULL;
  size_t len = 99;
  (void)alarm(60); /* a read that blocks on the fifo ends the test */
  for (size_t i = 0; i < COUNT(paths); i++) {
    spec_err err;
    char expected[128];
    (void)snprintf(expected, sizeof expected, "cannot read '%s': it is not a regular file",
                   paths[i]);
    assert_int_equal(spec_fs_read(arena, &data, &len, paths[i], &err), SPEC_EIO);
    assert_string_equal(err.what, expected);
    assert_string_equal(err.where, paths[i]);
  }
  (void)alarm(0);
  assert_null(data);
  assert_int_equal(len, 99);
  assert_int_equal(count_descriptors(), before);
}

static void test_read_failures(void **state) {
  (void)state;
  put_one_of_each();
  const char *data = NULL;
  size_t len, before = count_descriptors();
  spec_err err;
  assert_int_equal(spec_fs_read(arena, &data, &len, "absent", &err), SPEC_EIO);
  assert_string_equal(err.what, "cannot read 'absent': No such file or directory");
  assert_int_equal(spec_fs_read(arena, &data, &len, "loop-a", &err), SPEC_EIO);
  for (size_t n = 1; n <= 3; n++) { /* open, status, read */
    (void)spec_fs_fail_at(n, EIO);
    assert_int_equal(spec_fs_read(arena, &data, &len, "file", &err), SPEC_EIO);
    assert_string_equal(err.what, "cannot read 'file': Input/output error");
    (void)spec_fs_fail_at(n, EINTR); /* a signal is no failure */
    assert_int_equal(spec_fs_read(arena, &data, &len, "file", &err), SPEC_OK);
    assert_string_equal(data, "text");
    data = NULL;
  }
  (void)spec_fs_fail_at(1, ENOMEM);
  assert_int_equal(spec_fs_read(arena, &data, &len, "file", &err), SPEC_ENOMEM);
  assert_int_equal(count_descriptors(), before);
}

static void test_no_call_is_wasted(void **state) {
  (void)state;
  put("file", "text");
  const char *data;
  size_t len;
  spec_ftype type;
  (void)spec_fs_fail_at(0, 0);
  assert_int_equal(spec_fs_type(&type, "file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_fail_at(0, 0), 1);
  assert_int_equal(spec_fs_read(arena, &data, &len, "file", NULL), SPEC_OK);
  assert_int_equal(spec_fs_fail_at(0, 0), 4); /* open, status, read, close */
}

static void test_same(void **state) {
  (void)state;
  static char large[100000];
  put("a", "text");
  put("b", "text");
  put("c", "texx");
  put("d", "tex");
  put_link("a", "link");
  put_folder("folder");
  put_bytes("large", large, sizeof large);
  large[sizeof large - 1] = 1;
  put_bytes("large-too", large, sizeof large);
  static const struct {
    const char *left, *right;
    bool same;
  } rows[] = {{"a", "b", true},        {"a", "a", true},    {"a", "c", false},
              {"a", "d", false},       {"b", "link", true}, {"large", "large-too", false},
              {"large", "large", true}};
  spec_err err;
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool same = !rows[i].same;
    assert_int_equal(spec_fs_same(&same, rows[i].left, rows[i].right, &err), SPEC_OK);
    assert_int_equal(same, rows[i].same);
  }
  bool same;
  (void)spec_fs_fail_at(0, 0);
  assert_int_equal(spec_fs_same(&same, "a", "d", &err), SPEC_OK);
  assert_int_equal(spec_fs_fail_at(0, 0), 2); /* sizes are enough */
  assert_int_equal(spec_fs_same(&same, "a", "absent", &err), SPEC_EIO);
  assert_string_equal(err.where, "absent");
  assert_int_equal(spec_fs_same(&same, "folder", "a", &err), SPEC_EIO);
  assert_string_equal(err.where, "folder");
}

static void test_real(void **state) {
  (void)state;
  put_one_of_each();
  const char *real = NULL;
  spec_err err;
  char expected[4096];
  (void)snprintf(expected, sizeof expected, "%s/folder", scratch());
  assert_int_equal(spec_fs_real(arena, &real, "./to-folder/../folder/.", NULL), SPEC_OK);
  assert_string_equal(real, expected);
  static const char *const absent[] = {"absent", "dangling", "loop-a", "file/x", ""};
  for (size_t i = 0; i < COUNT(absent); i++)
    assert_int_equal(spec_fs_real(arena, &real, absent[i], &err), SPEC_ENOTFOUND);
  (void)spec_fs_fail_at(1, EACCES);
  assert_int_equal(spec_fs_real(arena, &real, "file", &err), SPEC_EIO);
  assert_string_equal(real, expected); /* untouched */
}

static void test_readlink(void **state) {
  (void)state;
  char target[4001];
  for (size_t i = 0; i + 1 < sizeof target; i++)
    target[i] = i % 200 == 199 ? '/' : 'x';
  target[sizeof target - 1] = '\0';
  put("file", "");
  put_link("\xFF/../x", "bytes");
  put_link(target, "long");
  const char *out;
  spec_err err;
  assert_int_equal(spec_fs_readlink(arena, &out, "bytes", NULL), SPEC_OK);
  assert_string_equal(out, "\xFF/../x");
  assert_int_equal(spec_fs_readlink(arena, &out, "long", NULL), SPEC_OK);
  assert_string_equal(out, target);
  assert_int_equal(spec_fs_readlink(arena, &out, "file", &err), SPEC_EIO);
  assert_int_equal(spec_fs_readlink(arena, &out, "absent", &err), SPEC_EIO);
}

static const char *cwd(void) {
  const char *out = NULL;
  assert_int_equal(spec_fs_cwd(arena, &out, NULL), SPEC_OK);
  return out;
}

static void test_cwd(void **state) {
  (void)state;
  put_folder("folder/inner");
  put_link("folder", "link");
  const char *real = spec_path_join(arena, scratch(), "folder/inner");
  const char *spelt = spec_path_join(arena, scratch(), "link/inner");
  assert_int_equal(chdir("folder/inner"), 0);
  assert_int_equal(setenv("PWD", spelt, 1), 0);
  assert_string_equal(cwd(), spelt); /* as the user has it */
  assert_int_equal(setenv("PWD", spec_path_join(arena, spelt, "../inner/"), 1), 0);
  assert_string_equal(cwd(), spelt);
  static const char *const wrong[] = {"/", "/absent", "link/inner", ".", ""};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_int_equal(setenv("PWD", wrong[i], 1), 0);
    assert_string_equal(cwd(), real);
  }
  assert_int_equal(unsetenv("PWD"), 0);
  assert_string_equal(cwd(), real);
  assert_int_equal(rmdir(real), 0);
  const char *out = NULL;
  spec_err err;
  assert_int_equal(spec_fs_cwd(arena, &out, &err), SPEC_EIO);
  assert_null(out);
}

static void test_out_of_memory(void **state) {
  (void)state;
  static char large[2000000]; /* larger than what is left of any block */
  put_bytes("large", large, sizeof large);
  const char *data = NULL;
  size_t len, before = count_descriptors();
  spec_err err;
  (void)spec_alloc_fail_at(1);
  assert_int_equal(spec_fs_read(arena, &data, &len, "large", &err), SPEC_ENOMEM);
  assert_int_equal(err.code, SPEC_ENOMEM);
  bool same;
  for (size_t n = 1; n <= 4; n++) { /* the scratch arena twice, then each file */
    (void)spec_alloc_fail_at(n);
    assert_int_equal(spec_fs_same(&same, "large", "large", &err), SPEC_ENOMEM);
  }
  (void)spec_alloc_fail_at(5);
  assert_int_equal(spec_fs_same(&same, "large", "large", &err), SPEC_OK);
  assert_int_equal(spec_alloc_fail_at(0), 4);
  assert_int_equal(count_descriptors(), before);
}

/* Each calls one function and returns its result. */
static int call_list(spec_err *err) {
  spec_dirent *entries;
  size_t count;
  return spec_fs_list(arena, &entries, &count, ".", err);
}

static int call_real(spec_err *err) {
  const char *out;
  return spec_fs_real(arena, &out, ".", err);
}

static int call_readlink(spec_err *err) {
  const char *out;
  return spec_fs_readlink(arena, &out, "link", err);
}

static int call_cwd(spec_err *err) {
  const char *out;
  return spec_fs_cwd(arena, &out, err);
}

static void test_full_arena_is_reported(void **state) {
  (void)state;
  put_link("file", "link");
  static int (*const functions[])(spec_err *) = {call_list, call_real, call_readlink, call_cwd};
  size_t before = count_descriptors();
  for (size_t i = 0; i < 2 * COUNT(functions); i++) {
    assert_int_equal(i < COUNT(functions) ? unsetenv("PWD") : setenv("PWD", scratch(), 1), 0);
    spec_err err = {0};
    int rc = SPEC_OK;
    (void)spec_alloc_fail_at(1); /* when the arena next asks for a block */
    for (int k = 0; k < 100000 && rc == SPEC_OK; k++)
      rc = functions[i % COUNT(functions)](&err);
    assert_int_equal(rc, SPEC_ENOMEM);
    assert_int_equal(err.code, SPEC_ENOMEM);
    assert_true(spec_alloc_fail_at(0) >= 1);
    assert_int_equal(count_descriptors(), before);
  }
}

#define FS_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      FS_TEST(test_types),
      FS_TEST(test_look_reports_what_is_no_absence),
      FS_TEST(test_list_is_sorted_and_typed),
      FS_TEST(test_list_failures),
      FS_TEST(test_unreadable_folder_is_an_error_at_each_call),
      FS_TEST(test_folder_of_100000_files),
      FS_TEST(test_read),
      FS_TEST(test_read_of_a_file_that_does_not_tell_its_size),
      FS_TEST(test_only_regular_files_are_read),
      FS_TEST(test_read_failures),
      FS_TEST(test_no_call_is_wasted),
      FS_TEST(test_same),
      FS_TEST(test_real),
      FS_TEST(test_readlink),
      FS_TEST(test_cwd),
      FS_TEST(test_out_of_memory),
      FS_TEST(test_full_arena_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
