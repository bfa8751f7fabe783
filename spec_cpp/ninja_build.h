/* ninja_build.h: the outputs that a build has today, from its build.ninja.
 *
 * The deps log keeps records of outputs that no longer exist; only those that
 * some build statement still makes say anything about this build. */
#ifndef SPEC_CPP_NINJA_BUILD_H
#define SPEC_CPP_NINJA_BUILD_H

#include "base/map.h"

/* What makes an output. */
typedef struct spec_ninja_edge {
  const char *rule;         /* e.g. "CXX_COMPILER__TritonIR_Release", "CUSTOM_COMMAND" */
  const char *command;      /* of a CUSTOM_COMMAND, as written, or NULL */
  const char *inputs, *end; /* the text of its inputs of all sorts; dies with the file's text */
} spec_ninja_edge;

/* Reads <dir>/build.ninja and the files it includes; adds each output, unescaped, to
 * outputs (value: its spec_ninja_edge).  SPEC_ENOTFOUND when there is none. */
int spec_ninja_build_outputs(spec_arena *arena, spec_map *outputs, const char *dir, spec_err *err);

/* The next input of an edge, unescaped, or NULL behind the last; *at is edge->inputs at first. */
int spec_ninja_next_input(spec_arena *arena, const char **out, const char **at,
                          const spec_ninja_edge *edge, spec_err *err);

/* The same as spec_ninja_build_outputs() for one text; calls include for `include` and `subninja`.
 */
typedef int spec_ninja_include_fn(void *user, const char *path, spec_err *err);
int spec_ninja_build_parse(spec_arena *arena, spec_map *outputs, const char *text, size_t len,
                           spec_ninja_include_fn *include, void *user, spec_err *err);

#endif
