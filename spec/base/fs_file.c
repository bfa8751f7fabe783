/* fs_file.c: files with their dates, and folders that are filled before they get their name. */
#define _POSIX_C_SOURCE 200809L /* st_mtim, utimensat() */
#include "base/err.h"
#include "base/fs_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

int spec_fs_load(spec_arena *arena, spec_fs_file *out, const char *path, spec_err *err) {
  const char *data;
  size_t len;
  struct stat st;
  int rc = spec_sys_load(arena, &data, &len, &st, path, err);
  if (rc == SPEC_OK)
    *out = (spec_fs_file){data, len, (st.st_mode & 0100) != 0,
                          (int64_t)st.st_mtim.tv_sec * SECOND + st.st_mtim.tv_nsec};
  return rc;
}

static int set_date(const char *path, int64_t modified) {
  int64_t rest = modified % SECOND < 0 ? modified % SECOND + SECOND : modified % SECOND;
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                    {(time_t)((modified - rest) / SECOND), (long)rest}};
  int rc;
  SPEC_SYS(rc, utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW));
  return rc;
}

int spec_fs_create(const char *path, const spec_fs_file *file, spec_err *err) {
  int rc = spec_sys_create(path, file->data, file->len, file->executable ? 0755 : 0644);
  if (rc == 0)
    rc = set_date(path, file->modified);
  return rc < 0 ? spec_sys_fail(err, SPEC_EIO, "write", path) : SPEC_OK;
}

int spec_fs_link(const char *from, const char *to, spec_err *err) {
  int rc;
  SPEC_SYS(rc, linkat(AT_FDCWD, from, AT_FDCWD, to, 0));
  if (rc == 0)
    return SPEC_OK;
  bool cannot = errno == EMLINK || errno == EPERM || errno == EOPNOTSUPP || errno == EXDEV;
  return cannot ? SPEC_EBUSY : spec_sys_fail(err, SPEC_EIO, "write", to);
}

int spec_fs_touch(const char *path, spec_err *err) {
  int rc;
  SPEC_SYS(rc, utimensat(AT_FDCWD, path, NULL, 0));
  return rc < 0 ? spec_sys_fail(err, SPEC_EIO, "date", path) : SPEC_OK;
}

int spec_fs_temporary_folder(spec_arena *arena, const char **out, const char *path, spec_err *err) {
  char name[SPEC_SYS_PATH_MAX];
  int rc;
  do {
    rc = spec_sys_temporary(name, path);
    if (rc == 0)
      rc = spec_sys_mkdir(name);
  } while (rc < 0 && errno == EEXIST);
  if (rc < 0)
    return spec_sys_fail(err, SPEC_EIO, "make a folder for", path);
  const char *made = spec_arena_strdup(arena, name);
  if (made == NULL)
    return spec_fail_memory(err);
  *out = made;
  return SPEC_OK;
}

int spec_fs_rename_folder(const char *from, const char *to, bool *taken, spec_err *err) {
  int rc = spec_sys_rename(from, to);
  *taken = rc < 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR);
  return rc < 0 && !*taken ? spec_sys_fail(err, SPEC_EIO, "write", to) : SPEC_OK;
}
