/* digest.c: XXH3 with 128 bits. */
#include "base/digest.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct spec_digest {
  XXH3_state_t state;
};

spec_digest *spec_digest_new(spec_arena *arena) {
  /* The state's vectors want 64 bytes, more than the arena aligns to. */
  const size_t align = alignof(XXH3_state_t);
  char *room = spec_arena_alloc(arena, sizeof(spec_digest) + align - 1);
  if (room == NULL)
    return NULL;
  spec_digest *digest = (void *)(room + (0 - (uintptr_t)room) % align);
  (void)XXH3_128bits_reset(&digest->state);
  return digest;
}

void spec_digest_add(spec_digest *digest, const char *data, size_t len) {
  /* Bytes in a fixed order: digests are compared across machines. */
  unsigned char prefix[8];
  for (size_t i = 0; i < sizeof prefix; i++)
    prefix[i] = (unsigned char)((uint64_t)len >> (8 * i));
  (void)XXH3_128bits_update(&digest->state, prefix, sizeof prefix);
  (void)XXH3_128bits_update(&digest->state, data, len);
}

void spec_digest_str(spec_digest *digest, const char *text) {
  spec_digest_add(digest, text, strlen(text));
}

void spec_digest_hex(const spec_digest *digest, char out[33]) {
  XXH128_hash_t hash = XXH3_128bits_digest(&digest->state);
  (void)snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
}

uint64_t spec_digest_64(const char *data, size_t len, uint64_t seed) {
  uint64_t hash = XXH3_64bits_withSeed(data, len, seed);
  return hash != 0 ? hash : 1;
}
