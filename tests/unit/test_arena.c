/* The arena: alignment, zeroes, growth, limits, and every way to run out of memory. */
#include "base/arena.h"
#include "unit.h"

#include <stdalign.h>
#include <string.h>

/* An arena whose first block most likely lies where memory was in use before. */
static spec_arena *new_arena(void) {
  const size_t size = 100000; /* more than a first block */
  char *used = spec_malloc(size);
  assert_non_null(used);
  memset(used, 'u', size);
  spec_free(used);
  spec_arena *arena = NULL;
  spec_err err;
  assert_int_equal(spec_arena_new(&arena, &err), SPEC_OK);
  return arena;
}

static bool all_bytes_are(const char *data, char byte, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (data[i] != byte)
      return false;
  return true;
}

static void test_allocations_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  enum { N = 3000 };
  static char *made[N];
  spec_arena *arena = new_arena();
  for (size_t i = 0; i < N; i++) {
    made[i] = spec_arena_alloc(arena, i);
    assert_non_null(made[i]);
    assert_int_equal((uintptr_t)made[i] % alignof(max_align_t), 0);
    assert_true(all_bytes_are(made[i], 0, i));
    memset(made[i], (int)(i % 255) + 1, i);
  }
  for (size_t i = 0; i < N; i++)
    assert_true(all_bytes_are(made[i], (char)(i % 255 + 1), i));
  spec_arena_free(arena);
}

static void test_large_allocation_leaves_the_rest_of_the_block(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  char *before = spec_arena_alloc(arena, 16);
  char *large = spec_arena_alloc(arena, (size_t)20 * 1024 * 1024);
  assert_non_null(large);
  assert_true(all_bytes_are(large, 0, (size_t)20 * 1024 * 1024));
  (void)spec_alloc_fail_at(0);
  char *after = spec_arena_alloc(arena, 16);
  assert_int_equal(spec_alloc_fail_at(0), 0); /* from the block in use, not a new one */
  assert_true(after > before && after - before < 65536);
  spec_arena_free(arena);
}

static void test_sizes_beyond_memory_give_null(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  assert_null(spec_arena_alloc(arena, SIZE_MAX));
  assert_null(spec_arena_alloc(arena, SIZE_MAX - 8));
  assert_null(spec_arena_array(arena, SIZE_MAX / 2, 3));
  assert_null(spec_arena_array(arena, SIZE_MAX, SIZE_MAX));
  assert_null(spec_arena_strndup(arena, "", SIZE_MAX));
  assert_non_null(spec_arena_array(arena, SIZE_MAX, 0));
  assert_non_null(spec_arena_array(arena, 0, 8));
  assert_non_null(spec_arena_alloc(arena, 8)); /* still of use */
  spec_arena_free(arena);
}

static void test_latest_allocation_grows_in_place(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  char *made = spec_arena_alloc(arena, 10);
  memset(made, 'x', 10);
  assert_ptr_equal(spec_arena_grow(arena, made, 10, 1000), made);
  assert_true(all_bytes_are(made, 'x', 10));
  assert_true(all_bytes_are(made + 10, 0, 990));
  assert_ptr_equal(spec_arena_grow(arena, made, 1000, 1000), made);
  assert_ptr_equal(spec_arena_grow(arena, made, 1000, 5), made);
  spec_arena_free(arena);
}

static void test_other_growth_copies(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  char *made = spec_arena_alloc(arena, 10);
  memset(made, 'x', 10);
  char *next = spec_arena_alloc(arena, 1);
  char *grown = spec_arena_grow(arena, made, 10, 100);
  assert_ptr_not_equal(grown, made);
  *next = 'y';
  assert_true(all_bytes_are(grown, 'x', 10));
  assert_true(all_bytes_are(grown + 10, 0, 90));
  /* past the end of the block, though it is the latest */
  char *moved = spec_arena_grow(arena, grown, 100, (size_t)10 * 1024 * 1024);
  assert_non_null(moved);
  assert_true(all_bytes_are(moved, 'x', 10));
  assert_true(all_bytes_are(moved + 10, 0, (size_t)10 * 1024 * 1024 - 10));
  char *fresh = spec_arena_grow(arena, NULL, 0, 32);
  assert_true(all_bytes_are(fresh, 0, 32));
  assert_null(spec_arena_grow(arena, fresh, 32, SIZE_MAX));
  spec_arena_free(arena);
}

static void test_texts(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  assert_string_equal(spec_arena_strdup(arena, ""), "");
  assert_string_equal(spec_arena_strdup(arena, "abc"), "abc");
  assert_string_equal(spec_arena_strndup(arena, "abcdef", 2), "ab");
  assert_memory_equal(spec_arena_strndup(arena, "a\0b", 3), "a\0b", 4);
  assert_string_equal(spec_arena_printf(arena, "%s-%d", "x", 42), "x-42");
  const char *wide = spec_arena_printf(arena, "%*d", 200000, 7);
  assert_int_equal(strlen(wide), 200000);
  assert_int_equal(wide[199999], '7');
  spec_arena_free(arena);
}

static void test_used_counts_bytes_handed_out(void **state) {
  (void)state;
  spec_arena *arena = new_arena();
  assert_int_equal(spec_arena_used(arena), 0);
  (void)spec_arena_alloc(arena, 100);
  (void)spec_arena_strdup(arena, "abc");
  assert_int_equal(spec_arena_used(arena), 104);
  char *made = spec_arena_alloc(arena, 8);
  (void)spec_arena_grow(arena, made, 8, 24);
  assert_int_equal(spec_arena_used(arena), 128);
  spec_arena_free(arena);
  spec_arena_free(NULL);
}

/* Allocations of all kinds that need several blocks; SPEC_OK or SPEC_ENOMEM. */
static int use_arena(void) {
  spec_arena *arena = NULL;
  spec_err err = {0};
  if (spec_arena_new(&arena, &err) < 0) {
    assert_null(arena);
    assert_int_equal(err.code, SPEC_ENOMEM);
    return SPEC_ENOMEM;
  }
  int rc = SPEC_OK;
  for (int i = 0; i < 30; i++) {
    char *small = spec_arena_alloc(arena, 5000);
    char *grown = small != NULL ? spec_arena_grow(arena, small, 5000, 90000) : NULL;
    char *text = spec_arena_printf(arena, "%*d", 70000, i);
    if (small == NULL || grown == NULL || text == NULL)
      rc = SPEC_ENOMEM;
  }
  assert_non_null(spec_arena_alloc(arena, 100)); /* a failure before does no lasting harm */
  spec_arena_free(arena);
  return rc;
}

static void test_every_failing_allocation_is_reported(void **state) {
  (void)state;
  for (size_t n = 1;; n++) {
    (void)spec_alloc_fail_at(n);
    int rc = use_arena();
    if (spec_alloc_fail_at(0) < n) {
      assert_int_equal(rc, SPEC_OK);
      assert_true(n > 15); /* or the walk has lost its object */
      return;
    }
    assert_int_equal(rc, SPEC_ENOMEM);
  }
}

static void test_hook_fails_the_nth_call_once(void **state) {
  (void)state;
  (void)spec_alloc_fail_at(2);
  void *first = spec_malloc(1), *second = spec_malloc(1), *third = spec_malloc(1);
  assert_non_null(first);
  assert_null(second);
  assert_non_null(third);
  assert_int_equal(spec_alloc_fail_at(1), 3);
  assert_null(spec_realloc(first, 100)); /* first is still ours */
  first = spec_realloc(first, 100);
  assert_non_null(first);
  assert_int_equal(spec_alloc_fail_at(0), 2);
  spec_free(first);
  spec_free(third);
  void *empty = spec_malloc(0);
  assert_non_null(empty);
  spec_free(empty);
  spec_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_allocations_are_zeroed_aligned_and_apart),
      cmocka_unit_test(test_large_allocation_leaves_the_rest_of_the_block),
      cmocka_unit_test(test_sizes_beyond_memory_give_null),
      cmocka_unit_test(test_latest_allocation_grows_in_place),
      cmocka_unit_test(test_other_growth_copies),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_used_counts_bytes_handed_out),
      cmocka_unit_test(test_every_failing_allocation_is_reported),
      cmocka_unit_test(test_hook_fails_the_nth_call_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
