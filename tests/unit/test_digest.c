/* The digest, against xxHash's own one-shot function and its published value. */
#include "base/digest.h"
#include "unit.h"
#include "unit_arena.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void hex_of(char out[33], const char *const *texts, size_t count) {
  spec_digest *digest = spec_digest_new(arena);
  assert_non_null(digest);
  for (size_t i = 0; i < count; i++)
    spec_digest_str(digest, texts[i]);
  spec_digest_hex(digest, out);
}

static void test_empty_digest_is_the_published_one(void **state) {
  (void)state;
  char hex[33];
  hex_of(hex, NULL, 0);
  assert_string_equal(hex, "99aa06d3014798d86001c324468d497f"); /* XXH128 of nothing, seed 0 */
}

static void test_bytes_and_lengths_are_hashed(void **state) {
  (void)state;
  const char fed[] = "\3\0\0\0\0\0\0\0a\0c\2\0\0\0\0\0\0\0de";
  XXH128_hash_t hash = XXH3_128bits(fed, sizeof fed - 1);
  char expected[33], hex[33];
  (void)snprintf(expected, sizeof expected, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
  spec_digest *digest = spec_digest_new(arena);
  spec_digest_add(digest, "a\0c", 3);
  spec_digest_str(digest, "de");
  spec_digest_hex(digest, hex);
  assert_string_equal(hex, expected);
  spec_digest_hex(digest, hex); /* asking changes nothing */
  assert_string_equal(hex, expected);
  spec_digest_str(digest, "");
  spec_digest_hex(digest, hex);
  assert_string_not_equal(hex, expected);
}

static void test_sequences_are_told_apart(void **state) {
  (void)state;
  char one[33], other[33];
  hex_of(one, (const char *const[]){"ab", "c"}, 2);
  hex_of(other, (const char *const[]){"a", "bc"}, 2);
  assert_string_not_equal(one, other);
  hex_of(other, (const char *const[]){"abc"}, 1);
  assert_string_not_equal(one, other);
  hex_of(other, (const char *const[]){"ab", "c", ""}, 3);
  assert_string_not_equal(one, other);
  hex_of(other, (const char *const[]){"c", "ab"}, 2);
  assert_string_not_equal(one, other);
  hex_of(other, (const char *const[]){"ab", "c"}, 2);
  assert_string_equal(one, other);
}

static void test_state_is_aligned_wherever_the_arena_stands(void **state) {
  (void)state;
  for (size_t i = 0; i < 100; i++) {
    (void)spec_arena_alloc(arena, i);
    spec_digest *digest = spec_digest_new(arena);
    assert_int_equal((uintptr_t)digest % 64, 0);
    char hex[33];
    spec_digest_hex(digest, hex);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
  }
}

static void test_out_of_memory_gives_null(void **state) {
  (void)state;
  size_t made = 0;
  (void)spec_alloc_fail_at(1);
  while (spec_digest_new(arena) != NULL)
    made++;
  assert_int_equal(spec_alloc_fail_at(0), 1);
  assert_true(made < 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty_digest_is_the_published_one),
      cmocka_unit_test(test_bytes_and_lengths_are_hashed),
      cmocka_unit_test(test_sequences_are_told_apart),
      cmocka_unit_test(test_state_is_aligned_wherever_the_arena_stands),
      cmocka_unit_test(test_out_of_memory_gives_null),
  };
  return cmocka_run_group_tests(tests, make_arena, free_arena);
}
