/* archive.c: reading. The central directory, at the end of the file, says what there is. */
#include "package/archive.h"

#include "base/err.h"
#include "package/archive_bytes.h"

#include <limits.h>
#include <string.h>

int spec_archive_refuse(const spec_archive *archive, const char *member, const char *problem,
                        spec_err *err) {
  (void)spec_fail(err, SPEC_EPARSE, "the archive is broken: %s", problem);
  (void)spec_fail_where(err, "%s%s%s", archive->file.path, member != NULL ? ":" : "",
                        member != NULL ? member : "");
  (void)spec_fail_mend(err, "get it again from where it comes");
  return SPEC_EPARSE;
}

bool spec_archive_is_executable(const spec_archive_entry *entry) {
  return entry->made_by >> 8 == MADE_BY_UNIX && ((entry->attributes >> 16) & 0111) != 0;
}

static int refuse_short(const spec_archive *a, spec_err *err) {
  (void)spec_archive_refuse(a, NULL, "it ends too early", err);
  return SPEC_EPARSE; /* here, where a static analyser sees it */
}

/* Exactly `len` bytes of the file, in the arena. */
static int load(const spec_archive *a, const unsigned char **out, uint64_t at, uint64_t len,
                spec_err *err) {
  if (at > a->file.size || len > a->file.size - at)
    return refuse_short(a, err);
  unsigned char *bytes = spec_arena_alloc(a->arena, (size_t)len + 1);
  size_t got = 0;
  if (bytes == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_read_at(&a->file, &got, bytes, (size_t)len, at, err);
  if (rc == SPEC_OK && got < len)
    rc = refuse_short(a, err);
  *out = bytes;
  return rc;
}

/* --- the end of the archive ------------------------------------------------------------------ */

/* Where the central directory is. */
typedef struct directory {
  uint64_t at, size, count;
  uint64_t end; /* where what follows it begins */
} directory;

/* The record of Zip64, if there is a locator before the last record, which points to it. */
static int read_end64(const spec_archive *a, directory *dir, uint64_t locator_at, spec_err *err) {
  const unsigned char *locator = NULL, *end = NULL;
  int rc = load(a, &locator, locator_at, LOCATOR_SIZE, err);
  if (rc != SPEC_OK || get32(locator) != LOCATOR_SIGNATURE)
    return rc;
  rc = load(a, &end, get64(locator + 8), END64_SIZE, err);
  if (rc != SPEC_OK)
    return rc;
  if (get32(end) != END64_SIGNATURE)
    return spec_archive_refuse(a, NULL, "its central directory is nowhere", err);
  *dir = (directory){get64(end + 48), get64(end + 40), get64(end + 32), get64(locator + 8)};
  return SPEC_OK;
}

/* The last record of the file, which may end in a comment. */
static int find_end(const spec_archive *a, const unsigned char **out, uint64_t *at, spec_err *err) {
  uint64_t len = END_SIZE + COMMENT_MAX;
  if (len > a->file.size)
    len = a->file.size;
  const unsigned char *tail = NULL;
  int rc = load(a, &tail, a->file.size - len, len, err);
  if (rc != SPEC_OK)
    return rc;
  for (uint64_t i = END_SIZE; i <= len; i++) {
    const unsigned char *end = tail + len - i;
    if (get32(end) == END_SIGNATURE && get16(end + 20) == i - END_SIZE) {
      *out = end;
      *at = a->file.size - i;
      return SPEC_OK;
    }
  }
  (void)spec_fail(err, SPEC_EPARSE, "'%s' is not a zip archive, or cut off", a->file.path);
  (void)spec_fail_where(err, "%s", a->file.path);
  (void)spec_fail_mend(err, "get it again from where it comes");
  return SPEC_EPARSE;
}

static int find_directory(const spec_archive *a, directory *dir, spec_err *err) {
  const unsigned char *end = NULL;
  uint64_t at = 0;
  int rc = find_end(a, &end, &at, err);
  if (rc != SPEC_OK)
    return rc;
  *dir = (directory){get32(end + 16), get32(end + 12), get16(end + 10), at};
  if (at >= LOCATOR_SIZE)
    rc = read_end64(a, dir, at - LOCATOR_SIZE, err);
  if (rc == SPEC_OK && (dir->at > dir->end || dir->size != dir->end - dir->at))
    rc = spec_archive_refuse(a, NULL, "its central directory is not where it says", err);
  if (rc == SPEC_OK && dir->count > dir->size / CENTRAL_SIZE)
    rc = spec_archive_refuse(a, NULL, "it says to have more members than it can", err);
  return rc;
}

/* --- the central directory ------------------------------------------------------------------- */

/* Takes the next of the numbers of Zip64 in the place of *value, if that says so; false: there is
 * none. */
static bool take64(uint64_t *value, const unsigned char **at, size_t *len) {
  if (*value != MAX32)
    return true;
  if (*len < 8)
    return false;
  *value = get64(*at);
  *at += 8;
  *len -= 8;
  return true;
}

/* Reads the extra field of Zip64 if an entry needs it; false: it is missing, or the fields are
 * broken.
 */
static bool read_zip64(spec_archive_entry *e, const unsigned char *extra, size_t len) {
  bool needed = e->size == MAX32 || e->packed == MAX32 || e->header == MAX32;
  while (len >= 4) {
    size_t field = 4 + (size_t)get16(extra + 2), rest = field - 4;
    const unsigned char *at = extra + 4;
    if (field > len)
      return false;
    if (needed && get16(extra) == EXTRA_ZIP64) {
      if (!take64(&e->size, &at, &rest) || !take64(&e->packed, &at, &rest) ||
          !take64(&e->header, &at, &rest))
        return false;
      needed = false;
    }
    extra += field;
    len -= field;
  }
  return !needed;
}

size_t spec_archive_keep_extra(unsigned char *kept, const unsigned char *extra, size_t len) {
  size_t done = 0;
  while (len >= 4 && 4 + (size_t)get16(extra + 2) <= len) {
    size_t field = 4 + (size_t)get16(extra + 2);
    if (get16(extra) != EXTRA_ZIP64) {
      memcpy(kept + done, extra, field);
      done += field;
    }
    extra += field;
    len -= field;
  }
  return done;
}

/* Reads a record; *len becomes how long it is. */
static int read_entry(const spec_archive *a, spec_archive_entry *e, const unsigned char *at,
                      uint64_t *len, spec_err *err) {
  if (*len < CENTRAL_SIZE || get32(at) != CENTRAL_SIGNATURE)
    return spec_archive_refuse(a, NULL, "its central directory is damaged", err);
  size_t name = get16(at + 28), extra = get16(at + 30), comment = get16(at + 32);
  if (*len - CENTRAL_SIZE < name + extra + comment)
    return spec_archive_refuse(a, NULL, "its central directory is damaged", err);
  *len = CENTRAL_SIZE + name + extra + comment;
  *e = (spec_archive_entry){
      .made_by = get16(at + 4),
      .needs = get16(at + 6),
      .flags = get16(at + 8),
      .method = get16(at + 10),
      .date = get32(at + 12),
      .crc = get32(at + 16),
      .packed = get32(at + 20),
      .size = get32(at + 24),
      .internal = get16(at + 36),
      .attributes = get32(at + 38),
      .header = get32(at + 42),
      .comment = at + CENTRAL_SIZE + name + extra,
      .comment_len = comment,
  };
  e->name = spec_arena_strndup(a->arena, (const char *)at + CENTRAL_SIZE, name);
  unsigned char *kept = spec_arena_alloc(a->arena, extra);
  if (e->name == NULL || kept == NULL)
    return spec_fail_memory(err);
  if (strlen(e->name) != name)
    return spec_archive_refuse(a, e->name, "the name of a member holds a NUL", err);
  if (!read_zip64(e, at + CENTRAL_SIZE + name, extra))
    return spec_archive_refuse(a, e->name, "the extra fields of a member are damaged", err);
  e->extra = kept;
  e->extra_len = spec_archive_keep_extra(kept, at + CENTRAL_SIZE + name, extra);
  return SPEC_OK;
}

/* What is wrong with a record, or NULL. */
static const char *problem_of(const spec_archive_entry *e) {
  enum { DEFLATE_RATIO = 1032 }; /* bytes that a packed byte can stand for, at most */
  if ((e->flags & SPEC_ARCHIVE_ENCRYPTED) != 0)
    return "a member is encrypted";
  if (e->method != SPEC_ARCHIVE_STORED && e->method != SPEC_ARCHIVE_DEFLATED)
    return "a member is packed by a method other than deflating";
  if (e->method == SPEC_ARCHIVE_STORED ? e->size != e->packed : e->size / DEFLATE_RATIO > e->packed)
    return "a member is said to be larger than it can be";
  return NULL;
}

static int read_directory(spec_archive *a, spec_err *err) {
  directory dir;
  const unsigned char *at = NULL;
  int rc = find_directory(a, &dir, err);
  if (rc == SPEC_OK)
    rc = load(a, &at, dir.at, dir.size, err);
  if (rc != SPEC_OK)
    return rc;
  a->count = (size_t)dir.count;
  a->entries = spec_arena_array(a->arena, a->count, sizeof *a->entries);
  if (a->entries == NULL)
    return spec_fail_memory(err);
  uint64_t packed = 0;
  for (size_t i = 0; i < a->count && rc == SPEC_OK; i++) {
    spec_archive_entry *e = &a->entries[i];
    uint64_t len = dir.size;
    rc = read_entry(a, e, at, &len, err);
    const char *problem = rc == SPEC_OK ? problem_of(e) : NULL;
    if (problem == NULL && rc == SPEC_OK && e->packed > dir.at - packed)
      problem = "its members overlap"; /* or a copy could be larger than the archive */
    if (problem != NULL)
      rc = spec_archive_refuse(a, e->name, problem, err);
    packed += e->packed;
    at += len;
    dir.size -= len;
  }
  if (rc == SPEC_OK && dir.size != 0)
    rc = spec_archive_refuse(a, NULL, "its central directory is damaged", err);
  return rc;
}

/* --- members -----------------------------------------------------------------------------------
 */

int spec_archive_locate(const spec_archive *archive, spec_arena *arena, spec_archive_local *out,
                        const spec_archive_entry *entry, spec_err *err) {
  unsigned char fixed[LOCAL_SIZE];
  size_t got = 0, name_len = strlen(entry->name);
  int rc = spec_fs_read_at(&archive->file, &got, fixed, sizeof fixed, entry->header, err);
  if (rc != SPEC_OK)
    return rc;
  if (got < sizeof fixed || get32(fixed) != LOCAL_SIGNATURE || get16(fixed + 26) != name_len)
    return spec_archive_refuse(archive, entry->name, "a member is not where it should be", err);
  size_t extra_len = get16(fixed + 28), len = name_len + extra_len;
  unsigned char *rest = spec_arena_alloc(arena, len);
  if (rest == NULL)
    return spec_fail_memory(err);
  rc = spec_fs_read_at(&archive->file, &got, rest, len, entry->header + LOCAL_SIZE, err);
  if (rc != SPEC_OK)
    return rc;
  if (got < len || memcmp(rest, entry->name, name_len) != 0)
    return spec_archive_refuse(archive, entry->name, "a member is not where it should be", err);
  *out = (spec_archive_local){rest + name_len, extra_len, entry->header + LOCAL_SIZE + len};
  return SPEC_OK;
}

static void *take_memory(void *user, unsigned count, unsigned size) {
  (void)user;
  return spec_malloc((size_t)count * size);
}

static void give_back(void *user, void *pointer) {
  (void)user;
  spec_free(pointer);
}

void spec_archive_use_memory(z_stream *stream) {
  stream->zalloc = take_memory;
  stream->zfree = give_back;
}

/* Feeds the packed bytes, which begin at `at`, to an open stream. Z_STREAM_END when they are
 * whole and fill the room exactly; another code of zlib; Z_ERRNO: err says more. */
static int inflate_pieces(z_stream *stream, const spec_archive *archive, uint64_t at, uint64_t left,
                          spec_err *err) {
  unsigned char piece[16 * 1024];
  int code = Z_OK;
  while (code == Z_OK && stream->avail_in == 0 && left > 0) {
    size_t want = left < sizeof piece ? (size_t)left : sizeof piece, got;
    if (spec_fs_read_at(&archive->file, &got, piece, want, at, err) < 0)
      return Z_ERRNO;
    if (got == 0)
      return Z_DATA_ERROR;
    at += got;
    left -= got;
    stream->next_in = piece;
    stream->avail_in = (uInt)got;
    code = inflate(stream, Z_NO_FLUSH);
  }
  return left > 0 || stream->avail_in > 0 ? Z_DATA_ERROR : code;
}

static int inflate_member(const spec_archive *archive, char *data, uint64_t at,
                          const spec_archive_entry *entry, spec_err *err) {
  z_stream stream = {0};
  if (entry->size > UINT_MAX)
    return spec_archive_refuse(archive, entry->name, "a member is too large to be read", err);
  spec_archive_use_memory(&stream);
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return spec_fail_memory(err);
  stream.next_out = (unsigned char *)data;
  stream.avail_out = (uInt)entry->size;
  int code = inflate_pieces(&stream, archive, at, entry->packed, err);
  bool whole = code == Z_STREAM_END && stream.avail_out == 0;
  (void)inflateEnd(&stream);
  if (code == Z_ERRNO)
    return SPEC_EIO;
  if (code == Z_MEM_ERROR)
    return spec_fail_memory(err);
  return whole ? SPEC_OK
               : spec_archive_refuse(archive, entry->name, "a member cannot be unpacked", err);
}

static int read_stored(const spec_archive *archive, char *data, uint64_t at,
                       const spec_archive_entry *entry, spec_err *err) {
  size_t got;
  int rc = spec_fs_read_at(&archive->file, &got, data, (size_t)entry->size, at, err);
  if (rc == SPEC_OK && got < entry->size)
    rc = spec_archive_refuse(archive, entry->name, "a member is cut off", err);
  return rc;
}

int spec_archive_read(const spec_archive *archive, spec_arena *arena, const char **data,
                      const spec_archive_entry *entry, spec_err *err) {
  spec_archive_local local;
  char *bytes = spec_arena_alloc(arena, (size_t)entry->size + 1);
  if (bytes == NULL)
    return spec_fail_memory(err);
  int rc = spec_archive_locate(archive, arena, &local, entry, err);
  if (rc == SPEC_OK)
    rc = entry->method == SPEC_ARCHIVE_STORED
             ? read_stored(archive, bytes, local.data, entry, err)
             : inflate_member(archive, bytes, local.data, entry, err);
  if (rc == SPEC_OK && crc32_z(0, (unsigned char *)bytes, (size_t)entry->size) != entry->crc)
    rc = spec_archive_refuse(archive, entry->name, "a member has another checksum", err);
  if (rc == SPEC_OK)
    *data = bytes;
  return rc;
}

int spec_archive_open(spec_archive *out, spec_arena *arena, const char *path, spec_err *err) {
  spec_archive archive = {.arena = arena};
  int rc = spec_fs_open(&archive.file, path, err);
  if (rc != SPEC_OK)
    return rc;
  rc = read_directory(&archive, err);
  if (rc != SPEC_OK)
    spec_archive_close(&archive);
  else
    *out = archive;
  return rc;
}

void spec_archive_close(spec_archive *archive) {
  spec_fs_close(&archive->file);
}
