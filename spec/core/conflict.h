/* conflict.h: what a merge leaves in a text where it could not decide. */
#ifndef SPEC_CORE_CONFLICT_H
#define SPEC_CORE_CONFLICT_H

#include <stddef.h>

/* The line, from 1, at which the first conflict begins: lines '<<<<<<< ...', '=======' and
 * '>>>>>>> ...' in that order, each from the line's start; 0: none. One all of whose marks are
 * lines of `base` too (NULL: there is none) counts as text. */
size_t spec_conflict_find(const char *text, size_t len, const char *base, size_t base_len);

/* The same in a patch: as lines of the patch file itself, or of what it makes of the base. */
size_t spec_conflict_find_in_patch(const char *text, size_t len, const char *base, size_t base_len);

#endif
