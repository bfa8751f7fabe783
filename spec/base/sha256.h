/* sha256.h: SHA-256 as wheels and their tools write it (nettle inside). For comparing what this
 * project wrote itself, digest.h is faster. */
#ifndef SPEC_BASE_SHA256_H
#define SPEC_BASE_SHA256_H

#include <stddef.h>

/* The digest in the URL-safe alphabet of base64 (RFC 4648), without padding: 43 digits and a NUL.
 */
void spec_sha256_urlsafe(char out[static 44], const void *data, size_t len);

#endif
