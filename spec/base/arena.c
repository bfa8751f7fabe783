/* arena.c: blocks from malloc, handed out front to back. */
#include "base/arena.h"

#include "base/err.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK   ((size_t)64 * 1024)
#define LARGEST_BLOCK ((size_t)1024 * 1024)
#define ALIGN         alignof(max_align_t)

/* Under AddressSanitizer the gaps between allocations are poisoned, so that an overrun inside a
 * block is caught like one of malloc's. Its shadow has a granule of 8 bytes. */
#if defined(__SANITIZE_ADDRESS__)
#define SPEC_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPEC_ASAN 1
#endif
#endif
#ifdef SPEC_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#define GAP            16
#define TEXT_ALIGN     8
#else
#define POISON(p, n)   ((void)(p))
#define UNPOISON(p, n) ((void)(p))
#define GAP            0
#define TEXT_ALIGN     1
#endif

typedef struct block {
  struct block *next;
  size_t cap;
  size_t used;
  alignas(max_align_t) char data[];
} block;

struct spec_arena {
  block *head; /* the block that allocations come from; the rest are full */
  size_t next_cap;
  size_t handed_out;
};

/* Per thread, so that the count needs no lock and another thread's calls do not disturb a test. */
typedef struct failure {
  size_t calls, until;
} failure;
static _Thread_local failure of_malloc, of_arenas;

static bool must_fail(failure *f) {
  f->calls++;
  return f->until > 0 && --f->until == 0;
}

static size_t fail_at(failure *f, size_t n) {
  size_t made = f->calls;
  *f = (failure){.until = n};
  return made;
}

size_t spec_alloc_fail_at(size_t n) {
  return fail_at(&of_malloc, n);
}

size_t spec_arena_fail_at(size_t n) {
  return fail_at(&of_arenas, n);
}

void *spec_malloc(size_t size) {
  return must_fail(&of_malloc) ? NULL : malloc(size > 0 ? size : 1);
}

void *spec_realloc(void *pointer, size_t size) {
  return must_fail(&of_malloc) ? NULL : realloc(pointer, size > 0 ? size : 1);
}

void spec_free(void *pointer) {
  free(pointer);
}

static block *block_new(size_t cap) {
  if (cap > SIZE_MAX / 2 - sizeof(block)) /* no object is larger */
    return NULL;
  block *made = spec_malloc(sizeof(block) + cap);
  if (made != NULL) {
    *made = (block){.cap = cap};
    POISON(made->data, cap);
  }
  return made;
}

int spec_arena_new(spec_arena **out, spec_err *err) {
  spec_arena *arena = spec_malloc(sizeof *arena);
  block *head = arena != NULL ? block_new(FIRST_BLOCK) : NULL;
  if (head == NULL) {
    spec_free(arena);
    return spec_fail_memory(err);
  }
  *arena = (spec_arena){.head = head, .next_cap = 2 * FIRST_BLOCK};
  *out = arena;
  return SPEC_OK;
}

void spec_arena_free(spec_arena *arena) {
  if (arena == NULL)
    return;
  for (block *b = arena->head, *next; b != NULL; b = next) {
    next = b->next;
    UNPOISON(b->data, b->cap);
    spec_free(b);
  }
  spec_free(arena);
}

/* A block with room for size bytes; NULL when memory is out. One that a single large allocation
 * fills goes behind the head, whose rest stays in use. */
static block *block_for(spec_arena *arena, size_t size) {
  bool oversize = size > arena->next_cap / 4;
  block *made = block_new(oversize ? size : arena->next_cap);
  if (made == NULL)
    return NULL;
  if (oversize) {
    made->next = arena->head->next;
    arena->head->next = made;
    return made;
  }
  made->next = arena->head;
  arena->head = made;
  if (arena->next_cap < LARGEST_BLOCK)
    arena->next_cap *= 2;
  return made;
}

/* size bytes, not zeroed. align is a power of two, at most that of max_align_t. */
static void *take(spec_arena *arena, size_t size, size_t align) {
  if (must_fail(&of_arenas))
    return NULL;
  block *from = arena->head;
  size_t start = (from->used + GAP + align - 1) & ~(align - 1);
  if (start > from->cap || size > from->cap - start) {
    start = 0;
    from = block_for(arena, size);
    if (from == NULL)
      return NULL;
  }
  UNPOISON(from->data + start, size);
  from->used = start + size;
  arena->handed_out += size;
  return from->data + start;
}

void *spec_arena_alloc(spec_arena *arena, size_t size) {
  void *made = take(arena, size, ALIGN);
  return made != NULL ? memset(made, 0, size) : NULL;
}

void *spec_arena_array(spec_arena *arena, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size)
    return NULL;
  return spec_arena_alloc(arena, count * size);
}

void *spec_arena_grow(spec_arena *arena, void *old, size_t old_size, size_t new_size) {
  if (old != NULL && new_size <= old_size)
    return old;
  block *head = arena->head;
  char *end = old != NULL ? (char *)old + old_size : NULL;
  size_t more = old != NULL ? new_size - old_size : 0;
  if (end == head->data + head->used && more <= head->cap - head->used) {
    UNPOISON(end, more);
    memset(end, 0, more);
    head->used += more;
    arena->handed_out += more;
    return old;
  }
  void *made = spec_arena_alloc(arena, new_size);
  if (made != NULL && old != NULL)
    memcpy(made, old, old_size);
  return made;
}

int spec_arena_reserve(spec_arena *arena, void *array, size_t count, size_t *cap, size_t size,
                       spec_err *err) {
  if (count < *cap)
    return SPEC_OK;
  void *items; /* copied in and out: the caller's pointer has a type of its own */
  memcpy(&items, array, sizeof items);
  size_t wanted = *cap == 0 ? 16 : *cap * 2;
  items = spec_arena_grow(arena, items, *cap * size, wanted * size);
  if (items == NULL)
    return spec_fail_memory(err);
  memcpy(array, &items, sizeof items);
  *cap = wanted;
  return SPEC_OK;
}

char *spec_arena_strndup(spec_arena *arena, const char *text, size_t len) {
  char *made = len < SIZE_MAX ? take(arena, len + 1, TEXT_ALIGN) : NULL;
  if (made == NULL)
    return NULL;
  memcpy(made, text, len);
  made[len] = '\0';
  return made;
}

char *spec_arena_strdup(spec_arena *arena, const char *text) {
  return spec_arena_strndup(arena, text, strlen(text));
}

char *spec_arena_printf(spec_arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *made = len >= 0 ? take(arena, (size_t)len + 1, TEXT_ALIGN) : NULL;
  if (made != NULL)
    (void)vsnprintf(made, (size_t)len + 1, format, again);
  va_end(again);
  return made;
}

size_t spec_arena_used(const spec_arena *arena) {
  return arena->handed_out;
}
