/* cache_key.h: the overlay as a part of Triton's own key for compiled kernels. */
#ifndef SPEC_PACKAGE_CACHE_KEY_H
#define SPEC_PACKAGE_CACHE_KEY_H

#include "package/package.h"

/* The modules that define triton_key(), in versions 3.0 to 3.5 and from 3.6 on. */
#define SPEC_COMPILER "triton/compiler/compiler.py"
#define SPEC_CACHE    "triton/runtime/cache.py"

/* Triton's triton_key() hashes the file that defines it, and only some of the others that decide
 * what a kernel becomes. A comment with the overlay's digest at the end of that file makes an edit
 * of any override another key, and no edit the same one, in every process and on every machine.
 *
 * *member: a member of the package that has a text. When it is one of those modules and defines the
 * function, it is made of its text and that comment. */
int spec_cache_key_add(spec_member *member, bool *added, spec_arena *arena, const char digest[33],
                       spec_err *err);

#endif
