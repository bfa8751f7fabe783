/* The map: order, replacement, interning, size, and every way to run out of memory. */
#include "base/map.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
  spec_arena *arena;
  spec_map *map;
} fixture;

static int make_map(void **state) {
  static fixture f;
  *state = &f;
  return spec_arena_new(&f.arena, NULL) | spec_map_new(&f.map, f.arena, NULL);
}

static int free_map(void **state) {
  fixture *f = *state;
  spec_map_free(f->map);
  spec_arena_free(f->arena);
  return 0;
}

static void set(spec_map *map, const char *key, void *value) {
  assert_int_equal(spec_map_set(map, key, value, NULL), SPEC_OK);
}

static void test_absent_null_and_value(void **state) {
  spec_map *map = ((fixture *)*state)->map;
  int value;
  bool found = true;
  assert_null(spec_map_get(map, "a", &found));
  assert_false(found);
  set(map, "a", NULL);
  assert_null(spec_map_get(map, "a", &found));
  assert_true(found);
  set(map, "a", &value);
  assert_ptr_equal(spec_map_get(map, "a", NULL), &value);
  assert_int_equal(spec_map_count(map), 1);
  set(map, "", &found);
  assert_ptr_equal(spec_map_get(map, "", &found), &found);
  assert_int_equal(spec_map_count(map), 2);
}

static void test_key_is_copied_and_may_be_part_of_a_text(void **state) {
  spec_map *map = ((fixture *)*state)->map;
  int value;
  char key[] = "lib";
  set(map, key, &value);
  key[0] = 'x';
  assert_ptr_equal(spec_map_get(map, "lib", NULL), &value);
  assert_ptr_equal(spec_map_get_n(map, "lib/IR", 3, NULL), &value);
  assert_null(spec_map_get_n(map, "lib", 2, NULL));
  assert_null(spec_map_get_n(map, "lib\0", 4, NULL));
}

static int append_key(void *user, const char *key, void *value) {
  (void)value;
  size_t len = strlen(user);
  (void)snprintf((char *)user + len, 64 - len, "%s,", key);
  return key[0] == 'c' ? 7 : 0;
}

static void test_order_of_insertion(void **state) {
  spec_map *map = ((fixture *)*state)->map;
  char order[64] = "";
  assert_int_equal(spec_map_each(map, append_key, order), 0);
  set(map, "z", NULL);
  set(map, "a", NULL);
  set(map, "m", NULL);
  set(map, "z", order); /* keeps its place */
  assert_int_equal(spec_map_each(map, append_key, order), 0);
  assert_string_equal(order, "z,a,m,");
  set(map, "c", NULL);
  set(map, "d", NULL);
  order[0] = '\0';
  assert_int_equal(spec_map_each(map, append_key, order), 7); /* stops there */
  assert_string_equal(order, "z,a,m,c,");
}

static void test_interned_keys_are_one_pointer(void **state) {
  spec_map *map = ((fixture *)*state)->map;
  int value;
  const char *one = spec_map_intern(map, "path/x", 4);
  assert_string_equal(one, "path");
  assert_ptr_equal(spec_map_intern(map, "path", 4), one);
  set(map, "path", &value);
  assert_ptr_equal(spec_map_intern(map, "path", 4), one);
  assert_ptr_equal(spec_map_get(map, "path", NULL), &value); /* interning keeps the value */
  assert_ptr_not_equal(spec_map_intern(map, "path", 3), one);
  const char *nul = spec_map_intern(map, "a\0b", 3);
  assert_memory_equal(nul, "a\0b", 4);
  assert_ptr_not_equal(spec_map_intern(map, "a\0c", 3), nul);
  assert_ptr_not_equal(spec_map_intern(map, "a", 1), nul);
}

static void test_many_keys(void **state) {
  spec_map *map = ((fixture *)*state)->map;
  enum { N = 100000 };
  static char values[N];
  char key[64];
  for (size_t i = 0; i < N; i++) {
    (void)snprintf(key, sizeof key, "lib/Dialect/D%zu/File%zu.cpp", i % 100, i);
    set(map, key, values + i);
  }
  assert_int_equal(spec_map_count(map), N);
  for (size_t i = 0; i < N; i++) {
    (void)snprintf(key, sizeof key, "lib/Dialect/D%zu/File%zu.cpp", i % 100, i);
    assert_ptr_equal(spec_map_get(map, key, NULL), values + i);
  }
  assert_null(spec_map_get(map, "lib/Dialect/D0/File1.cpp", NULL));
}

/* Adds keys, going on after a failure; returns how many it was told are in. */
static size_t add_keys(spec_map *map, size_t count, bool intern) {
  size_t added = 0;
  for (size_t i = 0; i < count; i++) {
    char key[32];
    spec_err err = {0};
    int len = snprintf(key, sizeof key, "key %zu", i);
    bool ok = intern ? spec_map_intern(map, key, (size_t)len) != NULL
                     : spec_map_set(map, key, map, &err) == SPEC_OK;
    assert_true(ok || intern || err.code == SPEC_ENOMEM);
    bool found;
    (void)spec_map_get(map, key, &found);
    assert_int_equal(found, ok);
    added += ok;
  }
  return added;
}

static void test_every_failing_allocation_is_reported(void **state) {
  (void)state;
  for (size_t n = 1;; n++) {
    spec_arena *arena;
    spec_map *map = NULL;
    spec_err err = {0};
    assert_int_equal(spec_arena_new(&arena, NULL), SPEC_OK);
    (void)spec_alloc_fail_at(n);
    int rc = spec_map_new(&map, arena, &err);
    assert_int_equal(rc, n == 1 ? SPEC_ENOMEM : SPEC_OK);
    assert_int_equal(err.code, rc);
    assert_int_equal(map == NULL, n == 1);
    const size_t count = 3000;
    size_t added = map != NULL ? add_keys(map, count, n % 2 == 0) : count;
    bool reached = spec_alloc_fail_at(0) >= n;
    if (map != NULL)
      assert_int_equal(spec_map_count(map), added);
    assert_int_equal(added == count, n == 1 || !reached); /* one key lost, or none */
    assert_true(count - added <= 1);
    spec_map_free(map);
    spec_arena_free(arena);
    if (!reached) {
      assert_true(n > 10);
      return;
    }
  }
}

#define MAP_TEST(test) cmocka_unit_test_setup_teardown(test, make_map, free_map)

int main(void) {
  const struct CMUnitTest tests[] = {
      MAP_TEST(test_absent_null_and_value),
      MAP_TEST(test_key_is_copied_and_may_be_part_of_a_text),
      MAP_TEST(test_order_of_insertion),
      MAP_TEST(test_interned_keys_are_one_pointer),
      MAP_TEST(test_many_keys),
      cmocka_unit_test(test_every_failing_allocation_is_reported),
  };
  spec_map_free(NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
