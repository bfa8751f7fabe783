/* wheel.h: reads a wheel, and writes a new one in which some members differ. What stays is neither
 * unpacked nor packed again.
 *
 *   spec_wheel_open()   checks that it is a sound wheel
 *   spec_wheel_read()   a member's bytes, checked against RECORD
 *   spec_wheel_write()  the wheel with another version and other members
 */
#ifndef SPEC_PACKAGE_WHEEL_H
#define SPEC_PACKAGE_WHEEL_H

#include "base/map.h"
#include "package/archive.h"
#include "package/version.h"
#include "package/wheel_record.h"

typedef struct spec_wheel_member {
  const spec_archive_entry *entry; /* name, sizes, date, mode; the name of a folder ends in '/' */
  bool is_folder;
  const spec_wheel_row *row; /* its row of RECORD; NULL for a folder */
} spec_wheel_member;

/* An open wheel. All that it points at lives in its arena. */
typedef struct spec_wheel {
  const char *path;
  spec_wheel_name name;          /* from the file's name */
  const char *project, *version; /* from METADATA */
  const char *dist_info;         /* "triton-3.9.0.dist-info" */
  spec_wheel_member *members;    /* in the archive's order */
  size_t count;
  spec_wheel_record record;
  spec_map *by_name;
  spec_archive archive;
  spec_arena *arena;
} spec_wheel;

/* Opens the wheel at path, which must stay. Refused, as errors that say what and where:
 * SPEC_EIO       it cannot be read
 * SPEC_EPARSE    it is no archive, or damaged; members that are encrypted, that have one name, or
 *                whose name leads out of a folder; METADATA, WHEEL or RECORD missing or unreadable;
 *                RECORD that does not list exactly the members; names and METADATA that differ
 * SPEC_EINVAL    the file's name is no wheel's; a version of the format that is not known; a
 *                signature, which would be void */
int spec_wheel_open(spec_wheel *out, spec_arena *arena, const char *path, spec_err *err);
void spec_wheel_close(spec_wheel *wheel);

/* The member of that name, or NULL. */
const spec_wheel_member *spec_wheel_find(const spec_wheel *wheel, const char *name);
/* The member in the dist-info folder, or NULL. */
const spec_wheel_member *spec_wheel_info(const spec_wheel *wheel, const char *name);
/* All bytes of a member and a NUL behind them, in `arena`.
 * SPEC_EPARSE: they are not what the archive or RECORD says of them. */
int spec_wheel_read(const spec_wheel *wheel, spec_arena *arena, const char **data, size_t *len,
                    const spec_wheel_member *member, spec_err *err);

/* A member that the new wheel has, or has not. */
typedef struct spec_wheel_change {
  const char *name; /* as the open wheel would have it, in the dist-info folder too; SPEC_EINVAL for
                       METADATA and RECORD, which are made */
  const char *data; /* NULL: no such member */
  size_t len;
  bool is_executable;
} spec_wheel_change;

typedef struct spec_wheel_edit {
  const char *version; /* of the new wheel */
  const spec_wheel_change *changes;
  size_t change_count;
  int64_t
      date; /* of members that are new or changed: seconds since 1970; see spec_archive_date() */
} spec_wheel_edit;

/* The name of the wheel's file if it had that version; NULL when memory is out. */
const char *spec_wheel_file_name(const spec_wheel *wheel, const char *version);
/* Writes the edited wheel to path, in one step; a file there that holds the same bytes is left
 * alone, *changed (may be NULL) tells. The folder must exist, path must not be the open wheel. Its
 * dist-info and data folders, METADATA and RECORD have the new version; new members stand near
 * those whose names are near. The same wheel and edit give the same bytes, with the same zlib. */
int spec_wheel_write(bool *changed, const spec_wheel *wheel, const char *path,
                     const spec_wheel_edit *edit, spec_err *err);

#endif
