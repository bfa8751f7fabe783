/* steps.h: the two steps of a configure run, to be done or only to be thought through. */
#ifndef SPEC_CPP_STEPS_H
#define SPEC_CPP_STEPS_H

#include "record.h"

/* Each step gives a digest of all that CMake and the build learn from it; with `write` false
 * nothing is written.  What is looked at is added to the plan's looks, when it keeps them. */
int spec_step_stage(spec_plan *plan, const char *out, bool write, char outcome[33], spec_err *err);
int spec_step_place(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                    bool write, char outcome[33], spec_err *err);

/* Writes what patches make into the stage, where it is not there yet, and adds looks at it: what a
 * build that is not configured again needs of an edited patch. */
int spec_step_refresh(spec_plan *plan, const char *out, spec_looks *looks, spec_err *err);

/* stands.c: adds to the record looks at what the step wrote and at the program, by which
 * spec_build_stands() knows that they are still there.  Nothing is added when the plan had
 * findings: the next run is to say them again. */
int spec_step_note_stage(spec_record *record, const spec_plan *plan, const char *out,
                         spec_err *err);
int spec_step_note_place(spec_record *record, const spec_plan *plan, const char *out,
                         spec_err *err);

/* check.c: keeps what a step went by. */
int spec_step_record_stage(spec_plan *plan, const char *out, const char outcome[33], spec_err *err);
int spec_step_record(spec_plan *plan, const char *out, const char *targets, bool strict_unused,
                     const char outcome[33], spec_err *err);

#endif
