/* fs_stream.c */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/fs_stream.h"

#include "base/err.h"
#include "base/fs_sys.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void close_quietly(int fd) {
  int number = errno;
  (void)close(fd);
  errno = number;
}

/* --- reading ------------------------------------------------------------------------------- */

int spec_fs_open(spec_fs_input *out, const char *path, spec_err *err) {
  int fd;
  SPEC_SYS(fd, open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (fd < 0)
    return errno == ENXIO ? spec_sys_fail_irregular(err, path)
                          : spec_sys_fail(err, SPEC_EIO, "read", path);
  struct stat st;
  int rc;
  SPEC_SYS(rc, fstat(fd, &st));
  if (rc == 0 && S_ISREG(st.st_mode)) {
    *out = (spec_fs_input){fd, (uint64_t)st.st_size, path};
    return SPEC_OK;
  }
  rc = rc < 0 ? spec_sys_fail(err, SPEC_EIO, "read", path) : spec_sys_fail_irregular(err, path);
  close_quietly(fd);
  return rc;
}

/* As spec_fs_read_at(), of a descriptor; -1 on error. */
static int read_piece(int fd, size_t *got, char *data, size_t len, uint64_t offset) {
  size_t done = 0;
  while (done < len) {
    ssize_t n;
    SPEC_SYS(n, pread(fd, data + done, len - done, (off_t)(offset + done)));
    if (n < 0)
      return -1;
    if (n == 0)
      break;
    done += (size_t)n;
  }
  *got = done;
  return 0;
}

int spec_fs_read_at(const spec_fs_input *input, size_t *got, void *data, size_t len,
                    uint64_t offset, spec_err *err) {
  if (read_piece(input->fd, got, data, len, offset) < 0)
    return spec_sys_fail(err, SPEC_EIO, "read", input->path);
  return SPEC_OK;
}

void spec_fs_close(spec_fs_input *input) {
  close_quietly(input->fd);
  input->fd = -1;
}

/* --- drafts -------------------------------------------------------------------------------- */

/* The name of an open file, by which a nameless one can be linked. */
static void name_of(char out[static 32], int fd) {
  (void)snprintf(out, 32, "/proc/self/fd/%d", fd);
}

/* A new file without a name in that folder, or -1; errno is EOPNOTSUPP where there is no such
 * thing. */
static int open_nameless(const char *folder) {
#ifdef O_TMPFILE
  int fd, rc;
  SPEC_SYS(fd, open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (fd < 0) { /* older systems and some file systems take it for something else */
    if (errno == EISDIR || errno == EINVAL)
      errno = EOPNOTSUPP;
    return -1;
  }
  char name[32];
  struct stat st;
  name_of(name, fd);
  SPEC_SYS(rc, stat(name, &st));
  if (rc == 0)
    return fd;
  close_quietly(fd);
  if (errno == ENOENT) /* without /proc it could never get a name */
    errno = EOPNOTSUPP;
#else
  (void)folder;
  errno = EOPNOTSUPP;
#endif
  return -1;
}

/* A new file under a temporary name, or -1. */
static int open_named(char name[static SPEC_SYS_PATH_MAX], const char *path) {
  int fd;
  do {
    if (spec_sys_temporary(name, path) < 0)
      return -1;
    SPEC_SYS(fd, open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  } while (fd < 0 && errno == EEXIST); /* left by a process that was killed */
  return fd;
}

int spec_fs_draft_new(spec_fs_draft *out, spec_arena *arena, const char *path, spec_err *err) {
  char name[SPEC_SYS_PATH_MAX];
  const char *folder = spec_path_dirname(arena, path), *temporary = NULL;
  if (folder == NULL)
    return spec_fail_memory(err);
  int fd = open_nameless(*folder == '\0' ? "." : folder);
  if (fd < 0 && errno == EOPNOTSUPP) {
    fd = open_named(name, path);
    if (fd >= 0 && (temporary = spec_arena_strdup(arena, name)) == NULL) {
      close_quietly(fd);
      spec_sys_discard(name);
      return spec_fail_memory(err);
    }
  }
  if (fd < 0)
    return spec_sys_fail(err, SPEC_EIO, "write", path);
  *out = (spec_fs_draft){fd, path, temporary, arena};
  return SPEC_OK;
}

int spec_fs_draft_write(const spec_fs_draft *draft, const void *data, size_t len, uint64_t offset,
                        spec_err *err) {
  const char *bytes = data;
  while (len > 0) {
    ssize_t n;
    SPEC_SYS(n, pwrite(draft->fd, bytes, len, (off_t)offset));
    if (n < 0)
      return spec_sys_fail(err, SPEC_EIO, "write", draft->path);
    bytes += n;
    offset += (uint64_t)n;
    len -= (size_t)n;
  }
  return SPEC_OK;
}

/* Whether two open files hold the same bytes. What cannot be read differs. */
static bool same_bytes(spec_arena *arena, int a, int b) {
  enum { PIECE = 256 * 1024 };
  char *left = spec_arena_alloc(arena, PIECE), *right = spec_arena_alloc(arena, PIECE);
  uint64_t offset = 0;
  size_t got = 0, other = 0;
  if (left == NULL || right == NULL)
    return false;
  do {
    if (read_piece(a, &got, left, PIECE, offset) < 0 ||
        read_piece(b, &other, right, PIECE, offset) < 0 || got != other ||
        memcmp(left, right, got) != 0)
      return false;
    offset += got;
  } while (got > 0);
  return true;
}

/* Whether what has the draft's name is a regular file, not a link, of mode 0644 with its bytes. */
static bool is_there_already(const spec_fs_draft *draft) {
  int fd, rc, own;
  SPEC_SYS(fd, open(draft->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (fd < 0)
    return false;
  struct stat there, here;
  SPEC_SYS(rc, fstat(fd, &there));
  SPEC_SYS(own, fstat(draft->fd, &here));
  bool same = rc == 0 && own == 0 && S_ISREG(there.st_mode) && (there.st_mode & 0777) == 0644 &&
              there.st_size == here.st_size && same_bytes(draft->arena, draft->fd, fd);
  close_quietly(fd);
  return same;
}

/* Puts a nameless draft in the place of what has its name; -1 on error. */
static int link_draft(const spec_fs_draft *draft) {
  char own[32], name[SPEC_SYS_PATH_MAX];
  int rc;
  name_of(own, draft->fd);
  SPEC_SYS(rc, linkat(AT_FDCWD, own, AT_FDCWD, draft->path, AT_SYMLINK_FOLLOW));
  if (rc == 0 || errno != EEXIST)
    return rc;
  do { /* linkat() replaces nothing, rename() does */
    if (spec_sys_temporary(name, draft->path) < 0)
      return -1;
    SPEC_SYS(rc, linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW));
  } while (rc < 0 && errno == EEXIST);
  return rc < 0 ? -1 : spec_sys_publish(name, draft->path);
}

/* The same for any draft. */
static int replace(spec_fs_draft *draft) {
  int rc;
  SPEC_SYS(rc, fchmod(draft->fd, 0644));
  if (rc == 0 && draft->temporary == NULL)
    return link_draft(draft);
  if (rc == 0) { /* the last moment at which a remote file system tells that its disk is full */
    rc = close(draft->fd);
    draft->fd = -1;
    if (spec_sys_must_fail())
      rc = -1;
  }
  if (rc == 0)
    rc = spec_sys_rename(draft->temporary, draft->path);
  if (rc == 0)
    draft->temporary = NULL; /* it has gone into the place */
  return rc;
}

int spec_fs_draft_publish(spec_fs_draft *draft, bool *changed, spec_err *err) {
  bool same = is_there_already(draft);
  int rc = SPEC_OK;
  if (!same && replace(draft) < 0)
    rc = spec_sys_fail(err, SPEC_EIO, "write", draft->path);
  spec_fs_draft_discard(draft);
  if (rc == SPEC_OK && changed != NULL)
    *changed = !same;
  return rc;
}

void spec_fs_draft_discard(spec_fs_draft *draft) {
  if (draft->fd >= 0)
    close_quietly(draft->fd);
  if (draft->temporary != NULL)
    spec_sys_discard(draft->temporary);
  draft->fd = -1;
  draft->temporary = NULL;
}
