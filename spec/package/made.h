/* made.h: the members that this tool writes itself. */
#ifndef SPEC_PACKAGE_MADE_H
#define SPEC_PACKAGE_MADE_H

#include "package/package.h"
#include <stdint.h>

/* The date of what is made, so that it is the same everywhere: 1980-01-02, the first whole day that
 * archives can write. Nanoseconds since 1970. */
#define SPEC_MADE_DATE INT64_C(315619200000000000)

typedef int spec_made_fn(void *user, const char *path, const char *text, spec_err *err);

/* Calls fn for the marker FLAGTREE_BACKEND, the modules _flagtree_backend and _flagtree_spec, and
 * the package triton.spec with one folder for each layer. `path` is below the package's parent. */
int spec_made_members(const spec_plan *plan, spec_package_mode mode, spec_made_fn *fn, void *user,
                      spec_err *err);

/* Puts lines of ours at the end of a module. */
int spec_made_append(spec_member *module, spec_arena *arena, const char *lines, spec_err *err);

/* Whether a path of the trunk's package is one that those members take the place of: another copy
 * of such a layer's files, as FlagTree installs them. */
bool spec_made_shadows(const spec_plan *plan, const char *path);

#endif
