/* lock.h: spec.lock, which says against what each override of a backend was made.
 *
 *   # triton-spec lock 1
 *   <trunk path> TAB <blob id, or "-"> TAB <commit, or "-"> [TAB "review"]
 *
 * One line an override, sorted bytewise by trunk path. Trunk paths are those of the source tree,
 * "python/triton/..." for a module, also when the trunk is an installed package. */
#ifndef SPEC_CORE_LOCK_H
#define SPEC_CORE_LOCK_H

#include "base/buf.h"

/* The file's name in the backend's folder. */
#define SPEC_LOCK_FILE "spec.lock"

typedef struct spec_lock_line {
  const char *trunk;  /* path below the trunk */
  const char *blob;   /* 40 hexadecimal digits; "-": the trunk had no such file (an addition) */
  const char *commit; /* 40 hexadecimal digits of the trunk's commit; "-": not known */
  bool review;        /* an upgrade merged it by more than lines, and nobody accepted it yet */
  size_t line;        /* where it stands in the file, from 1; 0: not read from one */
} spec_lock_line;

typedef struct spec_lock {
  spec_arena *arena;     /* of its texts */
  spec_lock_line *lines; /* sorted by trunk path */
  size_t count, cap;
} spec_lock; /* zero-initialise, and set the arena */

/* Reads a text into an empty lock; `file` is for messages. SPEC_EPARSE, with "file:line": another
 * version of the format, a line that is none, a path twice or out of order. Line ends may be
 * CRLF. */
int spec_lock_parse(spec_lock *out, const char *text, size_t len, const char *file, spec_err *err);
/* Reads the lock of a backend's folder; *exists (may be NULL) false: it has none, and the lock is
 * empty. */
int spec_lock_read(spec_lock *out, bool *exists, const char *backend_dir, spec_err *err);

/* The line of a trunk path, or NULL; valid until the lock changes. */
const spec_lock_line *spec_lock_find(const spec_lock *lock, const char *trunk);
/* Adds a line, or puts it in the place of that of the same path; its texts are copied. */
int spec_lock_set(spec_lock *lock, const spec_lock_line *line, spec_err *err);
/* Takes the line of a path out; no error when there is none. */
void spec_lock_drop(spec_lock *lock, const char *trunk);

/* The text of a lock. */
void spec_lock_text(spec_buf *out, const spec_lock *lock);
/* Writes it into a backend's folder, atomically; *changed (may be NULL) false: it held these bytes
 * already. */
int spec_lock_write(const spec_lock *lock, bool *changed, const char *backend_dir, spec_err *err);

#endif
