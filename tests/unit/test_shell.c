/* Words of shell commands: taken apart as a shell does, and put together so that it takes them
 * apart again. */
#include "base/err.h"
#include "shell.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

/* Whether the words are these, each followed by '|'. */
static bool splits(const char *command, const char *expected) {
  spec_buf words = {0};
  spec_shell_word word;
  size_t at = 0;
  while (spec_shell_next(arena, &word, command, &at, NULL) == 0 && word.text != NULL)
    spec_buf_printf(&words, "%s|", word.text);
  bool same = strcmp(spec_buf_text(&words), expected) == 0;
  if (!same)
    print_error("%s: %s\n", command, spec_buf_text(&words));
  spec_buf_dispose(&words);
  return same;
}

static void test_words(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", ""},
      {"  ", ""},
      {"gcc -c  a.c\n", "gcc|-c|a.c|"},
      {"'a b' \"c d\" e\\ f", "a b|c d|e f|"},
      {"-DX=\\\"y\\\" \"-DZ=\\\"w\\\"\"", "-DX=\"y\"|-DZ=\"w\"|"},
      {"\"a\\b\\$\\\\\" 'a\\b'", "a\\b$\\|a\\b|"},
      {"'' \"\" x''y", "||xy|"},
      {"'open", "open|"},
      {"end\\", "end\\|"},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_true(splits(cases[i][0], cases[i][1]));
}

static void test_places_of_words(void **state) {
  (void)state;
  spec_shell_word word;
  size_t at = 0;
  assert_int_equal(spec_shell_next(arena, &word, " 'a b' c", &at, NULL), 0);
  assert_int_equal(word.begin, 1);
  assert_int_equal(word.end, 6);
  assert_int_equal(at, 6);
}

/* Any word, quoted, is that word again. */
static void test_quoting(void **state) {
  (void)state;
  static const char bytes[] = "a -'\"\\$`*;\t\n/~#%=";
  uint32_t seed = 1;
  for (int n = 0; n < 2000; n++) {
    char text[9] = "";
    size_t len = next_random(&seed) % sizeof text;
    for (size_t i = 0; i < len; i++)
      text[i] = bytes[next_random(&seed) % (sizeof bytes - 1)];
    spec_buf quoted = {0};
    spec_shell_word word;
    size_t at = 0;
    spec_shell_quote(&quoted, text);
    assert_int_equal(spec_shell_next(arena, &word, spec_buf_text(&quoted), &at, NULL), 0);
    assert_string_equal(word.text, text);
    assert_int_equal(at, quoted.len);
    spec_buf_dispose(&quoted);
  }
}

static void test_memory_runs_out(void **state) {
  (void)state;
  spec_shell_word word;
  spec_err err = {0};
  size_t at = 0;
  (void)spec_alloc_fail_at(1);
  assert_int_equal(spec_shell_next(arena, &word, "word", &at, &err), SPEC_ENOMEM);
  assert_int_equal(err.code, SPEC_ENOMEM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_words, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(test_places_of_words, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(test_quoting, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(test_memory_runs_out, make_arena, free_arena),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
