/* frame.c: a thread's frame grows to the largest that a kernel asked for. Frames of whole huge
 * pages ask the system for such: a kernel's buffers are swept through again and again. */
#define _GNU_SOURCE
#include "frame.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define KEPT      ((size_t)64 << 20) /* what a thread keeps at most between launches */

static _Thread_local struct {
  char *data;
  size_t size;
} frame;

static pthread_key_t key; /* its destructor frees the frame of a thread that ends */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void release(void *data) {
  free(data);
  frame.data = NULL;
  frame.size = 0;
}

static void make_key(void) {
  (void)pthread_key_create(&key, release);
}

char *tr_frame(size_t size) {
  if (size <= frame.size)
    return size == 0 ? NULL : frame.data;
  (void)pthread_once(&key_once, make_key);
  release(frame.data);
  size_t unit = size >= HUGE_PAGE ? HUGE_PAGE : 4096;
  if (size > SIZE_MAX - unit)
    return NULL;
  size_t rounded = (size + unit - 1) / unit * unit;
  char *data = aligned_alloc(unit, rounded);
  if (data != NULL && pthread_setspecific(key, data) == 0) {
    if (unit == HUGE_PAGE)
      (void)madvise(data, rounded, MADV_HUGEPAGE);
    frame.data = data;
    frame.size = rounded;
    return data;
  }
  free(data);
  (void)pthread_setspecific(key, NULL);
  return NULL;
}

void tr_frame_trim(void) {
  if (frame.size > KEPT) {
    release(frame.data);
    (void)pthread_setspecific(key, NULL);
  }
}
