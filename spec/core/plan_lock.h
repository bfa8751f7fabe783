/* plan_lock.h: the locks of a plan's layers, each read once. */
#ifndef SPEC_CORE_PLAN_LOCK_H
#define SPEC_CORE_PLAN_LOCK_H

#include "core/lock.h"
#include "core/plan.h"

typedef struct spec_plan_lock {
  spec_lock lock; /* empty when there is none, or none that can be read */
  bool exists;
  int rc;         /* 0, or why it cannot be read: */
  spec_err error; /* of that code */
} spec_plan_lock;

/* The lock of a layer; fails for lack of memory only. */
int spec_plan_lock_of(const spec_plan_lock **out, spec_plan *plan, size_t layer, spec_err *err);
/* How a lock calls an override's file: as the source tree does. NULL: no memory. */
const char *spec_plan_locked_path(const spec_plan *plan, const spec_override *override);

#endif
