/* ninja_deps.h: what each output really read, from Ninja's own records.
 *
 * .ninja_deps is Ninja's binary log of depfiles (src/deps_log.cc of Ninja):
 * "# ninjadeps\n", a version (3 or 4), then records: a 32-bit size, whose top bit
 * tells dependencies from paths, and the content.  A later record of an output
 * replaces an earlier one.  All integers are little-endian on the machines we run on. */
#ifndef SPEC_CPP_NINJA_DEPS_H
#define SPEC_CPP_NINJA_DEPS_H

#include "base/map.h"

typedef struct spec_ninja_deps {
  const char **paths; /* by id, as Ninja spells them */
  size_t path_count;
  const unsigned **inputs; /* by id of an output: ids of what it read, or NULL */
  size_t *input_counts;
} spec_ninja_deps;

/* Reads the deps log of a build folder; without one, nothing was compiled: *out is empty. */
int spec_ninja_deps_read(spec_arena *arena, spec_ninja_deps *out, const char *build, spec_err *err);
/* Parses a deps log; data must live as long as *out.  A log that ends inside a record (Ninja was
 * killed) gives what comes before, as it does to Ninja.  SPEC_EPARSE: not a deps log, or a version
 * that is not known. */
int spec_ninja_deps_parse(spec_arena *arena, spec_ninja_deps *out, const char *data, size_t len,
                          const char *file, spec_err *err);

#endif
