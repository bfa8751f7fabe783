/* blob_id.h: git's name for the bytes of a file, without git. */
#ifndef SPEC_CORE_BLOB_ID_H
#define SPEC_CORE_BLOB_ID_H

#include "base/arena.h"

/* Digits of an id, and a NUL. */
enum { SPEC_BLOB_ID_SIZE = 41 };

/* The id that `git hash-object --no-filters` prints: 40 lower-case hexadecimal digits. */
void spec_blob_id(char out[static SPEC_BLOB_ID_SIZE], const void *data, size_t len);
/* That of a regular file's bytes as they lie there (links followed, line ends untouched). Errors as
 * of spec_fs_read(); its bytes stay in the arena. */
int spec_blob_id_of_file(spec_arena *arena, char out[static SPEC_BLOB_ID_SIZE], const char *path,
                         spec_err *err);
/* Whether a text of that length is such an id. */
bool spec_blob_id_is_valid(const char *text, size_t len);

#endif
