/* unit.c: scratch folders and a plain way to write and look at files. */
#define _XOPEN_SOURCE 700 /* nftw and POSIX.1-2008 */

#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[PATH_MAX];

int enter_scratch(void **state) {
  (void)state;
  /* In memory if possible: some tests make 100,000 files. */
  const char *base = getenv("TMPDIR");
  if (base == NULL)
    base = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
  char name[PATH_MAX / 2];
  int len = snprintf(name, sizeof name, "%s/spec-unit-XXXXXX", base);
  if (len < 0 || (size_t)len >= sizeof name || mkdtemp(name) == NULL)
    return -1;
  return realpath(name, folder) != NULL ? chdir(folder) : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st;
  (void)type;
  (void)at;
  return remove(path);
}

int leave_scratch(void **state) {
  (void)state;
  /* By way of "." the paths inside may be as long as the system allows. */
  if (chdir(folder) < 0 || nftw(".", remove_one, 64, FTW_DEPTH | FTW_PHYS) > 0)
    return -1;
  return chdir("/") < 0 ? -1 : rmdir(folder);
}

const char *scratch(void) {
  return folder;
}

void put_folder(const char *path) {
  char part[PATH_MAX];
  for (size_t at = 0; at < sizeof part - 1; at++) {
    part[at] = '\0';
    if (at > 0 && (path[at] == '/' || path[at] == '\0'))
      (void)mkdir(part, 0777);
    if (path[at] == '\0')
      break;
    part[at] = path[at];
  }
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  assert_true(S_ISDIR(st.st_mode));
}

void put_bytes(const char *path, const void *data, size_t len) {
  char parent[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path) {
    (void)snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    put_folder(parent);
  }
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0) {
    fail_msg("cannot write '%s'", path);
    return;
  }
  assert_int_equal(write(fd, data, len), len);
  assert_int_equal(fchmod(fd, 0644), 0);
  assert_int_equal(close(fd), 0);
}

void put(const char *path, const char *text) {
  put_bytes(path, text, strlen(text));
}

void put_link(const char *target, const char *path) {
  assert_int_equal(symlink(target, path), 0);
}

bool holds_text(const char *path, const char *text) {
  char found[4096];
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return false;
  struct stat st;
  ssize_t len = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, found, sizeof found) : -1;
  assert_int_equal(close(fd), 0);
  return len >= 0 && (size_t)len == strlen(text) && memcmp(found, text, (size_t)len) == 0;
}

bool is_link_to(const char *path, const char *target) {
  char found[PATH_MAX];
  ssize_t len = readlink(path, found, sizeof found);
  return len >= 0 && (size_t)len == strlen(target) && memcmp(found, target, (size_t)len) == 0;
}

size_t count_entries(const char *path) {
  DIR *dir = opendir(path);
  size_t count = 0;
  if (dir == NULL) {
    fail_msg("cannot list '%s'", path);
    return 0;
  }
  for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      count++;
  assert_int_equal(closedir(dir), 0);
  return count;
}

size_t count_descriptors(void) {
  return access("/proc/self/fd", R_OK) == 0 ? count_entries("/proc/self/fd") : 0;
}

pid_t start_other(bool (*take)(const void *user), const void *user) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    char ok = take(user);
    if (write(ends[1], &ok, 1) == 1)
      for (;;)
        pause();
    _exit(1);
  }
  char ok = 0;
  assert_int_equal(read(ends[0], &ok, 1), 1);
  assert_true(ok);
  close(ends[0]);
  close(ends[1]);
  return pid;
}

void kill_other(pid_t pid) {
  assert_int_equal(kill(pid, SIGKILL), 0);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
}

uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}
