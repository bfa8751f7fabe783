/* toolchain.c: from generated C to a library, by clang. Its candidates and flags are those of
 * python/triton_cpu/_toolchain.py. */
#define _GNU_SOURCE
#include "tool.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define ARGS_MOST 32

static const char *const candidates[] = {"clang-22", "clang-23", "clang-24", "clang"};
static const char *const flags[] = {
    "-std=gnu11",
    "-O2",
    "-march=native",
    "-mprefer-vector-width=512",
    "-fno-math-errno",
    "-fno-builtin-memcpy", /* a loop that copies while it does more stays one */
    "-ffp-contract=fast",
    "-fno-strict-aliasing",
    "-w",
    "-fPIC",
};
static const char *const sanitizing[] = {"-g", "-fsanitize=address,undefined",
                                         "-fno-sanitize-recover=all", "-shared-libasan"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t add_args(const char **args, size_t count, const char *const *more,
                       size_t more_count) {
  memcpy(args + count, more, more_count * sizeof *more);
  return count + more_count;
}

/* Starts the first of the programs that there is, with these arguments behind its name, and waits
 * for it. Its status; -1 with errno when none could be started. */
static int run_first(const char *const *programs, size_t count, const char **args) {
  int error = ENOENT, status = 0;
  pid_t child = -1;
  for (size_t i = 0; i < count && error == ENOENT; i++) {
    args[0] = programs[i];
    /* posix_spawnp() leaves the strings alone, but its type does not say so. */
    error = posix_spawnp(&child, args[0], NULL, NULL, (char *const *)(uintptr_t)args, environ);
  }
  errno = error;
  if (error != 0)
    return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Compiles the file c to the file so; both are paths. */
static int compile(const char *c, const char *so, const char *rt) {
  const char *args[ARGS_MOST] = {NULL}, *named = getenv("TTCPU_CC");
  const char *sanitize = getenv("TTCPU_SANITIZE");
  bool is_named = named != NULL && named[0] != '\0';
  size_t count = add_args(args, 1, flags, COUNT(flags));
  if (sanitize != NULL && sanitize[0] != '\0' && strcmp(sanitize, "0") != 0)
    count = add_args(args, count, sanitizing, COUNT(sanitizing));
  (void)add_args(args, count, (const char *const[]){"-shared", "-I", rt, c, "-o", so, "-lm"}, 7);
  int status = run_first(is_named ? &named : candidates, is_named ? 1 : COUNT(candidates), args);
  if (status < 0 && errno == ENOENT)
    return tool_fail("%s%s: kernels are compiled with clang 22 or newer. Install it (Debian and "
                     "Ubuntu: apt install clang-22; conda: conda install 'clang>=22'), or name one "
                     "by TTCPU_CC",
                     is_named ? "TTCPU_CC names no program: "
                              : "there is no clang-22, -23, -24 or clang",
                     is_named ? named : "");
  if (status < 0)
    return tool_fail("cannot start %s: %s", args[0], strerror(errno));
  return status == 0 ? TOOL_OK
                     : tool_fail("%s refuses the C of the kernel, status %d; clang 22 or newer is "
                                 "wanted, which TTCPU_CC may name",
                                 args[0], status);
}

/* The folder of what compiled kernels include: the one that is named, or rt beside this program. */
static int find_rt(tc_text *out, const char *named) {
  char self[4096];
  ssize_t len = named != NULL ? 0 : readlink("/proc/self/exe", self, sizeof self - 1);
  self[len > 0 ? len : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash != NULL)
    slash[1] = '\0';
  tc_add_format(out, "%s", named != NULL ? named : self);
  if (named == NULL)
    tc_add_str(out, "rt");
  size_t folder = out->len;
  tc_add_str(out, "/ttrt.h");
  if (out->failed)
    return tool_fail("out of memory");
  bool found = access(out->data, R_OK) == 0;
  out->data[out->len = folder] = '\0';
  return found
             ? TOOL_OK
             : tool_fail("there is no ttrt.h in '%s': say by --rt where the backend's folder rt is",
                         out->data);
}

/* Compiles within the folder, which is gone afterwards with all that is in it. */
static int build_in(const char *folder, tool_source *library, const tc_text *c, const char *rt) {
  tc_text from = {0}, to = {0};
  tc_add_format(&from, "%s/kernel.c", folder);
  tc_add_format(&to, "%s/kernel.so", folder);
  int status = from.failed || to.failed ? tool_fail("out of memory") : tool_write(from.data, c);
  if (status == TOOL_OK)
    status = compile(from.data, to.data, rt);
  if (status == TOOL_OK)
    status = tool_slurp(library, to.data);
  library->name = "<library>";
  if (!from.failed)
    (void)unlink(from.data);
  if (!to.failed)
    (void)unlink(to.data);
  (void)rmdir(folder);
  tc_text_free(&from);
  tc_text_free(&to);
  return status;
}

int tool_temporary(tc_text *out, const char *name) {
  const char *folder = getenv("TMPDIR");
  tc_add_format(out, "%s/%s-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp", name);
  return out->failed ? tool_fail("out of memory") : TOOL_OK;
}

int tool_build(tool_source *library, const tc_text *c, const char *rt) {
  tc_text folder = {0}, include = {0};
  int status = find_rt(&include, rt);
  if (status == TOOL_OK)
    status = tool_temporary(&folder, "ttcpu");
  if (status == TOOL_OK && mkdtemp(folder.data) == NULL)
    status = tool_fail("cannot make the folder '%s': %s", folder.data, strerror(errno));
  else if (status == TOOL_OK)
    status = build_in(folder.data, library, c, include.data);
  tc_text_free(&folder);
  tc_text_free(&include);
  return status;
}
