/* sha256.c */
#include "base/sha256.h"

#include <string.h>

#include <nettle/base64.h>
#include <nettle/sha2.h>

void spec_sha256_urlsafe(char out[static 44], const void *data, size_t len) {
  struct sha256_ctx sha;
  unsigned char digest[SHA256_DIGEST_SIZE];
  sha256_init(&sha);
  sha256_update(&sha, len, data);
  sha256_digest(&sha, sizeof digest, digest);
  struct base64_encode_ctx base64;
  char text[BASE64_ENCODE_LENGTH(SHA256_DIGEST_SIZE) + BASE64_ENCODE_FINAL_LENGTH];
  base64url_encode_init(&base64);
  size_t done = base64_encode_update(&base64, text, sizeof digest, digest);
  (void)base64_encode_final(&base64, text + done); /* the last digits and '=' */
  memcpy(out, text, 43);
  out[43] = '\0';
}
