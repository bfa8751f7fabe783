/* arena.h: all memory of the engine.  arena.c alone calls malloc. */
#ifndef SPEC_BASE_ARENA_H
#define SPEC_BASE_ARENA_H

#include "spec.h"
#include <stdarg.h>
#include <stddef.h>

/* A region that grows in blocks and is freed at once. */
typedef struct spec_arena spec_arena;

int spec_arena_new(spec_arena **out, spec_err *err);
void spec_arena_free(spec_arena *arena); /* NULL is allowed */

/* `size` bytes, zeroed, aligned for any type; NULL when memory is out.
 * A size of 0 gives a valid pointer. */
void *spec_arena_alloc(spec_arena *arena, size_t size);
/* Room for count items of size bytes, zeroed; NULL on overflow too. */
void *spec_arena_array(spec_arena *arena, size_t count, size_t size);
/* Grows an array of the arena: a new zero-extended copy, unless it was the latest allocation,
 * which grows in place. */
void *spec_arena_grow(spec_arena *arena, void *old, size_t old_size, size_t new_size);
/* Room for one more item in an array that grows: `array` is the address of the pointer to its
 * first item, count how many it holds, *cap how many fit; both may change.  0 or SPEC_ENOMEM. */
int spec_arena_reserve(spec_arena *arena, void *array, size_t count, size_t *cap, size_t size,
                       spec_err *err);
/* A copy of len bytes and a NUL; NULL when memory is out. */
char *spec_arena_strndup(spec_arena *arena, const char *text, size_t len);
char *spec_arena_strdup(spec_arena *arena, const char *text);
/* printf into the arena; NULL when memory is out. */
char *spec_arena_printf(spec_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes handed out so far, for benchmarks. */
size_t spec_arena_used(const spec_arena *arena);

/* The allocator below arena, map and json (also given to jansson). */
void *spec_malloc(size_t size);
void *spec_realloc(void *pointer, size_t size);
void spec_free(void *pointer);

/* Test hook: the n-th call of spec_malloc/spec_realloc from now fails, once
 * (n counts from 1; 0 switches it off).  Returns how many calls were made
 * since the last call of this function. */
size_t spec_alloc_fail_at(size_t n);
/* The same for what arenas hand out, new block or not. */
size_t spec_arena_fail_at(size_t n);

#endif
