/* template.h: a folder made of another one, with a name in the place of a placeholder. */
#ifndef SPEC_CORE_TEMPLATE_H
#define SPEC_CORE_TEMPLATE_H

#include "base/buf.h"

/* Adds a template's text, in which these stand for a name: @name@, @NAME@ (upper case) and @Name@
 * (upper case at the beginning and behind each '_', which is left out: my_chip is MyChip). */
void spec_template_text(spec_buf *out, const char *text, size_t len, const char *name);

/* Copies every file below the folder `from` to its path below `to`, which nobody else sees yet.
 * Files that are no UTF-8 are copied as they are; what is neither file nor folder is left out.
 * *files (may be NULL): how many. Both paths are absolute. */
int spec_template_fill(spec_arena *arena, size_t *files, const char *from, const char *to,
                       const char *name, spec_err *err);

#endif
