/* kind.h: what a file is, by its name; one table. */
#ifndef SPEC_CORE_KIND_H
#define SPEC_CORE_KIND_H

#include "spec.h"

/* The kind of a file by its base name, e.g. "Ops.cpp" -> SPEC_KIND_SOURCE. */
spec_kind spec_kind_of(const char *path);
/* Bytes of the path that a patch changes, which is its own without ".patch"; 0: it is no patch. */
size_t spec_kind_patched(const char *path);
/* Files that live in an overlay without being an override: documentation, git
 * and editor configuration, Python bytecode. */
bool spec_kind_is_ignored(const char *path);
/* Folders that hold no override: "__pycache__", ".git". */
bool spec_kind_is_ignored_dir(const char *name);

#endif
