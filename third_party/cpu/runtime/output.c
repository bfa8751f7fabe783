/* output.c: what programs print, on descriptor 1 in the order of the grid.
 *
 * A program's lines wait until every program before it has ended; those of the first that still
 * runs are written at once. Text is held per thread, whose programs come in the grid's order, so
 * that writing is a merge. Beyond HELD_MOST bytes everything is written, in order as far as it has
 * come. */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HELD_MOST ((size_t)64 << 20)

/* As with stdio's own buffers, text for a descriptor that takes none is lost. */
static void write_all(const char *data, size_t len) {
  while (len > 0) {
    ssize_t n = write(STDOUT_FILENO, data, len);
    if (n >= 0) {
      data += n;
      len -= (size_t)n;
    } else if (errno == EAGAIN) {
      struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
      (void)poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

/* The first program that may still print. `next` is read before the members: who takes programs
 * says so before. */
static int64_t first_running(tr_job *job) {
  int64_t first = atomic_load(&job->next);
  for (tr_member *member = job->members; member != NULL; member = member->next) {
    int64_t low = atomic_load(&member->low);
    if (low < first)
      first = low;
  }
  return first;
}

static tr_held *first_held(tr_job *job) {
  tr_held *first = NULL;
  for (tr_member *member = job->members; member != NULL; member = member->next) {
    tr_held *held = &member->held;
    if (held->mark_first < held->mark_count &&
        (first == NULL ||
         held->marks[held->mark_first].program < first->marks[first->mark_first].program))
      first = held;
  }
  return first;
}

void tr_output_flush(tr_job *job, int64_t limit) {
  for (;;) {
    tr_held *held = first_held(job);
    if (held == NULL || held->marks[held->mark_first].program > limit)
      return;
    size_t end = held->marks[held->mark_first++].end;
    write_all(held->data + held->written, end - held->written);
    job->held -= end - held->written;
    held->written = end;
    if (held->mark_first == held->mark_count)
      held->len = held->written = held->mark_count = held->mark_first = 0;
  }
}

/* Room for need more bytes and one more mark. */
static bool make_room(tr_held *held, size_t need) {
  if (held->cap - held->len < need) {
    size_t cap = held->cap * 2 > held->len + need ? held->cap * 2 : held->len + need;
    char *data = realloc(held->data, cap);
    if (data == NULL)
      return false;
    held->data = data;
    held->cap = cap;
  }
  if (held->mark_count == held->mark_cap) {
    size_t cap = held->mark_cap * 2 + 16;
    tr_mark *marks = realloc(held->marks, cap * sizeof *marks);
    if (marks == NULL)
      return false;
    held->marks = marks;
    held->mark_cap = cap;
  }
  return true;
}

void tr_output_line(tr_member *member, const char *line, size_t len) {
  tr_job *job = member->job;
  tr_held *held = &member->held;
  bool ends = len > 0 && line[len - 1] == '\n';
  (void)pthread_mutex_lock(&job->lock);
  if (!make_room(held, len + 1)) {
    tr_output_flush(job, INT64_MAX); /* frees room in what there is */
    if (!make_room(held, len + 1)) {
      (void)pthread_mutex_unlock(&job->lock);
      return;
    }
  }
  memcpy(held->data + held->len, line, len);
  held->len += len;
  if (!ends)
    held->data[held->len++] = '\n';
  job->held += len + !ends;
  if (held->mark_count == 0 || held->marks[held->mark_count - 1].program != member->program)
    held->marks[held->mark_count++].program = member->program;
  held->marks[held->mark_count - 1].end = held->len;
  tr_output_flush(job, job->held > HELD_MOST ? INT64_MAX : first_running(job));
  (void)pthread_mutex_unlock(&job->lock);
}
