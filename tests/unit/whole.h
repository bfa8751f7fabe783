/* whole.h: an overlay that uses everything, for tests of whole runs: plan, stage and place. */
#ifndef WHOLE_H
#define WHOLE_H

#include "planning.h"

/* Writes ./trunk, ./vendors (backend acme over base) and ./plugin. */
void put_whole(void);
/* Breaks the rules that planning looks at, or those that placing does. */
void put_broken_for_plan(void);
void put_broken_for_place(void);

/* Plans acme, stages and places into ./out; stops at the first step that fails. */
int run_whole(spec_err *err);
/* The same, and it must succeed. */
void run_soundly(void);

/* The files of ./out that a run writes. */
typedef struct results {
  char texts[4][16 * 1024];
} results;

void take_results(results *out);
/* Each file is that of one of the two runs, and no temporary file lies about. */
void check_results(const results *before, const results *after);

#endif
