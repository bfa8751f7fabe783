/* process.c */
#define _POSIX_C_SOURCE 200809L
#include "base/process.h"

#include "base/err.h"
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static size_t read_all(char *out, size_t size, int fd) {
  size_t len = 0;
  for (;;) {
    char sink[256];
    char *to = len < size ? out + len : sink;
    ssize_t n = read(fd, to, len < size ? size - len : sizeof sink);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return len;
    if (len < size)
      len += (size_t)n;
  }
}

static int fail_start(const char *program, int code, spec_err *err) {
  spec_fail(err, SPEC_EIO, "cannot run '%s': %s", program, strerror(code));
  return spec_fail_mend(err, "install it, or name its path");
}

/* Starts argv; write_end, unless it is negative, becomes its standard output, and read_end, unless
 * that is, is closed in it. */
static int start(pid_t *pid, const char *const *argv, int write_end, int read_end, spec_err *err) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code == 0) {
    if (write_end >= 0)
      posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    if (read_end >= 0)
      posix_spawn_file_actions_addclose(&actions, read_end);
    code = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  return code == 0 ? SPEC_OK : fail_start(argv[0], code, err);
}

static int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int spec_process_first_line(char *out, size_t size, const char *const *argv, spec_err *err) {
  int ends[2];
  if (pipe(ends) != 0)
    return spec_fail(err, SPEC_EIO, "cannot make a pipe: %s", strerror(errno));
  pid_t pid = 0;
  int rc = start(&pid, argv, ends[1], ends[0], err);
  close(ends[1]);
  size_t len = rc == 0 ? read_all(out, size - 1, ends[0]) : 0;
  close(ends[0]);
  if (rc != 0)
    return rc;
  out[len] = '\0';
  out[strcspn(out, "\n")] = '\0';
  return wait_for(pid) == 0 ? SPEC_OK : spec_fail(err, SPEC_EIO, "'%s' failed", argv[0]);
}

int spec_process_run(int *status, bool quiet, const char *const *argv, spec_err *err) {
  pid_t pid = 0;
  int rc = start(&pid, argv, quiet ? STDERR_FILENO : -1, -1, err);
  if (rc == 0)
    *status = wait_for(pid);
  return rc;
}

int spec_process_replace(const char *const *argv, spec_err *err) {
  execvp(argv[0], (char *const *)argv);
  return fail_start(argv[0], errno, err);
}
