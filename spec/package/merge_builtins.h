/* merge_builtins.h */
#ifndef SPEC_PACKAGE_MERGE_BUILTINS_H
#define SPEC_PACKAGE_MERGE_BUILTINS_H

#include "package/py_module.h"

/* Whether Python has that name before any module binds it. */
bool spec_is_builtin(spec_py_text name);

#endif
