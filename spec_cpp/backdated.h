/* backdated.h: files that changed to an older date.
 *
 * Ninja rebuilds an output when an input is newer.  A vendor's checkout that was swapped for
 * another, or a file that an archive put back, is not newer than what was made of the former one.
 */
#ifndef SPEC_CPP_BACKDATED_H
#define SPEC_CPP_BACKDATED_H

#include "base/looks.h"

/* Removes from the build folder every output that read a file whose bytes changed between the
 * two, though the output is not older than the file is now.  `out` is the results' folder in it.
 * Then adds to `now` what `then` knew of files in the stage that are not there now: the build may
 * still hold outputs of them, which count again when another backend, or an override that comes
 * back, puts files there. */
int spec_backdated_drop(spec_arena *arena, const char *out, const spec_looks *then, spec_looks *now,
                        spec_err *err);

#endif
