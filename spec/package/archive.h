/* archive.h: zip archives. Members are copied from one into another as they are packed, which costs
 * what copying a file costs; see docs/adr for why no library of zip archives serves.
 *
 * Archives that are read must be plain: nothing before or behind them, on one disk, stored or
 * deflated members. */
#ifndef SPEC_PACKAGE_ARCHIVE_H
#define SPEC_PACKAGE_ARCHIVE_H

#include "base/fs_stream.h"

/* A member, from its record in the central directory. */
typedef struct spec_archive_entry {
  const char *name;
  uint64_t size, packed; /* bytes */
  uint64_t header;       /* where in the file its local header stands */
  uint32_t crc;
  uint32_t date;       /* as the archive has it: of MS-DOS, without a time zone */
  uint32_t attributes; /* the upper half is a mode of Unix where made_by says so */
  uint16_t made_by, needs, flags, method, internal;
  const unsigned char *extra; /* without the sizes of Zip64, which are above */
  size_t extra_len;
  const unsigned char *comment;
  size_t comment_len;
} spec_archive_entry;

enum {
  SPEC_ARCHIVE_ENCRYPTED = 1 << 0, /* flags */
  SPEC_ARCHIVE_UTF8 = 1 << 11,
  SPEC_ARCHIVE_STORED = 0, /* methods */
  SPEC_ARCHIVE_DEFLATED = 8
};

/* An open archive; all in the arena. */
typedef struct spec_archive {
  spec_fs_input file;
  spec_archive_entry *entries; /* in the order of the central directory */
  size_t count;
  spec_arena *arena;
} spec_archive;

/* The archive at path, which must stay. SPEC_EPARSE: it is none, or damaged. */
int spec_archive_open(spec_archive *out, spec_arena *arena, const char *path, spec_err *err);
void spec_archive_close(spec_archive *archive);
/* A member's bytes and a NUL behind them. SPEC_EPARSE: they do not have the size or checksum that
 * the archive says. */
int spec_archive_read(const spec_archive *archive, spec_arena *arena, const char **data,
                      const spec_archive_entry *entry, spec_err *err);
/* "the archive is broken: <problem>", at a member's name or NULL; always SPEC_EPARSE. */
int spec_archive_refuse(const spec_archive *archive, const char *member, const char *problem,
                        spec_err *err);
/* Whether the member has a mode of Unix in which somebody may execute it. */
bool spec_archive_is_executable(const spec_archive_entry *entry);

/* An archive that is written, from its first member to its last. */
typedef struct spec_archive_writer spec_archive_writer;

/* An archive to be at path, which must stay; the folder must exist. Memory is the arena's. */
int spec_archive_new(spec_archive_writer **out, spec_arena *arena, const char *path, spec_err *err);
/* Adds a member of another archive as it is packed, with its date, attributes, extra fields and
 * comment, under a name, which must stay. */
int spec_archive_copy(spec_archive_writer *writer, const char *name, const spec_archive *from,
                      const spec_archive_entry *entry, spec_err *err);
/* Adds bytes, deflated, under a name, which must stay. Date and attributes as in an entry. */
int spec_archive_add(spec_archive_writer *writer, const char *name, const char *data, size_t len,
                     const spec_archive_entry *like, spec_err *err);
/* Ends the archive, and gives it its name in one step; *changed as spec_fs_draft_publish(). The
 * writer is gone then, on failure too. */
int spec_archive_publish(spec_archive_writer *writer, bool *changed, spec_err *err);
void spec_archive_discard(spec_archive_writer *writer);

/* The date of MS-DOS for seconds since 1970, in UTC; what it cannot say becomes the nearest that it
 * can: 1980 to 2107. */
uint32_t spec_archive_date(int64_t seconds);
/* made_by and attributes of a file of Unix. */
void spec_archive_set_mode(spec_archive_entry *entry, bool is_executable);

#endif
