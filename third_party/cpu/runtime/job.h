/* job.h: a launch while it runs, and the threads that take part in it. */
#ifndef TTCPU_JOB_H
#define TTCPU_JOB_H

#include "launch.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <time.h>

struct tr_job;

/* Where one program's text ends in a member's held text. */
typedef struct tr_mark {
  int64_t program;
  size_t end;
} tr_mark;

/* Printed text that waits for its turn; guarded by the job's lock. */
typedef struct tr_held {
  char *data;
  size_t len, cap, written;
  tr_mark *marks;
  size_t mark_count, mark_cap, mark_first;
} tr_held;

/* A thread's part in a job. */
typedef struct tr_member {
  tt_env env; /* first: what the kernel hands back leads here */
  struct tr_job *job;
  struct tr_member *next; /* of the job's; guarded by its lock */
  _Atomic int64_t low;    /* no program below it is still to run here; INT64_MAX: none at all */
  int64_t program;        /* that runs */
  jmp_buf leave;          /* where a program goes that ends early */
  tr_held held;
  bool calling;  /* it is the thread that launched */
  int64_t asked; /* when tr_launch.interrupted was asked last, ns */
} tr_member;

typedef struct tr_job {
  const tr_launch *launch;
  tr_failure *failure;
  int64_t total, chunk; /* programs; programs that a member takes at once */
  _Atomic int64_t next; /* the first that none has taken */
  atomic_bool stop;     /* no more programs start */
  pthread_mutex_t lock; /* of what follows */
  tr_member *members;
  int64_t failed; /* the first program that failed; INT64_MAX: none */
  size_t held;    /* bytes of all members */
  /* Lets other threads take part; NULL where there are none. Called by the calling thread only. */
  void (*spread)(struct tr_job *job);
} tr_job;

void tr_job_init(tr_job *job, const tr_launch *launch, tr_failure *failure);
/* Ends what members hold. */
void tr_job_dispose(tr_job *job);
/* Makes the thread a member; its memory must last as long as the job. */
void tr_job_join(tr_job *job, tr_member *member, bool calling);
/* Takes and runs programs until none is left. */
void tr_member_work(tr_member *member);
/* Runs one program, which nobody else takes. */
void tr_member_run_one(tr_member *member, int64_t program);
/* Ends the job for another reason than a failed assertion. */
void tr_job_stop(tr_job *job, int code);
/* Asks tr_launch.interrupted if that was not done for a while. */
void tr_member_ask(tr_member *member);
int64_t tr_now(void);          /* ns */
struct timespec tr_soon(void); /* the time of day at which a member that waits asks again */

/* thread.c: starts a thread to which no signal is delivered but those of its own faults. 0 or an
 * errno. */
int tr_thread_start(pthread_t *thread, void *(*run)(void *), void *context);
/* Runs the job with a thread for each program, and waits for them. */
void tr_job_run_apart(tr_job *job);

/* output.c: holds a line of the program that runs here until all before it have ended; writes what
 * is due. */
void tr_output_line(tr_member *member, const char *line, size_t len);
/* Writes all that is held, the job's lock being taken. */
void tr_output_flush(tr_job *job, int64_t limit);

#endif
