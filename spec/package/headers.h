/* headers.h: the "Name: value" lines of METADATA and WHEEL, files in the manner of e-mail (PEP
 * 566). */
#ifndef SPEC_PACKAGE_HEADERS_H
#define SPEC_PACKAGE_HEADERS_H

#include "base/arena.h"

/* The value of a header within its text: without the blanks around it, and what continues it on
 * further lines included. */
typedef struct spec_header {
  size_t at, len;
} spec_header;

/* How many headers have that name, in any case; *out is the first. What follows the first empty
 * line is no header. */
size_t spec_headers_find(spec_header *out, const char *text, size_t len, const char *name);
/* The text with another value in that place; every other byte stays. NULL: memory is out. */
const char *spec_headers_replace(spec_arena *arena, size_t *new_len, const char *text, size_t len,
                                 const spec_header *header, const char *value);

#endif
