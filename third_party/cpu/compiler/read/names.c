/* names.c: chained hashing; a stack of what was added undoes it. */
#include "names.h"

#include <string.h>

static size_t hash(const char *text, size_t len) {
  uint64_t h = 14695981039346656037U; /* FNV-1a */
  for (size_t i = 0; i < len; i++)
    h = (h ^ (unsigned char)text[i]) * 1099511628211U;
  return (size_t)(h ^ h >> 32);
}

tc_name *tc_names_find(const tc_names *names, const char *text, size_t len) {
  if (names->bucket_count == 0)
    return NULL;
  tc_name *at = names->buckets[hash(text, len) & (names->bucket_count - 1)];
  while (at != NULL && (at->len != len || memcmp(at->text, text, len) != 0))
    at = at->next;
  return at;
}

/* Twice the buckets; within each the newest stays first. */
static bool grow(tc_names *names) {
  size_t count = names->bucket_count == 0 ? 64 : names->bucket_count * 2;
  tc_name **buckets = tc_alloc_array(names->arena, count, sizeof(tc_name *));
  tc_name *oldest_first = NULL;
  if (buckets == NULL)
    return false;
  for (tc_name *at = names->newest; at != NULL; at = at->older) {
    at->next = oldest_first;
    oldest_first = at;
  }
  for (tc_name *at = oldest_first, *after; at != NULL; at = after) {
    tc_name **bucket = &buckets[hash(at->text, at->len) & (count - 1)];
    after = at->next;
    at->next = *bucket;
    *bucket = at;
  }
  names->buckets = buckets;
  names->bucket_count = count;
  return true;
}

bool tc_names_add(tc_names *names, const char *text, size_t len, void *value) {
  if (names->count >= names->bucket_count && !grow(names))
    return false;
  tc_name *made = tc_alloc(names->arena, sizeof *made);
  if (made == NULL)
    return false;
  tc_name **bucket = &names->buckets[hash(text, len) & (names->bucket_count - 1)];
  *made = (tc_name){text, len, value, names->count, *bucket, names->newest};
  *bucket = made;
  names->newest = made;
  names->count++;
  return true;
}

void tc_names_cut(tc_names *names, size_t count) {
  while (names->count > count) {
    tc_name *last = names->newest;
    names->buckets[hash(last->text, last->len) & (names->bucket_count - 1)] = last->next;
    names->newest = last->older;
    names->count--;
  }
}
