/* wheel_record.c: CSV as RFC 4180 has it, which is what wheels are written in. */
#include "package/wheel_record.h"

#include "base/err.h"
#include "base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sha256_prefix[] = "sha256=";

/* What is left of a text, and where that is. */
typedef struct reader {
  spec_arena *arena;
  const char *at, *end;
  const char *where;
  size_t line; /* from 1 */
} reader;

static int refuse(const reader *r, const char *problem, spec_err *err) {
  (void)spec_fail(err, SPEC_EPARSE, "this row of RECORD %s", problem);
  (void)spec_fail_where(err, "%s:%zu", r->where, r->line);
  (void)spec_fail_mend(err, "get the wheel again from where it comes");
  return SPEC_EPARSE;
}

/* Whether the reader stands at the end of a line, and how many bytes that takes (0: end of text).
 */
static bool at_line_end(const reader *r, size_t *len) {
  *len = 0;
  if (r->at == r->end)
    return true;
  if (*r->at == '\n')
    *len = 1;
  else if (*r->at == '\r')
    *len = r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
  return *len > 0;
}

/* A field in quotes; the reader stands behind the first one. */
static int read_quoted(reader *r, const char **out, spec_err *err) {
  const char *start = r->at;
  size_t doubled = 0;
  for (; r->at < r->end; r->at++) {
    if (*r->at == '\0')
      return refuse(r, "holds a NUL", err);
    if (*r->at != '"')
      continue;
    if (r->at + 1 == r->end || r->at[1] != '"')
      break;
    r->at++; /* two stand for one */
    doubled++;
  }
  if (r->at == r->end)
    return refuse(r, "has a quote that nothing closes", err);
  char *text = spec_arena_alloc(r->arena, (size_t)(r->at - start) - doubled + 1);
  if (text == NULL)
    return spec_fail_memory(err);
  *out = text;
  for (; start < r->at; start += 1 + (*start == '"'))
    *text++ = *start;
  r->at++;
  return SPEC_OK;
}

static int read_field(reader *r, const char **out, spec_err *err) {
  size_t end;
  if (r->at < r->end && *r->at == '"') {
    r->at++;
    int rc = read_quoted(r, out, err);
    if (rc == SPEC_OK && !at_line_end(r, &end) && *r->at != ',')
      rc = refuse(r, "goes on behind a closing quote", err);
    return rc;
  }
  const char *start = r->at;
  while (!at_line_end(r, &end) && *r->at != ',') {
    if (*r->at == '\0' || *r->at == '"')
      return refuse(r, *r->at == '"' ? "has a quote within a field" : "holds a NUL", err);
    r->at++;
  }
  *out = spec_arena_strndup(r->arena, start, (size_t)(r->at - start));
  return *out == NULL ? spec_fail_memory(err) : SPEC_OK;
}

/* A row and the end of its line. */
static int read_row(reader *r, spec_wheel_row *out, spec_err *err) {
  const char **fields[] = {&out->path, &out->hash, &out->size};
  size_t end;
  const char *start = r->at;
  for (size_t i = 0; i < 3; i++) {
    if (i > 0 && (r->at == r->end || *r->at++ != ','))
      return refuse(r, "has not three fields", err);
    int rc = read_field(r, fields[i], err);
    if (rc != SPEC_OK)
      return rc;
  }
  if (!at_line_end(r, &end))
    return refuse(r, "has not three fields", err);
  if (*out->path == '\0')
    return refuse(r, "names no file", err);
  r->at += end;
  for (; start < r->at; start++) /* a field in quotes may hold line ends */
    r->line += *start == '\n';
  return SPEC_OK;
}

int spec_wheel_record_parse(spec_wheel_record *out, spec_arena *arena, const char *text, size_t len,
                            const char *where, spec_err *err) {
  reader r = {arena, text, text + len, where, 1};
  spec_wheel_record record = {.eol = "\n"};
  size_t cap = 0, end;
  const char *newline = len > 0 ? memchr(text, '\n', len) : NULL;
  if (newline != NULL && newline > text && newline[-1] == '\r')
    record.eol = "\r\n";
  while (r.at < r.end) {
    if (at_line_end(&r, &end)) { /* an empty line */
      r.at += end;
      r.line++;
      continue;
    }
    int rc = spec_arena_reserve(arena, &record.rows, record.count, &cap, sizeof *record.rows, err);
    if (rc == SPEC_OK)
      rc = read_row(&r, &record.rows[record.count], err);
    if (rc != SPEC_OK)
      return rc;
    record.count++;
  }
  *out = record;
  return SPEC_OK;
}

static void write_field(spec_buf *out, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    spec_buf_str(out, text);
    return;
  }
  spec_buf_char(out, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      spec_buf_char(out, '"');
    spec_buf_char(out, *text);
  }
  spec_buf_char(out, '"');
}

void spec_wheel_record_write(spec_buf *out, const spec_wheel_record *record) {
  for (size_t i = 0; i < record->count; i++) {
    write_field(out, record->rows[i].path);
    spec_buf_char(out, ',');
    write_field(out, record->rows[i].hash);
    spec_buf_char(out, ',');
    write_field(out, record->rows[i].size);
    spec_buf_str(out, record->eol);
  }
}

int spec_wheel_row_of(spec_wheel_row *out, spec_arena *arena, const char *path, const char *data,
                      size_t len) {
  char digest[44];
  spec_sha256_urlsafe(digest, data, len);
  out->path = path;
  out->hash = spec_arena_printf(arena, "%s%s", sha256_prefix, digest);
  out->size = spec_arena_printf(arena, "%zu", len);
  return out->hash == NULL || out->size == NULL ? -1 : 0;
}

bool spec_wheel_row_agrees(const spec_wheel_row *row, const char *data, size_t len) {
  char digest[44];
  if (*row->size != '\0' && (row->size[0] < '0' || row->size[0] > '9' ||
                             strtoull(row->size, NULL, 10) != (unsigned long long)len))
    return false;
  if (strncmp(row->hash, sha256_prefix, sizeof sha256_prefix - 1) != 0)
    return true;
  spec_sha256_urlsafe(digest, data, len);
  return strcmp(row->hash + sizeof sha256_prefix - 1, digest) == 0;
}
