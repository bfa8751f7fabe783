/* blob_id.c */
#include "core/blob_id.h"

#include "base/fs.h"
#include "base/sha1.h"
#include <stdio.h>
#include <string.h>

void spec_blob_id(char out[static SPEC_BLOB_ID_SIZE], const void *data, size_t len) {
  char head[32];
  int head_len = snprintf(head, sizeof head, "blob %zu", len);
  spec_sha1_hex(out, head, (size_t)head_len + 1, data, len); /* the NUL belongs to it */
}

int spec_blob_id_of_file(spec_arena *arena, char out[static SPEC_BLOB_ID_SIZE], const char *path,
                         spec_err *err) {
  const char *data;
  size_t len;
  int rc = spec_fs_read(arena, &data, &len, path, err);
  if (rc == 0)
    spec_blob_id(out, data, len);
  return rc;
}

bool spec_blob_id_is_valid(const char *text, size_t len) {
  return len == SPEC_BLOB_ID_SIZE - 1 && strspn(text, "0123456789abcdef") >= len;
}
