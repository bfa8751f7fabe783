/* ttrt_dot.h: acc[batch][m][n] += a b, in place, for operands in panels: a as
 * [batch][m / R][k][R], b as [batch][n / C][k][C], R and C powers of two. Sizes are numbers of
 * bits. A block of rows and columns stays in registers while k runs. */
#ifndef TTRT_DOT_H
#define TTRT_DOT_H

#if defined(__AVX512F__)
enum { TT_VECTOR = 64, TT_ROWS = 8, TT_PARTS = 2 }; /* 16 of 32 registers accumulate */
#elif defined(__AVX__)
enum { TT_VECTOR = 32, TT_ROWS = 4, TT_PARTS = 2 }; /* 8 of 16 */
#else
enum { TT_VECTOR = 16, TT_ROWS = 4, TT_PARTS = 1 };
#endif

#define TT_UNROLL _Pragma("clang loop unroll(full)")

/* How a block finds its operands: element (row, k) of a is a[row * a_row + k * a_step], element
 * (k, column) of b is b[k * b_step + column], a row of acc begins every acc_step. */
typedef struct tt_dot_steps {
  int64_t k, a_row, a_step, b_step, acc_step;
} tt_dot_steps;

/* V is a vector of T, N one of B with as many elements. */
#define TT_DOT(name, A, B, T, mul)                                                                \
  typedef T name##_v __attribute__((vector_size(TT_VECTOR), aligned(sizeof(T)), may_alias));      \
  typedef B name##_n                                                                              \
      __attribute__((vector_size(TT_VECTOR / sizeof(T) * sizeof(B)), aligned(1), may_alias));     \
  TT_INLINE void name##_block(T *restrict acc, const A *restrict a, const B *restrict b,          \
                              tt_dot_steps s, const int rows, const int parts) {                  \
    enum { W = TT_VECTOR / sizeof(T) };                                                           \
    name##_v c[TT_ROWS][TT_PARTS];                                                                \
    TT_UNROLL for (int r = 0; r < rows; r++) {                                                    \
      TT_UNROLL for (int p = 0; p < parts; p++) c[r][p] =                                         \
          *(const name##_v *)(acc + r * s.acc_step + p * W);                                      \
    }                                                                                             \
    for (int64_t k = 0; k < s.k; k++) {                                                           \
      name##_v x[TT_PARTS];                                                                       \
      TT_UNROLL for (int p = 0; p < parts; p++) x[p] =                                            \
          __builtin_convertvector(*(const name##_n *)(b + k * s.b_step + p * W), name##_v);       \
      TT_UNROLL for (int r = 0; r < rows; r++) {                                                  \
        T y = (T)a[r * s.a_row + k * s.a_step];                                                   \
        TT_UNROLL for (int p = 0; p < parts; p++) c[r][p] += y * x[p];                            \
      }                                                                                           \
    }                                                                                             \
    TT_UNROLL for (int r = 0; r < rows; r++) {                                                    \
      TT_UNROLL for (int p = 0; p < parts; p++) * (name##_v *)(acc + r * s.acc_step + p * W) =    \
          c[r][p];                                                                                \
    }                                                                                             \
  }                                                                                               \
  /* Columns that fill no vector. */                                                              \
  TT_INLINE void name##_thin(T *restrict acc, const A *restrict a, const B *restrict b,           \
                             tt_dot_steps s, int columns) {                                       \
    for (int64_t k = 0; k < s.k; k++)                                                             \
      for (int c = 0; c < columns; c++)                                                           \
        acc[c] = mul(acc[c], (T)a[k * s.a_step], (T)b[k * s.b_step + c]);                         \
  }                                                                                               \
  TT_INLINE void name(T *restrict acc, const A *restrict a, const B *restrict b, const int batch, \
                      const int m, const int n, const int k, const int a_panel,                   \
                      const int b_panel) {                                                        \
    enum { W = TT_VECTOR / sizeof(T) };                                                           \
    const int64_t in_panel = 1 << a_panel, columns = 1 << b_panel;                                \
    /* Rows that are taken together: of one panel, or of panels of one row. */                    \
    const int64_t least = a_panel == 0 ? (int64_t)1 << m : in_panel;                              \
    const int rows = least < TT_ROWS ? (int)least : TT_ROWS;                                      \
    const int parts = columns >= TT_PARTS * W ? TT_PARTS : 1;                                     \
    const int wide = columns >= W ? parts * W : (int)columns;                                     \
    tt_dot_steps s = {(int64_t)1 << k, a_panel == 0 ? (int64_t)1 << k : 1, in_panel, columns,     \
                      (int64_t)1 << n};                                                           \
    for (int64_t i = 0; i < (int64_t)1 << batch; i++)                                             \
      for (int64_t column = 0; column < (int64_t)1 << n; column += wide)                          \
        for (int64_t row = 0; row < (int64_t)1 << m; row += columns >= W ? rows : 1) {            \
          T *to = acc + (i << (m + n)) + (row << n) + column;                                     \
          const A *left =                                                                         \
              a + (i << (m + k)) + (row >> a_panel << (k + a_panel)) + (row & (in_panel - 1));    \
          const B *right = b + (i << (n + k)) + (column >> b_panel << (k + b_panel)) +            \
                           (column & (columns - 1));                                              \
          if (columns >= W)                                                                       \
            name##_block(to, left, right, s, rows, parts);                                        \
          else                                                                                    \
            name##_thin(to, left, right, s, wide);                                                \
        }                                                                                         \
  }

#define TT_MULTIPLY_ADD(c, x, y) ((c) + (x) * (y))
TT_DOT(tt_dot_f32, float, float, float, TT_MULTIPLY_ADD)
TT_DOT(tt_dot_f64, double, double, double, TT_MULTIPLY_ADD)
/* Sums of products of 32 bits wrap around. */
TT_DOT(tt_dot_i8i8, int8_t, int8_t, uint32_t, TT_MULTIPLY_ADD)
TT_DOT(tt_dot_u8u8, uint8_t, uint8_t, uint32_t, TT_MULTIPLY_ADD)
TT_DOT(tt_dot_i8u8, int8_t, uint8_t, uint32_t, TT_MULTIPLY_ADD)
TT_DOT(tt_dot_u8i8, uint8_t, int8_t, uint32_t, TT_MULTIPLY_ADD)

#undef TT_DOT
#undef TT_MULTIPLY_ADD

#endif
