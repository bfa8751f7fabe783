/* Applying a patch: where hunks go, where they do not, what comes out, and whence each line is. */
#include "core/patch.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

#define NAMES "--- a/x.py\n+++ b/x.py\n"

static spec_patch parsed(const char *text) {
  spec_patch patch;
  spec_err err = {0};
  if (spec_patch_parse(&patch, arena, text, strlen(text), "x.py.patch", "x.py", &err) != 0)
    print_error("%s: %s\n", err.where, err.what);
  assert_int_equal(err.code, SPEC_OK);
  return patch;
}

static spec_patch_base base_of(const char *text, bool is_exact) {
  return (spec_patch_base){text, text == NULL ? 0 : strlen(text), "x.py", is_exact};
}

static int apply(spec_patched *out, const char *patch_text, const char *text, bool is_exact,
                 spec_err *err) {
  spec_patch patch = parsed(patch_text);
  spec_patch_base base = base_of(text, is_exact);
  return spec_patch_apply(out, arena, &patch, &base, err);
}

/* Spans cover the result in order, and each line is what they say it is. */
static void check_spans(const spec_patched *made, const char *patch_text, const char *text) {
  size_t line = 1;
  const char *at = made->text;
  for (size_t i = 0; i < made->span_count; i++) {
    const spec_patch_span *span = &made->spans[i];
    assert_int_equal(span->line, line);
    assert_true(span->count > 0);
    for (size_t k = 0; k < span->count; k++, line++) {
      const char *from = span->from_patch ? patch_text : text;
      for (size_t skip = span->source + k; skip > 1; skip--)
        from = strchr(from, '\n') + 1;
      assert_true(!span->from_patch || *from == '+');
      size_t len = strcspn(at, "\r\n");
      assert_memory_equal(at, from + span->from_patch, len);
      assert_ptr_equal(spec_patch_source(made, line), span);
      at += strcspn(at, "\n");
      at += *at == '\n';
    }
  }
  assert_true(*at == '\0');
  assert_null(spec_patch_source(made, line));
  assert_null(spec_patch_source(made, 0));
}

static spec_patched applied(const char *patch_text, const char *text, bool is_exact,
                            const char *wanted) {
  spec_patched made;
  spec_err err = {0};
  if (apply(&made, patch_text, text, is_exact, &err) != 0)
    print_error("<<%s>>: %s: %s\n", patch_text, err.where, err.what);
  assert_int_equal(err.code, SPEC_OK);
  assert_string_equal(made.text, wanted);
  assert_int_equal(made.len, strlen(wanted));
  check_spans(&made, patch_text, text == NULL ? "" : text);
  return made;
}

static void refused(const char *patch_text, const char *text, bool is_exact, int code,
                    const char *where, const char *what) {
  spec_patched made = {.len = 77};
  spec_err err = {0};
  int rc = apply(&made, patch_text, text, is_exact, &err);
  if (rc != code || strcmp(err.where, where) != 0 || strstr(err.what, what) == NULL)
    print_error("<<%s>>: %d: %s: %s\n", patch_text, rc, err.where, err.what);
  assert_int_equal(rc, code);
  assert_string_equal(err.where, where);
  assert_non_null(strstr(err.what, what));
  assert_true(err.mend[0] != '\0');
  assert_int_equal(made.len, 77);
  assert_int_equal(apply(&made, patch_text, text, is_exact, NULL), code);
}

static const char middle[] = NAMES "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n";

static void test_at_its_line(void **state) {
  (void)state;
  for (int is_exact = 0; is_exact < 2; is_exact++) {
    spec_patched made = applied(middle, "a\nb\nc\nd\ne\n", is_exact, "a\nb\nC\nd\ne\n");
    assert_int_equal(made.places.applying, 1);
    assert_int_equal(made.places.hunks[0].state, SPEC_HUNK_APPLIES);
    assert_int_equal(made.places.hunks[0].line, 2);
    assert_int_equal(made.places.hunks[0].offset, 0);
    assert_int_equal(made.span_count, 3);
    assert_true(made.spans[1].from_patch);
    assert_int_equal(made.spans[1].line, 3);
    assert_int_equal(made.spans[1].source, 6);
  }
}

static void test_at_another_line(void **state) {
  (void)state;
  spec_patched made = applied(middle, "n\nn\na\nb\nc\nd\ne\n", false, "n\nn\na\nb\nC\nd\ne\n");
  assert_int_equal(made.places.hunks[0].line, 4);
  assert_int_equal(made.places.hunks[0].offset, 2);
  made = applied(middle, "b\nc\nd\n", false, "b\nC\nd\n");
  assert_int_equal(made.places.hunks[0].offset, -1);
  /* An exact base whose stated line is another one after all. */
  made = applied(middle, "n\na\nb\nc\nd\n", true, "n\na\nb\nC\nd\n");
  assert_int_equal(made.places.hunks[0].offset, 1);
}

static void test_several_places(void **state) {
  (void)state;
  static const char twice[] = "a\nb\nc\nd\nx\nb\nc\nd\n";
  refused(middle, twice, false, SPEC_EAMBIGUOUS, "x.py.patch:3", "lines 2 and 6");
  (void)applied(middle, twice, true, "a\nb\nC\nd\nx\nb\nc\nd\n");
  /* Exact, but its line is another: still two. */
  refused(middle, "x\na\nb\nc\nd\nx\nb\nc\nd\n", true, SPEC_EAMBIGUOUS, "x.py.patch:3",
          "lines 3 and 7");
  /* They may overlap. */
  refused(NAMES "@@ -1,2 +1,3 @@\n a\n+b\n a\n", "a\na\na\n", false, SPEC_EAMBIGUOUS,
          "x.py.patch:3", "lines 1 and 2");
  char many[200] = "";
  for (size_t i = 0; i < 30; i++)
    memcpy(many + i * 6, "b\nc\nd\n", 6);
  refused(middle, many, false, SPEC_EAMBIGUOUS, "x.py.patch:3",
          "lines 1, 4, 7, 10, 13, 16, 19, 22 and more");
}

static void test_nowhere(void **state) {
  (void)state;
  static const struct {
    const char *text, *where, *what;
  } rows[] = {
      {"a\nb\nX\nd\n", "x.py.patch:5",
       "hunk 1 does not fit 'x.py': at line 2, the nearest place, line 3 is 'X' where the patch "
       "has 'c'"},
      {"n\nn\na\nb\nc\nX\n", "x.py.patch:7", "at line 4, the nearest place, line 6 is 'X'"},
      {"a\nb\nc\n", "x.py.patch:7", "at line 2, the nearest place, the file ends where the patch"},
      {"x\ny\n", "x.py.patch:4", "at line 2, the nearest place, line 2 is 'y' where"},
      {"x\n", "x.py.patch:3", "nothing there is like it"},
      {"", "x.py.patch:3", "nothing there is like it"},
      {"a\nb\n c\nd\n", "x.py.patch:5", "is ' c' where the patch has 'c': they differ in white"},
      {"a\nb\nc\r\nd\n", "x.py.patch:5", "is 'c\\r' where the patch has 'c': they differ in their"},
      {"a\nb\nc\nd", "x.py.patch:7", "they differ in the newline at the file's end"},
      {"a\nb\n\xEF\xBB\xBF"
       "c\nd\n",
       "x.py.patch:5", "is '<BOM>c' where"},
      {"a\nb\n\xFF\x01\td\xC3\xA9\nd\n", "x.py.patch:5", "is '\\xFF\\x01\\td\\xC3\\xA9' where"},
      {"a\nb\n\xC3\xA9\nd\n", "x.py.patch:5", "is '\xC3\xA9' where"},
      /* A line more within the hunk: what is there is named, not what is shifted. */
      {"a\nb\nnew\nc\nd\n", "x.py.patch:5", "line 3 is 'new' where the patch has 'c'"},
      /* Of two equally like places the one nearer to the stated line. */
      {"a\nb\n1\nd\n\n\n\nb\n2\nd\n", "x.py.patch:5", "line 3 is '1'"},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    refused(middle, rows[i].text, false, SPEC_ENOTFOUND, rows[i].where, rows[i].what);
}

static void test_long_lines_are_shown_where_they_differ(void **state) {
  (void)state;
  static const char patch[] =
      NAMES "@@ -1,2 +1 @@\n-0123456789012345678901234567890123456789012345678901234567890123456789"
            "0123456789 one 0123456789012345678901234567890123456789012345678901234567890123\n b\n";
  refused(
      patch,
      "01234567890123456789012345678901234567890123456789012345678901234567890123456789 two\nb\n",
      false, SPEC_ENOTFOUND, "x.py.patch:4",
      "line 1 is ...'1234567890123456789 two' where the patch has ...'1234567890123456789 one "
      "012345678901234567890123456789012345'...");
}

static void test_upstreamed(void **state) {
  (void)state;
  static const char patch[] =
      NAMES "@@ -1,4 +1,4 @@\n a\n b\n-c\n+C\n d\n@@ -8,2 +8,3 @@\n h\n+new\n i\n";
  spec_patched made =
      applied(patch, "a\nb\nC\nd\n5\n6\n7\nh\ni\n", false, "a\nb\nC\nd\n5\n6\n7\nh\nnew\ni\n");
  assert_int_equal(made.places.upstreamed, 1);
  assert_int_equal(made.places.applying, 1);
  assert_int_equal(made.places.hunks[0].state, SPEC_HUNK_UPSTREAMED);
  assert_int_equal(made.places.hunks[0].line, 1);
  /* Elsewhere: with enough context. */
  made = applied(patch, "n\na\nb\nC\nd\n6\n7\nh\ni\n", false, "n\na\nb\nC\nd\n6\n7\nh\nnew\ni\n");
  assert_int_equal(made.places.hunks[0].line, 2);
  /* All of them: nothing is left to do. */
  made =
      applied(patch, "a\nb\nC\nd\n5\n6\n7\nh\nnew\ni\n", false, "a\nb\nC\nd\n5\n6\n7\nh\nnew\ni\n");
  assert_int_equal(made.places.upstreamed, 2);
  /* Twice elsewhere, or with little context: no proof. */
  refused(patch, "n\na\nb\nC\nd\na\nb\nC\nd\nh\ni\n", false, SPEC_ENOTFOUND, "x.py.patch:6", "'C'");
  refused(NAMES "@@ -9 +9 @@\n-a\n+b\n", "x\nb\n", false, SPEC_ENOTFOUND, "x.py.patch:3",
          "nothing");
}

/* A change of the last line whose outcome is there, and more behind it: adding it again would
 * duplicate it, and so would the first line's. */
static void test_edges(void **state) {
  (void)state;
  static const char append[] = NAMES "@@ -2,3 +2,4 @@\n b\n c\n d\n+e\n";
  (void)applied(append, "a\nb\nc\nd\n", false, "a\nb\nc\nd\ne\n");
  spec_patched made = applied(append, "a\nb\nc\nd\ne\nf\n", false, "a\nb\nc\nd\ne\nf\n");
  assert_int_equal(made.places.upstreamed, 1);
  refused(append, "a\nb\nc\nd\nf\n", false, SPEC_ENOTFOUND, "x.py.patch:3",
          "fits 'x.py' at line 2, where more lines are");
  (void)applied(append, "a\nb\nc\nd\nf\n", true, "a\nb\nc\nd\ne\nf\n");

  static const char prepend[] = NAMES "@@ -1,3 +1,4 @@\n+n\n a\n b\n c\n";
  (void)applied(prepend, "a\nb\nc\n", false, "n\na\nb\nc\n");
  made = applied(prepend, "x\nn\na\nb\nc\n", false, "x\nn\na\nb\nc\n");
  assert_int_equal(made.places.upstreamed, 1);
  refused(prepend, "x\na\nb\nc\n", false, SPEC_ENOTFOUND, "x.py.patch:3", "where more lines are");
}

static void test_hunks_in_order(void **state) {
  (void)state;
  static const char patch[] =
      NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -7,3 +7,3 @@\n g\n-h\n+H\n i\n";
  spec_patched made = applied(patch, "0\na\nb\nc\ng\nh\ni\n", false, "0\na\nB\nc\ng\nH\ni\n");
  assert_int_equal(made.places.hunks[0].offset, 1);
  assert_int_equal(made.places.hunks[1].offset, -2);
  assert_int_equal(made.span_count, 5);
  refused(patch, "g\nh\ni\na\nb\nc\n", false, SPEC_ENOTFOUND, "x.py.patch:8",
          "hunk 2 fits 'x.py' only at line 1, before the end of a hunk ahead");
  static const char overlapping[] =
      NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -7,3 +7,3 @@\n c\n-h\n+H\n i\n";
  refused(overlapping, "a\nb\nc\nh\ni\n", false, SPEC_ENOTFOUND, "x.py.patch:8", "only at line 3");
}

static void test_without_old_lines(void **state) {
  (void)state;
  static const char patch[] = NAMES "@@ -1,0 +2,2 @@\n+n\n+m\n";
  (void)applied(patch, "a\nb\n", true, "a\nn\nm\nb\n");
  (void)applied(patch, "a\n", true, "a\nn\nm\n");
  (void)applied(patch, "", false, "n\nm\n");
  (void)applied(NAMES "@@ -0,0 +1 @@\n+n\n", "a\n", true, "n\na\n");
  refused(patch, "a\nb\n", false, SPEC_EAMBIGUOUS, "x.py.patch:3", "shows no line of 'x.py'");
  refused(patch, "a", true, SPEC_EAMBIGUOUS, "x.py.patch:3", "shows no line"); /* would be joined */
  refused(NAMES "@@ -3,0 +4 @@\n+n\n", "a\n", true, SPEC_EAMBIGUOUS, "x.py.patch:3", "shows no");
  spec_patched made = applied(patch, "a\nn\nm\nb\n", false, "a\nn\nm\nb\n");
  assert_int_equal(made.places.upstreamed, 1);
}

static void test_no_newline(void **state) {
  (void)state;
#define NO "\\ No newline at end of file\n"
  static const struct {
    const char *patch, *text, *wanted;
  } rows[] = {
      {"@@ -1,2 +1,2 @@\n a\n-b\n" NO "+b\n", "a\nb", "a\nb\n"},
      {"@@ -1,2 +1,2 @@\n a\n-b\n+b\n" NO, "a\nb\n", "a\nb"},
      {"@@ -1,2 +1,3 @@\n a\n-b\n" NO "+b\n+c\n" NO, "a\nb", "a\nb\nc"},
      {"@@ -1,2 +1,2 @@\n-a\n+A\n b\n" NO, "a\nb", "A\nb"},
      {"@@ -1 +0,0 @@\n-a\n" NO, "a", ""},
      {"@@ -0,0 +1 @@\n+a\n" NO, "", "a"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char patch[300];
    (void)snprintf(patch, sizeof patch, NAMES "%s", rows[i].patch);
    (void)applied(patch, rows[i].text, i % 2 == 0, rows[i].wanted);
    (void)applied(patch, rows[i].text, i % 2 == 1, rows[i].wanted);
  }
  /* The new last line must be the last, whatever the base is. */
  for (int is_exact = 0; is_exact < 2; is_exact++)
    refused(NAMES "@@ -1,2 +1,2 @@\n a\n-b\n+b\n" NO, "a\nb\nc\n", is_exact, SPEC_ENOTFOUND,
            "x.py.patch:3", "where more lines are");
  refused(NAMES "@@ -1,2 +1,2 @@\n-a\n+A\n b\n" NO, "a\nb\n", true, SPEC_ENOTFOUND, "x.py.patch:6",
          "newline at the file's end");
}

static void test_line_ends(void **state) {
  (void)state;
  static const char lf[] = NAMES "@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
                    cr[] = NAMES "@@ -1,2 +1,2 @@\n-a\r\n+A\r\n b\r\n",
                    all[] = "--- a/x.py\r\n+++ b/x.py\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+A\r\n b\r\n";
  assert_false(applied(lf, "a\nb\n", false, "A\nb\n").places.eol_adopted);
  assert_false(applied(cr, "a\r\nb\r\n", false, "A\r\nb\r\n").places.eol_adopted);
  assert_true(applied(lf, "a\r\nb\r\n", false, "A\r\nb\r\n").places.eol_adopted);
  assert_true(applied(all, "a\nb\n", false, "A\nb\n").places.eol_adopted);
  assert_true(applied(all, "a\r\nb\r\n", false, "A\r\nb\r\n").places.eol_adopted);
  (void)applied(lf, "a\nb\nc\r\n", false, "A\nb\nc\r\n");
  (void)applied(cr, "a\r\nb\r\nc\n", false, "A\r\nb\r\nc\n");
  refused(cr, "a\nb\n", false, SPEC_ENOTFOUND, "x.py.patch:4", "differ in their line ends");
  refused(lf, "a\r\nb\nc\n", false, SPEC_ENOTFOUND, "x.py.patch:4", "differ in their line ends");
  refused(lf, "a\r\nB\r\n", false, SPEC_ENOTFOUND, "x.py.patch:6", "line 2 is 'B' where");
  refused(all, "a\nb\nc\r\n", false, SPEC_EREFUSED, "x.py.patch", "mixes line ends");
  /* Nothing says that these lines lost a CR. */
  assert_false(applied(NAMES "@@ -1,0 +2 @@\n+n\n", "a\r\n", true, "a\r\nn\n").places.eol_adopted);
  /* To one kind of line end from another. */
  (void)applied(NAMES "@@ -1,2 +1,2 @@\n-a\r\n-b\r\n+a\n+b\n", "a\r\nb\r\n", false, "a\nb\n");
}

static void test_any_bytes(void **state) {
  (void)state;
  (void)applied(NAMES "@@ -1,3 +1,3 @@\n \xEF\xBB\xBF\x61\n-\tb\xFF\n+\tc\xFE\xC3\xA9\n \n",
                "\xEF\xBB\xBF\x61\n\tb\xFF\n\n", false, "\xEF\xBB\xBF\x61\n\tc\xFE\xC3\xA9\n\n");
  (void)applied(NAMES "@@ -1,3 +1,2 @@\n \n-b\n\n", "\nb\n\n", false, "\n\n");
  static const char patch[] = NAMES "@@ -1 +1 @@\n-a\0b\n+\0\n";
  spec_patch parts;
  spec_patched made;
  const spec_patch_base base = {"a\0b\n", 4, "x.py", false};
  assert_int_equal(
      spec_patch_parse(&parts, arena, patch, sizeof patch - 1, "x.py.patch", "x.py", NULL), 0);
  assert_int_equal(spec_patch_apply(&made, arena, &parts, &base, NULL), 0);
  assert_int_equal(made.len, 2);
  assert_memory_equal(made.text, "\0\n", 3);
}

static void test_files_come_and_go(void **state) {
  (void)state;
  static const char create[] = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,2 @@\n+a\n+b\n" NO,
                    delete[] = "--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
                    empty[] = "diff --git a/x.py b/x.py\nnew file mode 100644\n",
                    gone[] = "diff --git a/x.py b/x.py\ndeleted file mode 100644\n";
  (void)applied(create, NULL, false, "a\nb");
  assert_int_equal(applied(create, "a\nb", false, "a\nb").places.upstreamed, 1);
  refused(create, "a\nb\n", false, SPEC_EREFUSED, "x.py.patch", "creates 'x.py', which exists");
  refused(create, "a\nc", false, SPEC_EREFUSED, "x.py.patch", "which exists");
  refused(create, "", true, SPEC_EREFUSED, "x.py.patch", "which exists");
  (void)applied(empty, NULL, false, "");
  (void)applied(empty, "", false, "");
  refused(empty, "a\n", false, SPEC_EREFUSED, "x.py.patch", "which exists");
  const char *const deletions[] = {delete, gone};
  for (size_t i = 0; i < 2; i++) {
    spec_patched made;
    assert_int_equal(apply(&made, deletions[i], i == 0 ? "a\n" : "", false, NULL), SPEC_OK);
    assert_null(made.text);
    assert_int_equal(apply(&made, deletions[i], NULL, false, NULL), SPEC_OK);
    assert_null(made.text);
  }
  refused(delete, "a\nb\n", true, SPEC_EREFUSED, "x.py.patch", "but not all of its lines");
  refused(gone, "a\n", false, SPEC_EREFUSED, "x.py.patch", "but not all");
  refused(middle, NULL, false, SPEC_ENOTFOUND, "x.py.patch", "which does not exist");
}

/* 50,000 lines with a hunk for every hundred, half of them blank or the same closing line: the
 * places are found, all of them, by way of their rarest line. */
static void test_a_large_file(void **state) {
  (void)state;
  enum { LINES = 50000, STEP = 100, ROOM = LINES * 24 };
  char *text = spec_arena_alloc(arena, ROOM), *patch = spec_arena_alloc(arena, ROOM);
  size_t n = 0, m = (size_t)snprintf(patch, ROOM, "%s", NAMES);
  for (size_t i = 1; i <= LINES; i++)
    n += (size_t)snprintf(text + n, ROOM - n, i % 2 == 0 ? "\n" : "line %zu\n", i);
  for (size_t i = 2; i < LINES - 4; i += STEP)
    m += (size_t)snprintf(patch + m, ROOM - m, "@@ -%zu,3 +%zu,4 @@\n \n line %zu\n+new\n \n",
                          i + 7, i + 7, i + 1); /* each header is wrong by 7 */
  spec_patched made;
  assert_int_equal(apply(&made, patch, text, false, NULL), SPEC_OK);
  assert_int_equal(made.places.applying, LINES / STEP);
  for (size_t i = 0; i < LINES / STEP; i++)
    assert_int_equal(made.places.hunks[i].offset, -7);
  assert_int_equal(made.len, n + made.places.applying * strlen("new\n"));
}

static void test_memory(void **state) {
  (void)state;
  spec_patch patch = parsed(NAMES "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n@@ -7,2 +7,3 @@\n g\n+n\n h\n");
  static const char *const texts[] = {"a\nb\nc\nd\ng\nh\n", "a\nb\nx\nd\n"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    const spec_patch_base base = base_of(texts[i], false);
    int rc = SPEC_ENOMEM;
    size_t n = 0;
    while (rc == SPEC_ENOMEM) {
      spec_patched made = {.len = 77};
      spec_err err = {0};
      (void)spec_arena_fail_at(++n);
      rc = spec_patch_apply(&made, arena, &patch, &base, &err);
      (void)spec_arena_fail_at(0);
      assert_true(rc == SPEC_OK || made.len == 77);
    }
    assert_int_equal(rc, i == 0 ? SPEC_OK : SPEC_ENOTFOUND);
    assert_true(n > 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_at_its_line),
      cmocka_unit_test(test_at_another_line),
      cmocka_unit_test(test_several_places),
      cmocka_unit_test(test_nowhere),
      cmocka_unit_test(test_long_lines_are_shown_where_they_differ),
      cmocka_unit_test(test_upstreamed),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_hunks_in_order),
      cmocka_unit_test(test_without_old_lines),
      cmocka_unit_test(test_no_newline),
      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_files_come_and_go),
      cmocka_unit_test(test_a_large_file),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
