/* planning.h: a trunk in ./trunk, vendors in ./vendors, results in ./out, and what the engine says
 * about them. For tests that run in a scratch folder. */
#ifndef PLANNING_H
#define PLANNING_H

#include "base/json.h"
#include "spec_build.h"
#include "unit.h"

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, enter_scratch, leave_scratch)

/* One finding, copied; texts that do not fit are cut. */
typedef struct said {
  spec_severity severity;
  char code[32], where[1024], message[1024], mend[512];
} said;

typedef struct findings {
  said items[64];
  size_t count; /* of all, also of those beyond the array */
} findings;

/* A spec_event_fn; user is a findings. */
void remember(void *user, const spec_event *event);
/* The first finding of that code, or NULL. */
const said *find_said(const findings *in, const char *code);

/* Plans the backend of ./vendors over ./trunk; findings are forgotten first. */
int plan_backend(findings *found, spec_plan **out, const char *backend, spec_err *err);
/* The same where ./trunk holds an installed package. */
int plan_installed(findings *found, spec_plan **out, const char *backend, spec_err *err);
/* The plan of backend acme, which must be without an error; the caller frees it. */
spec_plan *sound_plan(findings *found);
/* Puts `text` at ./targets.txt, each '@' replaced by the scratch folder, and places into ./out. */
int place_text(spec_plan *plan, const char *text, bool strict_unused, spec_err *err);
/* Plans acme soundly, places, and gives the manifest: the caller's to release. */
json_t *placed(const char *targets);
/* The unit of that source in a manifest, or NULL: it reaches no override. */
const json_t *unit_of(const json_t *manifest, const char *source);
/* Whether an array of strings is exactly these words, separated by blanks, in this order. */
bool are_words(const json_t *array, const char *words);
/* Stages into ./out. */
int stage(spec_plan *plan, spec_err *err);

/* <scratch>/path and the text of a file: valid until 8 and 4 more calls. Texts hold at most 64 KiB;
 * the test fails when there is no such file. */
const char *at(const char *path);
const char *text_of(const char *path);

#endif
