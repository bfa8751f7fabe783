/* Paths: tables of edges, and the edit distance against the textbook's. */
#include "base/path.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

static void test_join(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"a", "b", "a/b"}, {"a/", "b", "a/b"},    {"a//", "//b", "a/b"},
      {"/", "b", "/b"},  {"//", "b", "/b"},     {"", "b", "b"},
      {"", "/b", "/b"},  {"a", "", "a"},        {"a/", "", "a"},
      {"/", "", "/"},    {"", "", ""},          {"a", "/", "a"},
      {".", "b", "./b"}, {"..", "..", "../.."}, {"/a b", "\xFF", "/a b/\xFF"},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_string_equal(spec_path_join(arena, rows[i][0], rows[i][1]), rows[i][2]);
}

static void test_normal(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"", "."},
      {".", "."},
      {"./", "."},
      {"././.", "."},
      {"/", "/"},
      {"///", "/"},
      {"/.", "/"},
      {"/..", "/"},
      {"/../../a", "/a"},
      {"a", "a"},
      {"a/", "a"},
      {"a//b", "a/b"},
      {"a/./b/", "a/b"},
      {"a/..", "."},
      {"a/../..", ".."},
      {"a/../../b", "../b"},
      {"..", ".."},
      {"../", ".."},
      {"../..", "../.."},
      {"../a/..", ".."},
      {"../../a/../..", "../../.."},
      {"../a/../b", "../b"},
      {"/a/b/../../..", "/"},
      {"/a/b/../c", "/a/c"},
      {"...", "..."},
      {"a/...", "a/..."},
      {"..a/..", "."},
      {"/..a/b..", "/..a/b.."},
      {"a/.b", "a/.b"},
      {"\xFF/../\xFE", "\xFE"},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_string_equal(spec_path_normal(arena, rows[i][0]), rows[i][1]);
}

static void test_resolve(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"/t", "a", "/t/a"},      {"/t", "/a/../b", "/b"}, {"/t/u", "../a", "/t/a"},
      {"/t", "../../..", "/"},  {"/t", "", "/t"},        {"/t", ".", "/t"},
      {"t", "../../a", "../a"}, {"", "a/./b", "a/b"},    {"", "", "."},
      {"/", "a", "/a"},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_string_equal(spec_path_resolve(arena, rows[i][0], rows[i][1]), rows[i][2]);
}

static void test_parts(void **state) {
  (void)state;
  static const struct {
    const char *path, *dir, *base, *ext;
  } rows[] = {
      {"a/b/c.cpp", "a/b", "c.cpp", ".cpp"},
      {"c", "", "c", ""},
      {"/c", "/", "c", ""},
      {"/", "/", "", ""},
      {"", "", "", ""},
      {"a/b/", "a/b", "", ""},
      {"a//b", "a", "b", ""},
      {"//b", "/", "b", ""},
      {"a.d/b", "a.d", "b", ""},
      {"x.tar.gz", "", "x.tar.gz", ".gz"},
      {"X.cpp.patch", "", "X.cpp.patch", ".patch"},
      {".bashrc", "", ".bashrc", ""},
      {".bashrc.bak", "", ".bashrc.bak", ".bak"},
      {"a.", "", "a.", "."},
      {".", "", ".", ""},
      {"..", "", "..", ""},
      {"..a", "", "..a", ""},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_string_equal(spec_path_dirname(arena, rows[i].path), rows[i].dir);
    assert_string_equal(spec_path_basename(rows[i].path), rows[i].base);
    const char *ext = spec_path_ext(rows[i].path);
    assert_string_equal(ext, rows[i].ext);
    assert_ptr_equal(ext + strlen(ext), rows[i].path + strlen(rows[i].path));
  }
}

static void test_below(void **state) {
  (void)state;
  static const char *const rows[][3] = {
      {"/a/b/c", "/a/b", "c"}, {"/a/b", "/a/b", ""},        {"/a/bc", "/a/b", NULL},
      {"/a", "/a/b", NULL},    {"/a/b", "/", "a/b"},        {"/", "/", ""},
      {"a/b", "a", "b"},       {"a/b", ".", "a/b"},         {".", ".", ""},
      {"/a", ".", NULL},       {"../a", ".", NULL},         {"..", ".", NULL},
      {"..a", ".", "..a"},     {"../a", "..", "a"},         {"../../a", "..", NULL},
      {"../..", "..", NULL},   {"../..a", "..", "..a"},     {"a", "..", NULL},
      {"a", "/", NULL},        {"/a/b/c/d", "/a", "b/c/d"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *rest = spec_path_below(rows[i][0], rows[i][1]);
    if (rows[i][2] == NULL)
      assert_null(rest);
    else
      assert_string_equal(rest, rows[i][2]);
  }
}

static void test_case_equal(void **state) {
  (void)state;
  assert_true(spec_path_case_equal("Lib/A.CPP", "lib/a.cpp"));
  assert_true(spec_path_case_equal("", ""));
  assert_false(spec_path_case_equal("a", "ab"));
  assert_false(spec_path_case_equal("ab", "a"));
  assert_false(spec_path_case_equal("a", "b"));
  assert_false(spec_path_case_equal("@", "`")); /* 32 apart, no letters */
  assert_false(spec_path_case_equal("[", "{"));
  assert_false(spec_path_case_equal("\xC3\x84", "\xC3\xA4")); /* ASCII case only */
  assert_true(spec_path_is_absolute("/"));
  assert_false(spec_path_is_absolute(""));
  assert_false(spec_path_is_absolute("a/"));
}

/* The distance by the textbook's whole table, for names shorter than 32 bytes. */
static size_t textbook_distance(const char *a, const char *b) {
  size_t table[32][32];
  size_t a_len = strlen(a), b_len = strlen(b);
  for (size_t i = 0; i <= a_len; i++) {
    for (size_t j = 0; j <= b_len; j++) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      size_t best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      best = best < table[i - 1][j] + 1 ? best : table[i - 1][j] + 1;
      table[i][j] = best < table[i][j - 1] + 1 ? best : table[i][j - 1] + 1;
    }
  }
  return table[a_len][b_len];
}

static void test_distance_is_the_textbooks_up_to_each_limit(void **state) {
  (void)state;
  uint32_t seed = 1;
  for (int round = 0; round < 20000; round++) {
    char names[2][12] = {"", ""};
    for (size_t k = 0; k < 2; k++)
      for (size_t i = 0, len = next_random(&seed) % 11; i < len; i++)
        names[k][i] = (char)('a' + next_random(&seed) % 3);
    size_t whole = textbook_distance(names[0], names[1]);
    for (size_t limit = 0; limit < 13; limit++)
      assert_int_equal(spec_path_distance(names[0], names[1], limit),
                       whole < limit ? whole : limit);
    assert_int_equal(spec_path_distance(names[0], names[1], SIZE_MAX), whole);
  }
}

static void test_distance_of_long_names(void **state) {
  (void)state;
  static char a[3 * SPEC_PATH_DISTANCE_MAX], b[3 * SPEC_PATH_DISTANCE_MAX];
  memset(a, 'x', sizeof a - 1);
  memset(b, 'x', sizeof b - 1);
  assert_int_equal(spec_path_distance(a, b, 10), 0);
  b[sizeof b / 2] = 'y';
  assert_int_equal(spec_path_distance(a, b, 10), 1);
  b[sizeof b - 2] = '\0';
  assert_int_equal(spec_path_distance(a, b, 10), 2);
  memset(b, 'y', sizeof b - 1); /* beyond what is measured: wholly different */
  assert_int_equal(spec_path_distance(a, b, 10), 10);
  assert_int_equal(spec_path_distance(a, b, SIZE_MAX), sizeof a - 1);
  a[SPEC_PATH_DISTANCE_MAX] = b[SPEC_PATH_DISTANCE_MAX] = '\0';
  assert_int_equal(spec_path_distance(a, b, SIZE_MAX), SPEC_PATH_DISTANCE_MAX);
}

static void test_utf8(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool valid;
  } rows[] = {
      {"", true},
      {"plain", true},
      {"\xC2\x80", true},
      {"\xDF\xBF", true},
      {"\xE0\xA0\x80", true},
      {"\xED\x9F\xBF", true},
      {"\xEF\xBF\xBF", true},
      {"\xF0\x90\x80\x80", true},
      {"\xF4\x8F\xBF\xBF", true},
      {"\x80", false}, /* a continuation alone */
      {"\xC3", false}, /* cut short */
      {"\xE2\x82", false},
      {"\xF0\x9F\x98", false},
      {"\xC3"
       "a",
       false},
      {"\xE2\x82z", false}, /* the third byte is wrong */
      {"\xC0\x80", false},  /* overlong */
      {"\xC1\xBF", false},
      {"\xE0\x9F\xBF", false},
      {"\xF0\x8F\xBF\xBF", false},
      {"\xED\xA0\x80", false},     /* a surrogate */
      {"\xF4\x90\x80\x80", false}, /* past U+10FFFF */
      {"\xF5\x80\x80\x80", false},
      {"\xFF", false},
      {"ok\xC3\xA9\xFE", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    assert_int_equal(spec_text_is_utf8(rows[i].text, strlen(rows[i].text)), rows[i].valid);
  assert_true(spec_text_is_utf8("a\0b", 3));
  assert_true(spec_text_is_utf8("\xFF", 0));
}

static void test_out_of_memory_gives_null(void **state) {
  (void)state;
  static char path[1 << 20]; /* larger than what is left of any block */
  memset(path, 'x', sizeof path - 1);
  for (int i = 0; i < 4; i++) {
    (void)spec_alloc_fail_at(1);
    const char *made = i == 0   ? spec_path_join(arena, path, "a")
                       : i == 1 ? spec_path_normal(arena, path)
                       : i == 2 ? spec_path_resolve(arena, "/", path)
                                : spec_path_join(arena, "", path);
    assert_int_equal(spec_alloc_fail_at(0), 1);
    assert_null(made);
  }
  (void)spec_alloc_fail_at(2); /* the second step of resolve */
  assert_null(spec_path_resolve(arena, "/", path));
  assert_int_equal(spec_alloc_fail_at(0), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_join),
      cmocka_unit_test(test_normal),
      cmocka_unit_test(test_resolve),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_below),
      cmocka_unit_test(test_case_equal),
      cmocka_unit_test(test_distance_is_the_textbooks_up_to_each_limit),
      cmocka_unit_test(test_distance_of_long_names),
      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_out_of_memory_gives_null),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
