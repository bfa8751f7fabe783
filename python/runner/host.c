/* host.c: kernels of the cpu backend, which are shared libraries with the ABI of rt/ttabi.h: the
 * programs of the grid run one after the other in the calling thread. */
#include "launch.h"

#include "ttabi.h"
#include <dlfcn.h>
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

static int launch(const launch_call *call, char why[LAUNCH_REASON]) {
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

static void release(void *module) {
  dlclose(module);
}

const launch_device launch_host = {"host", true, launch, release, NULL};

PyObject *launch_host_load(PyObject *self, PyObject *path) {
  (void)self;
  PyObject *bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes))
    return NULL;
  void *library = dlopen(PyBytes_AS_STRING(bytes), RTLD_NOW | RTLD_LOCAL);
  Py_DECREF(bytes);
  const tt_kernel *kernel = library != NULL ? dlsym(library, "ttcpu_kernel") : NULL;
  if (kernel == NULL || kernel->abi != TT_ABI) {
    if (kernel != NULL)
      PyErr_Format(PyExc_RuntimeError, "the kernel has ABI %u, this launcher %d", kernel->abi,
                   TT_ABI);
    else
      PyErr_Format(PyExc_RuntimeError, "no kernel: %s", dlerror());
    if (library != NULL)
      dlclose(library);
    return NULL;
  }
  return Py_BuildValue("KK", (unsigned long long)(uintptr_t)library,
                       (unsigned long long)(uintptr_t)kernel);
}
