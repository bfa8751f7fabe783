/* policy.h: which Python modules an overlay may replace or merge into. */
#ifndef SPEC_CORE_POLICY_H
#define SPEC_CORE_POLICY_H

#include "core/backend.h"

/* The default table, policy.ini, ended by a row without a path. */
typedef struct spec_policy_row {
  const char *path; /* of the package: a folder or a file */
  spec_policy policy;
} spec_policy_row;
extern const spec_policy_row spec_policy_table[];

/* The default policy of a path below the package ("triton/compiler/x.py"). */
spec_policy spec_policy_default(const char *package_path);
/* The policy under a backend's spec.ini; its keys are the path itself, a folder
 * above it, or either without the leading "triton/". */
spec_policy spec_policy_for(const spec_backend *backend, const char *package_path);

/* What a policy means for a file: one without definitions, data, cannot be merged. */
spec_policy spec_policy_of_file(spec_policy policy, const char *path);

#endif
