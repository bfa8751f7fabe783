/* ttrt_scan.h: running sums of arrays, in place, eight elements at a time: each adds what lies one,
 * two and four before it, then the sum of all before the eight. */
#ifndef TTRT_SCAN_H
#define TTRT_SCAN_H

/* zero: what, added to any number, leaves it. */
#define TT_SCAN_ADD(k, T, zero)                                                                 \
  static inline __attribute__((unused)) void tt_scan_add_##k(T *x, int64_t count) {             \
    typedef T eight __attribute__((vector_size(8 * sizeof(T)), aligned(sizeof(T)), may_alias)); \
    const eight none = {zero, zero, zero, zero, zero, zero, zero, zero};                        \
    eight before = none;                                                                        \
    int64_t i = 0;                                                                              \
    for (; i + 8 <= count; i += 8) {                                                            \
      eight v = *(eight *)(x + i);                                                              \
      v += __builtin_shufflevector(v, none, 8, 0, 1, 2, 3, 4, 5, 6);                            \
      v += __builtin_shufflevector(v, none, 8, 9, 0, 1, 2, 3, 4, 5);                            \
      v += __builtin_shufflevector(v, none, 8, 9, 10, 11, 0, 1, 2, 3);                          \
      *(eight *)(x + i) = v + before;                                                           \
      before += __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);                          \
    }                                                                                           \
    for (T sum = before[0]; i < count; i++)                                                     \
      x[i] = sum += x[i];                                                                       \
  }
TT_SCAN_ADD(f32, float, -0.0f)
TT_SCAN_ADD(i32, uint32_t, 0)
#undef TT_SCAN_ADD

#endif
