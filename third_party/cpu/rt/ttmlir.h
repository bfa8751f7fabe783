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

/* LLVM calls this for bf16 where the processor has no instruction; libgcc has it since 13. */
__attribute__((weak, visibility("hidden"))) __bf16 __truncsfbf2(float x) {
  uint32_t bits = TT_BITS(uint32_t, x);
  uint32_t near = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  uint16_t half = (uint16_t)(x != x ? bits >> 16 | 0x40 : near);
  return TT_BITS(__bf16, half);
}

#endif
