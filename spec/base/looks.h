/* looks.h: what a run looked at in the file system, and what it saw.
 *
 * All that a plan or a placing depends on, what is absent too, comes through base/fs.h.  Kept
 * with what was seen, the looks tell a later process within milliseconds whether the run would see
 * the same today: a file's date and place on disk are only a short cut, its bytes decide. */
#ifndef SPEC_BASE_LOOKS_H
#define SPEC_BASE_LOOKS_H

#include "base/buf.h"
#include "base/fs.h"
#include <stdint.h>

typedef enum spec_look_kind {
  SPEC_LOOK_TYPE = 't',   /* what is there, links followed */
  SPEC_LOOK_LINK = 'l',   /* what is there, links not followed */
  SPEC_LOOK_SIZE = 's',   /* how long a file is */
  SPEC_LOOK_INSIDE = 'i', /* a file's bytes and whether it is a program, or the names in a folder */
  SPEC_LOOK_REAL = 'r',   /* the path without links */
  SPEC_LOOK_PAST = 'p'    /* a file's bytes as an earlier run saw them; nobody looks again */
} spec_look_kind;

/* What was seen.  Fields that a kind does not see are 0. */
typedef struct spec_look {
  spec_ftype type;
  uint64_t digest; /* of the bytes, the names and their types, or the real path */
  uint64_t device, inode, size;
  int64_t modified, changed; /* nanoseconds since 1970 */
} spec_look;

/* By kind; those of a kind in the order in which they were made. */
typedef struct spec_looks spec_looks;

int spec_looks_new(spec_looks **out, spec_arena *arena, spec_err *err);
void spec_looks_free(spec_looks *looks); /* NULL is allowed */
/* Adds a look unless that kind of look at path is there: what a run saw first is what it went
 * by.  Out of memory shows in spec_looks_failed(). */
void spec_looks_add(spec_looks *looks, spec_look_kind kind, const char *path,
                    const spec_look *look);
bool spec_looks_failed(const spec_looks *looks);
const spec_look *spec_looks_get(const spec_looks *looks, spec_look_kind kind, const char *path);
typedef int spec_looks_fn(void *user, spec_look_kind kind, const char *path, const spec_look *look);
/* Calls fn for each until it returns non-zero; returns that value or 0. */
int spec_looks_each(const spec_looks *looks, spec_looks_fn *fn, void *user);

/* Whether both saw the same, as far as that kind looks. */
bool spec_look_is_same(spec_look_kind kind, const spec_look *a, const spec_look *b);
/* Whether nothing touched the file or folder since; false tells nothing.  A change within two
 * seconds before `time` (the looks' own, same unit) might have been followed by another that file
 * systems with coarse clocks date alike. */
bool spec_look_is_untouched(const spec_look *then, const spec_look *now, int64_t time);

/* One line a look, and back; paths are absolute. */
void spec_looks_write(spec_buf *out, const spec_looks *looks);
int spec_looks_parse(spec_looks *looks, const char *text, size_t len, const char *file,
                     spec_err *err);
/* A path as a part of such a line; back, in place, it is false when the text has another escape. */
void spec_looks_write_path(spec_buf *out, const char *path);
bool spec_looks_read_path(char *text);
/* When looking began, nanoseconds since 1970. */
int64_t spec_looks_time(const spec_looks *looks);
void spec_looks_set_time(spec_looks *looks, int64_t time);

#endif
