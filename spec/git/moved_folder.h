/* moved_folder.h: where a folder of the trunk went, by what became of its files. */
#ifndef SPEC_GIT_MOVED_FOLDER_H
#define SPEC_GIT_MOVED_FOLDER_H

#include "git/renames.h"

/* The folder that has most of the files which lay beside `path` (which itself need not have been
 * there); NULL: its folder is still there, never was, or its files are gone too. The older revision
 * must be known. */
int spec_moved_folder(const char **out, spec_renames *renames, const char *path, spec_err *err);

#endif
