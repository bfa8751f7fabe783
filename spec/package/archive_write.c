/* archive_write.c: writing. Sizes and checksums are known before a member is written, so that the
 * file is written from its beginning to its end. */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "package/archive_bytes.h"

#include "base/err.h"

#include <limits.h>
#include <string.h>
#include <time.h>

enum { BUFFER = 256 * 1024 }; /* bytes of one system call */

typedef struct written {
  spec_archive_entry entry;
  uint64_t header; /* where its local header stands */
} written;

struct spec_archive_writer {
  spec_arena *arena;
  spec_fs_draft draft;
  written *members;
  size_t count, cap;
  uint64_t at; /* bytes so far */
  size_t filled;
  char buffer[BUFFER]; /* the last of them, not in the file yet */
};

/* --- bytes ----------------------------------------------------------------------------------- */

static int flush(spec_archive_writer *w, spec_err *err) {
  int rc = spec_fs_draft_write(&w->draft, w->buffer, w->filled, w->at - w->filled, err);
  w->filled = 0;
  return rc;
}

static int put(spec_archive_writer *w, const void *data, size_t len, spec_err *err) {
  const char *bytes = data;
  int rc = SPEC_OK;
  while (len > 0 && rc == SPEC_OK) {
    size_t n = BUFFER - w->filled;
    if (n > len)
      n = len;
    memcpy(w->buffer + w->filled, bytes, n);
    bytes += n;
    len -= n;
    w->filled += n;
    w->at += n;
    if (w->filled == BUFFER)
      rc = flush(w, err);
  }
  return rc;
}

/* The same for `len` bytes of another archive, read into the buffer itself. */
static int put_from(spec_archive_writer *w, const spec_archive *from, uint64_t at, uint64_t len,
                    const char *name, spec_err *err) {
  int rc = SPEC_OK;
  while (len > 0 && rc == SPEC_OK) {
    size_t n = BUFFER - w->filled, got = 0;
    if (n > len)
      n = (size_t)len;
    rc = spec_fs_read_at(&from->file, &got, w->buffer + w->filled, n, at, err);
    if (rc == SPEC_OK && got < n)
      rc = spec_archive_refuse(from, name, "a member is cut off", err);
    at += n;
    len -= n;
    w->filled += n;
    w->at += n;
    if (rc == SPEC_OK && w->filled == BUFFER)
      rc = flush(w, err);
  }
  return rc;
}

/* --- headers --------------------------------------------------------------------------------- */

/* A number as the field of 32 bits has it. */
static uint32_t cut(uint64_t value) {
  return value < MAX32 ? (uint32_t)value : MAX32;
}

/* The extra field of Zip64 with those of the numbers that need it; its length, 0 when none does.
 * A local header has both sizes or none. */
static size_t zip64_field(unsigned char out[static 28], const spec_archive_entry *e,
                          const uint64_t *header) {
  unsigned char *at = out + 4;
  bool size = e->size >= MAX32, packed = e->packed >= MAX32;
  if (size || (header == NULL && packed))
    at = put64(at, e->size);
  if (packed || (header == NULL && size))
    at = put64(at, e->packed);
  if (header != NULL && *header >= MAX32)
    at = put64(at, *header);
  size_t len = (size_t)(at - out);
  (void)put16(put16(out, EXTRA_ZIP64), (uint32_t)len - 4);
  return len > 4 ? len : 0;
}

/* The version of the format that a reader must know. */
static uint16_t needed(const spec_archive_entry *e, size_t zip64_len) {
  return zip64_len > 0 && e->needs < NEEDS_ZIP64 ? NEEDS_ZIP64 : e->needs;
}

static int put_local(spec_archive_writer *w, const spec_archive_entry *e,
                     const unsigned char *extra, size_t extra_len, spec_err *err) {
  unsigned char fixed[LOCAL_SIZE], zip64[28];
  size_t zip64_len = zip64_field(zip64, e, NULL);
  bool large = zip64_len > 0;
  unsigned char *at = put16(put32(fixed, LOCAL_SIGNATURE), needed(e, zip64_len));
  at = put32(put16(put16(at, e->flags), e->method), e->date);
  at = put32(put32(at, e->crc), large ? MAX32 : (uint32_t)e->packed);
  at = put16(put32(at, large ? MAX32 : (uint32_t)e->size), (uint32_t)strlen(e->name));
  (void)put16(at, (uint32_t)(zip64_len + extra_len));
  int rc = put(w, fixed, sizeof fixed, err);
  if (rc == SPEC_OK)
    rc = put(w, e->name, strlen(e->name), err);
  if (rc == SPEC_OK)
    rc = put(w, zip64, zip64_len, err);
  return rc != SPEC_OK ? rc : put(w, extra, extra_len, err);
}

static int put_central(spec_archive_writer *w, const written *member, spec_err *err) {
  const spec_archive_entry *e = &member->entry;
  unsigned char fixed[CENTRAL_SIZE], zip64[28];
  size_t zip64_len = zip64_field(zip64, e, &member->header);
  unsigned char *at =
      put16(put16(put32(fixed, CENTRAL_SIGNATURE), e->made_by), needed(e, zip64_len));
  at = put32(put16(put16(at, e->flags), e->method), e->date);
  at = put32(put32(put32(at, e->crc), cut(e->packed)), cut(e->size));
  at = put16(put16(at, (uint32_t)strlen(e->name)), (uint32_t)(zip64_len + e->extra_len));
  at = put16(put16(at, (uint32_t)e->comment_len), 0); /* the number of the disk */
  (void)put32(put32(put16(at, e->internal), e->attributes), cut(member->header));
  int rc = put(w, fixed, sizeof fixed, err);
  if (rc == SPEC_OK)
    rc = put(w, e->name, strlen(e->name), err);
  if (rc == SPEC_OK)
    rc = put(w, zip64, zip64_len, err);
  if (rc == SPEC_OK)
    rc = put(w, e->extra, e->extra_len, err);
  return rc != SPEC_OK ? rc : put(w, e->comment, e->comment_len, err);
}

/* The end of the archive, whose central directory began at `start`. */
static int put_end(spec_archive_writer *w, uint64_t start, spec_err *err) {
  unsigned char end[END64_SIZE + LOCATOR_SIZE + END_SIZE], *at = end;
  uint64_t size = w->at - start, count = w->count;
  if (start >= MAX32 || size >= MAX32 || count >= MAX16) {
    at = put16(put64(put32(at, END64_SIGNATURE), END64_SIZE - 12), NEEDS_ZIP64);
    at = put32(put32(put16(at, NEEDS_ZIP64), 0), 0);
    at = put64(put64(put64(put64(at, count), count), size), start);
    at = put32(put64(put32(put32(at, LOCATOR_SIGNATURE), 0), w->at), 1);
  }
  uint32_t shown = count < MAX16 ? (uint32_t)count : MAX16;
  at = put16(put16(put32(at, END_SIGNATURE), 0), 0);
  at = put32(put32(put16(put16(at, shown), shown), cut(size)), cut(start));
  at = put16(at, 0);
  return put(w, end, (size_t)(at - end), err);
}

/* --- members --------------------------------------------------------------------------------- */

static bool is_ascii(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text >= 0x80)
      return false;
  return true;
}

/* Lists a further member, which has that name, and else the fields of `e`; *out stays until the
 * next one. */
static int add_member(spec_archive_writer *w, spec_archive_entry **out, const char *name,
                      const spec_archive_entry *e, spec_err *err) {
  if (strlen(name) > MAX16) {
    (void)spec_fail(err, SPEC_EINVAL, "a member's name has more than %u bytes", MAX16);
    (void)spec_fail_where(err, "%s", name);
    return SPEC_EINVAL;
  }
  int rc = spec_arena_reserve(w->arena, &w->members, w->count, &w->cap, sizeof *w->members, err);
  if (rc != SPEC_OK)
    return rc;
  written *member = &w->members[w->count++];
  *member = (written){*e, w->at};
  member->entry.name = name;
  if (!is_ascii(name))
    member->entry.flags |= SPEC_ARCHIVE_UTF8;
  *out = &member->entry;
  return SPEC_OK;
}

int spec_archive_copy(spec_archive_writer *writer, const char *name, const spec_archive *from,
                      const spec_archive_entry *entry, spec_err *err) {
  spec_archive_local local;
  spec_archive_entry *e;
  int rc = add_member(writer, &e, name, entry, err);
  if (rc == SPEC_OK)
    rc = spec_archive_locate(from, writer->arena, &local, entry, err);
  if (rc != SPEC_OK)
    return rc;
  unsigned char *extra = spec_arena_alloc(writer->arena, local.extra_len);
  if (extra == NULL)
    return spec_fail_memory(err);
  size_t extra_len = spec_archive_keep_extra(extra, local.extra, local.extra_len);
  e->flags &= (uint16_t)~FLAG_DESCRIPTOR; /* the header has what would stand behind the member */
  rc = put_local(writer, e, extra, extra_len, err);
  return rc != SPEC_OK ? rc : put_from(writer, from, local.data, e->packed, name, err);
}

/* Deflates all of data; e gets size and checksum. */
static int deflate_bytes(spec_arena *arena, unsigned char **out, spec_archive_entry *e,
                         const char *data, size_t len, spec_err *err) {
  z_stream stream = {0};
  spec_archive_use_memory(&stream);
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL - 1,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return spec_fail_memory(err);
  size_t room = deflateBound(&stream, (uLong)len);
  *out = room <= UINT_MAX ? spec_arena_alloc(arena, room) : NULL;
  if (*out != NULL) {
    stream.next_in = (const unsigned char *)data;
    stream.avail_in = (uInt)len;
    stream.next_out = *out;
    stream.avail_out = (uInt)room;
    (void)deflate(&stream, Z_FINISH); /* deflateBound() is room enough for one call */
  }
  e->packed = stream.total_out;
  e->size = len;
  e->crc = (uint32_t)crc32_z(0, (const unsigned char *)data, len);
  (void)deflateEnd(&stream);
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

int spec_archive_add(spec_archive_writer *writer, const char *name, const char *data, size_t len,
                     const spec_archive_entry *like, spec_err *err) {
  const spec_archive_entry fresh = {
      .made_by = like->made_by,
      .needs = NEEDS_DEFLATE,
      .method = SPEC_ARCHIVE_DEFLATED,
      .date = like->date,
      .attributes = like->attributes,
  };
  unsigned char *packed = NULL;
  spec_archive_entry *e;
  int rc = add_member(writer, &e, name, &fresh, err);
  if (rc == SPEC_OK)
    rc = deflate_bytes(writer->arena, &packed, e, data, len, err);
  if (rc == SPEC_OK)
    rc = put_local(writer, e, NULL, 0, err);
  return rc != SPEC_OK ? rc : put(writer, packed, (size_t)e->packed, err);
}

uint32_t spec_archive_date(int64_t seconds) {
  const int64_t first = 315532800, last = 4354819198; /* 1980-01-01, 2107-12-31 23:59:58 */
  time_t time = (time_t)(seconds < first ? first : seconds > last ? last : seconds);
  struct tm tm = {0};
  (void)gmtime_r(&time, &tm);
  return (uint32_t)(tm.tm_year - 80) << 25 | (uint32_t)(tm.tm_mon + 1) << 21 |
         (uint32_t)tm.tm_mday << 16 | (uint32_t)tm.tm_hour << 11 | (uint32_t)tm.tm_min << 5 |
         (uint32_t)tm.tm_sec / 2;
}

void spec_archive_set_mode(spec_archive_entry *entry, bool is_executable) {
  entry->made_by = MADE_BY_UNIX << 8 | NEEDS_DEFLATE;
  entry->attributes = (is_executable ? 0100755u : 0100644u) << 16;
}

/* --- all ------------------------------------------------------------------------------------- */

int spec_archive_new(spec_archive_writer **out, spec_arena *arena, const char *path,
                     spec_err *err) {
  spec_archive_writer *w = spec_arena_alloc(arena, sizeof *w);
  if (w == NULL)
    return spec_fail_memory(err);
  w->arena = arena;
  int rc = spec_fs_draft_new(&w->draft, arena, path, err);
  if (rc == SPEC_OK)
    *out = w;
  return rc;
}

int spec_archive_publish(spec_archive_writer *writer, bool *changed, spec_err *err) {
  uint64_t start = writer->at;
  int rc = SPEC_OK;
  for (size_t i = 0; i < writer->count && rc == SPEC_OK; i++)
    rc = put_central(writer, &writer->members[i], err);
  if (rc == SPEC_OK)
    rc = put_end(writer, start, err);
  if (rc == SPEC_OK)
    rc = flush(writer, err);
  if (rc == SPEC_OK)
    return spec_fs_draft_publish(&writer->draft, changed, err);
  spec_archive_discard(writer);
  return rc;
}

void spec_archive_discard(spec_archive_writer *writer) {
  spec_fs_draft_discard(&writer->draft);
}
