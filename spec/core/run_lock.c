/* run_lock.c: which file stands for which part, and what is said while a run waits. */
#include "core/run_lock.h"

#include "base/err.h"
#include "base/fs.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *file; /* below the folder; hidden, as Ninja's own records are */
  const char *doing;
} parts[] = {
    [SPEC_RUN_BUILD] = {".spec_build.lock", "builds in"},
    [SPEC_RUN_CONFIGURE] = {".spec_configure.lock", "configures or proves"},
    [SPEC_RUN_WRITE] = {".lock", "writes"},
};

static const char variable[] = "TRITON_SPEC_WAIT";

enum { DEFAULT_WAIT = 600, LONGEST_WAIT = 1000000, PAUSE = 50 /* milliseconds */ };

/* Seconds to wait at most; -1: no locks. */
static int read_wait(long *out, spec_err *err) {
  const char *text = getenv(variable);
  *out = DEFAULT_WAIT;
  if (text == NULL || *text == '\0')
    return SPEC_OK;
  *out = -1;
  if (strcmp(text, "off") == 0)
    return SPEC_OK;
  char *end;
  *out = strtol(text, &end, 10);
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *out <= LONGEST_WAIT)
    return SPEC_OK;
  (void)spec_fail(err, SPEC_EINVAL, "%s is '%s', which is no time to wait", variable, text);
  return spec_fail_mend(err, "set it to seconds, at most %d, or to 'off'", LONGEST_WAIT);
}

/* "process 12 (cmake -S trunk)", as far as it is known. */
static const char *name_of(char out[static 400], const spec_fs_holder *holder) {
  if (holder->pid == 0)
    return "a process of another machine or container, or one that has just ended,";
  (void)snprintf(out, 400, "process %ld%s%s%s", holder->pid, *holder->command ? " (" : "",
                 holder->command, *holder->command ? ")" : "");
  return out;
}

/* A run that wants a part of a folder. */
typedef struct waiter {
  spec_run_part part;
  const char *folder;
  long wait; /* seconds */
  spec_event_fn *on_event;
  void *user;
  spec_err *err;
} waiter;

static void tell(const waiter *w, const spec_fs_holder *holder) {
  char message[1024], mend[128], name[400];
  (void)snprintf(message, sizeof message, "waiting: %s %s this folder", name_of(name, holder),
                 parts[w->part].doing);
  (void)snprintf(mend, sizeof mend, "nothing; after %ld s this run gives up (%s)", w->wait,
                 variable);
  const spec_event event = {SPEC_NOTE, "waiting", w->folder, message, mend};
  if (w->on_event != NULL)
    w->on_event(w->user, &event);
}

static int give_up(const waiter *w, const spec_fs_holder *holder) {
  char name[400];
  (void)spec_fail(w->err, SPEC_EBUSY, "%s %s '%s', and did not end within %ld s",
                  name_of(name, holder), parts[w->part].doing, w->folder, w->wait);
  (void)spec_fail_where(w->err, "%s/%s", w->folder, parts[w->part].file);
  (void)spec_fail_mend(w->err, "run it again when that has ended; %s=<seconds> waits longer",
                       variable);
  return SPEC_EBUSY;
}

/* Tries until the time is over; *lock stays as it is without the lock. */
static int take(const waiter *w, int *lock, const char *path) {
  spec_fs_holder holder;
  long start = spec_fs_clock();
  bool told = false;
  int rc;
  while ((rc = spec_fs_try_lock(lock, &holder, path, w->err)) == SPEC_EBUSY) {
    if (spec_fs_clock() - start >= w->wait * 1000)
      return give_up(w, &holder);
    if (!told)
      tell(w, &holder);
    told = true;
    spec_fs_sleep(PAUSE);
  }
  return rc;
}

int spec_run_lock_take(spec_run_lock *out, spec_run_part part, const char *folder,
                       spec_event_fn *on_event, void *user, spec_err *err) {
  char path[4096];
  waiter w = {part, folder, 0, on_event, user, err};
  int rc = read_wait(&w.wait, err);
  if (rc != 0)
    return rc;
  out->handle = -1;
  if (w.wait < 0)
    return SPEC_OK;
  int len = snprintf(path, sizeof path, "%s/%s", folder, parts[part].file);
  if (len < 0 || (size_t)len >= sizeof path)
    return spec_fail(err, SPEC_EIO, "cannot lock: too long is the path of the folder '%s'", folder);
  return take(&w, &out->handle, path);
}

void spec_run_lock_release(spec_run_lock *lock) {
  spec_fs_unlock(lock->handle);
  lock->handle = -1;
}
