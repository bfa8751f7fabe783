/* ninja_deps.c: the reader of .ninja_deps. */
#include "ninja_deps.h"

#include "base/err.h"
#include "base/fs.h"
#include "base/path.h"
#include <stdint.h>
#include <string.h>

static const char signature[] = "# ninjadeps\n";
enum { OLDEST = 3, NEWEST = 4 };
static const uint32_t IS_DEPS = 0x80000000u;

typedef struct reader {
  spec_arena *arena;
  spec_ninja_deps *out;
  size_t path_cap;
  uint32_t version;
} reader;

static uint32_t word(const char *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* path bytes, padded with NUL to a multiple of 4, then the complement of the id. */
static int read_path(reader *r, bool *sound, const char *data, size_t size, spec_err *err) {
  *sound = size >= 8 && ~word(data + size - 4) == (uint32_t)r->out->path_count;
  if (!*sound)
    return SPEC_OK;
  size_t len = size - 4;
  while (len > 0 && data[len - 1] == '\0')
    len--;
  int rc = spec_arena_reserve(r->arena, &r->out->paths, r->out->path_count, &r->path_cap,
                              sizeof *r->out->paths, err);
  if (rc != 0)
    return rc;
  r->out->paths[r->out->path_count] = spec_arena_strndup(r->arena, data, len);
  if (r->out->paths[r->out->path_count] == NULL)
    return spec_fail_memory(err);
  r->out->path_count++;
  return SPEC_OK;
}

/* Calls fn for each record until one is cut off or unsound. */
typedef int record_fn(reader *r, bool *sound, bool is_deps, const char *data, size_t size,
                      spec_err *err);

static int each_record(reader *r, const char *data, size_t len, record_fn *fn, spec_err *err) {
  bool sound = true;
  int rc = 0;
  for (size_t at = 0; rc == 0 && sound && len - at >= 4;) {
    uint32_t head = word(data + at);
    size_t size = head & ~IS_DEPS;
    at += 4;
    if (size > len - at || size % 4 != 0)
      break;
    rc = fn(r, &sound, (head & IS_DEPS) != 0, data + at, size, err);
    at += size;
  }
  return rc;
}

static int on_path(reader *r, bool *sound, bool is_deps, const char *data, size_t size,
                   spec_err *err) {
  return is_deps ? SPEC_OK : read_path(r, sound, data, size, err);
}

_Static_assert(sizeof(unsigned) == 4, "an id is a word of the log");

/* The words where they lie: a log of a large build has millions.  A copy when they lie askew. */
static int view_words(spec_arena *arena, const unsigned **out, const char *data, size_t count,
                      spec_err *err) {
  if ((uintptr_t)data % _Alignof(unsigned) == 0) {
    *out = (const void *)data;
    return SPEC_OK;
  }
  unsigned *copy = spec_arena_array(arena, count, sizeof *copy);
  if (copy == NULL)
    return spec_fail_memory(err);
  memcpy(copy, data, count * sizeof *copy);
  *out = copy;
  return SPEC_OK;
}

/* Output id, time (4 bytes in version 3, else 8), input ids. */
static int on_deps(reader *r, bool *sound, bool is_deps, const char *data, size_t size,
                   spec_err *err) {
  if (!is_deps)
    return SPEC_OK;
  size_t head = r->version == OLDEST ? 8 : 12;
  *sound = size >= head && word(data) < r->out->path_count;
  if (!*sound)
    return SPEC_OK;
  size_t count = (size - head) / 4;
  const unsigned *inputs;
  int rc = view_words(r->arena, &inputs, data + head, count, err);
  if (rc != 0)
    return rc;
  unsigned largest = 0; /* one comparison a record lets the compiler take many ids at once */
  for (size_t i = 0; i < count; i++)
    largest = inputs[i] > largest ? inputs[i] : largest;
  *sound = count == 0 || largest < r->out->path_count;
  if (*sound) {
    r->out->inputs[word(data)] = inputs;
    r->out->input_counts[word(data)] = count;
  }
  return SPEC_OK;
}

int spec_ninja_deps_parse(spec_arena *arena, spec_ninja_deps *out, const char *data, size_t len,
                          const char *file, spec_err *err) {
  size_t head = sizeof signature - 1;
  if (len < head + 4 || memcmp(data, signature, head) != 0) {
    spec_fail(err, SPEC_EPARSE, "this is not a deps log of Ninja");
    return spec_fail_where(err, "%s", file);
  }
  *out = (spec_ninja_deps){0};
  reader r = {.arena = arena, .out = out, .version = word(data + head)};
  if (r.version < OLDEST || r.version > NEWEST) {
    spec_fail(err, SPEC_EPARSE, "the deps log has version %u, and versions %d and %d are known",
              (unsigned)r.version, OLDEST, NEWEST);
    return spec_fail_where(err, "%s", file);
  }
  data += head + 4;
  len -= head + 4;
  /* A dependency may name a path whose record comes later only in a broken log,
   * so paths first, then dependencies, each in one pass. */
  int rc = each_record(&r, data, len, on_path, err);
  out->inputs = spec_arena_array(arena, out->path_count, sizeof *out->inputs);
  out->input_counts = spec_arena_array(arena, out->path_count, sizeof *out->input_counts);
  if (rc == 0 && (out->inputs == NULL || out->input_counts == NULL))
    rc = spec_fail_memory(err);
  return rc != 0 ? rc : each_record(&r, data, len, on_deps, err);
}

int spec_ninja_deps_read(spec_arena *arena, spec_ninja_deps *out, const char *build,
                         spec_err *err) {
  const char *path = spec_path_join(arena, build, ".ninja_deps"), *text = NULL;
  size_t len = 0;
  spec_ftype type;
  *out = (spec_ninja_deps){0};
  if (path == NULL)
    return spec_fail_memory(err);
  int rc = spec_fs_type(&type, path, err);
  if (rc != 0 || type != SPEC_FT_FILE)
    return rc;
  rc = spec_fs_read(arena, &text, &len, path, err);
  return rc != 0 ? rc : spec_ninja_deps_parse(arena, out, text, len, path, err);
}
