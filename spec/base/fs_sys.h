/* fs_sys.h: between the files that implement fs.h. fs.c and fs_lock.c make the system calls; each
 * is counted for spec_fs_fail_at() and made again when a signal interrupts it. -1 means that errno
 * tells. */
#ifndef SPEC_BASE_FS_SYS_H
#define SPEC_BASE_FS_SYS_H

#include "base/looks.h"

#include <sys/stat.h>

/* Bytes of the longest path, its NUL included. */
#define SPEC_SYS_PATH_MAX 4096

/* To be asked before each system call: whether spec_fs_fail_at() wants it to fail; sets errno
 * then. */
bool spec_sys_must_fail(void);

/* result = call, which gives -1 on failure; made again when a signal interrupts it. */
#define SPEC_SYS(result, call)                     \
  do                                               \
    (result) = spec_sys_must_fail() ? -1 : (call); \
  while ((result) == -1 && errno == EINTR)

int spec_sys_mkdir(const char *path);
int spec_sys_symlink(const char *target, const char *path);
int spec_sys_rename(const char *from, const char *to);
/* Removes what a failed call left behind: neither counted nor failing, and errno stays. */
void spec_sys_discard(const char *path);
/* Makes and fills a file of exactly that mode; EEXIST when path is taken. On failure no file is
 * left. */
int spec_sys_create(const char *path, const char *data, size_t len, unsigned mode);
/* Length of the link's text, which has no NUL and is cut at SPEC_SYS_PATH_MAX. */
long spec_sys_readlink(char out[static SPEC_SYS_PATH_MAX], const char *path);
long spec_sys_pid(void);

/* fs_lock.c.  Whether path still names the open file: somebody may have removed it while this
 * process waited, and a lock on a file without a name keeps nobody out. */
bool spec_sys_is_named(int fd, const char *path);

/* fs_write.c.  A new name beside path: .<name>.<process>.<number>.tmp; -1 when it gets too long. */
int spec_sys_temporary(char out[static SPEC_SYS_PATH_MAX], const char *path);
/* Puts a temporary file or link in path's place, or removes it. */
int spec_sys_publish(const char *temporary, const char *path);

/* All zero when nothing is there. */
int spec_sys_look(struct stat *out, const char *path, bool follow, spec_err *err);

/* fs_look.c: the looks that a thread asked to be kept, spec_fs_trace(). */
spec_ftype spec_sys_type(unsigned mode);
/* Returns the type. */
spec_ftype spec_sys_note(spec_look_kind kind, const char *path, const struct stat *st,
                         uint64_t digest);
void spec_sys_note_text(spec_look_kind kind, const char *path, const char *text, size_t len);
void spec_sys_note_bytes(const char *path, const struct stat *st, const char *data, size_t len);
void spec_sys_note_list(const char *path, const struct stat *st, const spec_dirent *entries,
                        size_t count);

/* "cannot <verb> '<path>': <text of errno>", with place and mend; returns code, or SPEC_ENOMEM if
 * errno is ENOMEM. */
int spec_sys_fail(spec_err *err, int code, const char *verb, const char *path);
/* "cannot read '<path>': it is not a regular file"; SPEC_EIO. */
int spec_sys_fail_irregular(spec_err *err, const char *path);

/* Bytes of a regular file; anything else is refused. */
int spec_sys_size(size_t *out, const char *path, spec_err *err);
/* As spec_fs_read(), and what the system says of the open file. */
int spec_sys_load(spec_arena *arena, const char **data, size_t *len, struct stat *st,
                  const char *path, spec_err *err);
static inline unsigned spec_sys_mode(const struct stat *st) {
  return st->st_mode & 0777;
}
/* Whether path is a regular file, not a link, of exactly that mode and content. What cannot be
 * read does not hold it. */
bool spec_sys_holds(const char *path, const char *data, size_t len, unsigned mode);

#endif
