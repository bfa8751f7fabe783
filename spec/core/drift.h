/* drift.h: whether the trunk's files are still those that the overrides were made against. */
#ifndef SPEC_CORE_DRIFT_H
#define SPEC_CORE_DRIFT_H

#include "core/plan.h"

/* Holds the overrides of the backend that was asked for, not those of its bases, against its
 * spec.lock, and reports what differs; nothing when it has none. */
int spec_drift_check(spec_plan *plan, const spec_options *options, spec_err *err);
/* What spec.ini and the option come to: never SPEC_DRIFT_DEFAULT. */
spec_drift spec_drift_mode(const spec_plan *plan, spec_drift option);
/* The mode of a name, as options and spec.ini have it; SPEC_DRIFT_DEFAULT: there is none. */
spec_drift spec_drift_named(const char *name);
const char *spec_drift_name(spec_drift mode);

#endif
