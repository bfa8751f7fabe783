/* sha1.c */
#include "base/sha1.h"

#include <nettle/base16.h>
#include <nettle/sha1.h>

void spec_sha1_hex(char out[static 41], const char *head, size_t head_len, const void *data,
                   size_t len) {
  struct sha1_ctx sha;
  unsigned char digest[SHA1_DIGEST_SIZE];
  sha1_init(&sha);
  sha1_update(&sha, head_len, (const unsigned char *)head);
  sha1_update(&sha, len, data);
  sha1_digest(&sha, sizeof digest, digest);
  base16_encode_update(out, sizeof digest, digest);
  out[40] = '\0';
}
