/* cache.h: the stages that are in the user's cache. */
#ifndef SPEC_PACKAGE_CACHE_H
#define SPEC_PACKAGE_CACHE_H

#include "package/package.h"

typedef struct spec_cached {
  char key[33];
  const char *backend, *trunk; /* as its manifest has them; "?" when it cannot be read */
  uint64_t bytes;              /* of its own files, without what is behind links */
  int64_t unused;              /* seconds since its last use */
  bool in_use;                 /* a process holds it */
  bool removed;                /* by spec_cache_clear() */
} spec_cached;

/* Whether a name is a stage's. */
bool spec_cache_is_key(const char *name);
/* The stages of a cache, by key; none when there is no cache. */
int spec_cache_list(spec_arena *arena, spec_cached **out, size_t *count, const char *cache,
                    spec_err *err);
/* Removes those of them that nobody holds, and what plans came to. */
int spec_cache_clear(spec_arena *arena, spec_cached *stages, size_t count, const char *cache,
                     spec_err *err);

/* Removes a stage at once, by its name, and then from the disk, unless somebody holds it; whether
 * it is gone. */
bool spec_cache_remove(spec_arena *arena, const char *stage);

#endif
