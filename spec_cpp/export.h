/* export.h: the merged tree as a plain folder, which builds without triton-spec.
 *
 * Below the folder
 *   <trunk path>                the trunk's file, or the vendor's where the overlay has one
 *   .triton-spec/origin.json    where each file came from (docs/reference/export.md)
 *   .triton-spec/overlay.cmake  what spec.cmake asks for and what spec.ini removes, in plain CMake;
 *                               absent when the overlay does neither; it includes SpecExport.cmake
 *   .triton-spec/<layer>/       the folder of a layer that has a spec.cmake and lies outside the
 * trunk .triton-spec/writing.json   only while it is written: all paths that may be there
 */
#ifndef SPEC_CPP_EXPORT_H
#define SPEC_CPP_EXPORT_H

#include "spec.h"

/* How a file of the export is made. */
typedef enum spec_export_mode {
  SPEC_EXPORT_COPY,   /* its bytes and permissions */
  SPEC_EXPORT_LINKS,  /* an absolute symbolic link */
  SPEC_EXPORT_REFLINK /* a copy that shares its blocks; SPEC_EIO where the disk has no such thing */
} spec_export_mode;

typedef struct spec_exported {
  size_t trunk_files;  /* as the trunk has them */
  size_t vendor_files; /* from the overlay */
  size_t removed;      /* of the trunk, left out by spec.ini */
  size_t pruned;       /* of an earlier export, not wanted any more */
  bool has_script;     /* overlay.cmake was written: the build must be given it */
} spec_exported;

/* Writes the merged tree to dir (absolute, normal); functions is the SpecExport.cmake that goes
 * with this program.  An earlier export there is brought up to date:
 * what it made and nobody wants now is removed, what nobody of ours made is left alone.
 * SPEC_EINVAL: dir holds something else, holds or lies in the trunk or a layer; the trunk is an
 * export itself, or has a link to a folder outside it (allowed with SPEC_EXPORT_LINKS), or a name
 * that is not UTF-8.  SPEC_EREFUSED: a patch does not fit, or a merge breaks a rule.  A run that
 * was stopped is mended by the next. */
int spec_build_export(spec_exported *out, spec_plan *plan, const char *dir, spec_export_mode mode,
                      const char *functions, spec_err *err);

/* "copy", "links", "reflink". */
const char *spec_export_mode_name(spec_export_mode mode);

#endif
