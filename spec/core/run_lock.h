/* run_lock.h: one run at a time in a build folder. */
#ifndef SPEC_CORE_RUN_LOCK_H
#define SPEC_CORE_RUN_LOCK_H

#include "base/arena.h"

/* What a run keeps others out of.  Who takes several takes them in this order, so that no two runs
 * wait for each other; what a run starts may only take later ones. */
typedef enum spec_run_part {
  SPEC_RUN_BUILD,     /* of <build>: a whole `triton-spec build`, Ninja included */
  SPEC_RUN_CONFIGURE, /* of <build>: CMake from its first step to the written build.ninja
                         (SpecLock.cmake takes it), and proving what that file's build used */
  SPEC_RUN_WRITE      /* of <build>/spec, or of an export's own folder: writing */
} spec_run_part;

typedef struct spec_run_lock {
  int handle;
} spec_run_lock;

/* Keeps other runs out of a part of `folder`, which must exist.  Waits for one that is there, for
 * up to $TRITON_SPEC_WAIT seconds (600 when it is not set; "off": no locks at all), and says so
 * once, as the note "waiting".  A run that dies lets go, however it dies. SPEC_EBUSY: the other did
 * not end in time; the message names it.  SPEC_EINVAL: the variable's value means nothing. */
int spec_run_lock_take(spec_run_lock *out, spec_run_part part, const char *folder,
                       spec_event_fn *on_event, void *user, spec_err *err);
/* Also for a lock that was never taken, if its handle is -1. */
void spec_run_lock_release(spec_run_lock *lock);

#endif
