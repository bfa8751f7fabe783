/* renames.h: where a file of the trunk went. */
#ifndef SPEC_GIT_RENAMES_H
#define SPEC_GIT_RENAMES_H

#include "git/repository.h"

/* Files that one revision has and an older one has not; asked for when a file is gone. */
typedef struct spec_renames {
  spec_repository *repository;
  spec_arena *arena;
  const spec_revision *from, *to; /* `from` NULL: not known, and all files of `to` count */
  spec_entry *added;
  size_t count, cap;
  bool listed;
} spec_renames; /* zero-initialise, and set the first four */

typedef struct spec_rename {
  const char *path; /* below the trunk; NULL: nowhere */
  char id[SPEC_OBJECT_ID_SIZE];
  unsigned likeness; /* percent of the lines' bytes that both files have */
} spec_rename;

/* At least as alike as that, or it is another file. */
enum { SPEC_RENAME_LIKENESS = 50 };

/* Looks for the file that `path`, of which the text is given, has become: the same bytes, or else
 * the most alike of the same kind of name.  Each file of the trunk is read once at most. */
int spec_renames_find(spec_renames *renames, spec_rename *out, const char *path, const char *text,
                      size_t len, spec_err *err);

#endif
