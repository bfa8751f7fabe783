/* fs_hold.c: locks of open files, which forked children share. */
#define _DEFAULT_SOURCE /* flock() */
#include "base/err.h"
#include "base/fs_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static int open_hold(const char *path, unsigned flags) {
  static const int usual = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  int fd;
  if ((flags & SPEC_HOLD_CREATE) != 0)
    SPEC_SYS(fd, open(path, O_RDWR | O_CREAT | usual, 0666));
  else
    SPEC_SYS(fd, open(path, O_RDONLY | usual));
  return fd;
}

static bool is_without_locks(int number) {
  return number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP || number == EBADF;
}

int spec_fs_hold(int *hold, const char *path, unsigned flags, spec_err *err) {
  bool alone = (flags & SPEC_HOLD_ALONE) != 0;
  int how = (alone ? LOCK_EX : LOCK_SH) | ((flags & SPEC_HOLD_WAIT) != 0 ? 0 : LOCK_NB);
  for (;;) {
    int fd = open_hold(path, flags);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
      return spec_sys_fail(err, SPEC_ENOTFOUND, "lock", path);
    if (fd < 0)
      return spec_sys_fail(err, SPEC_EIO, "lock", path);
    int rc;
    SPEC_SYS(rc, flock(fd, how));
    bool held = rc == 0 || (!alone && is_without_locks(errno));
    if (held && spec_sys_is_named(fd, path)) {
      *hold = fd;
      return SPEC_OK;
    }
    int number = errno;
    (void)close(fd);
    errno = number;
    if (!held)
      return errno == EWOULDBLOCK ? SPEC_EBUSY : spec_sys_fail(err, SPEC_EIO, "lock", path);
  }
}
