/* host.c: kernels of the cpu backend, which are shared libraries with the ABI of rt/ttabi.h: the
 * programs of the grid run one after the other in the calling thread. */
#include "launch.h"

#include "ttabi.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a program's calls find: the tt_env comes first, so that its address is this one's. */
typedef struct host_program {
  tt_env env;
  jmp_buf failed;
  char *why;
} host_program;

static void print_line(const tt_env *env, const char *line, size_t len) {
  (void)env;
  fwrite(line, 1, len, stdout);
  fputc('\n', stdout);
}

static void fail(const tt_env *env, const char *message) {
  host_program *program = (host_program *)(uintptr_t)env;
  snprintf(program->why, LAUNCH_REASON, "program (%d, %d, %d): %s", env->id[0], env->id[1],
           env->id[2], message);
  longjmp(program->failed, 1);
}

/* No other thread runs that could bring what is waited for. */
static void wait_for(const tt_env *env) {
  fail(env, "it waits for another program, and programs run one after the other here");
}

static const tt_runtime runtime = {print_line, fail, wait_for};

static void run_all(const tt_kernel *kernel, const launch_call *call, host_program *program) {
  tt_env *env = &program->env;
  for (env->id[2] = 0; env->id[2] < env->count[2]; env->id[2]++)
    for (env->id[1] = 0; env->id[1] < env->count[1]; env->id[1]++)
      for (env->id[0] = 0; env->id[0] < env->count[0]; env->id[0]++)
        kernel->run((const void *const *)call->params, env);
}

int launch_on_host(const launch_call *call, char why[LAUNCH_REASON]) {
  const tt_kernel *kernel = call->function;
  host_program program = {.why = why};
  size_t bytes = (kernel->frame + 63) / 64 * 64;
  program.env.runtime = &runtime;
  for (int i = 0; i < 3; i++)
    program.env.count[i] = (int32_t)call->grid[i];
  if (bytes > 0 && (program.env.frame = aligned_alloc(64, bytes)) == NULL) {
    snprintf(why, LAUNCH_REASON, "no %zu bytes for a program's frame", bytes);
    return 1;
  }
  char *volatile frame = program.env.frame;
  int rc = setjmp(program.failed);
  if (rc == 0)
    run_all(kernel, call, &program);
  fflush(stdout);
  free(frame);
  return rc;
}
