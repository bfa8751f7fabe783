/* module_twin.h: two files that are one module to Python, which imports only one of them. */
#ifndef SPEC_CORE_MODULE_TWIN_H
#define SPEC_CORE_MODULE_TWIN_H

#include "core/backend.h"
#include "core/tree.h"

/* The file of the trunk that is the same module as `path`, a path below the trunk that it lacks:
 * x.py for x/__init__.py, x/__init__.py for x.py, an extension x.*.so for either. NULL: there is
 * none, the layer's spec.ini removes it, or path is no module. */
int spec_module_twin(spec_arena *arena, const char **out, spec_tree *trunk,
                     const spec_backend *layer, const char *path, spec_err *err);

#endif
