/* fs_clone.c: copies that share their blocks (FICLONE: btrfs, XFS and others). */
#define _DEFAULT_SOURCE /* POSIX.1-2008 */
#include "base/err.h"
#include "base/fs_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor that is closed on failure paths too; errno stays. */
static void close_quietly(int fd) {
  int number = errno;
  (void)close(fd);
  errno = number;
}

/* Makes `to`, which must be free, a clone of the open file; -1 on error, then nothing is left. */
static int make_clone(int from, unsigned mode, const char *to) {
  if (spec_sys_create(to, "", 0, 0600) < 0)
    return -1;
  int fd = spec_sys_must_fail() ? -1 : open(to, O_WRONLY | O_CLOEXEC);
  int rc = fd < 0 || spec_sys_must_fail() ? -1 : ioctl(fd, FICLONE, from);
  if (rc == 0)
    rc = spec_sys_must_fail() ? -1 : fchmod(fd, mode);
  if (fd >= 0)
    close_quietly(fd);
  if (rc < 0)
    spec_sys_discard(to);
  return rc;
}

static int replace_by_clone(int from, unsigned mode, const char *path) {
  char temporary[SPEC_SYS_PATH_MAX];
  int rc;
  do {
    if (spec_sys_temporary(temporary, path) < 0)
      return -1;
    rc = make_clone(from, mode, temporary);
  } while (rc < 0 && errno == EEXIST);
  return rc < 0 ? -1 : spec_sys_publish(temporary, path);
}

static int clone_file(const char *from, unsigned mode, const char *to, spec_err *err) {
  int fd = spec_sys_must_fail() ? -1 : open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return spec_sys_fail(err, SPEC_EIO, "read", from);
  int rc = replace_by_clone(fd, mode, to);
  close_quietly(fd);
  if (rc == 0)
    return SPEC_OK;
  if (errno != EOPNOTSUPP && errno != EXDEV && errno != EINVAL && errno != ENOTTY)
    return spec_sys_fail(err, SPEC_EIO, "write", to);
  (void)spec_fail(err, SPEC_EIO, "cannot make '%s' share the blocks of '%s': %s", to, from,
                  errno == EXDEV ? "they lie on different disks"
                                 : "this file system cannot do that");
  (void)spec_fail_where(err, "%s", to);
  return spec_fail_mend(err, "make copies or links instead");
}

int spec_fs_clone(const char *from, const char *to, bool *changed, spec_err *err) {
  spec_arena *arena;
  int rc = spec_arena_new(&arena, err);
  if (rc < 0)
    return rc;
  const char *data;
  size_t len;
  struct stat st;
  bool same = false;
  rc = spec_sys_load(arena, &data, &len, &st, from, err);
  if (rc == SPEC_OK) {
    same = spec_sys_holds(to, data, len, spec_sys_mode(&st));
    rc = same ? SPEC_OK : clone_file(from, spec_sys_mode(&st), to, err);
  }
  spec_arena_free(arena);
  if (rc == SPEC_OK && changed != NULL)
    *changed = !same;
  return rc;
}
