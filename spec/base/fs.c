/* fs.c: the file system. POSIX names are visible in this file alone. */
#define _DEFAULT_SOURCE /* d_type, and with it POSIX.1-2008 */

#include "base/fs.h"

#include "base/err.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)32 * 1024)

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

/* result = call, which gives -1 on failure; tried again when a signal interrupts it. */
#define SYS(result, call)                 \
  do                                      \
    (result) = must_fail() ? -1 : (call); \
  while ((result) == -1 && errno == EINTR)

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

/* --- errors -------------------------------------------------------------------------------- */

/* What to do about an error; the path follows. */
static const struct {
  int number;
  const char *mend;
} mends[] = {
    {ENOSPC, "free some space on the disk that holds"},
    {EDQUOT, "free some space: the quota is used up on the disk that holds"},
    {EACCES, "give this user access to it and to the folders above:"},
    {EPERM, "give this user the right to change"},
    {EROFS, "choose a folder on a disk that can be written, instead of"},
    {ENAMETOOLONG, "shorten the path or the names in"},
    {EMFILE, "raise the limit of open files (ulimit -n), reached at"},
    {EISDIR, "move the folder out of the way:"},
};

/* "cannot <verb> '<path>': <text of errno>"; returns code, or SPEC_ENOMEM if that was it. */
static int fail_errno(spec_err *err, int code, const char *verb, const char *path) {
  int number = errno;
  if (number == ENOMEM)
    return spec_fail_memory(err);
  (void)spec_fail(err, code, "cannot %s '%s': %s", verb, path, strerror(number));
  (void)spec_fail_where(err, "%s", path);
  for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
    if (mends[i].number == number)
      (void)spec_fail_mend(err, "%s '%s'", mends[i].mend, path);
  return code;
}

static int fail_irregular(spec_err *err, const char *verb, const char *path) {
  (void)spec_fail(err, SPEC_EIO, "cannot %s '%s': it is not a regular file", verb, path);
  return spec_fail_where(err, "%s", path);
}

/* Whether errno says that nothing is there. */
static bool is_absent(int number) {
  return number == ENOENT || number == ENOTDIR || number == ELOOP;
}

/* --- looking ------------------------------------------------------------------------------- */

static spec_ftype type_of(mode_t mode) {
  if (S_ISREG(mode))
    return SPEC_FT_FILE;
  if (S_ISDIR(mode))
    return SPEC_FT_DIR;
  return S_ISLNK(mode) ? SPEC_FT_LINK : SPEC_FT_OTHER;
}

/* flags as for fstatat(). */
static int look(spec_ftype *out, const char *path, int flags, spec_err *err) {
  struct stat st;
  int rc;
  SYS(rc, fstatat(AT_FDCWD, path, &st, flags));
  if (rc < 0 && !is_absent(errno))
    return fail_errno(err, SPEC_EIO, "look at", path);
  *out = rc < 0 ? SPEC_FT_NONE : type_of(st.st_mode);
  return SPEC_OK;
}

int spec_fs_type(spec_ftype *out, const char *path, spec_err *err) {
  return look(out, path, 0, err);
}

int spec_fs_link_type(spec_ftype *out, const char *path, spec_err *err) {
  return look(out, path, AT_SYMLINK_NOFOLLOW, err);
}

int spec_fs_real(spec_arena *arena, const char **out, const char *path, spec_err *err) {
  char real[PATH_MAX];
  if (must_fail() || realpath(path, real) == NULL)
    return fail_errno(err, is_absent(errno) ? SPEC_ENOTFOUND : SPEC_EIO, "resolve", path);
  const char *made = spec_arena_strdup(arena, real);
  if (made == NULL)
    return spec_fail_memory(err);
  *out = made;
  return SPEC_OK;
}

/* PWD in normal form if it names the current folder, else NULL. */
static const char *cwd_by_environment(spec_arena *arena) {
  const char *pwd = getenv("PWD");
  if (pwd == NULL || !spec_path_is_absolute(pwd))
    return NULL;
  const char *path = spec_path_normal(arena, pwd);
  struct stat named, here;
  int rc = -1;
  if (path != NULL)
    SYS(rc, stat(path, &named));
  if (rc == 0)
    SYS(rc, stat(".", &here));
  return rc == 0 && named.st_dev == here.st_dev && named.st_ino == here.st_ino ? path : NULL;
}

int spec_fs_cwd(spec_arena *arena, const char **out, spec_err *err) {
  const char *path = cwd_by_environment(arena);
  if (path == NULL) {
    char real[PATH_MAX];
    if (must_fail() || getcwd(real, sizeof real) == NULL)
      return fail_errno(err, SPEC_EIO, "find the current folder", ".");
    path = spec_arena_strdup(arena, real);
  }
  if (path == NULL)
    return spec_fail_memory(err);
  *out = path;
  return SPEC_OK;
}

int spec_fs_readlink(spec_arena *arena, const char **out, const char *path, spec_err *err) {
  char target[PATH_MAX];
  ssize_t len;
  SYS(len, readlink(path, target, sizeof target));
  if (len == (ssize_t)sizeof target) {
    len = -1;
    errno = ENAMETOOLONG;
  }
  if (len < 0)
    return fail_errno(err, SPEC_EIO, "read the link", path);
  const char *made = spec_arena_strndup(arena, target, (size_t)len);
  if (made == NULL)
    return spec_fail_memory(err);
  *out = made;
  return SPEC_OK;
}

/* --- folders ------------------------------------------------------------------------------- */

typedef struct entries {
  spec_dirent *items; /* from spec_malloc */
  size_t count;
  size_t cap;
} entries;

/* The folder `name` below the folder open at parent, or NULL. flags as for openat(). */
static DIR *open_folder(int parent, const char *name, int flags) {
  int fd;
  SYS(fd, openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags));
  if (fd < 0)
    return NULL;
  DIR *dir = must_fail() ? NULL : fdopendir(fd);
  if (dir == NULL) {
    int number = errno;
    (void)close(fd);
    errno = number;
  }
  return dir;
}

/* The next entry, or NULL with errno 0 at the end. */
static const struct dirent *next_entry(DIR *dir) {
  errno = 0;
  return must_fail() ? NULL : readdir(dir);
}

/* The entry's type, or SPEC_FT_NONE if it has gone meanwhile; -1 on error. */
static int entry_type(spec_ftype *out, DIR *dir, const struct dirent *entry) {
  switch (entry->d_type) {
  case DT_REG:
    *out = SPEC_FT_FILE;
    return 0;
  case DT_DIR:
    *out = SPEC_FT_DIR;
    return 0;
  case DT_LNK:
    *out = SPEC_FT_LINK;
    return 0;
  case DT_UNKNOWN:
    break;
  default:
    *out = SPEC_FT_OTHER;
    return 0;
  }
  struct stat st;
  int rc;
  SYS(rc, fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW));
  if (rc < 0 && errno != ENOENT)
    return -1;
  *out = rc < 0 ? SPEC_FT_NONE : type_of(st.st_mode);
  return 0;
}

/* Appends an entry, its name copied into the arena; -1 when memory is out. */
static int add_entry(entries *to, spec_arena *arena, const char *name, spec_ftype type) {
  errno = ENOMEM;
  if (to->count == to->cap) {
    size_t cap = to->cap > 0 ? 2 * to->cap : 64;
    spec_dirent *items = spec_realloc(to->items, cap * sizeof *items);
    if (items == NULL)
      return -1;
    to->items = items;
    to->cap = cap;
  }
  const char *copy = spec_arena_strdup(arena, name);
  if (copy == NULL)
    return -1;
  to->items[to->count++] = (spec_dirent){copy, type};
  return 0;
}

/* Reads all entries, in the file system's order. -1 on error, with out to be freed all the same. */
static int read_entries(entries *out, spec_arena *arena, DIR *dir) {
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
  spec_dirent *made = NULL;
  DIR *dir = open_folder(AT_FDCWD, path, 0);
  int rc = dir != NULL ? read_entries(&found, arena, dir) : -1;
  if (rc == 0) {
    errno = ENOMEM;
    made = spec_arena_array(arena, found.count, sizeof *made);
  }
  if (made == NULL) {
    rc = fail_errno(err, SPEC_EIO, "list", path);
  } else if (found.count > 0) {
    qsort(found.items, found.count, sizeof *found.items, by_name);
    memcpy(made, found.items, found.count * sizeof *made);
  }
  if (dir != NULL)
    (void)closedir(dir);
  spec_free(found.items);
  if (rc < 0)
    return rc;
  *out = made;
  *count = found.count;
  return SPEC_OK;
}

static bool is_folder(const char *path) {
  struct stat st;
  int rc;
  SYS(rc, stat(path, &st));
  return rc == 0 && S_ISDIR(st.st_mode);
}

/* Makes the folder, and those above it first. path is cut meanwhile, and then as before. */
static int make_folders(char *path, spec_err *err) {
  int rc = 0;
  if (is_folder(path))
    return SPEC_OK;
  char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path) {
    *slash = '\0';
    rc = make_folders(path, err);
    *slash = '/';
  }
  if (rc < 0)
    return rc;
  SYS(rc, mkdir(path, 0777));
  if (rc < 0 && errno != EEXIST)
    return fail_errno(err, SPEC_EIO, "make the folder", path);
  if (rc == 0 || is_folder(path)) /* another process may have been faster */
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EIO, "cannot make the folder '%s': something else has its name", path);
  (void)spec_fail_where(err, "%s", path);
  (void)spec_fail_mend(err, "move '%s' out of the way", path);
  return SPEC_EIO;
}

int spec_fs_mkdirs(const char *path, spec_err *err) {
  char copy[PATH_MAX];
  size_t len = strlen(path);
  if (len >= sizeof copy) {
    errno = ENAMETOOLONG;
    return fail_errno(err, SPEC_EIO, "make the folder", path);
  }
  memcpy(copy, path, len + 1);
  return make_folders(copy, err);
}

/* --- reading ------------------------------------------------------------------------------- */

/* Opens a regular file, whose status goes to st; anything else is refused. */
static int open_regular(int *out, struct stat *st, const char *path, spec_err *err) {
  int fd = open_to_read(path, 0);
  if (fd < 0 && errno == ENXIO) /* a socket cannot even be opened */
    return fail_irregular(err, "read", path);
  int rc = fd;
  if (fd >= 0)
    SYS(rc, fstat(fd, st));
  if (rc < 0)
    rc = fail_errno(err, SPEC_EIO, "read", path);
  else if (!S_ISREG(st->st_mode))
    rc = fail_irregular(err, "read", path);
  if (rc < 0) {
    if (fd >= 0)
      (void)close_fd(fd);
    return rc;
  }
  *out = fd;
  return SPEC_OK;
}

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

/* The file's content and permissions. */
static int load(spec_arena *arena, const char **data, size_t *len, mode_t *mode, const char *path,
                spec_err *err) {
  int fd;
  struct stat st;
  int rc = open_regular(&fd, &st, path, err);
  if (rc < 0)
    return rc;
  rc = read_all(arena, data, len, fd, (size_t)st.st_size);
  if (rc < 0)
    rc = fail_errno(err, SPEC_EIO, "read", path);
  (void)close_fd(fd);
  *mode = st.st_mode & 0777;
  return rc;
}

int spec_fs_read(spec_arena *arena, const char **data, size_t *len, const char *path,
                 spec_err *err) {
  mode_t mode;
  return load(arena, data, len, &mode, path, err);
}

/* Whether what is left of the open file is exactly data; -1 on error. */
static int holds(bool *out, int fd, const char *data, size_t len) {
  char chunk[CHUNK];
  size_t at = 0;
  ssize_t n;
  do {
    SYS(n, read(fd, chunk, sizeof chunk));
    if (n < 0)
      return -1;
    if ((size_t)n > len - at || memcmp(data + at, chunk, (size_t)n) != 0)
      break;
    at += (size_t)n;
  } while (n > 0 && at < len);
  *out = at == len;
  return 0;
}

static int same_content(bool *out, spec_arena *arena, const char *a, const char *b, spec_err *err) {
  const char *data;
  size_t len;
  mode_t mode;
  int fd;
  struct stat st;
  int rc = load(arena, &data, &len, &mode, a, err);
  if (rc == SPEC_OK)
    rc = open_regular(&fd, &st, b, err);
  if (rc < 0)
    return rc;
  if (holds(out, fd, data, len) < 0)
    rc = fail_errno(err, SPEC_EIO, "read", b);
  (void)close_fd(fd);
  return rc;
}

static int regular_status(struct stat *out, const char *path, spec_err *err) {
  int rc;
  SYS(rc, stat(path, out));
  if (rc < 0)
    return fail_errno(err, SPEC_EIO, "read", path);
  return S_ISREG(out->st_mode) ? SPEC_OK : fail_irregular(err, "read", path);
}

int spec_fs_same(bool *out, const char *a, const char *b, spec_err *err) {
  struct stat left, right;
  int rc = regular_status(&left, a, err);
  if (rc == SPEC_OK)
    rc = regular_status(&right, b, err);
  if (rc < 0)
    return rc;
  bool one_file = left.st_dev == right.st_dev && left.st_ino == right.st_ino;
  if (one_file || left.st_size != right.st_size) {
    *out = one_file;
    return SPEC_OK;
  }
  spec_arena *arena;
  rc = spec_arena_new(&arena, err);
  if (rc < 0)
    return rc;
  rc = same_content(out, arena, a, b, err);
  spec_arena_free(arena);
  return rc;
}

/* --- writing ------------------------------------------------------------------------------- */

/* Whether path is a regular file, no link, of that mode and content. Doubt counts as no. */
static bool is_up_to_date(const char *path, const char *data, size_t len, mode_t mode) {
  int fd = open_to_read(path, O_NOFOLLOW);
  if (fd < 0)
    return false;
  struct stat st;
  bool same = false;
  int rc;
  SYS(rc, fstat(fd, &st));
  if (rc == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0777) == mode && (uintmax_t)st.st_size == len)
    rc = holds(&same, fd, data, len);
  (void)close_fd(fd);
  return rc == 0 && same;
}

/* A new name beside path: .<name>.<process>.<number>.tmp, with a long name cut so that it fits. */
static int temporary_name(char out[static PATH_MAX], const char *path) {
  static atomic_uint serial;
  const char *name = spec_path_basename(path);
  int len = snprintf(out, PATH_MAX, "%.*s.%.200s.%ld.%u.tmp", (int)(name - path), path, name,
                     (long)getpid(), atomic_fetch_add(&serial, 1));
  if (len >= 0 && len < PATH_MAX)
    return 0;
  errno = ENAMETOOLONG;
  return -1;
}

/* Puts a finished temporary file in path's place; rc is how its making went. Removes it when
 * either fails. Returns 0, or -1 with errno. */
static int publish(int rc, const char *temporary, const char *path) {
  if (rc == 0)
    SYS(rc, rename(temporary, path));
  if (rc == 0)
    return 0;
  int number = errno;
  (void)unlink(temporary);
  errno = number;
  return -1;
}

/* Writes all, sets the mode and closes fd; -1 on error. */
static int fill_file(int fd, const char *data, size_t len, mode_t mode) {
  int rc = 0;
  for (size_t at = 0; at < len && rc == 0;) {
    ssize_t n;
    SYS(n, write(fd, data + at, len - at));
    if (n < 0)
      rc = -1;
    else
      at += (size_t)n;
  }
  if (rc == 0)
    SYS(rc, fchmod(fd, mode));
  int number = errno;
  if (close_fd(fd) < 0 && rc == 0)
    return -1;
  errno = number;
  return rc;
}

static int replace_by_file(const char *path, const char *data, size_t len, mode_t mode) {
  char temporary[PATH_MAX];
  int fd;
  do {
    if (temporary_name(temporary, path) < 0)
      return -1;
    SYS(fd, open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  } while (fd < 0 && errno == EEXIST); /* left by a process that was killed */
  if (fd < 0)
    return -1;
  return publish(fill_file(fd, data, len, mode), temporary, path);
}

static int put_file(const char *path, const char *data, size_t len, mode_t mode, bool *changed,
                    spec_err *err) {
  bool same = is_up_to_date(path, data, len, mode);
  if (!same && replace_by_file(path, data, len, mode) < 0)
    return fail_errno(err, SPEC_EIO, "write", path);
  if (changed != NULL)
    *changed = !same;
  return SPEC_OK;
}

int spec_fs_write(const char *path, const char *data, size_t len, bool executable, bool *changed,
                  spec_err *err) {
  return put_file(path, data, len, executable ? 0755 : 0644, changed, err);
}

int spec_fs_copy(const char *from, const char *to, bool *changed, spec_err *err) {
  spec_arena *arena;
  int rc = spec_arena_new(&arena, err);
  if (rc < 0)
    return rc;
  const char *data;
  size_t len;
  mode_t mode;
  rc = load(arena, &data, &len, &mode, from, err);
  if (rc == SPEC_OK)
    rc = put_file(to, data, len, mode, changed, err);
  spec_arena_free(arena);
  return rc;
}

static int replace_by_link(const char *path, const char *target) {
  char temporary[PATH_MAX];
  int rc;
  do {
    if (temporary_name(temporary, path) < 0)
      return -1;
    SYS(rc, symlink(target, temporary));
  } while (rc < 0 && errno == EEXIST);
  return rc < 0 ? -1 : publish(0, temporary, path);
}

int spec_fs_symlink(const char *target, const char *path, bool *changed, spec_err *err) {
  char old[PATH_MAX];
  ssize_t len;
  SYS(len, readlink(path, old, sizeof old));
  bool same = len >= 0 && (size_t)len == strlen(target) && memcmp(old, target, (size_t)len) == 0;
  int rc = 0;
  if (!same && len < 0 && errno == ENOENT) {
    SYS(rc, symlink(target, path)); /* atomic where nothing is replaced */
    if (rc < 0 && errno == EEXIST)
      rc = replace_by_link(path, target);
  } else if (!same) {
    rc = replace_by_link(path, target);
  }
  if (rc < 0)
    return fail_errno(err, SPEC_EIO, "make the link", path);
  if (changed != NULL)
    *changed = !same;
  return SPEC_OK;
}

/* --- removing ------------------------------------------------------------------------------ */

int spec_fs_remove(const char *path, spec_err *err) {
  int rc;
  SYS(rc, unlink(path));
  if (rc < 0 && errno != ENOENT && errno != ENOTDIR)
    return fail_errno(err, SPEC_EIO, "remove", path);
  return SPEC_OK;
}

int spec_fs_remove_dir(const char *path, spec_err *err) {
  int rc;
  SYS(rc, rmdir(path));
  if (rc < 0 && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
    return fail_errno(err, SPEC_EIO, "remove the folder", path);
  return SPEC_OK;
}

static int remove_entry(spec_arena *arena, int parent, const char *name, spec_ftype type);

/* Removes all that the folder holds. Its entries are read first: what readdir() gives while they
 * vanish is not defined. -1 on error. */
static int empty_folder(spec_arena *arena, int parent, const char *name) {
  DIR *dir = open_folder(parent, name, O_NOFOLLOW);
  if (dir == NULL)
    return errno == ENOENT ? 0 : -1;
  entries found = {0};
  int rc = read_entries(&found, arena, dir);
  for (size_t i = 0; i < found.count && rc == 0; i++)
    rc = remove_entry(arena, dirfd(dir), found.items[i].name, found.items[i].type);
  int number = errno;
  (void)closedir(dir);
  spec_free(found.items);
  errno = number;
  return rc;
}

/* Removes name and all below it; no error when it has gone. -1 on error. */
static int remove_entry(spec_arena *arena, int parent, const char *name, spec_ftype type) {
  bool folder = type == SPEC_FT_DIR;
  if (folder && empty_folder(arena, parent, name) < 0)
    return -1;
  int rc;
  SYS(rc, unlinkat(parent, name, folder ? AT_REMOVEDIR : 0));
  return rc < 0 && errno != ENOENT ? -1 : 0;
}

int spec_fs_remove_tree(const char *path, spec_err *err) {
  spec_ftype type;
  int rc = spec_fs_link_type(&type, path, err);
  if (rc < 0 || type == SPEC_FT_NONE)
    return rc;
  spec_arena *arena;
  rc = spec_arena_new(&arena, err);
  if (rc < 0)
    return rc;
  if (remove_entry(arena, AT_FDCWD, path, type) < 0)
    rc = fail_errno(err, SPEC_EIO, "remove", path);
  spec_arena_free(arena);
  return rc;
}
