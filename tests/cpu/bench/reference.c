/* reference.c: what the kernels of kernels.py compute, as one writes it in C: plain loops, compiled
 * with -O3 -march=native -ffast-math. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>

void ref_add(const float *x, const float *y, float *restrict z, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] + y[i];
}

typedef struct part {
  const float *x, *y;
  float *z;
  int64_t n;
} part;

static void *add_part(void *argument) {
  const part *p = argument;
  ref_add(p->x, p->y, p->z, p->n);
  return NULL;
}

/* The same by up to 64 threads, the caller's among them. */
void ref_add_on(const float *x, const float *y, float *z, int64_t n, int64_t threads) {
  pthread_t started[64];
  part parts[64];
  for (int64_t t = 0; t < threads; t++) {
    int64_t from = n * t / threads, to = n * (t + 1) / threads;
    parts[t] = (part){x + from, y + from, z + from, to - from};
    if (t > 0 && pthread_create(&started[t], NULL, add_part, &parts[t]) != 0)
      started[t] = pthread_self();
  }
  (void)add_part(&parts[0]);
  for (int64_t t = 1; t < threads; t++)
    if (pthread_equal(started[t], pthread_self()))
      (void)add_part(&parts[t]);
    else
      (void)pthread_join(started[t], NULL);
}

void ref_softmax(const float *x, float *restrict y, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; r++, x += n, y += n) {
    float most = x[0], sum = 0;
    for (int64_t i = 1; i < n; i++)
      most = x[i] > most ? x[i] : most;
    for (int64_t i = 0; i < n; i++)
      sum += y[i] = expf(x[i] - most);
    for (int64_t i = 0; i < n; i++)
      y[i] /= sum;
  }
}

void ref_layer_norm(const float *x, float *restrict y, const float *w, const float *b, int64_t rows,
                    int64_t n) {
  for (int64_t r = 0; r < rows; r++, x += n, y += n) {
    float sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
      sum += x[i];
    float mean = sum / (float)n;
    for (int64_t i = 0; i < n; i++)
      squares += (x[i] - mean) * (x[i] - mean);
    float scale = 1 / sqrtf(squares / (float)n + 1e-5f);
    for (int64_t i = 0; i < n; i++)
      y[i] = (x[i] - mean) * scale * w[i] + b[i];
  }
}

void ref_cumsum(const float *x, float *restrict y, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; r++, x += n, y += n) {
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
      y[i] = sum += x[i];
  }
}

void ref_argmax(const float *x, int64_t *restrict y, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; r++, x += n) {
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++)
      at = x[i] > x[at] ? i : at;
    y[r] = at;
  }
}

/* Blocks of 64 by 64 by 64, the innermost loop along rows. */
void ref_matmul(const float *a, const float *b, float *restrict c, int64_t n) {
  for (int64_t i = 0; i < n * n; i++)
    c[i] = 0;
  for (int64_t ii = 0; ii < n; ii += 64)
    for (int64_t kk = 0; kk < n; kk += 64)
      for (int64_t jj = 0; jj < n; jj += 64)
        for (int64_t i = ii; i < ii + 64 && i < n; i++)
          for (int64_t k = kk; k < kk + 64 && k < n; k++)
            for (int64_t j = jj; j < jj + 64 && j < n; j++)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
}
