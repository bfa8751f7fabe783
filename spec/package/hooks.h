/* hooks.h: a backend's hooks, and whether anything asks for them. */
#ifndef SPEC_PACKAGE_HOOKS_H
#define SPEC_PACKAGE_HOOKS_H

#include "package/package.h"

/* For each layer with a registry: FlagTree's hooks `triton_extend_globals` and
 * `language_extend_globals` get their call at the end of triton/__init__.py and
 * triton/language/__init__.py, where a trunk is not FlagTree's and has none (`hook-called`);
 * another hook whose name is nowhere asked for is reported (`hook-unused`). Members are all those
 * with a text and change in place. */
int spec_hooks_connect(spec_plan *plan, spec_member *members, size_t count, spec_err *err);

#endif
