/* cuda.c: what a launch asks of NVIDIA's driver, whose functions Python has looked up. */
#include "launch.h"

#include <stdio.h>

enum { RANGE_START = 11, RANGE_SIZE = 12 }; /* attributes of a pointer */

/* Asking the driver takes longer than all other guards: a known allocation is not asked for. */
bool launch_reaches(launcher *self, uint64_t address) {
  for (size_t i = 0; i < LAUNCH_RANGES; i++)
    if (address - self->ranges[i].start < self->ranges[i].size)
      return true;
  launch_range found = {0};
  size_t size = 0;
  if (self->driver.pointer(&found.start, RANGE_START, address) != 0 ||
      self->driver.pointer(&size, RANGE_SIZE, address) != 0)
    return false;
  found.size = size;
  self->ranges[self->next_range++ % LAUNCH_RANGES] = found;
  return true;
}

int launch_on_cuda(const launch_driver *driver, const launch_call *c, char why[LAUNCH_REASON]) {
  int rc = driver->launch(c->function, c->grid[0], c->grid[1], c->grid[2], c->threads, 1, 1,
                          c->shared, c->stream, c->params, NULL);
  const char *text = NULL;
  if (rc != 0)
    snprintf(why, LAUNCH_REASON, "%s (CUDA error %d)",
             driver->error(rc, &text) == 0 && text != NULL ? text : "unknown error", rc);
  return rc;
}
