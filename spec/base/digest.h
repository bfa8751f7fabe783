/* digest.h: a 128-bit digest of a sequence of strings (xxHash XXH3 inside). */
#ifndef SPEC_BASE_DIGEST_H
#define SPEC_BASE_DIGEST_H

#include "base/arena.h"
#include <stdint.h>

typedef struct spec_digest spec_digest;

/* A running digest; memory from the arena, NULL when it is out. */
spec_digest *spec_digest_new(spec_arena *arena);
/* Feeds the bytes and their length, so that ("ab","c") differs from ("a","bc"). */
void spec_digest_add(spec_digest *digest, const char *data, size_t len);
void spec_digest_str(spec_digest *digest, const char *text);
/* 32 lower-case hexadecimal digits and a NUL. */
void spec_digest_hex(const spec_digest *digest, char out[33]);
/* 64 bits at once, for comparing what one machine saw: never 0.  The seed is 0, or the digest of
 * what came before. */
uint64_t spec_digest_64(const char *data, size_t len, uint64_t seed);

#endif
