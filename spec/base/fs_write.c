/* fs_write.c: writing, and the comparing that spares it. A file or link is made under a temporary
 * name and renamed, so that a reader, or a crash, meets the old one or the new one; what is right
 * already is left alone, so that no build rule sees a new date. */
#include "base/err.h"
#include "base/fs_sys.h"
#include "base/path.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static bool is_folder(const char *path) {
  spec_ftype type;
  return spec_fs_type(&type, path, NULL) == SPEC_OK && type == SPEC_FT_DIR;
}

/* Makes the folder, and those above it first. path is cut meanwhile, and then as before. */
static int make_folders(char *path, spec_err *err) {
  if (is_folder(path))
    return SPEC_OK;
  int rc = 0;
  char *slash = strrchr(path, '/');
  if (slash != NULL && slash != path) {
    *slash = '\0';
    rc = make_folders(path, err);
    *slash = '/';
  }
  if (rc < 0)
    return rc;
  rc = spec_sys_mkdir(path);
  if (rc < 0 && errno != EEXIST)
    return spec_sys_fail(err, SPEC_EIO, "make the folder", path);
  if (rc == 0 || is_folder(path)) /* another process may have been faster */
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EIO, "cannot make the folder '%s': something else has its name", path);
  (void)spec_fail_where(err, "%s", path);
  (void)spec_fail_mend(err, "move '%s' out of the way", path);
  return SPEC_EIO;
}

int spec_fs_mkdirs(const char *path, spec_err *err) {
  char copy[SPEC_SYS_PATH_MAX];
  size_t len = strlen(path);
  if (len >= sizeof copy) {
    errno = ENAMETOOLONG;
    return spec_sys_fail(err, SPEC_EIO, "make the folder", path);
  }
  memcpy(copy, path, len + 1);
  return make_folders(copy, err);
}

static int same_content(bool *out, spec_arena *arena, const char *a, const char *b, spec_err *err) {
  const char *left, *right;
  size_t left_len, right_len;
  struct stat st;
  int rc = spec_sys_load(arena, &left, &left_len, &st, a, err);
  if (rc == SPEC_OK)
    rc = spec_sys_load(arena, &right, &right_len, &st, b, err);
  if (rc == SPEC_OK)
    *out = left_len == right_len && memcmp(left, right, left_len) == 0;
  return rc;
}

int spec_fs_same(bool *out, const char *a, const char *b, spec_err *err) {
  size_t left = 0, right = 0;
  int rc = spec_sys_size(&left, a, err);
  if (rc == SPEC_OK)
    rc = spec_sys_size(&right, b, err);
  if (rc < 0)
    return rc;
  if (left != right) {
    *out = false;
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

/* A long name is cut so that it fits. */
int spec_sys_temporary(char out[static SPEC_SYS_PATH_MAX], const char *path) {
  static atomic_uint serial;
  const char *name = spec_path_basename(path);
  int len = snprintf(out, SPEC_SYS_PATH_MAX, "%.*s.%.200s.%ld.%u.tmp", (int)(name - path), path,
                     name, spec_sys_pid(), atomic_fetch_add(&serial, 1));
  if (len >= 0 && len < SPEC_SYS_PATH_MAX)
    return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int spec_sys_publish(const char *temporary, const char *path) {
  int rc = spec_sys_rename(temporary, path);
  if (rc < 0)
    spec_sys_discard(temporary);
  return rc;
}

static int replace_by_file(const char *path, const char *data, size_t len, unsigned mode) {
  char temporary[SPEC_SYS_PATH_MAX];
  int rc;
  do {
    if (spec_sys_temporary(temporary, path) < 0)
      return -1;
    rc = spec_sys_create(temporary, data, len, mode);
  } while (rc < 0 && errno == EEXIST); /* left by a process that was killed */
  return rc < 0 ? -1 : spec_sys_publish(temporary, path);
}

static int replace_by_link(const char *path, const char *target) {
  char temporary[SPEC_SYS_PATH_MAX];
  int rc;
  do {
    if (spec_sys_temporary(temporary, path) < 0)
      return -1;
    rc = spec_sys_symlink(target, temporary);
  } while (rc < 0 && errno == EEXIST);
  return rc < 0 ? -1 : spec_sys_publish(temporary, path);
}

static int put_file(const char *path, const char *data, size_t len, unsigned mode, bool *changed,
                    spec_err *err) {
  bool same = spec_sys_holds(path, data, len, mode);
  if (!same && replace_by_file(path, data, len, mode) < 0)
    return spec_sys_fail(err, SPEC_EIO, "write", path);
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
  struct stat st;
  rc = spec_sys_load(arena, &data, &len, &st, from, err);
  if (rc == SPEC_OK)
    rc = put_file(to, data, len, spec_sys_mode(&st), changed, err);
  spec_arena_free(arena);
  return rc;
}

int spec_fs_symlink(const char *target, const char *path, bool *changed, spec_err *err) {
  char old[SPEC_SYS_PATH_MAX];
  long len = spec_sys_readlink(old, path);
  bool same = len >= 0 && (size_t)len == strlen(target) && memcmp(old, target, (size_t)len) == 0;
  int rc = same ? 0 : -1;
  if (!same && len < 0 && errno == ENOENT)
    rc = spec_sys_symlink(target, path); /* atomic, since it replaces nothing */
  else if (!same)
    errno = EEXIST;
  if (rc < 0 && errno == EEXIST)
    rc = replace_by_link(path, target);
  if (rc < 0)
    return spec_sys_fail(err, SPEC_EIO, "make the link", path);
  if (changed != NULL)
    *changed = !same;
  return SPEC_OK;
}
