/* ttrt_atomic.h: atomic operations, each sequentially consistent, whatever the kernel asked for.
 * Each gives the old value. */
#ifndef TTRT_ATOMIC_H
#define TTRT_ATOMIC_H

#include "ttrt_float.h"

#define TT_FETCH(k, T, op, builtin)                \
  TT_INLINE T tt_rmw_##op##_##k(mem_##k *p, T v) { \
    return builtin(p, v, __ATOMIC_SEQ_CST);        \
  }

/* The old value; the new one is an expression of old and v. */
#define TT_LOOP(k, T, I, op, expression)                                                           \
  TT_INLINE T tt_rmw_##op##_##k(mem_##k *p, T v) {                                                 \
    I *bits = (I *)p, seen = __atomic_load_n(bits, __ATOMIC_SEQ_CST);                              \
    for (;;) {                                                                                     \
      T old = TT_BITS(T, seen);                                                                    \
      T made = (expression);                                                                       \
      I wanted = TT_BITS(I, made);                                                                 \
      if (__atomic_compare_exchange_n(bits, &seen, wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
        return old;                                                                                \
    }                                                                                              \
  }

#define TT_MEMORY_OF(k, T, I)                                                                  \
  TT_INLINE T tt_rmw_xchg_##k(mem_##k *p, T v) {                                               \
    I old = __atomic_exchange_n((I *)p, TT_BITS(I, v), __ATOMIC_SEQ_CST);                      \
    return TT_BITS(T, old);                                                                    \
  }                                                                                            \
  TT_INLINE T tt_cas_##k(mem_##k *p, T expected, T desired) {                                  \
    I seen = TT_BITS(I, expected);                                                             \
    (void)__atomic_compare_exchange_n((I *)p, &seen, TT_BITS(I, desired), 0, __ATOMIC_SEQ_CST, \
                                      __ATOMIC_SEQ_CST);                                       \
    return TT_BITS(T, seen);                                                                   \
  }                                                                                            \
  TT_INLINE T tt_atomic_load_##k(const mem_##k *p) {                                           \
    I seen = __atomic_load_n((const I *)p, __ATOMIC_SEQ_CST);                                  \
    return TT_BITS(T, seen);                                                                   \
  }                                                                                            \
  TT_INLINE void tt_atomic_store_##k(mem_##k *p, T v) {                                        \
    __atomic_store_n((I *)p, TT_BITS(I, v), __ATOMIC_SEQ_CST);                                 \
  }                                                                                            \
  static inline __attribute__((unused)) T tt_poll_##k(const tt_env *env, const mem_##k *p,     \
                                                      T expected) {                            \
    for (;;) {                                                                                 \
      T seen = tt_atomic_load_##k(p);                                                          \
      if (seen == expected)                                                                    \
        return seen;                                                                           \
      env->runtime->wait(env);                                                                 \
    }                                                                                          \
  }

#define TT_INTEGER(k, T, U)                             \
  TT_MEMORY_OF(k, T, mem_##k)                           \
  TT_FETCH(k, T, add, __atomic_fetch_add)               \
  TT_FETCH(k, T, and, __atomic_fetch_and)               \
  TT_FETCH(k, T, or, __atomic_fetch_or)                 \
  TT_FETCH(k, T, xor, __atomic_fetch_xor)               \
  TT_LOOP(k, T, mem_##k, max, old > v ? old : v)        \
  TT_LOOP(k, T, mem_##k, min, old < v ? old : v)        \
  TT_LOOP(k, T, mem_##k, umax, (U)old > (U)v ? old : v) \
  TT_LOOP(k, T, mem_##k, umin, (U)old < (U)v ? old : v)

#define TT_REAL(k, T, I, sum)              \
  TT_MEMORY_OF(k, T, I)                    \
  TT_LOOP(k, T, I, fadd, sum)              \
  TT_LOOP(k, T, I, max, old > v ? old : v) \
  TT_LOOP(k, T, I, min, old < v ? old : v)

TT_INTEGER(i1, uint8_t, uint8_t)
TT_INTEGER(i8, int8_t, uint8_t)
TT_INTEGER(i16, int16_t, uint16_t)
TT_INTEGER(i32, int32_t, uint32_t)
TT_INTEGER(i64, int64_t, uint64_t)
TT_REAL(f16, _Float16, mem_i16, tt_f32_to_f16(tt_f16_to_f32(old) + tt_f16_to_f32(v)))
TT_REAL(bf16, __bf16, mem_i16, tt_f32_to_bf16(tt_bf16_to_f32(old) + tt_bf16_to_f32(v)))
TT_REAL(f32, float, mem_i32, old + v)
TT_REAL(f64, double, mem_i64, old + v)
#undef TT_FETCH
#undef TT_LOOP
#undef TT_MEMORY_OF
#undef TT_INTEGER
#undef TT_REAL

#endif
