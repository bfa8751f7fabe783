/* base.c: blocks from malloc that are handed out front to back, and text in one piece. */
#include "base.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)32 * 1024)
#define ALIGN       alignof(max_align_t)

typedef struct block {
  struct block *next;
  size_t cap, used;
  alignas(max_align_t) char data[];
} block;

struct tc_arena {
  block *head; /* allocations come from it */
  size_t next_cap;
};

/* Per thread, so that a test disturbs no other. */
static _Thread_local size_t calls, fail_at;

size_t tc_alloc_fail_at(size_t n) {
  size_t made = calls;
  calls = 0;
  fail_at = n;
  return made;
}

static bool must_fail(void) {
  calls++;
  return fail_at > 0 && calls >= fail_at;
}

static block *block_new(size_t cap) {
  if (cap > SIZE_MAX / 2 - sizeof(block))
    return NULL;
  block *made = malloc(sizeof(block) + cap);
  if (made != NULL)
    *made = (block){.cap = cap};
  return made;
}

tc_arena *tc_arena_new(void) {
  tc_arena *arena = malloc(sizeof *arena);
  if (arena != NULL)
    *arena = (tc_arena){.next_cap = FIRST_BLOCK};
  return arena;
}

void tc_arena_free(tc_arena *arena) {
  if (arena == NULL)
    return;
  for (block *b = arena->head, *next; b != NULL; b = next) {
    next = b->next;
    free(b);
  }
  free(arena);
}

void *tc_alloc(tc_arena *arena, size_t size) {
  if (must_fail() || size > SIZE_MAX / 4)
    return NULL;
  size = (size > 0 ? size + ALIGN - 1 : ALIGN) & ~(ALIGN - 1);
  block *head = arena->head;
  if (head == NULL || size > head->cap - head->used) {
    size_t cap = size > arena->next_cap ? size : arena->next_cap;
    head = block_new(cap);
    if (head == NULL)
      return NULL;
    head->next = arena->head;
    arena->head = head;
    arena->next_cap *= arena->next_cap < 32 * FIRST_BLOCK ? 2 : 1;
  }
  void *made = head->data + head->used;
  head->used += size;
  return memset(made, 0, size);
}

void *tc_alloc_array(tc_arena *arena, size_t count, size_t size) {
  return size > 0 && count > SIZE_MAX / size ? NULL : tc_alloc(arena, count * size);
}

char *tc_copy(tc_arena *arena, const char *text, size_t len) {
  char *made = len < SIZE_MAX ? tc_alloc(arena, len + 1) : NULL;
  if (made != NULL && len > 0)
    memcpy(made, text, len);
  return made;
}

bool tc_reserve(tc_arena *arena, void *array, size_t count, size_t *cap, size_t size) {
  if (count < *cap)
    return true;
  size_t wanted = *cap == 0 ? 4 : *cap * 2;
  void *old, *items = tc_alloc_array(arena, wanted, size);
  if (items == NULL)
    return false;
  memcpy(&old, array, sizeof old); /* the caller's pointer has a type of its own */
  if (count > 0)
    memcpy(items, old, count * size);
  memcpy(array, &items, sizeof items);
  *cap = wanted;
  return true;
}

/* Room for len more bytes and a NUL. */
static bool make_room(tc_text *text, size_t len) {
  if (text->failed)
    return false;
  if (len < text->cap - text->len)
    return true;
  size_t cap = 2 * text->cap + len + 64;
  char *data = must_fail() || len > SIZE_MAX / 4 ? NULL : realloc(text->data, cap);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->cap = cap;
  return true;
}

void tc_add(tc_text *text, const char *data, size_t len) {
  if (!make_room(text, len))
    return;
  if (len > 0)
    memcpy(text->data + text->len, data, len);
  text->len += len;
  text->data[text->len] = '\0';
}

void tc_add_str(tc_text *text, const char *data) {
  tc_add(text, data, strlen(data));
}

void tc_add_char(tc_text *text, char c) {
  tc_add(text, &c, 1);
}

void tc_add_format(tc_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (len >= 0 && make_room(text, (size_t)len)) {
    (void)vsnprintf(text->data + text->len, (size_t)len + 1, format, again);
    text->len += (size_t)len;
  }
  va_end(again);
}

void tc_text_free(tc_text *text) {
  free(text->data);
  *text = (tc_text){0};
}
