/* What counts as a conflict that a merge left. */
#include "core/conflict.h"

#include "unit.h"
#include <stdio.h>
#include <string.h>

#define CONFLICT "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"

static size_t line_of(const char *text) {
  return spec_conflict_find(text, strlen(text), NULL, 0);
}

static size_t line_in_patch(const char *text, const char *base) {
  return spec_conflict_find_in_patch(text, strlen(text), base, base == NULL ? 0 : strlen(base));
}

static void test_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t line;
  } rows[] = {
      {"", 0},
      {"\n\n", 0},
      {CONFLICT, 1},
      {"x\n" CONFLICT, 2},
      {"x\r\n<<<<<<< ours\r\n=======\r\n>>>>>>> theirs\r\n", 2},
      {"<<<<<<<\n=======\n>>>>>>>", 1},
      {"<<<<<<< a\n||||||| base\n=======\n>>>>>>> b\n", 1},
      {"<<<<<<< a\n<<<<<<< a\n=======\n>>>>>>> b\n", 2},
      {"Title\n=======\n>>>>>>> quoted\n", 0},
      {"=======\n<<<<<<< a\n>>>>>>> b\n", 0},
      {" <<<<<<< a\n =======\n >>>>>>> b\n", 0},
      {"<<<<<<< a\n======= \n>>>>>>> b\n", 0},
      {"<<<<<<< a\n========\n>>>>>>> b\n", 0},
      {"<<<<<<<< a\n=======\n>>>>>>> b\n", 0},
      {"<<<<<<< a\n=======\n>>>>>> b\n", 0},
      {"<<<<<<< a\n=======\n", 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    if (line_of(rows[i].text) != rows[i].line)
      fail_msg("row %zu: %zu", i, line_of(rows[i].text));
}

/* A text about merges may show one: as long as the trunk's file has the same lines. */
static void test_the_trunks_own(void **state) {
  (void)state;
  static const char mine[] = "new\n" CONFLICT, other[] = "<<<<<<< x\n=======\n>>>>>>> theirs\n";
  assert_int_equal(spec_conflict_find(mine, strlen(mine), CONFLICT, strlen(CONFLICT)), 0);
  assert_int_equal(spec_conflict_find(mine, strlen(mine), other, strlen(other)), 2);
  static const char both[] = CONFLICT "<<<<<<< mine\n=======\n>>>>>>> theirs\n";
  assert_int_equal(spec_conflict_find(both, strlen(both), CONFLICT, strlen(CONFLICT)), 6);
}

static void test_patches(void **state) {
  (void)state;
  static const char head[] = "--- a\n+++ b\n@@ -1 +1,4 @@\n";
  char text[200];
  (void)snprintf(text, sizeof text, "%s%s", head, CONFLICT); /* of the patch file itself */
  assert_int_equal(line_in_patch(text, NULL), 4);
  (void)snprintf(text, sizeof text, "%s%s", head, " x\n+<<<<<<< o\n+=======\n+>>>>>>> t\n");
  assert_int_equal(line_in_patch(text, NULL), 5);
  (void)snprintf(text, sizeof text, "%s%s", head, "-<<<<<<< o\n-=======\n->>>>>>> t\n x\n");
  assert_int_equal(line_in_patch(text, NULL), 0);
  (void)snprintf(text, sizeof text, "%s%s", head, " <<<<<<< o\n =======\n+y\n >>>>>>> t\n");
  assert_int_equal(line_in_patch(text, "<<<<<<< o\n=======\n>>>>>>> t\n"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_the_trunks_own),
      cmocka_unit_test(test_patches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
