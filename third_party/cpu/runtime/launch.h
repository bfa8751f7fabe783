/* launch.h: runs a kernel over a grid, on threads that stay between launches. */
#ifndef TTCPU_LAUNCH_H
#define TTCPU_LAUNCH_H

#include "rt/ttabi.h"

#include <stdbool.h>

typedef struct tr_launch {
  const tt_kernel *kernel;
  const void *const *params; /* as tt_kernel.run takes them */
  int32_t grid[3];           /* programs in x, y, z, each at least 0; together fewer than 2^63 */
  unsigned threads;          /* at most, the calling one among them; 0 counts as 1 */
  bool cooperative;          /* every program has a thread of its own, and all run at once */
  /* Asked now and then on the calling thread: true ends the launch. NULL is allowed. */
  bool (*interrupted)(void *context);
  void *context;
} tr_launch;

enum {
  TR_OK = 0,
  TR_ENOMEM = -1,       /* no memory for a frame */
  TR_EASSERT = -2,      /* a program called tt_runtime.fail */
  TR_EINTERRUPTED = -3, /* by tr_launch.interrupted */
  TR_ETHREADS = -4      /* there are not as many threads as a cooperative launch has programs */
};

/* What ended a launch early. Programs that ran by then have had their effects. */
typedef struct tr_failure {
  int code;           /* one of the codes above */
  int32_t id[3];      /* TR_EASSERT: the failed program, the first of several in the grid's order */
  char message[1024]; /* TR_EASSERT: its own, cut if longer */
} tr_failure;

/* Runs all programs of the grid and waits for them. A short launch stays on the calling thread; so
 * does one that finds the threads taken by another. What programs print appears on descriptor 1 in
 * the order of the grid, x fastest; see output.c. 0 or a negative code, then *failure is filled. */
int tr_launch_run(const tr_launch *launch, tr_failure *failure);

/* Processors that this process may use; at least 1. */
unsigned tr_processor_count(void);

#endif
