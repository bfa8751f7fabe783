/* pool.c: the threads of a process, which sleep between launches. One launch at a time has them;
 * another at the same time runs on its own thread. After a fork the child starts without any. */
#define _GNU_SOURCE
#include "frame.h"
#include "job.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

#define THREADS_MOST 1024

static struct {
  pthread_mutex_t lock; /* of all but busy */
  pthread_cond_t work, done;
  tr_job *job;      /* that members may join */
  uint64_t number;  /* of that job, among all */
  unsigned wanted;  /* how many may still join it */
  unsigned active;  /* members that work on it */
  unsigned count;   /* threads */
  atomic_flag busy; /* a launch has the threads */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
    .busy = ATOMIC_FLAG_INIT,
};

unsigned tr_processor_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static void *worker(void *unused) {
  (void)unused;
  tr_member member;
  uint64_t seen = 0;
  (void)pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.job == NULL || pool.wanted == 0 || pool.number == seen)
      (void)pthread_cond_wait(&pool.work, &pool.lock);
    tr_job *job = pool.job;
    seen = pool.number;
    pool.wanted--;
    pool.active++;
    (void)pthread_mutex_unlock(&pool.lock);
    tr_job_join(job, &member, false);
    tr_member_work(&member);
    tr_frame_trim();
    (void)pthread_mutex_lock(&pool.lock);
    if (--pool.active == 0)
      (void)pthread_cond_signal(&pool.done);
  }
  return NULL;
}

/* A child has the forking thread alone: the pool's threads and what they held are gone. */
static void before_fork(void) {
  (void)pthread_mutex_lock(&pool.lock);
}

static void after_fork_in_parent(void) {
  (void)pthread_mutex_unlock(&pool.lock);
}

static void after_fork_in_child(void) {
  (void)pthread_mutex_init(&pool.lock, NULL);
  (void)pthread_cond_init(&pool.work, NULL);
  (void)pthread_cond_init(&pool.done, NULL);
  pool.job = NULL;
  pool.wanted = pool.active = pool.count = 0;
  atomic_flag_clear(&pool.busy);
}

static void watch_forks(void) {
  (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Offers the job to the threads, of which as many are started as are missing. */
static void spread(tr_job *job) {
  job->spread = NULL;
  int64_t others = job->launch->threads - 1;
  unsigned wanted = (unsigned)(others < job->total - 1 ? others : job->total - 1);
  wanted = wanted < THREADS_MOST ? wanted : THREADS_MOST;
  (void)pthread_mutex_lock(&pool.lock);
  for (pthread_t thread; pool.count < wanted && tr_thread_start(&thread, worker, NULL) == 0;
       pool.count++)
    (void)pthread_detach(thread);
  pool.job = job;
  pool.number++;
  pool.wanted = wanted;
  if (wanted == 1)
    (void)pthread_cond_signal(&pool.work);
  else
    (void)pthread_cond_broadcast(&pool.work);
  (void)pthread_mutex_unlock(&pool.lock);
}

/* Waits until no thread works on the job any more, whichever way it ends. */
static void gather(tr_member *calling) {
  (void)pthread_mutex_lock(&pool.lock);
  pool.job = NULL;
  while (pool.active > 0) {
    struct timespec until = tr_soon();
    if (pthread_cond_timedwait(&pool.done, &pool.lock, &until) == ETIMEDOUT) {
      (void)pthread_mutex_unlock(&pool.lock); /* the question may need the interpreter's lock */
      tr_member_ask(calling);
      (void)pthread_mutex_lock(&pool.lock);
    }
  }
  (void)pthread_mutex_unlock(&pool.lock);
}

static void run_pooled(tr_job *job) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  tr_member member;
  bool shared = job->launch->threads > 1 && job->total > 1 && !atomic_flag_test_and_set(&pool.busy);
  if (shared) {
    (void)pthread_once(&once, watch_forks);
    job->spread = spread;
  }
  tr_job_join(job, &member, true);
  tr_member_work(&member);
  if (shared && job->spread == NULL)
    gather(&member);
  tr_frame_trim();
  tr_job_dispose(job);
  if (shared)
    atomic_flag_clear(&pool.busy);
}

int tr_launch_run(const tr_launch *launch, tr_failure *failure) {
  tr_job job;
  tr_job_init(&job, launch, failure);
  if (job.total > 0 && launch->cooperative)
    tr_job_run_apart(&job);
  else if (job.total > 0)
    run_pooled(&job);
  return failure->code;
}
