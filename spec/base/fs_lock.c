/* fs_lock.c: locks of the system, which no crash leaves behind. */
#define _POSIX_C_SOURCE 200809L
#include "base/err.h"
#include "base/fs_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Opens the file, made if need be; type becomes that of the strongest lock it can have. -1 on
 * error. */
static int open_lock(const char *path, short *type) {
  static const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  int fd;
  *type = F_WRLCK;
  SPEC_SYS(fd, open(path, O_RDWR | O_CREAT | flags, 0666));
  if (fd >= 0 || (errno != EACCES && errno != EROFS))
    return fd;
  int number = errno;
  *type = F_RDLCK;
  SPEC_SYS(fd, open(path, O_RDONLY | flags));
  errno = number;
  return fd;
}

/* fcntl() with a lock on the whole file. */
static int lock_file(int fd, int command, struct flock *lock, short type) {
  *lock = (struct flock){.l_type = type, .l_whence = SEEK_SET};
  int rc;
  SPEC_SYS(rc, fcntl(fd, command, lock));
  return rc;
}

bool spec_sys_is_named(int fd, const char *path) {
  struct stat open_file, named;
  int rc;
  SPEC_SYS(rc, fstat(fd, &open_file));
  if (rc == 0)
    SPEC_SYS(rc, lstat(path, &named));
  return rc == 0 && open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* The process's command line, where the system has a file of it. */
static void read_command(spec_fs_holder *holder) {
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/%ld/cmdline", holder->pid);
  int fd;
  SPEC_SYS(fd, open(path, O_RDONLY | O_CLOEXEC));
  if (fd < 0)
    return;
  ssize_t len;
  SPEC_SYS(len, read(fd, holder->command, sizeof holder->command - 1));
  (void)close(fd);
  if (len < 0)
    len = 0;
  while (len > 0 && holder->command[len - 1] == '\0')
    len--;
  holder->command[len] = '\0';
  for (ssize_t i = 0; i < len; i++) /* a NUL parts the words */
    if ((unsigned char)holder->command[i] < ' ' || holder->command[i] == 0x7f)
      holder->command[i] = ' ';
}

static void find_holder(spec_fs_holder *holder, int fd, short type) {
  struct flock lock;
  *holder = (spec_fs_holder){0};
  if (lock_file(fd, F_GETLK, &lock, type) < 0 || lock.l_type == F_UNLCK || lock.l_pid <= 0)
    return;
  holder->pid = lock.l_pid;
  read_command(holder);
}

static void close_lock(int fd) {
  int number = errno;
  (void)close(fd);
  errno = number;
}

int spec_fs_try_lock(int *lock, spec_fs_holder *holder, const char *path, spec_err *err) {
  for (;;) {
    short type;
    int fd = open_lock(path, &type);
    if (fd < 0 && errno == EROFS) { /* nobody can write what it guards */
      *lock = -1;
      return SPEC_OK;
    }
    if (fd < 0)
      return spec_sys_fail(err, SPEC_EIO, "lock", path);
    struct flock range;
    int rc = lock_file(fd, F_SETLK, &range, type);
    bool busy = rc < 0 && (errno == EAGAIN || errno == EACCES);
    if (busy)
      find_holder(holder, fd, type);
    if (rc == 0 && spec_sys_is_named(fd, path)) {
      *lock = fd;
      return SPEC_OK;
    }
    close_lock(fd);
    if (busy)
      return SPEC_EBUSY;
    if (rc < 0)
      return spec_sys_fail(err, SPEC_EIO, "lock", path);
  }
}

void spec_fs_unlock(int lock) {
  if (lock >= 0)
    close_lock(lock);
}

long spec_fs_clock(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void spec_fs_sleep(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  (void)nanosleep(&time, NULL);
}
