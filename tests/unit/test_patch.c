/* Reading a unified diff: every form that tools write, and every way to be none. */
#include "core/patch.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

static int parse(spec_patch *out, const char *text, spec_err *err) {
  /* A copy whose end the sanitizer knows. */
  const char *copy = spec_arena_strndup(arena, text, strlen(text));
  return spec_patch_parse(out, arena, copy, strlen(text), "p/x.py.patch", "triton/x.py", err);
}

static spec_patch parsed(const char *text) {
  spec_patch patch;
  spec_err err = {0};
  if (parse(&patch, text, &err) != 0)
    print_error("in <<%s>>: %s: %s\n", text, err.where, err.what);
  assert_int_equal(err.code, SPEC_OK);
  return patch;
}

#define NAMES "--- a/x.py\n+++ b/x.py\n"
#define HUNK  "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"

static void assert_hunk(const spec_patch *patch) {
  const spec_patch_hunk *hunk = &patch->hunks[0];
  assert_int_equal(patch->hunk_count, 1);
  assert_int_equal(hunk->line_count, 4);
  assert_int_equal(hunk->before, 1);
  assert_int_equal(hunk->after, 1);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(hunk->lines[i].mark, " -+ "[i]);
    assert_int_equal(hunk->lines[i].len, 1);
    assert_int_equal(hunk->lines[i].text[0], "abcd"[i]);
    assert_int_equal(hunk->lines[i].number, hunk->number + 1 + i);
    assert_false(hunk->lines[i].unended);
  }
}

static void test_headers(void **state) {
  (void)state;
  static const char *const texts[] = {
      NAMES HUNK,
      "diff --git a/x.py b/x.py\nindex 0123456..789abcd 100644\n" NAMES HUNK,
      "diff --git a/x.py b/x.py\nold mode 100644\nnew mode 100755\nindex 0123456..789abcd\n" NAMES
          HUNK,
      "From 0123 Mon Sep 17 00:00:00 2001\nSubject: x\n\nText.\n---\n x.py | 2 +-\n\n"
      "diff --git a/x.py b/x.py\n" NAMES HUNK "-- \n2.39.2\n\n",
      NAMES HUNK "--\n",
      NAMES HUNK "\n\n",
      "Index: x.py\n=====\n" NAMES HUNK,
      "diff -u x.py.orig x.py\n--- x.py.orig\t2024-01-01 00:00:00 +0000\n"
      "+++ x.py\t2024-01-01 00:00:01 +0000\n" HUNK,
      "--- x.py~\n+++ -\n" HUNK,
      "--- \n+++ \n" HUNK,
      "---\n+++\n" HUNK,
      "--- \"a/\\303\\244\\t/x.py\"\n+++ \"b/\\\"/x.py\"\n" HUNK,
      "--- /somewhere/x.py\n+++ ../../x.py\n" HUNK, /* folders are not looked at */
      "\xEF\xBB\xBF" NAMES HUNK,
      NAMES "@@ -1,3 +1,3 @@ def f():\n a\n-b\n+c\n d",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    spec_patch patch = parsed(texts[i]);
    assert_hunk(&patch);
    assert_int_equal(patch.new_mode, i == 2 ? 0100755 : 0);
    assert_false(patch.creates || patch.deletes || patch.crlf);
    assert_string_equal(patch.path, "p/x.py.patch");
  }
}

static void test_cr_lf_throughout(void **state) {
  (void)state;
  spec_patch patch =
      parsed("--- a/x.py\r\n+++ b/x.py\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+c\r\n d\r\n");
  assert_hunk(&patch);
  assert_true(patch.crlf);
  /* Of a text with CR LF: the CR is the text's. */
  patch = parsed(NAMES "@@ -1,2 +1 @@\n a\r\n-b\r\n");
  assert_false(patch.crlf);
  assert_int_equal(patch.hunks[0].lines[0].len, 2);
}

static void test_ranges(void **state) {
  (void)state;
  static const struct {
    const char *hunk;
    size_t numbers[4];
  } rows[] = {
      {"@@ -3 +3 @@\n-a\n+b\n", {3, 1, 3, 1}},
      {"@@ -3,0 +4,2 @@\n+a\n+b\n", {3, 0, 4, 2}},
      {"@@ -7,2 +6,0 @@\n-a\n-b\n", {7, 2, 6, 0}},
      {"@@ -0,0 +1 @@ x\n+a\n", {0, 0, 1, 1}},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[200];
    (void)snprintf(text, sizeof text, NAMES "%s", rows[i].hunk);
    spec_patch patch = parsed(text);
    const spec_patch_hunk *h = &patch.hunks[0];
    const size_t found[] = {h->old_line, h->old_count, h->new_line, h->new_count};
    assert_memory_equal(found, rows[i].numbers, sizeof found);
    assert_int_equal(h->number, 3);
  }
}

static void test_several_hunks(void **state) {
  (void)state;
  spec_patch patch = parsed(NAMES HUNK "@@ -4 +4,2 @@\n e\n+f\n@@ -90,2 +91 @@\n-g\n h\n");
  assert_int_equal(patch.hunk_count, 3);
  assert_int_equal(patch.hunks[1].number, 8);
  assert_int_equal(patch.hunks[1].before, 1);
  assert_int_equal(patch.hunks[1].after, 0);
  assert_int_equal(patch.hunks[2].before, 0);
  assert_int_equal(patch.hunks[2].after, 1);
}

static void test_stripped_context(void **state) {
  (void)state;
  spec_patch patch = parsed(NAMES "@@ -1,4 +1,3 @@\n a\n\n-b\n\n");
  assert_int_equal(patch.hunks[0].lines[1].mark, ' ');
  assert_int_equal(patch.hunks[0].lines[1].len, 0);
  assert_int_equal(patch.hunks[0].lines[3].len, 0);
  patch = parsed(NAMES "@@ -1,2 +1 @@\n\r\n-b\r\n"); /* only the blank was taken */
  assert_int_equal(patch.hunks[0].lines[0].len, 1);
}

static void test_no_newline(void **state) {
  (void)state;
  spec_patch patch = parsed(NAMES "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  assert_true(patch.hunks[0].lines[0].unended);
  assert_false(patch.hunks[0].lines[1].unended);
  patch = parsed(NAMES "@@ -1 +1 @@\n-a\n+a\n\\ Kein Zeilenumbruch am Dateiende.\n");
  assert_true(patch.hunks[0].lines[1].unended);
  patch = parsed(NAMES "@@ -1,2 +1 @@\n-a\n b\n\\ No newline at end of file");
  assert_true(patch.hunks[0].lines[1].unended);
}

static void test_files_come_and_go(void **state) {
  (void)state;
  spec_patch patch = parsed("--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n");
  assert_true(patch.creates && !patch.deletes);
  patch = parsed("diff --git a/x.py b/x.py\nnew file mode 100755\nindex 0000000..789abcd\n"
                 "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+a\n");
  assert_true(patch.creates);
  assert_int_equal(patch.new_mode, 0100755);
  patch = parsed("--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  assert_true(patch.deletes && !patch.creates);
  static const char *const empty[] = {
      "diff --git a/x.py b/x.py\nnew file mode 100644\nindex 0000000..e69de29\n",
      "diff --git x.py x.py\nnew file mode 100644\n",
      "diff --git a/a b/x.py b/a b/x.py\nnew file mode 100644\n-- \n2.39.2\n",
      "diff --git \"a/\\\"/x.py\" \"b/\\\"/x.py\"\nnew file mode 100644\n",
  };
  for (size_t i = 0; i < COUNT(empty); i++) {
    patch = parsed(empty[i]);
    assert_true(patch.creates && patch.hunk_count == 0);
  }
  patch = parsed("diff --git a/x.py b/x.py\ndeleted file mode 100644\nindex e69de29..0000000\n");
  assert_true(patch.deletes && patch.hunk_count == 0);
}

/* What is refused, at which line, and a part of what is said. */
static const struct {
  const char *text;
  size_t line;
  const char *what;
} refused[] = {
    {"", 1, "no unified diff"},
    {"hello\nworld\n", 2, "no unified diff"},
    {"text\n" HUNK, 2, "without '---' and '+++'"},
    {"diff --git a/x.py b/x.py\n" HUNK, 2, "without '---' and '+++'"},
    {NAMES, 2, "without a hunk"},
    {NAMES "hello\n" HUNK, 3, "where a hunk"},
    {"--- a/x.py\n+++ b/y.py\n" HUNK, 2, "is of 'b/y.py', but its own name says 'x.py'"},
    {"--- a/x.pyc\n+++ b/x.py\n" HUNK, 1, "is of 'a/x.pyc'"},
    {"--- a/X.py\n+++ b/x.py\n" HUNK, 1, "is of 'a/X.py'"},
    {"--- /dev/null\n+++ /dev/null\n" HUNK, 1, "/dev/null into"},
    {"diff --git a/y.py b/y.py\nnew file mode 100644\n", 1, "is of 'y.py'"},
    {"diff --git \n", 1, "changes nothing"},
    {"diff --git \"\nnew file mode 100644\n", 1, "without a name"},
    {"diff --git a/x.py b/x.py\nold mode 100644\nnew mode 100755\n", 1, "but the file's mode"},
    {"diff --git a/x.py b/x.py\n--- a/x.py\n" HUNK, 2, "git header"},
    {"diff --git a/x.py b/x.py\nhello\n" NAMES HUNK, 2, "git header"},
    {"diff --git a/x.py b/x.py\nindex 0..1\ndiff --git a/y b/y\n", 3, "a second file"},
    {NAMES HUNK "diff --git a/y b/y\n", 8, "a second file"},
    {NAMES HUNK "--- a/y\n+++ b/y\n" HUNK, 8, "a second file"},
    {NAMES HUNK "\nIndex: y\n", 9, "a second file"},
    {"diff --git a/x.py b/x.py\nsimilarity index 90%\nrename from x.py\n", 3, "renames a file"},
    {"diff --git a/x.py b/x.py\ncopy from x.py\n", 2, "copies a file"},
    {"diff --git a/x.py b/x.py\nindex 0..1\nGIT binary patch\nliteral 1\n", 3, "binary"},
    {"Binary files a/x.py and b/x.py differ\n", 1, "binary"},
    {"*** a/x.py\n--- b/x.py\n***************\n*** 1 ****\n", 3, "context diff"},
    {"diff --cc x.py\nindex 0,1..2\n", 1, "combined"},
    {NAMES "@@@ -1 -1 +1 @@@\n--a\n++b\n", 3, "combined"},
    {NAMES "@@ -1,3 +1,3\n a\n", 3, "not a hunk's header"},
    {NAMES "@@ -1,3 +1,3 @@x\n a\n", 3, "not a hunk's header"},
    {NAMES "@@ -0,1 +1 @@\n-a\n+b\n", 3, "not a hunk's header"},
    {NAMES "@@ -1 +0 @@\n-a\n+b\n", 3, "not a hunk's header"},
    {NAMES "@@ -1,99999999999999999999 +1 @@\n-a\n+b\n", 3, "not a hunk's header"},
    {NAMES "@@ -1,3 +1,3 @@\n a\n-b\n+c\n", 6, "after 2 old and 2 new lines, but"},
    {NAMES "@@ -1,4 +1,4 @@\n a\n-b\n+c\n@@ -9 +9 @@\n-a\n+b\n", 7, "(line 3) states 4 and 4"},
    {NAMES "@@ -1,3 +1,3 @@\n a\nb\n+c\n d\n", 5, "after 1 old and 1 new"},
    {NAMES "@@ -1,1 +1,3 @@\n a\n-b\n+c\n d\n", 5, "more lines than the hunk's header (line 3)"},
    {NAMES HUNK " e\n", 8, "more lines than"},
    {NAMES HUNK "+e\n", 8, "more lines than"},
    {NAMES HUNK "hello\n@@ -9 +9 @@\n-a\n+b\n", 8, "behind a hunk"},
    {NAMES HUNK "\n@@ -9 +9 @@\n-a\n+b\n", 8, "behind a hunk"},
    {NAMES HUNK "-- \nhello\n", 8, "behind a hunk"},
    {NAMES "@@ -1,2 +1,2 @@\n a\n b\n", 3, "changes nothing"},
    {NAMES "@@ -1,2 +1,2 @@\n a\n-b\n+b\n", 3, "changes nothing"},
    {NAMES "@@ -1,0 +1,0 @@\n", 3, "changes nothing"},
    {NAMES "@@ -9 +9 @@\n-a\n+b\n@@ -8,2 +8 @@\n-a\n b\n", 6, "before the end of the one ahead"},
    {NAMES "@@ -8,2 +8 @@\n-a\n b\n@@ -9 +9 @@\n-a\n+b\n", 6, "(line 3)"},
    {NAMES "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", 4, "below the last line"},
    {NAMES "@@ -1 +1 @@\n-a\n+b\n\\\n", 6, "below the last line"},
    {NAMES "@@ -1 +1 @@\n-a\n\\ No\n\\ No\n+b\n", 6, "below the last line"},
    {NAMES "@@ -1,2 +1,2 @@\n a\n\\ No\n-b\n+c\n", 6, "follows the file's last"},
    {NAMES "@@ -1 +1,2 @@\n-a\n+a\n\\ No\n+c\n", 7, "follows the file's last"},
    {NAMES "@@ -1 +1 @@\n-a\n+b\n\\ No\n@@ -4 +4 @@\n-a\n+b\n", 7, "that of the file's end"},
    {"--- /dev/null\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n", 3, "creates the file, so"},
    {"--- a/x.py\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 3, "deletes the file, so"},
};

static void test_what_is_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(refused); i++) {
    spec_patch patch;
    spec_err err = {0};
    char where[40];
    int rc = parse(&patch, refused[i].text, &err);
    (void)snprintf(where, sizeof where, "p/x.py.patch:%zu", refused[i].line);
    if (rc != SPEC_EPARSE || strcmp(err.where, where) != 0 ||
        strstr(err.what, refused[i].what) == NULL)
      print_error("<<%s>>: %s: %s\n", refused[i].text, err.where, err.what);
    assert_int_equal(rc, SPEC_EPARSE);
    assert_string_equal(err.where, where);
    assert_non_null(strstr(err.what, refused[i].what));
    assert_true(err.mend[0] != '\0');
    assert_int_equal(parse(&patch, refused[i].text, NULL), SPEC_EPARSE);
  }
}

/* Each text cut after each byte: an error or a patch, and nothing beyond the end is read. */
static void test_cut_anywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(refused); i++)
    for (size_t len = 0; len <= strlen(refused[i].text); len++) {
      char *copy = spec_malloc(len + 1); /* arenas round up */
      spec_patch patch;
      memcpy(copy, refused[i].text, len);
      int rc = spec_patch_parse(&patch, arena, copy, len, "p", "x.py", NULL);
      assert_true(rc == SPEC_OK || rc == SPEC_EPARSE);
      spec_free(copy);
    }
}

static void test_memory(void **state) {
  (void)state;
  static const char text[] =
      "diff --git a/x.py b/x.py\nindex 0..1\n" NAMES HUNK "@@ -4 +4,2 @@\n e\n+f\n";
  int rc = SPEC_ENOMEM;
  size_t n = 0;
  while (rc == SPEC_ENOMEM) {
    spec_patch patch = {.path = "untouched"};
    spec_err err = {0};
    (void)spec_arena_fail_at(++n);
    rc = spec_patch_parse(&patch, arena, text, sizeof text - 1, "p", "x.py", &err);
    (void)spec_arena_fail_at(0);
    assert_true(rc == SPEC_OK || (rc == SPEC_ENOMEM && strcmp(patch.path, "untouched") == 0));
  }
  assert_int_equal(rc, SPEC_OK);
  assert_true(n > 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_headers),
      cmocka_unit_test(test_cr_lf_throughout),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_several_hunks),
      cmocka_unit_test(test_stripped_context),
      cmocka_unit_test(test_no_newline),
      cmocka_unit_test(test_files_come_and_go),
      cmocka_unit_test(test_what_is_refused),
      cmocka_unit_test(test_cut_anywhere),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
