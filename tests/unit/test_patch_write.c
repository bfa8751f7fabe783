/* Writing patches: what is written is small, reads well, and makes exactly the new text again. */
#include "base/path.h"
#include "core/patch.h"
#include "diff/patch_write.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

static spec_patch_side side_of(const char *text) {
  return (spec_patch_side){text, text == NULL ? 0 : strlen(text), false};
}

static spec_patch_made make_with(const spec_patch_make_options *options, spec_patch_side old,
                                 spec_patch_side new) {
  spec_patch_made made;
  assert_int_equal(spec_patch_make(&made, arena, options, &old, &new, NULL), SPEC_OK);
  return made;
}

static spec_patch_made make(spec_patch_side old, spec_patch_side new) {
  return make_with(&(spec_patch_make_options){.path = "lib/x.c"}, old, new);
}

/* The patch applied again must be the new text; to a base that is not known only if every hunk has
 * one place. */
static void check_round(spec_patch_side old, spec_patch_side new, const spec_patch_made *made) {
  spec_patch patch;
  spec_patched got;
  spec_err err = {0};
  if (spec_patch_parse(&patch, arena, made->text, made->len, "x.c.patch", "x.c", &err) != 0)
    print_error("%s: %s\n<<%s>>\n", err.where, err.what, made->text);
  assert_int_equal(err.code, SPEC_OK);
  assert_int_equal(patch.hunk_count, made->hunks);
  assert_int_equal(patch.new_mode == 0100755, new.executable && (made->mode_changed || !old.text));
  for (int exact = made->ambiguous > 0; exact < 2; exact++) {
    spec_patch_base base = {old.text, old.len, "lib/x.c", exact};
    if (spec_patch_apply(&got, arena, &patch, &base, &err) != 0)
      print_error("%s: %s\n<<%s>>\n<<%s>>\n", err.where, err.what, old.text, made->text);
    assert_int_equal(err.code, SPEC_OK);
    assert_int_equal(got.places.applying, made->hunks);
    assert_int_equal(got.text == NULL, new.text == NULL);
    assert_int_equal(got.len, new.len);
    assert_memory_equal(got.text == NULL ? "" : got.text, new.text == NULL ? "" : new.text,
                        new.len);
  }
}

static void expect(const char *old, const char *new, const char *wanted) {
  spec_patch_made made = make(side_of(old), side_of(new));
  assert_string_equal(made.text, wanted);
  assert_int_equal(made.len, strlen(wanted));
  check_round(side_of(old), side_of(new), &made);
}

#define NAMES "--- a/lib/x.c\n+++ b/lib/x.c\n"

static void test_forms(void **state) {
  (void)state;
  expect("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nX\nf\ng\nh\n",
         NAMES "@@ -2,7 +2,7 @@ a\n b\n c\n d\n-e\n+X\n f\n g\n h\n");
  expect("a\n", "b\n", NAMES "@@ -1 +1 @@\n-a\n+b\n");
  expect("a\n", "", NAMES "@@ -1 +0,0 @@\n-a\n");
  expect("", "a\nb\n", NAMES "@@ -0,0 +1,2 @@\n+a\n+b\n");
  expect("a\r\nb\r\n", "a\r\nc\r\n", NAMES "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
  expect("a\nb", "a\nc",
         NAMES "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n"
               "+c\n\\ No newline at end of file\n");
  expect("a\nb", "a\nb\n", NAMES "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  expect("a\nb", "c\nb", NAMES "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n");
  expect("\xEF\xBB\xBFx\n", "x\n", NAMES "@@ -1 +1 @@\n-\xEF\xBB\xBFx\n+x\n");
}

static void test_files_that_come_and_go(void **state) {
  (void)state;
  expect(NULL, "a\n",
         "diff --git a/lib/x.c b/lib/x.c\nnew file mode 100644\n"
         "--- /dev/null\n+++ b/lib/x.c\n@@ -0,0 +1 @@\n+a\n");
  expect("a\n", NULL,
         "diff --git a/lib/x.c b/lib/x.c\ndeleted file mode 100644\n"
         "--- a/lib/x.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  expect(NULL, "", "diff --git a/lib/x.c b/lib/x.c\nnew file mode 100644\n");
  spec_patch_made made = make(side_of(""), side_of(NULL));
  assert_string_equal(made.text, "diff --git a/lib/x.c b/lib/x.c\ndeleted file mode 100644\n");
  made = make(side_of(NULL), side_of(NULL));
  assert_int_equal(made.len, 0);
}

static void test_modes(void **state) {
  (void)state;
  spec_patch_side old = side_of("a\n"), new = {"b\n", 2, true};
  spec_patch_made made = make(old, new);
  assert_string_equal(made.text, "diff --git a/lib/x.c b/lib/x.c\nold mode 100644\n"
                                 "new mode 100755\n" NAMES "@@ -1 +1 @@\n-a\n+b\n");
  check_round(old, new, &made);
  made = make(side_of("b\n"), new);
  assert_int_equal(made.len, 0);
  assert_true(made.mode_changed);
  made = make(side_of(NULL), new);
  check_round(side_of(NULL), new, &made);
}

static void test_nothing_changed(void **state) {
  (void)state;
  spec_patch_made made = make(side_of("a\nb"), side_of("a\nb"));
  assert_int_equal(made.len, 0);
  assert_string_equal(made.text, "");
  assert_false(made.mode_changed);
}

static void test_nul_bytes(void **state) {
  (void)state;
  static const char old_text[] = "a\0b\nc\n", new_text[] = "a\0c\nc\n";
  spec_patch_side old = {old_text, 6, false}, new = {new_text, 6, false};
  spec_patch_made made = make(old, new);
  assert_int_equal(made.removed, 1);
  check_round(old, new, &made);
}

/* A name is read back as it was, whatever is in it. */
static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"a b.c",      "tab\t.c", "q\"uote.c", "back\\slash.c",
                                      "\xC3\xA9.c", "\xFF.c",  "a .c",      "nl\n.c",
                                      "a\r.c",      " .c"};
  for (size_t i = 0; i < COUNT(names); i++)
    for (int has = 1; has < 4; has++) {
      spec_patch patch;
      spec_err err = {0};
      char path[64];
      (void)snprintf(path, sizeof path, "dir/%s", names[i]);
      spec_patch_made made =
          make_with(&(spec_patch_make_options){.path = path}, side_of(has & 1 ? "a\n" : NULL),
                    side_of(has & 2 ? "b\n" : NULL));
      if (spec_patch_parse(&patch, arena, made.text, made.len, "p", path, &err) != 0)
        print_error("%s\n%s", err.what, made.text);
      assert_int_equal(err.code, SPEC_OK);
      assert_int_equal(spec_patch_parse(&patch, arena, made.text, made.len, "p", "dir/other", NULL),
                       SPEC_EPARSE);
    }
}

/* A function that was added is shown from its first line to the blank one behind it. */
static void test_changes_stand_where_one_reads_them(void **state) {
  (void)state;
  expect("int f() {\n  a;\n}\n\nint h() {\n  a;\n}\n",
         "int f() {\n  a;\n}\n\nint g() {\n  a;\n}\n\nint h() {\n  a;\n}\n",
         NAMES "@@ -2,6 +2,10 @@ int f() {\n   a;\n }\n \n+int g() {\n+  a;\n+}\n+\n int h() {\n"
               "   a;\n }\n");
  expect("class A:\n    def f(self):\n        return 1\n\n    def h(self):\n        return 1\n",
         "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 1\n\n"
         "    def h(self):\n        return 1\n",
         NAMES "@@ -2,5 +2,8 @@ class A:\n     def f(self):\n         return 1\n \n"
               "+    def g(self):\n+        return 1\n+\n     def h(self):\n"
               "         return 1\n");
  /* Nothing speaks for one place: as low as possible. */
  expect("a\na\nb\n", "a\na\na\nb\n", NAMES "@@ -1,3 +1,4 @@\n a\n a\n+a\n b\n");
  /* Two that can meet are one. */
  expect("a\nb\na\nb\n", "a\nb\na\nb\na\nb\na\nb\n",
         NAMES "@@ -2,3 +2,7 @@ a\n b\n a\n b\n+a\n+b\n+a\n+b\n");
}

/* Behind "@@": the function, or method, that the hunk is in; cut at a whole character. */
static void test_opening(void **state) {
  (void)state;
  char old[600], new[700], wanted[100];
  (void)snprintf(old, sizeof old, "int f(%s\xC3\xA9) {\r\n 1\n 2\n 3\n 4\n 5\n",
                 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  (void)snprintf(new, sizeof new, "%s 6\n", old);
  (void)snprintf(wanted, sizeof wanted, "@@ -4,3 +4,4 @@ %.79s\n", old);
  spec_patch_made made = make(side_of(old), side_of(new));
  assert_non_null(strstr(made.text, wanted));
  assert_true(spec_text_is_utf8(made.text, made.len));
  check_round(side_of(old), side_of(new), &made);
}

/* Lines that the old text repeats: as much context as tells the place, or the usual when none
 * does. */
static void test_context_grows_until_it_is_unique(void **state) {
  (void)state;
  char old[2000] = "", new[2000] = "";
  for (int i = 0; i < 40; i++) {
    const char *line = i == 14 ? "here\n" : "x\n";
    (void)snprintf(old + strlen(old), sizeof old - strlen(old), "%s", line);
    (void)snprintf(new + strlen(new), sizeof new - strlen(new), "%s%s", line, i == 20 ? "y\n" : "");
  }
  spec_patch_made made = make(side_of(old), side_of(new));
  assert_int_equal(made.ambiguous, 0);
  assert_non_null(strstr(made.text, "@@ -15,14 +15,15 @@"));
  check_round(side_of(old), side_of(new), &made);
  made = make_with(&(spec_patch_make_options){.path = "x.c", .context_most = 5}, side_of(old),
                   side_of(new));
  assert_int_equal(made.ambiguous, 1);
  assert_non_null(strstr(made.text, "@@ -19,6 +19,7 @@"));
  check_round(side_of(old), side_of(new), &made);
}

static size_t edit_distance(const char *a, const char *b) {
  /* Of texts whose lines are one letter: the fewest lines removed and added. */
  size_t n = strlen(a) / 2, m = strlen(b) / 2, row[64];
  for (size_t k = 0; k <= m; k++)
    row[k] = k;
  for (size_t i = 1; i <= n; i++) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t k = 1; k <= m; k++) {
      size_t above = row[k];
      size_t least = (above < row[k - 1] ? above : row[k - 1]) + 1;
      row[k] = a[2 * i - 2] == b[2 * k - 2] ? corner : least;
      corner = above;
    }
  }
  return row[m];
}

static void random_text(char *out, size_t most, uint32_t letters, uint32_t *seed) {
  size_t count = next_random(seed) % (uint32_t)(most + 1);
  for (size_t i = 0; i < count; i++) {
    out[2 * i] = (char)('a' + next_random(seed) % letters);
    out[2 * i + 1] = '\n';
  }
  out[2 * count] = '\0';
}

/* No patch removes and adds fewer lines. */
static void test_it_is_the_smallest(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 4000; i++) {
    char old[100], new[100];
    uint32_t letters = 1 + next_random(&seed) % 8;
    random_text(old, 40, letters, &seed);
    random_text(new, 40, letters, &seed);
    spec_patch_made made = make(side_of(old), side_of(new));
    assert_int_equal(made.removed + made.added, edit_distance(old, new));
    if (made.len > 0)
      check_round(side_of(old), side_of(new), &made);
    if (i % 500 == 0) {
      spec_arena_free(arena);
      assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    }
  }
}

/* Large parts that differ everywhere: the search is cut, the patch still right. */
static void test_texts_that_differ_everywhere(void **state) {
  (void)state;
  enum { LINES = 8000 };
  uint32_t seed = 7;
  char *old = spec_arena_alloc(arena, (size_t)4 * LINES + 1),
       *new = spec_arena_alloc(arena, (size_t)4 * LINES + 1);
  for (size_t i = 0; i < (size_t)2 * LINES; i++) {
    old[2 * i] = (char)('a' + next_random(&seed) % 20);
    new[2 * i] = (char)('a' + next_random(&seed) % 20);
    old[2 * i + 1] = new[2 * i + 1] = '\n';
  }
  spec_patch_made made = make(side_of(old), side_of(new));
  check_round(side_of(old), side_of(new), &made);
}

static void test_memory_may_run_out(void **state) {
  (void)state;
  const spec_patch_make_options options = {.path = "lib/x.c"};
  spec_patch_side old = side_of("a\nb\nc\n"), new = side_of("a\nX\nc\nd\n");
  spec_patch_made made;
  (void)spec_arena_fail_at(0);
  assert_int_equal(spec_patch_make(&made, arena, &options, &old, &new, NULL), SPEC_OK);
  size_t calls = spec_arena_fail_at(0);
  assert_true(calls > 5);
  for (size_t n = 1; n <= calls; n++) {
    (void)spec_arena_fail_at(n);
    assert_int_equal(spec_patch_make(&made, arena, &options, &old, &new, NULL), SPEC_ENOMEM);
  }
  (void)spec_arena_fail_at(0);
  (void)spec_alloc_fail_at(1);
  assert_int_equal(spec_patch_make(&made, arena, &options, &old, &new, NULL), SPEC_ENOMEM);
  (void)spec_alloc_fail_at(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, free_arena)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_forms),
      TEST(test_files_that_come_and_go),
      TEST(test_modes),
      TEST(test_nothing_changed),
      TEST(test_nul_bytes),
      TEST(test_names),
      TEST(test_changes_stand_where_one_reads_them),
      TEST(test_opening),
      TEST(test_context_grows_until_it_is_unique),
      TEST(test_it_is_the_smallest),
      TEST(test_texts_that_differ_everywhere),
      TEST(test_memory_may_run_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
