/* compose_patch.h: a patch over the module that the layers below, or the trunk, have. */
#ifndef SPEC_PACKAGE_COMPOSE_PATCH_H
#define SPEC_PACKAGE_COMPOSE_PATCH_H

#include "package/package.h"

/* *member: that of an override which is a patch, with the patch's text; becomes the module with the
 * patch applied. What is wrong is reported to the plan's reporter, every hunk of it; the member
 * then has the base's text. */
int spec_compose_patch(spec_member *member, spec_plan *plan, const spec_member *base,
                       spec_err *err);

#endif
