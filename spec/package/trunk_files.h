/* trunk_files.h: the files of the trunk's package. */
#ifndef SPEC_PACKAGE_TRUNK_FILES_H
#define SPEC_PACKAGE_TRUNK_FILES_H

#include "core/plan.h"

/* A file at `path`, which is below the package's parent ("triton/x.py"). */
typedef int spec_trunk_file_fn(void *user, const char *path, spec_err *err);

/* Calls fn for all files of the trunk's package, in bytewise order within a folder. Links to
 * folders are followed, since an editable install has its backends behind such links. Bytecode and
 * what else spec_tree_walk() skips is passed over. SPEC_EINVAL: a link leads to a folder that it
 * lies in. */
int spec_trunk_files(const spec_plan *plan, spec_trunk_file_fn *fn, void *user, spec_err *err);

#endif
