/* Comparing three texts: chunks of every kind, and what may touch. */
#include "base/buf.h"
#include "diff/histogram.h"
#include "diff/merge3.h"
#include "unit.h"
#include "unit_arena.h"

#include <string.h>

/* Lines are the characters of a text, written one each. */
static spec_lines lines_of(const char *letters) {
  size_t len = strlen(letters);
  char *text = spec_arena_alloc(arena, 2 * len + 1);
  for (size_t i = 0; i < len; i++) {
    text[2 * i] = letters[i];
    text[2 * i + 1] = '\n';
  }
  spec_lines lines;
  assert_int_equal(spec_lines_split(&lines, arena, text, 2 * len, NULL), 0);
  return lines;
}

static void append(spec_buf *out, const spec_lines *lines, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++)
    spec_buf_char(out, *lines->lines[first + i].text);
}

/* The merge as a text: what is not the same on all sides stands in brackets after its kind. */
static const char *merged(const char *base, const char *ours, const char *theirs,
                          spec_touching touching) {
  spec_lines b = lines_of(base), o = lines_of(ours), t = lines_of(theirs);
  spec_changes to_ours, to_theirs;
  spec_chunks chunks;
  assert_int_equal(spec_lines_number(NULL, arena, (spec_lines *const[]){&b, &o, &t}, 3, NULL), 0);
  assert_int_equal(spec_diff_histogram(&to_ours, arena, &b, &o, NULL), 0);
  assert_int_equal(spec_diff_histogram(&to_theirs, arena, &b, &t, NULL), 0);
  const spec_merge3_input input = {&b, &o, &t, &to_ours, &to_theirs, touching};
  assert_int_equal(spec_merge3(&chunks, arena, &input, NULL), 0);
  spec_buf out = {0};
  for (size_t i = 0; i < chunks.count; i++) {
    const spec_chunk *c = &chunks.items[i];
    spec_buf_str(&out, (const char *[]){"", "o[", "t[", "b[", "c["}[c->kind]);
    if (c->kind == SPEC_CHUNK_THEIRS)
      append(&out, &t, c->theirs, c->theirs_count);
    else
      append(&out, &o, c->ours, c->ours_count);
    if (c->kind == SPEC_CHUNK_CONFLICT) {
      spec_buf_char(&out, '|');
      append(&out, &b, c->base, c->base_count);
      spec_buf_char(&out, '|');
      append(&out, &t, c->theirs, c->theirs_count);
    }
    spec_buf_str(&out, c->kind == SPEC_CHUNK_SAME ? "" : "]");
  }
  const char *text = spec_arena_strdup(arena, spec_buf_text(&out));
  spec_buf_dispose(&out);
  return text;
}

static void one_side(void **state) {
  (void)state;
  assert_string_equal(merged("abc", "abc", "abc", SPEC_TOUCHING_CONFLICTS), "abc");
  assert_string_equal(merged("abc", "axc", "abc", SPEC_TOUCHING_CONFLICTS), "ao[x]c");
  assert_string_equal(merged("abc", "abc", "ac", SPEC_TOUCHING_CONFLICTS), "at[]c");
  assert_string_equal(merged("", "x", "", SPEC_TOUCHING_CONFLICTS), "o[x]");
  assert_string_equal(merged("", "", "", SPEC_TOUCHING_CONFLICTS), "");
}

static void both_sides(void **state) {
  (void)state;
  assert_string_equal(merged("abc", "axc", "axc", SPEC_TOUCHING_CONFLICTS), "ab[x]c");
  assert_string_equal(merged("abc", "axc", "ayc", SPEC_TOUCHING_CONFLICTS), "ac[x|b|y]c");
  assert_string_equal(merged("abcde", "xbcde", "abcdy", SPEC_TOUCHING_CONFLICTS), "o[x]bcdt[y]");
  assert_string_equal(merged("abcd", "axyd", "abzd", SPEC_TOUCHING_MERGES), "ac[xy|bc|bz]d");
}

static void two_additions_at_one_place(void **state) {
  (void)state;
  for (int t = SPEC_TOUCHING_CONFLICTS; t <= SPEC_TOUCHING_MERGES; t++) {
    assert_string_equal(merged("ab", "axb", "ayb", (spec_touching)t), "ac[x||y]b");
    assert_string_equal(merged("ab", "axb", "axb", (spec_touching)t), "ab[x]b");
  }
}

static void an_addition_that_touches_a_change(void **state) {
  (void)state;
  assert_string_equal(merged("abc", "axbc", "ayc", SPEC_TOUCHING_CONFLICTS), "ac[xb|b|y]c");
  assert_string_equal(merged("abc", "axbc", "ayc", SPEC_TOUCHING_INSERTS), "ao[x]t[y]c");
  assert_string_equal(merged("abc", "abxc", "ayc", SPEC_TOUCHING_INSERTS), "at[y]o[x]c");
  assert_string_equal(merged("abc", "abxc", "ac", SPEC_TOUCHING_MERGES), "at[]o[x]c");
}

static void two_changes_that_touch(void **state) {
  (void)state;
  assert_string_equal(merged("abcd", "axcd", "abyd", SPEC_TOUCHING_CONFLICTS), "ac[xc|bc|by]d");
  assert_string_equal(merged("abcd", "axcd", "abyd", SPEC_TOUCHING_INSERTS), "ac[xc|bc|by]d");
  assert_string_equal(merged("abcd", "axcd", "abyd", SPEC_TOUCHING_MERGES), "ao[x]t[y]d");
}

static void an_addition_inside_of_what_is_gone(void **state) {
  (void)state;
  assert_string_equal(merged("abcd", "abxcd", "ad", SPEC_TOUCHING_MERGES), "ac[bxc|bc|]d");
}

static void runs_of_rare_lines_divide(void **state) {
  (void)state;
  /* The fewest changes would take braces for common lines; the rare line says what moved. */
  spec_lines a = lines_of("f{xx}g{yy}"), b = lines_of("g{yy}f{xx}");
  spec_changes changes;
  assert_int_equal(spec_lines_number(NULL, arena, (spec_lines *const[]){&a, &b}, 2, NULL), 0);
  assert_int_equal(spec_diff_histogram(&changes, arena, &a, &b, NULL), 0);
  assert_int_equal(changes.count, 2);
  assert_int_equal(changes.removed, 5);
  assert_int_equal(changes.added, 5);
}

static void frequent_lines_are_compared_too(void **state) {
  (void)state;
  char many[200] = {0};
  memset(many, 'x', 150);
  spec_lines a = lines_of(many), b = lines_of(many + 10);
  spec_changes changes;
  assert_int_equal(spec_lines_number(NULL, arena, (spec_lines *const[]){&a, &b}, 2, NULL), 0);
  assert_int_equal(spec_diff_histogram(&changes, arena, &a, &b, NULL), 0);
  assert_int_equal(changes.removed, 10);
  assert_int_equal(changes.added, 0);
}

static void changes_end_where_their_rank_is_highest(void **state) {
  (void)state;
  spec_lines a = lines_of("a-b-"), b = lines_of("a-c-b-");
  spec_changes changes;
  size_t ids;
  assert_int_equal(spec_lines_number(&ids, arena, (spec_lines *const[]){&a, &b}, 2, NULL), 0);
  for (int rank = 0; rank < 2; rank++) {
    unsigned char ranks[8] = {0};
    ranks[a.ids[1]] = (unsigned char)rank;
    ranks[b.ids[2]] = (unsigned char)!rank;
    assert_int_equal(spec_diff_histogram(&changes, arena, &a, &b, NULL), 0);
    spec_changes_slide(&changes, &a, &b, ranks);
    assert_int_equal(changes.count, 1);
    assert_int_equal(changes.items[0].new, rank ? 2 : 1); /* "c-" or "-c" */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_side, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(both_sides, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(two_additions_at_one_place, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(an_addition_that_touches_a_change, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(two_changes_that_touch, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(an_addition_inside_of_what_is_gone, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(runs_of_rare_lines_divide, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(frequent_lines_are_compared_too, make_arena, free_arena),
      cmocka_unit_test_setup_teardown(changes_end_where_their_rank_is_highest, make_arena,
                                      free_arena),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
