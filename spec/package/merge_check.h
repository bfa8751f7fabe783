/* merge_check.h: what may be wrong about a definition that stands for one of the trunk's. */
#ifndef SPEC_PACKAGE_MERGE_CHECK_H
#define SPEC_PACKAGE_MERGE_CHECK_H

#include "package/merge_level.h"

/* Reports missing decorators, parameters that no longer take every call, and what is no change. The
 * trunk's definition is [first, last] of one group; `depth`: classes around. */
void spec_check_replaced(spec_merger *m, const spec_py_statement *first,
                         const spec_py_statement *last, const spec_item *item, size_t depth);

#endif
