/* package.h: the merged Python package of a source tree. */
#ifndef SPEC_CORE_PACKAGE_H
#define SPEC_CORE_PACKAGE_H

#include "core/plan.h"

/* Writes <out>/triton: links to the trunk's python/triton, copies of the vendor's
 * modules (copies, since modules look for data beside __file__ through its real path),
 * and triton/spec/<backend>/triton with the vendor's hooks.  Removes <out> when
 * the overlay has no Python file. */
int spec_package_write(const spec_plan *plan, const char *out, spec_err *err);

#endif
