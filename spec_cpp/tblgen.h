/* tblgen.h: which TableGen inputs reach an overridden .td, and the wrapper
 * that makes tblgen see it.
 *
 * tblgen looks for an included file in the current source folder, then along
 * -I, and never beside the includer; so an overridden file wins only when the
 * stage's twin of a folder comes before that folder.  The wrapper inserts it. */
#ifndef SPEC_CPP_TBLGEN_H
#define SPEC_CPP_TBLGEN_H

#include "merged.h"

/* A .td file that reaches an override: a rule made from it is affected. */
typedef struct spec_td {
  const char *path;                /* below the trunk */
  bool replaced;                   /* it is itself overridden: read it from the stage */
  const spec_override **overrides; /* reached, sorted by trunk path */
  size_t override_count;
  const char **files; /* ids of every file it reads, itself included */
  size_t file_count;
  char digest[33]; /* over the reached overrides; names the wrapper */
} spec_td;

typedef struct spec_tds {
  spec_td *items; /* sorted by path; only affected files */
  size_t count;
} spec_tds;

/* Scans the trunk's and the overlay's .td files.  Costs nothing when no .td is overridden. */
int spec_tblgen_scan(spec_arena *arena, spec_tds *out, const spec_merged *view, spec_err *err);

/* <out>/tblgen/<digest>/tblgen for each digest, and no others. */
int spec_tblgen_write_wrappers(spec_arena *arena, const spec_tds *tds, const spec_merged *view,
                               const char *out, spec_err *err);
/* The wrapper's path for one file. */
char *spec_tblgen_wrapper(spec_arena *arena, const char *out, const spec_td *td);

#endif
