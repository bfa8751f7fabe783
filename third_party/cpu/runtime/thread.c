/* thread.c: starting threads, and launches whose programs have a thread each. */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#define STACK         ((size_t)8 << 20)
#define PROGRAMS_MOST 8192 /* of a cooperative launch */

int tr_thread_start(pthread_t *thread, void *(*run)(void *), void *context) {
  sigset_t blocked, before;
  (void)sigfillset(&blocked);
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    (void)sigdelset(&blocked, faults[i]);
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  (void)pthread_attr_setstacksize(&attributes, STACK);
  (void)pthread_sigmask(SIG_SETMASK, &blocked, &before);
  error = pthread_create(thread, &attributes, run, context);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  (void)pthread_attr_destroy(&attributes);
  return error;
}

/* Where the threads of one launch meet: none runs its program before all are members, and none does
 * when one could not be started. */
typedef struct tr_gate {
  tr_job *job;
  pthread_mutex_t lock;
  pthread_cond_t moved; /* a number below changed */
  int64_t joined, finished;
  bool closed;
} tr_gate;

typedef struct apart {
  tr_member member;
  pthread_t thread;
  tr_gate *gate;
  int64_t program;
} apart;

static void *run_apart(void *context) {
  apart *own = context;
  tr_gate *gate = own->gate;
  tr_job_join(gate->job, &own->member, false);
  atomic_store(&own->member.low, own->program);
  (void)pthread_mutex_lock(&gate->lock);
  if (++gate->joined == gate->job->total)
    (void)pthread_cond_broadcast(&gate->moved);
  while (gate->joined < gate->job->total && !gate->closed)
    (void)pthread_cond_wait(&gate->moved, &gate->lock);
  bool closed = gate->closed;
  (void)pthread_mutex_unlock(&gate->lock);
  if (!closed)
    tr_member_run_one(&own->member, own->program);
  (void)pthread_mutex_lock(&gate->lock);
  gate->finished++;
  (void)pthread_cond_broadcast(&gate->moved);
  (void)pthread_mutex_unlock(&gate->lock);
  return NULL;
}

/* The calling thread runs no program; it waits, and asks whether the launch is interrupted. */
static void wait_apart(tr_gate *gate, int64_t started) {
  tr_member calling = {.job = gate->job, .calling = true};
  (void)pthread_mutex_lock(&gate->lock);
  while (gate->finished < started) {
    struct timespec until = tr_soon();
    if (pthread_cond_timedwait(&gate->moved, &gate->lock, &until) != ETIMEDOUT)
      continue;
    (void)pthread_mutex_unlock(&gate->lock);
    tr_member_ask(&calling);
    (void)pthread_mutex_lock(&gate->lock);
  }
  (void)pthread_mutex_unlock(&gate->lock);
}

void tr_job_run_apart(tr_job *job) {
  tr_gate gate = {.job = job};
  (void)pthread_mutex_init(&gate.lock, NULL);
  (void)pthread_cond_init(&gate.moved, NULL);
  apart *threads = NULL;
  if (job->total <= PROGRAMS_MOST)
    threads = calloc((size_t)job->total, sizeof *threads);
  atomic_store(&job->next, job->total);
  int64_t started = 0;
  for (; threads != NULL && started < job->total; started++) {
    apart *own = &threads[started];
    own->gate = &gate;
    own->program = started;
    if (tr_thread_start(&own->thread, run_apart, own) != 0)
      break;
  }
  if (started < job->total) {
    (void)pthread_mutex_lock(&gate.lock);
    gate.closed = true;
    (void)pthread_cond_broadcast(&gate.moved);
    (void)pthread_mutex_unlock(&gate.lock);
    tr_job_stop(job, TR_ETHREADS);
  }
  wait_apart(&gate, started);
  for (int64_t i = 0; i < started; i++)
    (void)pthread_join(threads[i].thread, NULL);
  tr_job_dispose(job);
  free(threads);
  (void)pthread_cond_destroy(&gate.moved);
  (void)pthread_mutex_destroy(&gate.lock);
}
