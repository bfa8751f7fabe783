/* definitions.h: a Python module that holds definitions only, as it would be if its definitions
 * were the trunk's.  Two of them, one for each trunk, and the vendor's make three texts to be
 * merged. */
#ifndef SPEC_GIT_DEFINITIONS_H
#define SPEC_GIT_DEFINITIONS_H

#include "diff/lines.h"

/* The vendor's text with each function, method and assignment to one name put in the place of the
 * trunk's of the same name.  What `before` (text NULL: nothing) has and the trunk has not is left
 * out; what neither has stays the vendor's.
 * out->text is NULL, and *why says why, when one of the texts cannot be read as Python. */
int spec_definitions_of(spec_line *out, const char **why, spec_arena *arena, spec_line vendor,
                        spec_line trunk, spec_line before, spec_err *err);

#endif
