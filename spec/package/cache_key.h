/* cache_key.h: the overlay as a part of Triton's own key for compiled kernels. */
#ifndef SPEC_PACKAGE_CACHE_KEY_H
#define SPEC_PACKAGE_CACHE_KEY_H

#include "package/package.h"

/* Triton's triton_key() hashes the file that defines it, and only some of the others that decide
 * what a kernel becomes. A comment with the overlay's digest at the end of that file makes an edit
 * of any override another key, and no edit the same one, in every process and on every machine.
 *
 * *member: a member of the package that has a text. When it is one of the modules that define the
 * function in some version of Triton, and does so, it is made of its text and that comment. */
int spec_cache_key_add(spec_member *member, bool *added, spec_arena *arena, const char digest[33],
                       spec_err *err);

/* Whether a package with that member would be expected to define the function. */
bool spec_cache_key_is_home(const char *path);

#endif
