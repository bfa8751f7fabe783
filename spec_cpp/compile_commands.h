/* compile_commands.h: a compilation database in which an editor finds the vendor's files.
 *
 * CMake's own <build>/compile_commands.json names a swapped source by its path in the stage, which
 * nobody opens.  <build>/spec/compile_commands.json is that database with
 *   - each source of the stage under its real path: -iquote <its staged folder> comes first, so
 *     that what the stage has beside it is found
 *   - each overriding header that a unit reaches, with the command of the first such unit
 *   - each source of a unity batch under its own path, with the command of the batch
 *   - everything else as CMake wrote it
 * and all of it without the flag that only gcc knows. */
#ifndef SPEC_CPP_COMPILE_COMMANDS_H
#define SPEC_CPP_COMPILE_COMMANDS_H

#include "spec.h"

/* Writes it, or nothing while CMake's database and the overlay's folders are what they were when
 * it was written last; removes it when CMake makes none.  Call it once CMake has generated.
 * build: the build folder, relative to the current one or absolute.
 * SPEC_EPARSE: CMake's database or the manifest is no JSON. */
int spec_build_compile_commands(const char *build, spec_err *err);

#endif
