/* archive_bytes.h: numbers and fixed parts of a zip archive (APPNOTE.TXT), for archive*.c alone. */
#ifndef SPEC_PACKAGE_ARCHIVE_BYTES_H
#define SPEC_PACKAGE_ARCHIVE_BYTES_H

#include "package/archive.h"

#define ZLIB_CONST
#include <zlib.h>

enum {
  LOCAL_SIZE = 30, /* bytes of the fixed parts */
  CENTRAL_SIZE = 46,
  END_SIZE = 22,
  END64_SIZE = 56,
  LOCATOR_SIZE = 20,
  COMMENT_MAX = 0xFFFF,
  EXTRA_ZIP64 = 1,
  FLAG_DESCRIPTOR = 1 << 3, /* crc and sizes stand behind the member */
  MADE_BY_UNIX = 3,
  NEEDS_DEFLATE = 20, /* version 2.0 of the format */
  NEEDS_ZIP64 = 45
};

#define LOCAL_SIGNATURE   0x04034b50u
#define CENTRAL_SIGNATURE 0x02014b50u
#define END_SIGNATURE     0x06054b50u
#define END64_SIGNATURE   0x06064b50u
#define LOCATOR_SIGNATURE 0x07064b50u
/* A number of this size stands in the field of Zip64, and this in its own. */
#define MAX16 0xFFFFu
#define MAX32 0xFFFFFFFFu

static inline uint16_t get16(const unsigned char *at) {
  return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t get32(const unsigned char *at) {
  return (uint32_t)get16(at) | (uint32_t)get16(at + 2) << 16;
}

static inline uint64_t get64(const unsigned char *at) {
  return (uint64_t)get32(at) | (uint64_t)get32(at + 4) << 32;
}

/* Each returns where the next field stands. */
static inline unsigned char *put16(unsigned char *at, uint32_t value) {
  at[0] = (unsigned char)value;
  at[1] = (unsigned char)(value >> 8);
  return at + 2;
}

static inline unsigned char *put32(unsigned char *at, uint32_t value) {
  return put16(put16(at, value & MAX16), value >> 16);
}

static inline unsigned char *put64(unsigned char *at, uint64_t value) {
  return put32(put32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

/* What a local header tells beyond the central directory. */
typedef struct spec_archive_local {
  const unsigned char *extra; /* all extra fields */
  size_t extra_len;
  uint64_t data; /* where in the file the packed bytes begin */
} spec_archive_local;

/* Finds a member in the file. SPEC_EPARSE: something else stands there. */
int spec_archive_locate(const spec_archive *archive, spec_arena *arena, spec_archive_local *out,
                        const spec_archive_entry *entry, spec_err *err);
/* Copies extra fields but that of Zip64 and returns how many bytes those are; what is behind a
 * broken one is left out. */
size_t spec_archive_keep_extra(unsigned char *kept, const unsigned char *extra, size_t len);
/* zlib takes its memory where all memory comes from. */
void spec_archive_use_memory(z_stream *stream);

#endif
