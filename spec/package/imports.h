/* imports.h: imports that work in one mode alone. */
#ifndef SPEC_PACKAGE_IMPORTS_H
#define SPEC_PACKAGE_IMPORTS_H

#include "package/package.h"

/* Reports each place where a module that the overlay brings imports triton_spec: an error in a
 * baked package, where there is none, else a warning. What cannot be Python is not looked at. */
int spec_imports_check(spec_plan *plan, const spec_member *member, spec_package_mode mode,
                       spec_err *err);

#endif
