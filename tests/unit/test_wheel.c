/* Wheels: which are refused and why, and what a new one holds. How pip and Python's own tools see
 * them is in tests/python/test_bake*.py. */
#define _XOPEN_SOURCE 700

#include "base/err.h"
#include "package/wheel.h"
#include "wheels.h"

#include <errno.h>
#include <stdio.h>
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

/* --- toy wheels ---------------------------------------------------------------------------- */

#define INFO "toy-1.0.dist-info/"

static const char wheel_text[] = "Wheel-Version: 1.0\nGenerator: test\nTag: py3-none-any\n";
static const char metadata_text[] = "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n\nText\n";

static const wheel_file usual[] = {
    {"toy/", NULL},        {"toy/__init__.py", "one\n"},       {"toy/b.py", "two\n"},
    {"toy/sub/", NULL},    {"toy/sub/c.py", "three\n"},        {"toy-1.0.data/scripts/s", "#!\n"},
    {INFO, NULL},          {INFO "METADATA", metadata_text},   {INFO "WHEEL", wheel_text},
    {INFO "RECORD", NULL}, {INFO "licenses/LICENSE", "MIT\n"}, {NULL, NULL}};

static const char *const path = "toy-1.0-py3-none-any.whl";

/* The usual files with one changed (text NULL: without it), or a further one. */
static const wheel_file *usual_but(const char *name, const char *text) {
  wheel_file *files = spec_arena_array(arena, COUNT(usual) + 1, sizeof *files);
  size_t count = 0;
  bool known = false;
  for (size_t i = 0; usual[i].name != NULL; i++) {
    bool is_it = strcmp(usual[i].name, name) == 0;
    known |= is_it;
    if (!is_it || text != NULL)
      files[count++] = (wheel_file){usual[i].name, is_it ? text : usual[i].text};
  }
  if (!known)
    files[count++] = (wheel_file){name, text};
  return files;
}

/* --- opening ------------------------------------------------------------------------------- */

static void test_a_sound_wheel(void **state) {
  (void)state;
  spec_wheel wheel;
  const char *data;
  size_t len;
  put_wheel(arena, path, usual, NULL);
  assert_int_equal(spec_wheel_open(&wheel, arena, path, NULL), SPEC_OK);
  assert_string_equal(wheel.project, "toy");
  assert_string_equal(wheel.version, "1.0");
  assert_string_equal(wheel.dist_info, "toy-1.0.dist-info");
  assert_int_equal(wheel.count, COUNT(usual) - 1);
  assert_true(wheel.members[0].is_folder && wheel.members[0].row == NULL);
  const spec_wheel_member *member = spec_wheel_find(&wheel, "toy/b.py");
  assert_int_equal(spec_wheel_read(&wheel, arena, &data, &len, member, NULL), SPEC_OK);
  assert_string_equal(data, "two\n");
  assert_int_equal(len, 4);
  assert_null(spec_wheel_find(&wheel, "toy/x.py"));
  assert_non_null(spec_wheel_info(&wheel, "licenses/LICENSE"));
  assert_null(spec_wheel_info(&wheel, "LICENSE"));
  spec_wheel_close(&wheel);
}

/* Fails the test unless opening gives that code and text, at that place in the wheel ("": none). */
static void check_refused(int code, const char *what, const char *member) {
  spec_wheel wheel;
  spec_err err = {0};
  size_t descriptors = count_descriptors();
  int rc = spec_wheel_open(&wheel, arena, path, &err);
  if (rc != code || strstr(err.what, what) == NULL)
    fail_msg("%d '%s' at '%s', not '%s'", rc, err.what, err.where, what);
  const char *where = *member == '\0' ? path : spec_arena_printf(arena, "%s:%s", path, member);
  assert_string_equal(err.where, where);
  assert_true(err.mend[0] != '\0');
  assert_int_equal(count_descriptors(), descriptors);
}

static void test_broken_wheels_are_refused(void **state) {
  (void)state;
  const struct {
    const char *name, *text, *what, *at;
  } cases[] = {
      {"../evil.py", "x", "has an empty part, '.' or '..'", "../evil.py"},
      {"toy/../../evil.py", "x", "has an empty part, '.' or '..'", "toy/../../evil.py"},
      {"toy//x.py", "x", "has an empty part, '.' or '..'", "toy//x.py"},
      {"./x.py", "x", "has an empty part, '.' or '..'", "./x.py"},
      {"/etc/evil", "x", "is an absolute path", "/etc/evil"},
      {"C:/evil", "x", "is an absolute path", "C:/evil"},
      {"toy\\x.py", "x", "a backslash or a control character", "toy\\x.py"},
      {"toy/\x1b[1m", "x", "a backslash or a control character", "toy/\x1b[1m"},
      {"toy/\xff", "x", "is not UTF-8", "toy/\xff"},
      {"", "x", "has no name", ""},
      {INFO "RECORD", NULL, "this file is missing", INFO "RECORD"},
      {INFO "METADATA", NULL, "this file is missing", INFO "METADATA"},
      {INFO "WHEEL", NULL, "this file is missing", INFO "WHEEL"},
      {INFO "METADATA", "Name: toy\n", "does not have one 'Version:'", "METADATA"},
      {INFO "METADATA", "Name: toy\nName: a\nVersion: 1.0\n", "have one 'Name:'", "METADATA"},
      {INFO "METADATA", "Name: toy\nVersion:\n", "have one 'Version:'", "METADATA"},
      {INFO "WHEEL", "Tag: x\n", "does not have one 'Wheel-Version:'", "WHEEL"},
      {"a-1.dist-info/x", "", "it has two dist-info folders", "a-1.dist-info/x"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    put_wheel(arena, path, usual_but(cases[i].name, cases[i].text), NULL);
    if (*cases[i].name == '\0') {
      spec_wheel wheel;
      spec_err err;
      assert_int_equal(spec_wheel_open(&wheel, arena, path, &err), SPEC_EPARSE);
      assert_non_null(strstr(err.what, cases[i].what));
    } else {
      check_refused(SPEC_EPARSE, cases[i].what, cases[i].at);
    }
  }
}

static void test_records_that_do_not_fit_are_refused(void **state) {
  (void)state;
  const char *rows = record_of(arena, usual);
  put_wheel(arena, path, usual, spec_arena_printf(arena, "%stoy/x.py,,\n", rows));
  check_refused(SPEC_EPARSE, "RECORD lists a file that is not there", "toy/x.py");
  put_wheel(arena, path, usual, spec_arena_printf(arena, "%stoy/b.py,,\n", rows));
  check_refused(SPEC_EPARSE, "RECORD lists a file twice", "toy/b.py");
  put_wheel(arena, path, usual, strchr(rows, '\n') + 1);
  check_refused(SPEC_EPARSE, "RECORD does not list this file", "toy/__init__.py");
  put_wheel(arena, path, usual, "toy/b.py\n");
  check_refused(SPEC_EPARSE, "has not three fields", INFO "RECORD:1");
  put_wheel(arena, path, usual_but(INFO "METADATA", "Name: toy\nVersion: 1.0\nA: b\n"), rows);
  check_refused(SPEC_EPARSE, "a member is not what RECORD says of it", INFO "METADATA");
}

static void test_other_refusals(void **state) {
  (void)state;
  put(path, "no archive at all");
  check_refused(SPEC_EPARSE, "is not a zip archive", "");
  put_wheel(arena, path, usual + COUNT(usual) - 1, NULL); /* empty */
  check_refused(SPEC_EPARSE, "it has no dist-info folder", "");
  static const wheel_file twice[] = {{"a", "1"}, {"a", "2"}, {NULL, NULL}};
  put_wheel(arena, path, twice, NULL);
  check_refused(SPEC_EPARSE, "two members have one name", "a");
  put_wheel(arena, path, usual_but(INFO "RECORD.jws", "x"), record_of(arena, usual));
  check_refused(SPEC_EINVAL, "the wheel is signed", "");
  put_wheel(arena, path, usual_but(INFO "RECORD.p7s", "x"), record_of(arena, usual));
  check_refused(SPEC_EINVAL, "the wheel is signed", "");
  put_wheel(arena, path, usual_but(INFO "WHEEL", "Wheel-Version: 2.0\n"), NULL);
  check_refused(SPEC_EINVAL, "a version of the format that is not known", "");
  const char *const others[] = {"Name: toys\nVersion: 1.0\n", "Name: toy\nVersion: 1.1\n"};
  for (size_t i = 0; i < COUNT(others); i++) {
    put_wheel(arena, path, usual_but(INFO "METADATA", others[i]), NULL);
    check_refused(SPEC_EPARSE, "the wheel is named toy 1.0, its folder is toy-1.0.dist-info", "");
  }
  spec_wheel wheel;
  spec_err err;
  put_wheel(arena, "toy-1.2-py3-none-any.whl", usual, NULL);
  assert_int_equal(spec_wheel_open(&wheel, arena, "toy-1.2-py3-none-any.whl", &err), SPEC_EPARSE);
  assert_non_null(strstr(err.what, "the wheel is named toy 1.2"));
  assert_int_equal(spec_wheel_open(&wheel, arena, "toy.whl", &err), SPEC_EINVAL);
  assert_int_equal(spec_wheel_open(&wheel, arena, "no-1.0-py3-none-any.whl", &err), SPEC_EIO);
}

/* --- writing ------------------------------------------------------------------------------- */

static const spec_wheel_change changes[] = {
    {"toy/b.py", "TWO\n", 4, true},  {"toy/sub/c.py", NULL, 0, false},
    {"toy/a.py", "new\n", 4, false}, {"toy/b/d.py", "", 0, true},
    {"zoo/x", "x", 1, false},        {INFO "made.json", "{}", 2, false},
    {"toy/none.py", NULL, 0, false}, /* was not there */
};

static int edit_wheel(bool *changed, const char *to, spec_err *err) {
  const spec_wheel_edit edit = {"1.0+acme", changes, COUNT(changes), 1767225599};
  spec_wheel wheel;
  int rc = spec_wheel_open(&wheel, arena, path, err);
  if (rc < 0)
    return rc;
  rc = spec_wheel_write(changed, &wheel, to, &edit, err);
  spec_wheel_close(&wheel);
  return rc;
}

#define NEW_INFO "toy-1.0+acme.dist-info/"
static const char *const edited = "toy-1.0+acme-py3-none-any.whl";

static void test_an_edited_wheel_holds_what_it_should(void **state) {
  (void)state;
  static const struct {
    const char *name, *text; /* NULL: not looked at */
    bool executable, dated;  /* with the date of the edit */
  } expected[] = {
      {"toy/", "", false, false},
      {"toy/__init__.py", "one\n", false, false},
      {"toy/a.py", "new\n", false, true},
      {"toy/b.py", "TWO\n", true, true},
      {"toy/b/d.py", "", true, true},
      {"toy-1.0+acme.data/scripts/s", "#!\n", true, false},
      {"zoo/x", "x", false, true},
      {NEW_INFO, "", false, false},
      {NEW_INFO "METADATA", "Metadata-Version: 2.1\nName: toy\nVersion: 1.0+acme\n\nText\n", false,
       true},
      {NEW_INFO "WHEEL", wheel_text, false, false},
      {NEW_INFO "RECORD", NULL, false, true},
      {NEW_INFO "licenses/LICENSE", "MIT\n", false, false},
      {NEW_INFO "made.json", "{}", false, true},
  };
  bool changed = false;
  spec_wheel wheel;
  put_wheel(arena, path, usual, NULL);
  assert_int_equal(edit_wheel(&changed, edited, NULL), SPEC_OK);
  assert_true(changed);
  assert_int_equal(spec_wheel_open(&wheel, arena, edited, NULL), SPEC_OK); /* RECORD fits */
  assert_string_equal(wheel.version, "1.0+acme");
  assert_int_equal(wheel.count, COUNT(expected));
  for (size_t i = 0; i < COUNT(expected); i++) {
    const spec_archive_entry *e = wheel.members[i].entry;
    const char *data;
    size_t len;
    assert_string_equal(e->name, expected[i].name);
    assert_int_equal(spec_wheel_read(&wheel, arena, &data, &len, &wheel.members[i], NULL), SPEC_OK);
    assert_true(expected[i].text == NULL || strcmp(data, expected[i].text) == 0);
    assert_int_equal(spec_archive_is_executable(e), expected[i].executable);
    assert_int_equal(e->date, expected[i].dated ? spec_archive_date(1767225599) : 0x5C214860);
    const spec_wheel_row *row = wheel.members[i].row;
    bool is_record = expected[i].text == NULL;
    assert_true(row == NULL || is_record == (row->hash[0] == '\0' && row->size[0] == '\0'));
  }
  assert_string_equal(wheel.record.eol, "\r\n");
  spec_wheel_close(&wheel);
}

static void test_the_same_edit_gives_the_same_bytes(void **state) {
  (void)state;
  bool changed = true, same = false;
  put_wheel(arena, path, usual, NULL);
  assert_int_equal(edit_wheel(NULL, edited, NULL), SPEC_OK);
  assert_int_equal(edit_wheel(&changed, edited, NULL), SPEC_OK);
  assert_false(changed);
  assert_int_equal(edit_wheel(NULL, "other", NULL), SPEC_OK);
  assert_int_equal(spec_fs_same(&same, edited, "other", NULL), SPEC_OK);
  assert_true(same);
}

static void test_what_is_made_cannot_be_given(void **state) {
  (void)state;
  static const spec_wheel_change wrong[] = {{INFO "METADATA", NULL, 0, false},
                                            {INFO "METADATA", "x", 1, false},
                                            {INFO "RECORD", NULL, 0, false},
                                            {INFO "RECORD", "x", 1, false}};
  put_wheel(arena, path, usual, NULL);
  for (size_t i = 0; i < COUNT(wrong); i++) {
    const spec_wheel_edit edit = {"1.0+acme", &wrong[i], 1, 0};
    spec_wheel wheel;
    spec_err err;
    assert_int_equal(spec_wheel_open(&wheel, arena, path, NULL), SPEC_OK);
    assert_int_equal(spec_wheel_write(NULL, &wheel, edited, &edit, &err), SPEC_EINVAL);
    assert_non_null(strstr(err.what, "cannot be given or taken away"));
    spec_wheel_close(&wheel);
  }
}

static void test_names_of_files(void **state) {
  (void)state;
  spec_wheel wheel;
  put_wheel(arena, "toy-1.0-3x-py3-none-any.whl", usual, NULL);
  assert_int_equal(spec_wheel_open(&wheel, arena, "toy-1.0-3x-py3-none-any.whl", NULL), SPEC_OK);
  assert_string_equal(spec_wheel_file_name(&wheel, "1.0+a.b"), "toy-1.0+a.b-3x-py3-none-any.whl");
  spec_wheel_close(&wheel);
}

/* --- what the system refuses ----------------------------------------------------------------- */

static void test_every_call_fails(void **state) {
  (void)state;
  size_t descriptors = count_descriptors(), n = 0;
  put_wheel(arena, path, usual, NULL);
  for (bool reached = true; reached;) {
    spec_err err = {0};
    put(edited, "old");
    (void)spec_fs_fail_at(++n, ENOSPC);
    int rc = edit_wheel(NULL, edited, &err);
    reached = spec_fs_fail_at(0, 0) >= n;
    assert_true(rc == SPEC_OK || (reached && rc == SPEC_EIO && err.where[0] != '\0'));
    assert_int_equal(holds_text(edited, "old"), rc < 0);
    assert_int_equal(count_entries("."), 2);
  }
  assert_in_range(n, 20, 100);
  assert_int_equal(count_descriptors(), descriptors);
}

static void fail_each(size_t (*fail_at)(size_t)) {
  size_t n = 0;
  put_wheel(arena, path, usual, NULL);
  for (bool reached = true; reached;) {
    spec_err err = {0};
    spec_arena *outer = arena;
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    (void)fail_at(++n);
    int rc = edit_wheel(NULL, edited, &err);
    reached = fail_at(0) >= n;
    assert_int_equal(rc, reached ? SPEC_ENOMEM : SPEC_OK);
    assert_int_equal(err.code, rc);
    assert_int_equal(count_entries("."), rc == SPEC_OK ? 2 : 1);
    spec_arena_free(arena);
    arena = outer;
  }
  assert_true(n > 20);
  assert_int_equal(unlink(edited), 0);
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
      IN_SCRATCH(test_a_sound_wheel),
      IN_SCRATCH(test_broken_wheels_are_refused),
      IN_SCRATCH(test_records_that_do_not_fit_are_refused),
      IN_SCRATCH(test_other_refusals),
      IN_SCRATCH(test_an_edited_wheel_holds_what_it_should),
      IN_SCRATCH(test_the_same_edit_gives_the_same_bytes),
      IN_SCRATCH(test_what_is_made_cannot_be_given),
      IN_SCRATCH(test_names_of_files),
      IN_SCRATCH(test_every_call_fails),
      IN_SCRATCH(test_every_allocation_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
