/* sha1.h: SHA-1, by which git names what it keeps (nettle inside). It protects nothing here. */
#ifndef SPEC_BASE_SHA1_H
#define SPEC_BASE_SHA1_H

#include <stddef.h>

/* The digest of `head` with `data` behind it, as 40 lower-case hexadecimal digits and a NUL. */
void spec_sha1_hex(char out[static 41], const char *head, size_t head_len, const void *data,
                   size_t len);

#endif
