/* recall.h: what an earlier plan came to, for as long as it would come to the same.
 *
 * A plan, and the key of its stage, follow from what was looked at on the way; the looks
 * (base/looks.h) are kept in <cache>/plans/<id>, one file for each set of options. When all of them
 * still see the same, neither plan nor key need be made again. */
#ifndef SPEC_PACKAGE_RECALL_H
#define SPEC_PACKAGE_RECALL_H

#include "base/looks.h"
#include "core/plan.h"

/* Findings of a plan, kept. */
typedef struct spec_kept_event spec_kept_event;
typedef struct spec_kept_events {
  spec_arena *arena;
  spec_event_fn *on_event; /* who else is told, or NULL */
  void *user;
  spec_kept_event *first, *last;
  bool failed; /* memory ran out */
} spec_kept_events;

/* A spec_event_fn; user is a spec_kept_events. */
void spec_keep_event(void *kept, const spec_event *event);

/* The name of the file of these options; paths in them count as made absolute. */
int spec_recall_name(spec_arena *arena, char out[33], const spec_options *options, spec_err *err);

/* The key of the stage that such a plan came to, and its findings. *found false: nothing is known,
 * or something has changed since. What is damaged is not known. */
int spec_recall(bool *found, char key[33], spec_kept_events *events, const char *path,
                spec_err *err);
/* Tells the findings to whoever is told those of such a plan. */
void spec_recall_tell(const spec_kept_events *events, const spec_options *options);

/* Keeps it, atomically. */
int spec_recall_keep(spec_arena *arena, const char *path, const char key[33],
                     const spec_kept_events *events, const spec_looks *looks, spec_err *err);

#endif
