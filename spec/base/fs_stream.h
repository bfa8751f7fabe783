/* fs_stream.h: files that are too large for memory: read piece by piece, and written as a draft,
 * which gets its name only when it is whole. */
#ifndef SPEC_BASE_FS_STREAM_H
#define SPEC_BASE_FS_STREAM_H

#include "base/fs.h"

/* A regular file, open to be read. */
typedef struct spec_fs_input {
  int fd;
  uint64_t size;    /* bytes, when it was opened */
  const char *path; /* the caller's, which must stay */
} spec_fs_input;

/* Anything but a regular file is refused without blocking on it. */
int spec_fs_open(spec_fs_input *out, const char *path, spec_err *err);
/* Fills data with the bytes at offset; *got is less than len at the end of the file only. */
int spec_fs_read_at(const spec_fs_input *input, size_t *got, void *data, size_t len,
                    uint64_t offset, spec_err *err);
void spec_fs_close(spec_fs_input *input);

/* A file in the making: without a name where the system can do that, so that nothing is left of it
 * however the process ends; else under a temporary name beside its own. */
typedef struct spec_fs_draft {
  int fd;
  const char *path;      /* its name to be; the caller's, which must stay */
  const char *temporary; /* NULL: it has no name */
  spec_arena *arena;
} spec_fs_draft;

/* The folder of path must exist. */
int spec_fs_draft_new(spec_fs_draft *out, spec_arena *arena, const char *path, spec_err *err);
int spec_fs_draft_write(const spec_fs_draft *draft, const void *data, size_t len, uint64_t offset,
                        spec_err *err);
/* Ends the draft: it gets its name, mode 0644, in one step, in place of what has that name; a file
 * that holds the same bytes already is left alone. *changed (may be NULL) tells. On failure what
 * had the name is untouched. */
int spec_fs_draft_publish(spec_fs_draft *draft, bool *changed, spec_err *err);
/* Ends the draft without a trace. */
void spec_fs_draft_discard(spec_fs_draft *draft);

#endif
