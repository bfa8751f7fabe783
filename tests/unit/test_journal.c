/* The journal of an upgrade: what is read, and that a folder comes to its new state or back to its
 * old one, whatever system call fails. */
#include "base/buf.h"
#include "base/fs.h"
#include "core/journal.h"
#include "unit.h"

#include <errno.h>
#include <string.h>

static spec_arena *arena;

static int set_up(void **state) {
  return spec_arena_new(&arena, NULL) != 0 || enter_scratch(state) != 0;
}

static int tear_down(void **state) {
  spec_arena_free(arena);
  return leave_scratch(state);
}

/* --- the text ------------------------------------------------------------------------------- */

#define FIRST "# triton-spec upgrade 1\nto\tabc\tmain\n"

static int parse(spec_journal *out, const char *text, spec_err *err) {
  *err = (spec_err){0};
  return spec_journal_parse(out, arena, text, strlen(text), "journal", err);
}

static void reads_changes(void **state) {
  (void)state;
  spec_journal j;
  spec_err err;
  assert_int_equal(parse(&j,
                         FIRST "change\tconflict\tpatch\tx-\tlib/a.c\tb/a.c.patch\tb/a.c\n"
                               "change\tclean\tcopy\t--\tlib/b.c\tb/b.c\t-\n",
                         &err),
                   0);
  assert_string_equal(j.commit, "abc");
  assert_string_equal(j.rev, "main");
  assert_int_equal(j.count, 2);
  assert_true(j.changes[0].conflict && j.changes[0].form == SPEC_CHANGE_PATCH);
  assert_true(j.changes[0].old.executable && !j.changes[0].new.executable);
  assert_string_equal(j.changes[0].trunk, "lib/a.c");
  assert_string_equal(j.changes[0].old_path, "b/a.c.patch");
  assert_string_equal(j.changes[0].new_path, "b/a.c");
  assert_null(j.changes[1].new_path);
}

static void refuses_what_is_none(void **state) {
  (void)state;
  static const struct {
    const char *text, *where, *what;
  } cases[] = {
      {"", "journal:0", "not whole"},
      {"# triton-spec upgrade 2\n", "journal:1", "not a journal of this version"},
      {"# triton-spec upgrade 1\n", "journal:1", "not whole"},
      {"# triton-spec upgrade 1\nchange\n", "journal:2", "which revision"},
      {FIRST "change\tclean", "journal:3", "ends within a line"},
      {FIRST "other\n", "journal:3", "not a change"},
      {FIRST "change\tclean\tcopy\t--\ta\tb\tc\td\n", "journal:3", "not a change"},
      {FIRST "change\tdirty\tcopy\t--\ta\tb\tc\n", "journal:3", "neither clean"},
      {FIRST "change\tclean\tlink\t--\ta\tb\tc\n", "journal:3", "no known form"},
      {FIRST "change\tclean\tcopy\trw\ta\tb\tc\n", "journal:3", "flags"},
      {FIRST "change\tclean\tcopy\t--\ta\t../b\tc\n", "journal:3", "leaves"},
      {FIRST "change\tclean\tcopy\t--\ta\tb\t/c\n", "journal:3", "leaves"},
      {FIRST "change\tclean\tcopy\t--\ta\tb\tc/../../d\n", "journal:3", "leaves"},
      {FIRST "change\tclean\tcopy\t--\ta\tb\t\n", "journal:3", "leaves"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    spec_journal j;
    spec_err err;
    assert_int_equal(parse(&j, cases[i].text, &err), SPEC_EPARSE);
    assert_string_equal(err.where, cases[i].where);
    assert_non_null(strstr(err.what, cases[i].what));
    assert_true(err.mend[0] != '\0');
  }
  spec_journal j;
  spec_err err = {0};
  assert_int_equal(spec_journal_parse(&j, arena, FIRST, sizeof FIRST, "journal", &err),
                   SPEC_EPARSE);
}

/* --- the folder ----------------------------------------------------------------------------- */

static void put_old(void) {
  put("v/changed", "old\n");
  put("v/dropped", "dropped\n");
  put("v/d/moved", "moved\n");
  put("v/spec.lock", "old lock\n");
}

static spec_journal_text text_of(const char *text) {
  return (spec_journal_text){text, strlen(text), false};
}

static spec_journal sample(void) {
  static spec_journal_change changes[5];
  memset(changes, 0, sizeof changes);
  changes[0] = (spec_journal_change){.trunk = "a", .old_path = "changed", .new_path = "changed"};
  changes[1] = (spec_journal_change){.trunk = "b", .old_path = "dropped"};
  changes[2] = (spec_journal_change){.trunk = "c", .old_path = "d/moved", .new_path = "e/moved"};
  changes[3] = (spec_journal_change){.trunk = "e", .new_path = "f/made"};
  changes[4] = (spec_journal_change){
      .trunk = "l", .form = SPEC_CHANGE_LOCK, .old_path = "spec.lock", .new_path = "spec.lock"};
  changes[0].old = text_of("old\n");
  changes[0].new = text_of("new\n");
  changes[1].old = text_of("dropped\n");
  changes[2].old = text_of("moved\n");
  changes[2].new = text_of("moved on\n");
  changes[3].new = text_of("made\n");
  changes[4].old = text_of("old lock\n");
  changes[4].new = text_of("new lock\n");
  const char *folder = spec_arena_printf(arena, "%s/v", scratch());
  return (spec_journal){
      .folder = folder, .commit = "-", .rev = "main", .changes = changes, .count = 5};
}

static bool is_old(void) {
  return holds_text("v/changed", "old\n") && holds_text("v/dropped", "dropped\n") &&
         holds_text("v/d/moved", "moved\n") && holds_text("v/spec.lock", "old lock\n") &&
         count_entries("v/d") == 1;
}

static bool is_new(void) {
  return holds_text("v/changed", "new\n") && !holds_text("v/dropped", "dropped\n") &&
         holds_text("v/e/moved", "moved on\n") && holds_text("v/f/made", "made\n");
}

static spec_journal read_again(bool *exists) {
  spec_journal j = {0};
  const char *folder = spec_arena_printf(arena, "%s/v", scratch());
  assert_int_equal(spec_journal_read(&j, exists, arena, folder, NULL), 0);
  return j;
}

static void goes_on_and_back(void **state) {
  (void)state;
  bool exists;
  size_t kept;
  put_old();
  spec_journal j = sample();
  assert_int_equal(spec_journal_begin(&j, arena, NULL), 0);
  assert_true(is_old());
  spec_err err = {0};
  assert_int_equal(spec_journal_begin(&j, arena, &err), SPEC_EBUSY);
  assert_int_equal(count_entries("v"), 5); /* and no folder of the one that came too late */
  j = read_again(&exists);
  assert_true(exists && !j.applied && j.count == 5);
  for (int again = 0; again < 2; again++)
    assert_int_equal(spec_journal_apply(&j, arena, NULL), 0);
  assert_true(is_new() && holds_text("v/spec.lock", "old lock\n"));
  assert_true(read_again(&exists).applied);
  put("v/spec.lock", "new lock\n");
  for (int again = 0; again < 2; again++) {
    assert_int_equal(spec_journal_undo(&j, arena, &kept, NULL), 0);
    assert_int_equal(kept, 0);
    assert_true(is_old());
  }
  assert_int_equal(spec_journal_end(&j, arena, NULL), 0);
  assert_int_equal(count_entries("v"), 4);
  (void)read_again(&exists);
  assert_false(exists);
}

static void what_was_edited_stays(void **state) {
  (void)state;
  size_t kept;
  put_old();
  spec_journal j = sample();
  assert_int_equal(spec_journal_begin(&j, arena, NULL), 0);
  put("v/changed", "edited\n");
  assert_int_equal(spec_journal_apply(&j, arena, NULL), 0);
  assert_true(holds_text("v/changed", "edited\n"));
  put("v/e/moved", "edited too\n");
  assert_int_equal(spec_journal_undo(&j, arena, &kept, NULL), 0);
  assert_int_equal(kept, 2);
  assert_true(is_old());
  assert_true(holds_text("v/.spec-upgrade-edited/changed", "edited\n"));
  assert_true(holds_text("v/.spec-upgrade-edited/e/moved", "edited too\n"));
}

static void what_came_in_between_is_not_written_over(void **state) {
  (void)state;
  put_old();
  spec_journal j = sample();
  spec_err err = {0};
  assert_int_equal(spec_journal_begin(&j, arena, NULL), 0);
  put("v/e/moved", "somebody's\n");
  assert_int_equal(spec_journal_apply(&j, arena, &err), SPEC_EREFUSED);
  assert_non_null(strstr(err.what, "e/moved' is there already"));
  assert_true(holds_text("v/e/moved", "somebody's\n") && holds_text("v/d/moved", "moved\n"));
}

static void names_that_a_line_cannot_hold(void **state) {
  (void)state;
  put_old();
  spec_journal j = sample();
  spec_err err = {0};
  j.changes[0].trunk = "a\tb";
  assert_int_equal(spec_journal_begin(&j, arena, &err), SPEC_EREFUSED);
  assert_true(is_old());
  assert_int_equal(count_entries("v"), 4);
}

/* Whatever call fails, the next run can go on or back. */
static void each_failing_call(void **state) {
  (void)state;
  for (size_t n = 1, failed = 1; failed; n++) {
    size_t kept;
    bool exists;
    put_old();
    spec_journal j = sample();
    spec_fs_fail_at(n, EIO);
    int rc = spec_journal_begin(&j, arena, NULL);
    if (rc == 0)
      rc = spec_journal_apply(&j, arena, NULL);
    failed = rc != 0;
    spec_fs_fail_at(0, 0);
    j = read_again(&exists);
    assert_true(exists || is_old());
    if (exists && n % 2 == 0) {
      assert_int_equal(spec_journal_apply(&j, arena, NULL), 0);
      assert_true(is_new());
    }
    if (exists) {
      assert_int_equal(spec_journal_undo(&j, arena, &kept, NULL), 0);
      assert_int_equal(kept, 0);
      assert_int_equal(spec_journal_end(&j, arena, NULL), 0);
    }
    assert_true(is_old());
    spec_journal again = sample();
    assert_int_equal(spec_journal_begin(&again, arena, NULL), 0); /* sweeps */
    assert_int_equal(count_entries("v"), 5);
    assert_int_equal(spec_journal_end(&again, arena, NULL), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reads_changes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(refuses_what_is_none, set_up, tear_down),
      cmocka_unit_test_setup_teardown(goes_on_and_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_was_edited_stays, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_came_in_between_is_not_written_over, set_up, tear_down),
      cmocka_unit_test_setup_teardown(names_that_a_line_cannot_hold, set_up, tear_down),
      cmocka_unit_test_setup_teardown(each_failing_call, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
