/* manifest.h: a plan as JSON, docs/reference/manifest.schema.json. */
#ifndef SPEC_CORE_MANIFEST_H
#define SPEC_CORE_MANIFEST_H

#include "base/json.h"
#include "core/plan.h"

/* A new object with version, trunk, backend, layers and overrides; the caller
 * adds what it knows and releases it. */
int spec_manifest_new(json_t **out, const spec_plan *plan, spec_err *err);

#endif
