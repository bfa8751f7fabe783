/* unit_arena.h: an arena for each test of a group:
 *   cmocka_unit_test_setup_teardown(test, make_arena, free_arena) */
#ifndef UNIT_ARENA_H
#define UNIT_ARENA_H

#include "base/arena.h"

static spec_arena *arena;

static int make_arena(void **state) {
  (void)state;
  return spec_arena_new(&arena, NULL);
}

static int free_arena(void **state) {
  (void)state;
  spec_arena_free(arena);
  return 0;
}

#endif
