/* ttabi.h: what a compiled kernel and its caller agree on. Included by generated code, by the
 * launcher and by ttcpu. C11 without extensions; a change raises TT_ABI. */
#ifndef TTABI_H
#define TTABI_H

#include <stddef.h>
#include <stdint.h>

#define TT_ABI 1

struct tt_env;

/* What a kernel may call. Never NULL. */
typedef struct tt_runtime {
  /* Prints one line of tl.device_print, whole and in the program's order. */
  void (*print)(const struct tt_env *env, const char *line, size_t len);
  /* Ends this program; does not return. The launch raises. */
  void (*fail)(const struct tt_env *env, const char *message);
  /* Called while a program waits for another's memory (tl.atomic_poll). */
  void (*wait)(const struct tt_env *env);
} tt_runtime;

/* One program of the grid. */
typedef struct tt_env {
  int32_t id[3], count[3]; /* x, y, z */
  char *frame; /* tt_kernel.frame bytes, aligned to 64, the program's own while it runs */
  const tt_runtime *runtime;
} tt_env;

/* Exported as `const tt_kernel ttcpu_kernel`. */
typedef struct tt_kernel {
  uint32_t abi; /* TT_ABI */
  uint32_t param_count;
  const char *name;   /* of the kernel, as in the module */
  const char *params; /* a letter each: p pointer; b h w q integers of 8, 16, 32, 64 bits (i1: b);
                         H B f d floats: f16, bf16, f32, f64; e any 8-bit float */
  size_t frame;       /* bytes; 0 for none */
  /* Runs one program. params[i] points to parameter i, in its own size. */
  void (*run)(const void *const *params, const tt_env *env);
} tt_kernel;

#endif
