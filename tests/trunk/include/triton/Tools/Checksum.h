#ifndef TRITON_TOOLS_CHECKSUM_H
#define TRITON_TOOLS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adler-32 checksum of `size` bytes. */
uint32_t triton_checksum(const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* TRITON_TOOLS_CHECKSUM_H */
