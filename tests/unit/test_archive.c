/* Archives: members come out as they went in, packed or not; and what is damaged is told. Archives
 * of other tools are read in tests/python/test_bake_archives.py. */
#define _XOPEN_SOURCE 700

#include "base/err.h"
#include "package/archive.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter, leave)

static spec_arena *arena;

static int enter(void **state) {
  return spec_arena_new(&arena, NULL) < 0 ? -1 : enter_scratch(state);
}

static int leave(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

static const char zeros[1000];

static const struct {
  const char *name, *data;
  size_t len;
} members[] = {
    {"a.txt", "some text", 9},
    {"folder/empty", "", 0},
    {"folder/\xc3\xa9", zeros, sizeof zeros},
};

static int write_members(const char *path, spec_err *err) {
  spec_archive_writer *writer;
  spec_archive_entry like = {.date = 0x5C214860};
  spec_archive_set_mode(&like, true);
  int rc = spec_archive_new(&writer, arena, path, err);
  if (rc < 0)
    return rc;
  for (size_t i = 0; i < COUNT(members) && rc == SPEC_OK; i++)
    rc = spec_archive_add(writer, members[i].name, members[i].data, members[i].len, &like, err);
  if (rc == SPEC_OK)
    return spec_archive_publish(writer, NULL, err);
  spec_archive_discard(writer);
  return rc;
}

/* Opens the archive and reads all; SPEC_OK only if all is as in `members`. */
static int read_members(const char *path, spec_err *err) {
  spec_archive archive;
  const char *data;
  int rc = spec_archive_open(&archive, arena, path, err);
  if (rc < 0)
    return rc;
  for (size_t i = 0; i < archive.count && rc == SPEC_OK; i++) {
    const spec_archive_entry *e = &archive.entries[i];
    rc = spec_archive_read(&archive, arena, &data, e, err);
    if (rc == SPEC_OK && i < COUNT(members) && e->size == members[i].len)
      assert_memory_equal(data, members[i].data, members[i].len);
  }
  spec_archive_close(&archive);
  return rc;
}

static int copy_members(const char *from, const char *to, spec_err *err) {
  spec_archive archive;
  spec_archive_writer *writer;
  int rc = spec_archive_open(&archive, arena, from, err);
  if (rc < 0)
    return rc;
  rc = spec_archive_new(&writer, arena, to, err);
  if (rc == SPEC_OK) {
    for (size_t i = 0; i < archive.count && rc == SPEC_OK; i++)
      rc = spec_archive_copy(writer, archive.entries[i].name, &archive, &archive.entries[i], err);
    if (rc == SPEC_OK)
      rc = spec_archive_publish(writer, NULL, err);
    else
      spec_archive_discard(writer);
  }
  spec_archive_close(&archive);
  return rc;
}

/* --- sound archives ------------------------------------------------------------------------ */

static void test_members_come_out_as_they_went_in(void **state) {
  (void)state;
  spec_archive archive;
  assert_int_equal(write_members("a.zip", NULL), SPEC_OK);
  assert_int_equal(read_members("a.zip", NULL), SPEC_OK);
  assert_int_equal(spec_archive_open(&archive, arena, "a.zip", NULL), SPEC_OK);
  assert_int_equal(archive.count, COUNT(members));
  for (size_t i = 0; i < archive.count; i++) {
    const spec_archive_entry *e = &archive.entries[i];
    assert_string_equal(e->name, members[i].name);
    assert_int_equal(e->size, members[i].len);
    assert_int_equal(e->date, 0x5C214860);
    assert_true(spec_archive_is_executable(e));
    assert_int_equal(e->method, SPEC_ARCHIVE_DEFLATED);
    assert_int_equal(e->flags, i == 2 ? SPEC_ARCHIVE_UTF8 : 0);
  }
  assert_true(archive.entries[2].packed < 20);
  spec_archive_close(&archive);
}

static void test_a_copy_has_the_same_bytes(void **state) {
  (void)state;
  bool same = false;
  assert_int_equal(write_members("a.zip", NULL), SPEC_OK);
  assert_int_equal(copy_members("a.zip", "b.zip", NULL), SPEC_OK);
  assert_int_equal(spec_fs_same(&same, "a.zip", "b.zip", NULL), SPEC_OK);
  assert_true(same);
}

static void test_an_empty_archive(void **state) {
  (void)state;
  spec_archive_writer *writer;
  spec_archive archive;
  assert_int_equal(spec_archive_new(&writer, arena, "a.zip", NULL), SPEC_OK);
  assert_int_equal(spec_archive_publish(writer, NULL, NULL), SPEC_OK);
  assert_int_equal(spec_archive_open(&archive, arena, "a.zip", NULL), SPEC_OK);
  assert_int_equal(archive.count, 0);
  spec_archive_close(&archive);
}

/* More members than a number of 16 bits can tell, and more bytes than the buffer holds. */
static void test_many_members(void **state) {
  (void)state;
  enum { MANY = 66000 };
  spec_archive_writer *writer;
  spec_archive archive;
  spec_archive_entry like = {0};
  assert_int_equal(spec_archive_new(&writer, arena, "a.zip", NULL), SPEC_OK);
  for (size_t i = 0; i < MANY; i++) {
    const char *name = spec_arena_printf(arena, "%zu", i);
    assert_int_equal(spec_archive_add(writer, name, name, strlen(name), &like, NULL), SPEC_OK);
  }
  assert_int_equal(spec_archive_publish(writer, NULL, NULL), SPEC_OK);
  assert_int_equal(spec_archive_open(&archive, arena, "a.zip", NULL), SPEC_OK);
  assert_int_equal(archive.count, MANY);
  const char *data;
  assert_string_equal(archive.entries[MANY - 1].name, "65999");
  assert_int_equal(spec_archive_read(&archive, arena, &data, &archive.entries[MANY - 1], NULL),
                   SPEC_OK);
  assert_string_equal(data, "65999");
  spec_archive_close(&archive);
}

static void test_dates(void **state) {
  (void)state;
  assert_int_equal(spec_archive_date(0), 0x00210000); /* 1980-01-01, the first */
  assert_int_equal(spec_archive_date(INT64_MIN), 0x00210000);
  assert_int_equal(spec_archive_date(1767225599), 0x5B9FBF7D); /* 2025-12-31 23:59:58 */
  assert_int_equal(spec_archive_date(INT64_MAX), 0xFF9FBF7D);  /* 2107-12-31 23:59:58, the last */
}

static void test_long_names_are_refused(void **state) {
  (void)state;
  spec_archive_writer *writer;
  spec_err err;
  spec_archive_entry like = {0};
  char *name = spec_arena_alloc(arena, 0x10001);
  memset(name, 'x', 0x10000);
  assert_int_equal(spec_archive_new(&writer, arena, "a.zip", NULL), SPEC_OK);
  assert_int_equal(spec_archive_add(writer, name, "", 0, &like, &err), SPEC_EINVAL);
  spec_archive_discard(writer);
  assert_int_equal(count_entries("."), 0);
}

/* --- damaged archives ---------------------------------------------------------------------- */

/* The archive's bytes, which the caller may change. */
static char *load(size_t *len) {
  const char *data;
  assert_int_equal(write_members("a.zip", NULL), SPEC_OK);
  assert_int_equal(spec_fs_read(arena, &data, len, "a.zip", NULL), SPEC_OK);
  char *copy = spec_arena_alloc(arena, *len);
  memcpy(copy, data, *len);
  return copy;
}

static void test_a_cut_archive_is_told(void **state) {
  (void)state;
  size_t len;
  const char *data = load(&len);
  for (size_t cut = 0; cut < len; cut++) {
    spec_err err = {0};
    put_bytes("cut.zip", data, cut);
    assert_int_equal(read_members("cut.zip", &err), SPEC_EPARSE);
    assert_string_equal(err.where, "cut.zip");
    put_bytes("cut.zip", data + len - cut, cut); /* or its beginning is missing */
    assert_int_equal(read_members("cut.zip", &err), SPEC_EPARSE);
  }
}

static void test_something_before_or_behind_is_told(void **state) {
  (void)state;
  size_t len;
  const char *data = load(&len);
  char *more = spec_arena_alloc(arena, len + 1);
  memcpy(more, data, len);
  put_bytes("more.zip", more, len + 1);
  assert_int_equal(read_members("more.zip", NULL), SPEC_EPARSE);
  memcpy(more + 1, data, len);
  put_bytes("more.zip", more, len + 1);
  assert_int_equal(read_members("more.zip", NULL), SPEC_EPARSE);
}

/* Each byte in turn, with several values: no crash, and no other content than what was written. */
static void test_every_damaged_byte(void **state) {
  (void)state;
  static const char masks[] = {1, 4, (char)0x80, (char)0xFF};
  size_t len, refused = 0;
  char *data = load(&len);
  for (size_t i = 0; i < len; i++) {
    for (size_t k = 0; k < sizeof masks; k++) {
      spec_err err = {0};
      data[i] = (char)(data[i] ^ masks[k]);
      put_bytes("b.zip", data, len);
      int rc = read_members("b.zip", &err);
      assert_true(rc == SPEC_OK || rc == SPEC_EPARSE);
      assert_true(rc == SPEC_OK || strncmp(err.where, "b.zip", 5) == 0);
      refused += rc < 0;
      data[i] = (char)(data[i] ^ masks[k]);
    }
  }
  assert_true(refused > len); /* the others are in dates, modes and names */
}

/* Puts a number of `bytes` bytes at an offset from the first place where `signature` stands. */
static void poke(char *data, size_t len, const char *signature, size_t offset, size_t bytes,
                 uint32_t value) {
  for (size_t i = 0; i + 4 <= len; i++) {
    if (memcmp(data + i, signature, 4) != 0)
      continue;
    for (size_t k = 0; k < bytes; k++)
      data[i + offset + k] = (char)(value >> (8 * k));
    return;
  }
  fail();
}

static void test_what_is_wrong_is_said(void **state) {
  (void)state;
  const struct {
    const char *signature;
    size_t offset, bytes;
    uint32_t value;
    const char *what;
  } cases[] = {
      {"PK\1\2", 8, 2, 1, "a member is encrypted"},
      {"PK\1\2", 10, 2, 12, "packed by a method other than deflating"},
      {"PK\1\2", 24, 4, 1000000, "said to be larger than it can be"},
      {"PK\1\2", 24, 4, 8, "cannot be unpacked"},
      {"PK\1\2", 24, 4, 10, "cannot be unpacked"},
      {"PK\1\2", 24, 4, 0xFFFFFFFF, "extra fields of a member are damaged"},
      {"PK\1\2", 20, 4, 4, "cannot be unpacked"},
      {"PK\1\2", 20, 4, 100000, "its members overlap"},
      {"PK\1\2", 16, 4, 0, "has another checksum"},
      {"PK\1\2", 42, 4, 1, "is not where it should be"},
      {"PK\1\2", 42, 4, 0xFFFFFFF0, "is not where it should be"},
      {"PK\1\2", 28, 2, 4000, "its central directory is damaged"},
      {"PK\1\2", 46, 1, 0, "holds a NUL"},
      {"PK\1\2", 46, 1, 'b', "is not where it should be"},
      {"PK\3\4", 26, 2, 1, "is not where it should be"},
      {"PK\5\6", 10, 2, 2, "its central directory is damaged"},
      {"PK\5\6", 10, 2, 9, "more members than it can"},
      {"PK\5\6", 12, 4, 5, "is not where it says"},
      {"PK\5\6", 16, 4, 0xFFFFFFFF, "is not where it says"},
      {"PK\5\6", 20, 2, 1, "is not a zip archive"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t len;
    char *data = load(&len);
    spec_err err = {0};
    poke(data, len, cases[i].signature, cases[i].offset, cases[i].bytes, cases[i].value);
    put_bytes("b.zip", data, len);
    assert_int_equal(read_members("b.zip", &err), SPEC_EPARSE);
    if (strstr(err.what, cases[i].what) == NULL)
      fail_msg("case %zu: %s", i, err.what);
    assert_true(err.mend[0] != '\0');
  }
}

static void test_a_stored_member_that_is_cut_is_told(void **state) {
  (void)state;
  size_t len;
  char *data = load(&len);
  poke(data, len, "PK\1\2", 10, 2, 0);
  poke(data, len, "PK\1\2", 24, 4, 11); /* as many bytes as it is packed */
  put_bytes("b.zip", data, len);
  spec_err err;
  assert_int_equal(read_members("b.zip", &err), SPEC_EPARSE);
  assert_non_null(strstr(err.what, "has another checksum"));
}

/* --- what the system refuses ----------------------------------------------------------------- */

static void test_every_call_fails(void **state) {
  (void)state;
  size_t descriptors = count_descriptors(), n = 0, refused = 0;
  assert_int_equal(write_members("a.zip", NULL), SPEC_OK);
  for (bool reached = true; reached;) {
    spec_err err = {0};
    (void)spec_fs_fail_at(++n, EIO);
    int rc = copy_members("a.zip", "b.zip", &err);
    if (rc == SPEC_OK)
      rc = read_members("b.zip", &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(rc == SPEC_OK || (reached && rc == SPEC_EIO && err.where[0] != '\0'));
    refused += rc < 0;
    (void)unlink("b.zip");
    assert_int_equal(count_entries("."), 1);
  }
  assert_int_equal(n - refused, 2); /* the look at what is replaced, and the last run */
  assert_int_equal(count_descriptors(), descriptors);
}

static void fail_each(size_t (*fail_at)(size_t)) {
  size_t n = 0;
  for (bool reached = true; reached;) {
    spec_err err = {0};
    spec_arena *outer = arena;
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    (void)fail_at(++n);
    int rc = write_members("a.zip", &err);
    if (rc == SPEC_OK)
      rc = copy_members("a.zip", "b.zip", &err);
    if (rc == SPEC_OK)
      rc = read_members("b.zip", &err);
    reached = fail_at(0) >= n;
    assert_int_equal(rc, reached ? SPEC_ENOMEM : SPEC_OK);
    assert_int_equal(err.code, rc);
    (void)unlink("a.zip");
    (void)unlink("b.zip");
    assert_int_equal(count_entries("."), 0);
    spec_arena_free(arena);
    arena = outer;
  }
  assert_true(n > 10);
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  size_t descriptors = count_descriptors();
  fail_each(spec_alloc_fail_at);
  fail_each(spec_arena_fail_at);
  assert_int_equal(count_descriptors(), descriptors);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_SCRATCH(test_members_come_out_as_they_went_in),
      IN_SCRATCH(test_a_copy_has_the_same_bytes),
      IN_SCRATCH(test_an_empty_archive),
      IN_SCRATCH(test_many_members),
      IN_SCRATCH(test_dates),
      IN_SCRATCH(test_long_names_are_refused),
      IN_SCRATCH(test_a_cut_archive_is_told),
      IN_SCRATCH(test_something_before_or_behind_is_told),
      IN_SCRATCH(test_every_damaged_byte),
      IN_SCRATCH(test_what_is_wrong_is_said),
      IN_SCRATCH(test_a_stored_member_that_is_cut_is_told),
      IN_SCRATCH(test_every_call_fails),
      IN_SCRATCH(test_every_allocation_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
