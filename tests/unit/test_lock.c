/* spec.lock: what is read and written, and what is refused with the line's number. */
#include "core/lock.h"

#include "base/buf.h"
#include "core/blob_id.h"
#include "planning.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

#define ID1  "0123456789abcdef0123456789abcdef01234567"
#define ID2  "fedcba9876543210fedcba9876543210fedcba98"
#define HEAD "# triton-spec lock 1\n"

static int parse(spec_lock *out, const char *text, spec_err *err) {
  *out = (spec_lock){.arena = arena};
  return spec_lock_parse(out, text, strlen(text), "spec.lock", err);
}

static void test_blob_ids_are_gits(void **state) {
  (void)state;
  char id[SPEC_BLOB_ID_SIZE];
  spec_blob_id(id, "", 0);
  assert_string_equal(id, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  spec_blob_id(id, "hello world\n", 12);
  assert_string_equal(id, "3b18e512dba79e4c8300dd08aeb37f8e728b8dad");
  put_bytes("nul", "a\0b", 3);
  spec_err err;
  assert_int_equal(spec_blob_id_of_file(arena, id, "nul", &err), 0);
  assert_string_equal(id, "20b5be91886d0b6f26dc98a225c0dac05fe2c86e");
  assert_int_equal(spec_blob_id_of_file(arena, id, "absent", &err), SPEC_EIO);
}

static void test_what_is_written_is_read_again(void **state) {
  (void)state;
  static const char text[] = HEAD "a/b.td\t" ID1 "\t" ID2 "\n"
                                  "a/c.h\t-\t-\n"
                                  "z\t" ID2 "\t-\treview\n";
  spec_lock lock;
  spec_err err;
  assert_int_equal(parse(&lock, text, &err), 0);
  assert_int_equal(lock.count, 3);
  const spec_lock_line *line = spec_lock_find(&lock, "z");
  assert_non_null(line);
  assert_true(line->review);
  assert_int_equal(line->line, 4);
  assert_string_equal(line->blob, ID2);
  assert_string_equal(spec_lock_find(&lock, "a/b.td")->commit, ID2);
  assert_null(spec_lock_find(&lock, "a"));
  assert_null(spec_lock_find(&lock, "zz"));
  bool changed = false, exists = false;
  put_folder("acme");
  assert_int_equal(spec_lock_write(&lock, &changed, "acme", &err), 0);
  assert_true(changed);
  assert_true(holds_text("acme/spec.lock", text));
  assert_int_equal(spec_lock_write(&lock, &changed, "acme", &err), 0);
  assert_false(changed);
  spec_lock again = {.arena = arena};
  assert_int_equal(spec_lock_read(&again, &exists, "acme", &err), 0);
  assert_true(exists);
  assert_int_equal(again.count, 3);
}

static void test_no_lock_is_an_empty_one(void **state) {
  (void)state;
  spec_lock lock = {.arena = arena};
  spec_err err;
  bool exists = true;
  put_folder("acme");
  assert_int_equal(spec_lock_read(&lock, &exists, "acme", &err), 0);
  assert_false(exists);
  assert_int_equal(lock.count, 0);
  put_folder("acme/spec.lock");
  assert_int_equal(spec_lock_read(&lock, &exists, "acme", &err), SPEC_EIO);
}

static void test_comments_blank_lines_and_crlf_are_passed_over(void **state) {
  (void)state;
  spec_lock lock;
  spec_err err;
  assert_int_equal(parse(&lock, "# triton-spec lock 1\r\n\r\n# words\r\na\t-\t-\r\nb\t-\t-", &err),
                   0);
  assert_int_equal(lock.count, 2);
  assert_int_equal(lock.lines[0].line, 4);
  assert_string_equal(lock.lines[1].commit, "-");
}

static void test_bad_texts_are_refused_with_their_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *where, *part;
  } cases[] = {
      {"", "spec.lock:1", "first line"},
      {"a\t-\t-\n", "spec.lock:1", "first line"},
      {"# triton-spec lock 2\n", "spec.lock:1", "version '2'"},
      {"# triton-spec lock 11\n", "spec.lock:1", "version '11'"},
      {HEAD "a\n", "spec.lock:2", "a line is"},
      {HEAD "a\t-\n", "spec.lock:2", "a line is"},
      {HEAD "a\t-\t-\treview\t\n", "spec.lock:2", "a line is"},
      {HEAD "a\t-\t-\t\n", "spec.lock:2", "'review'"},
      {HEAD "a\t-\t-\treviewed\n", "spec.lock:2", "'review'"},
      {HEAD "\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "/a\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "a/../b\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "..\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "a/\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "a/./b\t-\t-\n", "spec.lock:2", "path below the trunk"},
      {HEAD "a\t\t-\n", "spec.lock:2", "blob id"},
      {HEAD "a\t0123\t-\n", "spec.lock:2", "blob id"},
      {HEAD "a\t" ID1 "0\t-\n", "spec.lock:2", "blob id"},
      {HEAD "a\t0123456789ABCDEF0123456789abcdef01234567\t-\n", "spec.lock:2", "blob id"},
      {HEAD "a\t-\tHEAD\n", "spec.lock:2", "commit"},
      {HEAD "a\t-\t-\na\t-\t-\n", "spec.lock:3", "the one above"},
      {HEAD "b\t-\t-\na\t-\t-\n", "spec.lock:3", "sorted"},
      {HEAD "<<<<<<< ours\na\t-\t-\n", "spec.lock:2", "a line is"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    spec_lock lock;
    spec_err err;
    assert_int_equal(parse(&lock, cases[i].text, &err), SPEC_EPARSE);
    assert_string_equal(err.where, cases[i].where);
    assert_non_null(strstr(err.what, cases[i].part));
    assert_string_not_equal(err.mend, "");
  }
}

static void test_lines_are_set_and_dropped_in_order(void **state) {
  (void)state;
  spec_lock lock = {.arena = arena};
  spec_err err;
  static const char *const paths[] = {"m", "a", "z", "b", "m"};
  for (size_t i = 0; i < COUNT(paths); i++) {
    const spec_lock_line line = {.trunk = paths[i], .blob = i == 4 ? ID2 : ID1, .commit = "-"};
    assert_int_equal(spec_lock_set(&lock, &line, &err), 0);
  }
  spec_lock_drop(&lock, "b");
  spec_lock_drop(&lock, "absent");
  spec_buf text = {0};
  spec_lock_text(&text, &lock);
  assert_string_equal(spec_buf_text(&text), HEAD "a\t" ID1 "\t-\nm\t" ID2 "\t-\nz\t" ID1 "\t-\n");
  spec_buf_dispose(&text);
}

static void test_a_path_that_no_line_can_hold_is_not_written(void **state) {
  (void)state;
  spec_lock lock = {.arena = arena};
  spec_err err;
  put_folder("acme");
  const spec_lock_line line = {.trunk = "a\tb", .blob = "-", .commit = "-"};
  assert_int_equal(spec_lock_set(&lock, &line, &err), 0);
  assert_int_equal(spec_lock_write(&lock, NULL, "acme", &err), SPEC_EINVAL);
  assert_int_equal(count_entries("acme"), 0);
}

static void test_memory_that_ends_is_an_error(void **state) {
  (void)state;
  static const char text[] = HEAD "a\t" ID1 "\t" ID2 "\nb\t-\t-\n";
  for (size_t n = 1;; n++) {
    spec_lock lock = {.arena = arena};
    spec_err err = {0};
    (void)spec_arena_fail_at(n);
    int rc = spec_lock_parse(&lock, text, sizeof text - 1, "spec.lock", &err);
    bool all = spec_arena_fail_at(0) < n;
    assert_int_equal(rc, all ? 0 : SPEC_ENOMEM);
    if (all)
      return;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_blob_ids_are_gits),
      IN_SCRATCH(test_what_is_written_is_read_again),
      IN_SCRATCH(test_no_lock_is_an_empty_one),
      cmocka_unit_test(test_comments_blank_lines_and_crlf_are_passed_over),
      cmocka_unit_test(test_bad_texts_are_refused_with_their_line),
      cmocka_unit_test(test_lines_are_set_and_dropped_in_order),
      IN_SCRATCH(test_a_path_that_no_line_can_hold_is_not_written),
      cmocka_unit_test(test_memory_that_ends_is_an_error),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
