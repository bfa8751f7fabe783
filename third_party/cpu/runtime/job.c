/* job.c: members take programs by a counter and run them; a program that fails, or waits for one
 * that failed, leaves by a long jump to its member. */
#define _GNU_SOURCE
#include "job.h"

#include "frame.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ASK_EVERY       50000000 /* ns between questions whether the launch is interrupted */
#define WORTH_SPREADING 30000    /* ns of work that is left: about what waking threads costs */
#define CHUNKS          16       /* that each thread takes of a launch if all take as many */

int64_t tr_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct timespec tr_soon(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += ASK_EVERY;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

void tr_job_stop(tr_job *job, int code) {
  (void)pthread_mutex_lock(&job->lock);
  if (job->failure->code == TR_OK)
    job->failure->code = code;
  atomic_store(&job->stop, true);
  (void)pthread_mutex_unlock(&job->lock);
}

void tr_member_ask(tr_member *member) {
  const tr_launch *launch = member->job->launch;
  int64_t now;
  if (!member->calling || launch->interrupted == NULL ||
      (now = tr_now()) - member->asked < ASK_EVERY)
    return;
  member->asked = now;
  if (launch->interrupted(launch->context))
    tr_job_stop(member->job, TR_EINTERRUPTED);
}

/* What kernels may call. */

static tr_member *member_of(const tt_env *env) {
  return (tr_member *)(uintptr_t)env; /* env is the member's first field, which is not constant */
}

static void print_line(const tt_env *env, const char *line, size_t len) {
  tr_output_line(member_of(env), line, len);
}

_Noreturn static void fail(const tt_env *env, const char *message) {
  tr_member *member = member_of(env);
  tr_job *job = member->job;
  tr_failure *failure = job->failure;
  (void)pthread_mutex_lock(&job->lock);
  if (member->program < job->failed) {
    job->failed = member->program;
    failure->code = TR_EASSERT;
    memcpy(failure->id, env->id, sizeof failure->id);
    (void)snprintf(failure->message, sizeof failure->message, "%s", message);
  }
  atomic_store(&job->stop, true);
  (void)pthread_mutex_unlock(&job->lock);
  longjmp(member->leave, 1);
}

static void wait_for_others(const tt_env *env) {
  tr_member *member = member_of(env);
  tr_job *job = member->job;
  if (member->calling && job->spread != NULL)
    job->spread(job); /* the other program may be one that nobody has taken yet */
  tr_member_ask(member);
  if (atomic_load(&job->stop))
    longjmp(member->leave, 1); /* what it waits for may never happen */
  (void)sched_yield();
}

static const tt_runtime runtime = {.print = print_line, .fail = fail, .wait = wait_for_others};

/* Jobs and members. */

void tr_job_init(tr_job *job, const tr_launch *launch, tr_failure *failure) {
  *failure = (tr_failure){.code = TR_OK};
  job->launch = launch;
  job->failure = failure;
  job->total = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  int64_t parts = (int64_t)launch->threads * CHUNKS;
  job->chunk = job->total > parts && parts > 0 ? job->total / parts : 1;
  atomic_init(&job->next, 0);
  atomic_init(&job->stop, false);
  (void)pthread_mutex_init(&job->lock, NULL);
  job->members = NULL;
  job->failed = INT64_MAX;
  job->held = 0;
  job->spread = NULL;
}

void tr_job_dispose(tr_job *job) {
  tr_output_flush(job, INT64_MAX);
  for (tr_member *member = job->members; member != NULL; member = member->next) {
    free(member->held.data);
    free(member->held.marks);
  }
  (void)pthread_mutex_destroy(&job->lock);
}

void tr_job_join(tr_job *job, tr_member *member, bool calling) {
  const tr_launch *launch = job->launch;
  member->env.runtime = &runtime;
  memcpy(member->env.count, launch->grid, sizeof launch->grid);
  member->env.frame = tr_frame(launch->kernel->frame);
  member->job = job;
  member->held = (tr_held){.data = NULL};
  member->calling = calling;
  member->asked = calling && launch->interrupted != NULL ? tr_now() : 0;
  atomic_init(&member->low, INT64_MAX);
  (void)pthread_mutex_lock(&job->lock);
  member->next = job->members;
  job->members = member;
  (void)pthread_mutex_unlock(&job->lock);
  if (member->env.frame == NULL && launch->kernel->frame > 0)
    tr_job_stop(job, TR_ENOMEM);
}

/* The coordinates of a program; x is fastest. */
static void place(tt_env *env, int64_t program) {
  int64_t row = program / env->count[0];
  env->id[0] = (int32_t)(program % env->count[0]);
  env->id[1] = (int32_t)(row % env->count[1]);
  env->id[2] = (int32_t)(row / env->count[1]);
}

static void step(tt_env *env) {
  if (++env->id[0] < env->count[0])
    return;
  env->id[0] = 0;
  if (++env->id[1] < env->count[1])
    return;
  env->id[1] = 0;
  env->id[2]++;
}

static void run_programs(tr_member *member, int64_t first, int64_t end) {
  tr_job *job = member->job;
  const tt_kernel *kernel = job->launch->kernel;
  const void *const *params = job->launch->params;
  place(&member->env, first);
  if (setjmp(member->leave) != 0)
    return;
  for (member->program = first; member->program < end; member->program++) {
    if (atomic_load_explicit(&job->stop, memory_order_relaxed))
      return;
    atomic_store_explicit(&member->low, member->program, memory_order_release);
    kernel->run(params, &member->env);
    step(&member->env);
    if ((member->program & 15) == 15)
      tr_member_ask(member);
  }
}

/* Takes count programs: the first of them, or the job's total when none is left. */
static int64_t take(tr_member *member, int64_t count) {
  tr_job *job = member->job;
  atomic_store(&member->low, atomic_load(&job->next));
  int64_t first = atomic_fetch_add(&job->next, count);
  return first < job->total ? first : job->total;
}

void tr_member_work(tr_member *member) {
  tr_job *job = member->job;
  int64_t count = job->spread != NULL && member->calling ? 1 : job->chunk;
  int64_t begun = member->calling ? tr_now() : 0, done = 0;
  while (!atomic_load(&job->stop)) {
    int64_t first = take(member, count);
    if (first == job->total)
      break;
    int64_t end = job->total - first > count ? first + count : job->total;
    run_programs(member, first, end);
    tr_member_ask(member);
    if (!member->calling || job->spread == NULL)
      continue;
    /* The calling thread starts alone, and learns how long programs take. */
    done += end - first;
    count = count * 2 < job->chunk ? count * 2 : job->chunk;
    if ((double)(tr_now() - begun) / (double)done * (double)(job->total - end) > WORTH_SPREADING) {
      job->spread(job);
      count = job->chunk;
    }
  }
  atomic_store(&member->low, INT64_MAX);
}

void tr_member_run_one(tr_member *member, int64_t program) {
  run_programs(member, program, program + 1);
  atomic_store(&member->low, INT64_MAX);
}
