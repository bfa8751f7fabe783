/* fs.c: every system call, and what looks, reads and removes. Writing is in fs_write.c. */
#define _DEFAULT_SOURCE /* d_type, and with it POSIX.1-2008 */

#include "base/fs_sys.h"

#include "base/err.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(SPEC_SYS_PATH_MAX == PATH_MAX, "fs_sys.h has the system's limit");

/* --- system calls -------------------------------------------------------------------------- */

/* Per thread, so that the count needs no lock and another thread's calls do not disturb a test. */
static _Thread_local size_t calls;
static _Thread_local size_t calls_until_failure;
static _Thread_local int failure;

size_t spec_fs_fail_at(size_t n, int errno_value) {
  size_t made = calls;
  calls = 0;
  calls_until_failure = n;
  failure = errno_value;
  return made;
}

/* To be asked before each call: whether the test hook wants it to fail; sets errno then. */
static bool must_fail(void) {
  calls++;
  if (calls_until_failure == 0 || --calls_until_failure > 0)
    return false;
  errno = failure;
  return true;
}

bool spec_sys_must_fail(void) {
  return must_fail();
}

#define SYS(result, call) SPEC_SYS(result, call)

/* Never tried again: the descriptor is gone even when close() fails. */
static int close_fd(int fd) {
  int rc = close(fd);
  return must_fail() ? -1 : rc;
}

/* A read-only descriptor, or -1. A fifo without a writer does not block it. */
static int open_to_read(const char *path, int flags) {
  int fd;
  SYS(fd, open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags));
  return fd;
}

/* --- looking ------------------------------------------------------------------------------- */

/* Whether errno says that nothing is there. */
static bool is_absent(int number) {
  return number == ENOENT || number == ENOTDIR || number == ELOOP;
}

int spec_sys_look(struct stat *out, const char *path, bool follow, spec_err *err) {
  int rc;
  SYS(rc, fstatat(AT_FDCWD, path, out, follow ? 0 : AT_SYMLINK_NOFOLLOW));
  if (rc < 0 && !is_absent(errno))
    return spec_sys_fail(err, SPEC_EIO, "look at", path);
  if (rc < 0)
    *out = (struct stat){0};
  return SPEC_OK;
}

int spec_fs_type(spec_ftype *out, const char *path, spec_err *err) {
  struct stat st;
  int rc = spec_sys_look(&st, path, true, err);
  if (rc == 0)
    *out = spec_sys_note(SPEC_LOOK_TYPE, path, &st, 0);
  return rc;
}

int spec_fs_link_type(spec_ftype *out, const char *path, spec_err *err) {
  struct stat st;
  int rc = spec_sys_look(&st, path, false, err);
  if (rc == 0)
    *out = spec_sys_note(SPEC_LOOK_LINK, path, &st, 0);
  return rc;
}

int64_t spec_fs_now(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Hands out a copy of text. */
static int give(spec_arena *arena, const char **out, const char *text, size_t len, spec_err *err) {
  const char *made = spec_arena_strndup(arena, text, len);
  if (made == NULL)
    return spec_fail_memory(err);
  *out = made;
  return SPEC_OK;
}

int spec_fs_real(spec_arena *arena, const char **out, const char *path, spec_err *err) {
  char real[PATH_MAX];
  if (must_fail() || realpath(path, real) == NULL) {
    int code = is_absent(errno) ? SPEC_ENOTFOUND : SPEC_EIO;
    if (code == SPEC_ENOTFOUND)
      spec_sys_note_text(SPEC_LOOK_REAL, path, "", 0);
    return spec_sys_fail(err, code, "resolve", path);
  }
  spec_sys_note_text(SPEC_LOOK_REAL, path, real, strlen(real));
  return give(arena, out, real, strlen(real), err);
}

/* Whether path names the current folder. */
static bool is_here(const char *path) {
  struct stat named, here;
  int rc;
  SYS(rc, stat(path, &named));
  if (rc == 0)
    SYS(rc, stat(".", &here));
  return rc == 0 && named.st_dev == here.st_dev && named.st_ino == here.st_ino;
}

int spec_fs_cwd(spec_arena *arena, const char **out, spec_err *err) {
  const char *pwd = getenv("PWD");
  if (pwd != NULL && spec_path_is_absolute(pwd)) {
    const char *path = spec_path_normal(arena, pwd);
    if (path == NULL)
      return spec_fail_memory(err);
    if (is_here(path)) {
      *out = path;
      return SPEC_OK;
    }
  }
  char real[PATH_MAX];
  if (must_fail() || getcwd(real, sizeof real) == NULL)
    return spec_sys_fail(err, SPEC_EIO, "find the current folder", ".");
  return give(arena, out, real, strlen(real), err);
}

long spec_sys_readlink(char out[static SPEC_SYS_PATH_MAX], const char *path) {
  ssize_t len;
  SYS(len, readlink(path, out, SPEC_SYS_PATH_MAX));
  return len;
}

int spec_fs_readlink(spec_arena *arena, const char **out, const char *path, spec_err *err) {
  char target[SPEC_SYS_PATH_MAX];
  long len = spec_sys_readlink(target, path);
  if (len == SPEC_SYS_PATH_MAX) {
    len = -1;
    errno = ENAMETOOLONG;
  }
  if (len < 0)
    return spec_sys_fail(err, SPEC_EIO, "read the link", path);
  return give(arena, out, target, (size_t)len, err);
}

/* --- folders ------------------------------------------------------------------------------- */

/* Entries of a folder, in an arena. */
typedef struct entries {
  spec_dirent *items;
  size_t count;
  size_t cap;
} entries;

/* An open folder. fd belongs to the stream. */
typedef struct folder {
  DIR *stream;
  int fd;
} folder;

/* Opens the folder `name` below the one open at parent; -1 on error. flags as for openat(). */
static int open_folder(folder *out, int parent, const char *name, int flags) {
  SYS(out->fd, openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags));
  if (out->fd < 0)
    return -1;
  out->stream = must_fail() ? NULL : fdopendir(out->fd);
  if (out->stream != NULL)
    return 0;
  int number = errno;
  (void)close(out->fd);
  errno = number;
  return -1;
}

static void close_folder(folder *dir) {
  int number = errno;
  (void)closedir(dir->stream);
  errno = number;
}

/* The next entry, or NULL with errno 0 at the end. */
static const struct dirent *next_entry(const folder *dir) {
  errno = 0;
  return must_fail() ? NULL : readdir(dir->stream);
}

/* The entry's type, or SPEC_FT_NONE if it has gone meanwhile; -1 on error. */
static int entry_type(spec_ftype *out, const folder *dir, const struct dirent *entry) {
  struct stat st = {.st_mode = (mode_t)DTTOIF(entry->d_type)};
  int rc = 0;
  if (entry->d_type == DT_UNKNOWN) /* some file systems do not say */
    SYS(rc, fstatat(dir->fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW));
  if (rc < 0 && errno != ENOENT)
    return -1;
  *out = rc < 0 ? SPEC_FT_NONE : spec_sys_type(st.st_mode);
  return 0;
}

/* Appends an entry, its name copied; -1 when memory is out. */
static int add_entry(entries *to, spec_arena *arena, const char *name, spec_ftype type) {
  errno = ENOMEM;
  if (to->count == to->cap) {
    size_t cap = to->cap > 0 ? 2 * to->cap : 16, size = sizeof *to->items;
    to->items = spec_arena_grow(arena, to->items, to->cap * size, cap * size);
    to->cap = cap;
  }
  const char *copy = spec_arena_strdup(arena, name);
  if (to->items == NULL || copy == NULL)
    return -1;
  to->items[to->count++] = (spec_dirent){copy, type};
  return 0;
}

/* Reads all entries, in the file system's order; -1 on error. */
static int read_entries(entries *out, spec_arena *arena, const folder *dir) {
  const struct dirent *entry;
  while ((entry = next_entry(dir)) != NULL) {
    spec_ftype type;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    if (entry_type(&type, dir, entry) < 0)
      return -1;
    if (type != SPEC_FT_NONE && add_entry(out, arena, entry->d_name, type) < 0)
      return -1;
  }
  return errno == 0 ? 0 : -1;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const spec_dirent *)a)->name, ((const spec_dirent *)b)->name);
}

int spec_fs_list(spec_arena *arena, spec_dirent **out, size_t *count, const char *path,
                 spec_err *err) {
  entries found = {0};
  folder dir;
  struct stat st;
  int rc = open_folder(&dir, AT_FDCWD, path, 0);
  if (rc == 0) {
    SYS(rc, fstat(dir.fd, &st)); /* before the entries: what changes meanwhile shows as touched */
    if (rc == 0)
      rc = read_entries(&found, arena, &dir);
    close_folder(&dir);
  }
  if (rc < 0)
    return spec_sys_fail(err, SPEC_EIO, "list", path);
  if (found.count > 0)
    qsort(found.items, found.count, sizeof *found.items, by_name);
  spec_sys_note_list(path, &st, found.items, found.count);
  *out = found.items;
  *count = found.count;
  return SPEC_OK;
}

/* --- reading ------------------------------------------------------------------------------- */

/* All that the file holds and a NUL; -1 on error. size is a hint that spares the last read(): it
 * is 0 for files of /proc, whatever they hold. */
static int read_all(spec_arena *arena, const char **data, size_t *len, int fd, size_t size) {
  size_t cap = size + 1, done = 0;
  char *out = spec_arena_alloc(arena, cap);
  while (out != NULL) {
    ssize_t n;
    SYS(n, read(fd, out + done, cap - done));
    if (n < 0)
      return -1;
    done += (size_t)n;
    if (n == 0 || (done == size && size > 0))
      break;
    if (done == cap) { /* it has grown meanwhile */
      out = spec_arena_grow(arena, out, cap, 2 * cap);
      cap *= 2;
    }
  }
  if (out == NULL) {
    errno = ENOMEM;
    return -1;
  }
  *data = out;
  *len = done;
  return 0;
}

int spec_sys_load(spec_arena *arena, const char **data, size_t *len, struct stat *st,
                  const char *path, spec_err *err) {
  int fd = open_to_read(path, 0);
  if (fd < 0 && errno == ENXIO) /* a socket cannot even be opened */
    return spec_sys_fail_irregular(err, path);
  if (fd < 0)
    return spec_sys_fail(err, SPEC_EIO, "read", path);
  int rc;
  SYS(rc, fstat(fd, st));
  bool regular = rc == 0 && S_ISREG(st->st_mode);
  if (regular)
    rc = read_all(arena, data, len, fd, (size_t)st->st_size);
  if (rc < 0)
    rc = spec_sys_fail(err, SPEC_EIO, "read", path);
  else if (!regular)
    rc = spec_sys_fail_irregular(err, path);
  (void)close_fd(fd);
  if (rc == 0)
    spec_sys_note_bytes(path, st, *data, *len);
  return rc;
}

int spec_sys_size(size_t *out, const char *path, spec_err *err) {
  struct stat st;
  int rc;
  SYS(rc, stat(path, &st));
  if (rc < 0)
    return spec_sys_fail(err, SPEC_EIO, "read", path);
  if (!S_ISREG(st.st_mode))
    return spec_sys_fail_irregular(err, path);
  *out = (size_t)st.st_size;
  (void)spec_sys_note(SPEC_LOOK_SIZE, path, &st, 0);
  return SPEC_OK;
}

int spec_fs_read(spec_arena *arena, const char **data, size_t *len, const char *path,
                 spec_err *err) {
  struct stat st;
  return spec_sys_load(arena, data, len, &st, path, err);
}

/* Whether what is left of the open file is exactly data. */
static bool holds(int fd, const char *data, size_t len) {
  char chunk[32 * 1024];
  while (len > 0) {
    ssize_t n;
    SYS(n, read(fd, chunk, sizeof chunk));
    if (n <= 0 || (size_t)n > len || memcmp(data, chunk, (size_t)n) != 0)
      return false;
    data += n;
    len -= (size_t)n;
  }
  return true;
}

bool spec_sys_holds(const char *path, const char *data, size_t len, unsigned mode) {
  int fd = open_to_read(path, O_NOFOLLOW);
  if (fd < 0)
    return false;
  struct stat st;
  int rc;
  SYS(rc, fstat(fd, &st));
  bool same = rc == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0777) == mode &&
              (size_t)st.st_size == len && holds(fd, data, len);
  (void)close_fd(fd);
  return same;
}

/* --- writing: steps for fs_write.c ---------------------------------------------------------- */

int spec_sys_mkdir(const char *path) {
  int rc;
  SYS(rc, mkdir(path, 0777));
  return rc;
}

int spec_sys_symlink(const char *target, const char *path) {
  int rc;
  SYS(rc, symlink(target, path));
  return rc;
}

int spec_sys_rename(const char *from, const char *to) {
  int rc;
  SYS(rc, rename(from, to));
  return rc;
}

void spec_sys_discard(const char *path) {
  int number = errno;
  (void)unlink(path);
  errno = number;
}

long spec_sys_pid(void) {
  return (long)getpid();
}

/* Writes all, sets the mode and closes fd. */
static int fill(int fd, const char *data, size_t len, unsigned mode) {
  int rc = 0;
  while (len > 0 && rc == 0) {
    ssize_t n;
    SYS(n, write(fd, data, len));
    if (n < 0) {
      rc = -1;
    } else {
      data += n;
      len -= (size_t)n;
    }
  }
  if (rc == 0)
    SYS(rc, fchmod(fd, mode)); /* open() would let the umask take bits away */
  int number = errno;
  if (close_fd(fd) < 0 && rc == 0)
    return -1;
  errno = number;
  return rc;
}

int spec_sys_create(const char *path, const char *data, size_t len, unsigned mode) {
  int fd;
  SYS(fd, open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd < 0)
    return -1;
  int rc = fill(fd, data, len, mode);
  if (rc < 0)
    spec_sys_discard(path);
  return rc;
}

/* --- removing ------------------------------------------------------------------------------ */

int spec_fs_remove(const char *path, spec_err *err) {
  int rc;
  SYS(rc, unlink(path));
  if (rc < 0 && errno != ENOENT && errno != ENOTDIR)
    return spec_sys_fail(err, SPEC_EIO, "remove", path);
  return SPEC_OK;
}

int spec_fs_remove_dir(const char *path, spec_err *err) {
  int rc;
  SYS(rc, rmdir(path));
  if (rc < 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
    return spec_sys_fail(err, SPEC_EIO, "remove the folder", path);
  return SPEC_OK;
}

static int remove_entry(spec_arena *arena, int parent, const char *name, spec_ftype type);

/* Removes all that the folder holds. Its entries are read first: what readdir() gives while they
 * vanish is not defined. -1 on error. */
static int empty_folder(spec_arena *arena, int parent, const char *name) {
  folder dir;
  if (open_folder(&dir, parent, name, O_NOFOLLOW) < 0)
    return errno == ENOENT ? 0 : -1;
  entries found = {0};
  int rc = read_entries(&found, arena, &dir);
  for (size_t i = 0; i < found.count && rc == 0; i++)
    rc = remove_entry(arena, dir.fd, found.items[i].name, found.items[i].type);
  close_folder(&dir);
  return rc;
}

/* Removes name and all below it; no error when it has gone. -1 on error. */
static int remove_entry(spec_arena *arena, int parent, const char *name, spec_ftype type) {
  bool is_folder = type == SPEC_FT_DIR;
  if (is_folder && empty_folder(arena, parent, name) < 0)
    return -1;
  int rc;
  SYS(rc, unlinkat(parent, name, is_folder ? AT_REMOVEDIR : 0));
  return rc < 0 && errno != ENOENT ? -1 : 0;
}

int spec_fs_remove_tree(const char *path, spec_err *err) {
  spec_ftype type = SPEC_FT_NONE;
  int rc = spec_fs_link_type(&type, path, err);
  if (rc < 0 || type == SPEC_FT_NONE)
    return rc;
  spec_arena *arena;
  rc = spec_arena_new(&arena, err);
  if (rc < 0)
    return rc;
  if (remove_entry(arena, AT_FDCWD, path, type) < 0)
    rc = spec_sys_fail(err, SPEC_EIO, "remove", path);
  spec_arena_free(arena);
  return rc;
}
