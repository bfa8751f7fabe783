/* ttmlir.h: what a kernel that was compiled from linalg calls. Included by the C text that
 * ttcpu-mlir prints, and by nothing else. */
#ifndef TTMLIR_H
#define TTMLIR_H

#include "ttrt.h"

/* What follows needs what is above. */
#include "ttlibdevice.h"
#include "ttrt_print.h"

TT_INLINE void tt_fail(const tt_env *env, const char *message) {
  env->runtime->fail(env, message);
}

TT_INLINE void tt_wait(const tt_env *env) {
  env->runtime->wait(env);
}

#endif
