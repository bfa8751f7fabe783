/* Preloaded into a program: kills it (SIGKILL) at the KILL_AT-th moment at which it is about to change
 * something in the file system, or has written half of what it writes; or before it gives a file the
 * name KILL_BEFORE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the moment has come. */
static int is_due(void) {
  static long left = -1;
  if (left < 0) {
    const char *text = getenv("KILL_AT");
    left = text != NULL ? strtol(text, NULL, 10) : 0;
  }
  return left > 0 && --left == 0;
}

static void moment(void) {
  if (is_due())
    raise(SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t len) {
  moment();
  if (is_due()) {
    if (NEXT(write)(fd, data, len / 2) >= 0)
      raise(SIGKILL);
  }
  return NEXT(write)(fd, data, len);
}

ssize_t pwrite(int fd, const void *data, size_t len, off_t offset) {
  moment();
  if (is_due()) {
    if (NEXT(pwrite)(fd, data, len / 2, offset) >= 0)
      raise(SIGKILL);
  }
  return NEXT(pwrite)(fd, data, len, offset);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  int makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = makes ? va_arg(args, mode_t) : 0;
  va_end(args);
  if (makes)
    moment();
  return NEXT(open)(path, flags, mode);
}

int fchmod(int fd, mode_t mode) {
  moment();
  return NEXT(fchmod)(fd, mode);
}

int rename(const char *from, const char *to) {
  const char *name = getenv("KILL_BEFORE");
  if (name != NULL && strcmp(name, to) == 0)
    raise(SIGKILL);
  moment();
  return NEXT(rename)(from, to);
}

int linkat(int from_parent, const char *from, int parent, const char *name, int flags) {
  moment();
  return NEXT(linkat)(from_parent, from, parent, name, flags);
}

int symlink(const char *target, const char *path) {
  moment();
  return NEXT(symlink)(target, path);
}

int unlink(const char *path) {
  moment();
  return NEXT(unlink)(path);
}

int unlinkat(int parent, const char *name, int flags) {
  moment();
  return NEXT(unlinkat)(parent, name, flags);
}

int mkdir(const char *path, mode_t mode) {
  moment();
  return NEXT(mkdir)(path, mode);
}

int rmdir(const char *path) {
  moment();
  return NEXT(rmdir)(path);
}
