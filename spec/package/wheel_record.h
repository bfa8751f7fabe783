/* wheel_record.h: the RECORD of a wheel or an installed package: one row for each file, as CSV. */
#ifndef SPEC_PACKAGE_WHEEL_RECORD_H
#define SPEC_PACKAGE_WHEEL_RECORD_H

#include "base/buf.h"

/* A row: the file's path, and "" or what is known of its bytes. */
typedef struct spec_wheel_row {
  const char *path;
  const char *hash; /* "sha256=" and the digest's urlsafe base64, or another algorithm's */
  const char *size; /* bytes, decimal */
} spec_wheel_row;

typedef struct spec_wheel_record {
  spec_wheel_row *rows; /* in the order of the text */
  size_t count;
  const char *eol; /* what ends the first line: "\n" or "\r\n" */
} spec_wheel_record;

/* Reads a RECORD. Fields may be quoted, as csv.writer of Python does it. `where` names the text in
 * errors. SPEC_EPARSE: a row that has not three fields, a quote out of place, an empty path, a NUL.
 */
int spec_wheel_record_parse(spec_wheel_record *out, spec_arena *arena, const char *text, size_t len,
                            const char *where, spec_err *err);
/* Appends the rows; what spec_wheel_record_parse() read is written as it was, but for needless
 * quotes. */
void spec_wheel_record_write(spec_buf *out, const spec_wheel_record *record);
/* The row of a file whose bytes are data: sha256 and size. -1: memory is out. */
int spec_wheel_row_of(spec_wheel_row *out, spec_arena *arena, const char *path, const char *data,
                      size_t len);
/* Whether data is what the row says: true too where it says nothing, or in an algorithm other than
 * sha256 with the right size. */
bool spec_wheel_row_agrees(const spec_wheel_row *row, const char *data, size_t len);

#endif
