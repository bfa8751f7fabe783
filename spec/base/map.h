/* map.h: string -> pointer, in order of insertion (uthash inside). */
#ifndef SPEC_BASE_MAP_H
#define SPEC_BASE_MAP_H

#include "base/arena.h"

typedef struct spec_map spec_map;

/* The map's keys are copied into the arena; the map itself must be freed. */
int spec_map_new(spec_map **out, spec_arena *arena, spec_err *err);
void spec_map_free(spec_map *map); /* NULL is allowed */

/* Sets or replaces; value may be NULL only to mean "known to be absent". */
int spec_map_set(spec_map *map, const char *key, void *value, spec_err *err);
/* The value, or NULL; *found (may be NULL) tells absent from NULL. */
void *spec_map_get(const spec_map *map, const char *key, bool *found);
void *spec_map_get_n(const spec_map *map, const char *key, size_t len, bool *found);
size_t spec_map_count(const spec_map *map);
/* The map's own copy of an interned key, inserting it when new (value NULL);
 * equal keys give equal pointers.  NULL when memory is out. */
const char *spec_map_intern(spec_map *map, const char *key, size_t len);

/* Calls fn for each entry, in order of insertion, until it returns non-zero;
 * returns that value or 0. */
int spec_map_each(const spec_map *map, int (*fn)(void *user, const char *key, void *value),
                  void *user);

#endif
