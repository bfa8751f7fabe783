/* extract_parts.h: what the files of an extraction share. */
#ifndef SPEC_GIT_EXTRACT_PARTS_H
#define SPEC_GIT_EXTRACT_PARTS_H

#include "git/extract.h"

/* Whether third_party/<name> is the fork's alone. */
bool spec_extract_own_is_new(const spec_extract *e);
/* Whether a snapshot has files below a path. */
bool spec_extract_is_folder(const spec_snapshot *s, const char *path);
/* Whether one of the folders of a path is a file, or no folder otherwise, in a snapshot. */
bool spec_extract_is_under_file(const spec_snapshot *s, const char *path);
/* Marks the added sources that no CMake file of the fork names which the overlay brings along or
 * the base has: their target is to be named in spec.cmake. */
int spec_extract_find_owners(spec_extract *e, spec_err *err);

#endif
