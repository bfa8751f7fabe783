/* bytecode.h: the trunk's compiled modules for the copies of its modules. */
#ifndef SPEC_PACKAGE_BYTECODE_H
#define SPEC_PACKAGE_BYTECODE_H

#include "package/package.h"

/* Copies the bytecode of the trunk's unchanged modules into `folder`, where the package has been
 * written with the dates of its files, so that the first import need not compile them. Only what is
 * certainly that of the module's text: Python checks date and size alone, and an edit may keep
 * both. What is missing or in doubt is left to Python. */
int spec_bytecode_copy(const spec_package *package, const char *folder, spec_err *err);

#endif
