/* names.h: a table of names with scopes. */
#ifndef TTCPU_NAMES_H
#define TTCPU_NAMES_H

#include "base.h"

typedef struct tc_name {
  const char *text; /* not NUL-terminated */
  size_t len;
  void *value;
  size_t mark;          /* how many names were there before it */
  struct tc_name *next; /* of the same bucket, older */
  struct tc_name *older;
} tc_name;

typedef struct tc_names {
  tc_arena *arena;
  tc_name **buckets;
  size_t bucket_count, count;
  tc_name *newest;
} tc_names; /* zero-initialise and set arena */

/* The newest of that name, or NULL. */
tc_name *tc_names_find(const tc_names *names, const char *text, size_t len);
/* Adds a name, which hides an older one. The text must last. False when memory is out. */
bool tc_names_add(tc_names *names, const char *text, size_t len, void *value);
/* Forgets all but the oldest `count`. */
void tc_names_cut(tc_names *names, size_t count);

#endif
