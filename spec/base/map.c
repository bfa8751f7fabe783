/* map.c: uthash with the engine's allocator; entries and keys lie in the arena. */
#include "base/map.h"

#include "base/err.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HASH_NONFATAL_OOM           1
#define uthash_malloc(size)         spec_malloc(size)
#define uthash_free(pointer, size)  spec_free(pointer)
#define uthash_nonfatal_oom(entry)  ((entry)->lost = true)
#define HASH_FUNCTION(key, len, to) ((to) = (unsigned)XXH3_64bits(key, len))
#include <uthash.h>

/* Instead of 10: most lookups here find nothing, and so walk a whole chain. */
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 6U

typedef struct map_entry {
  const char *key;
  void *value;
  bool lost; /* memory ran out while it was added */
  UT_hash_handle hh;
} map_entry;

struct spec_map {
  map_entry *head;
  spec_arena *arena;
};

int spec_map_new(spec_map **out, spec_arena *arena, spec_err *err) {
  spec_map *map = spec_malloc(sizeof *map);
  if (map == NULL)
    return spec_fail_memory(err);
  *map = (spec_map){.arena = arena};
  *out = map;
  return SPEC_OK;
}

void spec_map_free(spec_map *map) {
  if (map == NULL)
    return;
  HASH_CLEAR(hh, map->head);
  spec_free(map);
}

static map_entry *find(const spec_map *map, const char *key, size_t len) {
  map_entry *found = NULL;
  HASH_FIND(hh, map->head, key, len, found);
  return found;
}

/* The key's entry, made when new; NULL when memory is out. */
static map_entry *find_or_add(spec_map *map, const char *key, size_t len) {
  map_entry *entry = find(map, key, len);
  if (entry != NULL)
    return entry;
  entry = spec_arena_alloc(map->arena, sizeof *entry);
  char *copy = entry != NULL ? spec_arena_strndup(map->arena, key, len) : NULL;
  if (copy == NULL)
    return NULL;
  entry->key = copy;
  HASH_ADD_KEYPTR(hh, map->head, copy, len, entry);
  return entry->lost ? NULL : entry;
}

int spec_map_set(spec_map *map, const char *key, void *value, spec_err *err) {
  map_entry *entry = find_or_add(map, key, strlen(key));
  if (entry == NULL)
    return spec_fail_memory(err);
  entry->value = value;
  return SPEC_OK;
}

void *spec_map_get_n(const spec_map *map, const char *key, size_t len, bool *found) {
  const map_entry *entry = find(map, key, len);
  if (found != NULL)
    *found = entry != NULL;
  return entry != NULL ? entry->value : NULL;
}

void *spec_map_get(const spec_map *map, const char *key, bool *found) {
  return spec_map_get_n(map, key, strlen(key), found);
}

size_t spec_map_count(const spec_map *map) {
  return HASH_COUNT(map->head);
}

const char *spec_map_intern(spec_map *map, const char *key, size_t len) {
  const map_entry *entry = find_or_add(map, key, len);
  return entry != NULL ? entry->key : NULL;
}

int spec_map_each(const spec_map *map, int (*fn)(void *user, const char *key, void *value),
                  void *user) {
  for (const map_entry *entry = map->head; entry != NULL; entry = entry->hh.next) {
    int result = fn(user, entry->key, entry->value);
    if (result != 0)
      return result;
  }
  return 0;
}
