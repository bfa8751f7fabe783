/* fs.h: the only file of the engine that makes system calls. */
#ifndef SPEC_BASE_FS_H
#define SPEC_BASE_FS_H

#include "base/arena.h"
#include <stdint.h>

struct spec_look; /* looks.h */
struct spec_looks;

typedef enum spec_ftype {
  SPEC_FT_NONE, /* nothing there */
  SPEC_FT_FILE,
  SPEC_FT_DIR,
  SPEC_FT_LINK, /* only when links are not followed */
  SPEC_FT_OTHER /* fifo, socket, device */
} spec_ftype;

typedef struct spec_dirent {
  const char *name;
  spec_ftype type; /* links not followed */
} spec_dirent;

/* Type of path, links followed (a dangling link or a loop is SPEC_FT_NONE) or not. */
int spec_fs_type(spec_ftype *out, const char *path, spec_err *err);
int spec_fs_link_type(spec_ftype *out, const char *path, spec_err *err);
/* Entries of a folder without "." and "..", sorted bytewise.  SPEC_EIO when it
 * cannot be read. */
int spec_fs_list(spec_arena *arena, spec_dirent **out, size_t *count, const char *path,
                 spec_err *err);
/* The whole file and a NUL behind it.  Anything but a regular file is refused
 * without blocking on it. */
int spec_fs_read(spec_arena *arena, const char **data, size_t *len, const char *path,
                 spec_err *err);
/* A regular file: its bytes, and what a copy of it has in common with it. */
typedef struct spec_fs_file {
  const char *data; /* a NUL behind them */
  size_t len;
  bool executable;
  int64_t modified; /* nanoseconds since 1970 */
} spec_fs_file;
int spec_fs_load(spec_arena *arena, spec_fs_file *out, const char *path, spec_err *err);
/* Makes a new file, not atomically: for a folder that nobody else sees yet. SPEC_EIO when the name
 * is taken. */
int spec_fs_create(const char *path, const spec_fs_file *file, spec_err *err);

/* Gives a file a second name. SPEC_EBUSY, err untouched: it cannot have one more, there or at all.
 */
int spec_fs_link(const char *from, const char *to, spec_err *err);

/* Makes a new, empty folder beside `path`, under a name that begins with '.' and ends with ".tmp".
 */
int spec_fs_temporary_folder(spec_arena *arena, const char **out, const char *path, spec_err *err);
/* Gives a folder another name on the same file system, at once. *taken: something else, and no
 * empty folder, has that name already; nothing is changed then. */
int spec_fs_rename_folder(const char *from, const char *to, bool *taken, spec_err *err);
/* Sets a file's date to now. */
int spec_fs_touch(const char *path, spec_err *err);

/* Whether two regular files hold the same bytes (sizes are compared first). */
int spec_fs_same(bool *out, const char *a, const char *b, spec_err *err);
/* Absolute path without links; SPEC_ENOTFOUND when a part is missing or links form a loop. */
int spec_fs_real(spec_arena *arena, const char **out, const char *path, spec_err *err);
/* The current folder, absolute (PWD when it names the same folder, so that a
 * user's own spelling through links survives). */
int spec_fs_cwd(spec_arena *arena, const char **out, spec_err *err);
/* Target text of a symbolic link. */
int spec_fs_readlink(spec_arena *arena, const char **out, const char *path, spec_err *err);

/* Makes the folder and its parents. */
int spec_fs_mkdirs(const char *path, spec_err *err);
/* Writes the file atomically (temporary name beside it, fsync not needed, rename) unless
 * it already holds exactly these bytes; *changed (may be NULL) tells. Mode 0644, or 0755 when
 * executable, whatever the umask.  A link is replaced, never written through. */
int spec_fs_write(const char *path, const char *data, size_t len, bool executable, bool *changed,
                  spec_err *err);
/* Makes path a symbolic link to target, atomically, unless it already is. */
int spec_fs_symlink(const char *target, const char *path, bool *changed, spec_err *err);
/* Copies a regular file's bytes and mode, atomically, unless equal already. */
int spec_fs_copy(const char *from, const char *to, bool *changed, spec_err *err);
/* The same by sharing the file's blocks, so that it costs no space until one of the two changes.
 * SPEC_EIO where the file system cannot do that, or the two lie on different ones. */
int spec_fs_clone(const char *from, const char *to, bool *changed, spec_err *err);
/* Removes a file or link; no error when it is absent. */
int spec_fs_remove(const char *path, spec_err *err);
/* Removes a folder and all below it, never following links (path itself may be one); no error
 * when absent. */
int spec_fs_remove_tree(const char *path, spec_err *err);
/* Removes an empty folder; no error when absent or not empty. */
int spec_fs_remove_dir(const char *path, spec_err *err);

/* Who has a lock. */
typedef struct spec_fs_holder {
  long pid;          /* 0: the system does not tell, as of another machine or container */
  char command[256]; /* its command line, cut, without control characters; "" when not known */
} spec_fs_holder;

/* Takes the lock on a file for this process, without waiting. The file is made if need be and never
 * written. It is the lock of CMake's file(LOCK): the system gives it back when the process ends,
 * however it ends. It does not keep other threads of this process out. Who may only read takes a
 * lock that keeps out none but writers.
 * *lock is for spec_fs_unlock(). SPEC_EBUSY: another process has it, *holder says which, and err is
 * untouched; SPEC_EIO: the system refused. */
int spec_fs_try_lock(int *lock, spec_fs_holder *holder, const char *path, spec_err *err);
void spec_fs_unlock(int lock);
/* How spec_fs_hold() locks; without flags: for reading, without waiting, what must be there. */
enum { SPEC_HOLD_ALONE = 1, SPEC_HOLD_WAIT = 2, SPEC_HOLD_CREATE = 4 };

/* Takes hold of a file: shared with other holders, or alone. Children that a process forks hold it
 * too; it is given back when the last of them ends, or has called spec_fs_unlock(). Where the file
 * system has no such locks a shared hold is had without one.
 * SPEC_ENOTFOUND: nothing is there; SPEC_EBUSY: others hold it, err is untouched; SPEC_EIO. */
int spec_fs_hold(int *hold, const char *path, unsigned flags, spec_err *err);

/* Milliseconds since some moment, by a clock that nobody sets. */
long spec_fs_clock(void);
/* Sleeps so many milliseconds, or less when a signal comes. */
void spec_fs_sleep(long milliseconds);

/* Nanoseconds since 1970. */
int64_t spec_fs_now(void);

/* From now on this thread's looks are added to `looks` (NULL: to none); returns what they were
 * added to before.  Looks at what a run itself writes count as well: who keeps the list leaves
 * those out. */
struct spec_looks *spec_fs_trace(struct spec_looks *looks);
/* What a look of `kind` (spec_look_kind) at path would see now, but for the digest, which needs the
 * bytes: a single system call. */
int spec_fs_glance(struct spec_look *out, int kind, const char *path, spec_err *err);
/* What it would see, with the digest. SPEC_EIO for an INSIDE look at what is neither file nor
 * folder. */
int spec_fs_look(struct spec_look *out, int kind, const char *path, spec_err *err);
/* What a look sees now that saw `then` before `time` (spec_looks_time()); *touched: the bytes
 * had to be read for it.  What cannot be looked at counts as changed; only SPEC_ENOMEM fails. */
int spec_fs_look_again(struct spec_look *now, bool *touched, int kind, const char *path,
                       const struct spec_look *then, int64_t time, spec_err *err);

/* Test hook: the n-th system call that this file makes from now fails with
 * errno_value, once (0 switches it off); returns the calls made since the last call. */
size_t spec_fs_fail_at(size_t n, int errno_value);

#endif
