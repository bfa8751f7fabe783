/* fs_error.c: what to say when the system refuses. */
#include "base/err.h"
#include "base/fs_sys.h"

#include <errno.h>
#include <string.h>

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

/* Bytes of a path's end that a message shows, so that what follows the path is not cut off. */
#define SHOWN 1024

int spec_sys_fail(spec_err *err, int code, const char *verb, const char *path) {
  int number = errno;
  if (number == ENOMEM)
    return spec_fail_memory(err);
  size_t len = strlen(path);
  const char *dots = len > SHOWN ? "..." : "", *shown = len > SHOWN ? path + len - SHOWN : path;
  (void)spec_fail(err, code, "cannot %s '%s%s': %s", verb, dots, shown, strerror(number));
  (void)spec_fail_where(err, "%s", path);
  for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
    if (mends[i].number == number)
      (void)spec_fail_mend(err, "%s '%s'", mends[i].mend, path);
  return code;
}

int spec_sys_fail_irregular(spec_err *err, const char *path) {
  (void)spec_fail(err, SPEC_EIO, "cannot read '%s': it is not a regular file", path);
  (void)spec_fail_where(err, "%s", path);
  return SPEC_EIO;
}
