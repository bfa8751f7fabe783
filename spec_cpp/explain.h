/* explain.h: why a configured build uses which file for which target. */
#ifndef SPEC_CPP_EXPLAIN_H
#define SPEC_CPP_EXPLAIN_H

#include "base/json.h"
#include "spec.h"

/* Whether the folder is a build with an overlay. */
int spec_build_is_one(bool *out, const char *build, spec_err *err);

/* Plans the overlay of a configured build again: its trunk, its backend, and the folders in which
 * its layers were found.  Findings go to on_event; on SPEC_EREFUSED *out is set, as with
 * spec_plan_new().  SPEC_ENOTFOUND: no build with an overlay. */
int spec_build_plan(spec_plan **out, const char *build, spec_event_fn *on_event, void *user,
                    spec_err *err);

/* What a path below the trunk (or the absolute path of a plugin's source) means in the build, as
 * docs/reference/manifest.schema.json has it under "why_build": a new object, the caller's.  The
 * overlay is placed again, in memory, among the targets that CMake listed; nothing is written.
 * The plan must be sound and of that build; its overrides get their owners. */
int spec_build_explain(json_t **out, spec_plan *plan, const char *build, const char *path,
                       spec_err *err);

#endif
